"""The parts of the store that need only the database."""

from dataclasses import dataclass
from typing import Self, get_type_hints

from app.store.audit import Audit
from app.store.blocks import Blocks
from app.store.cards import Cards
from app.store.channels import Channels
from app.store.circle_activity import CircleActivity
from app.store.circles import Circles
from app.store.database import Database
from app.store.devices import Devices
from app.store.levels import Levels
from app.store.mail_addresses import MailAddresses
from app.store.merging import Merging
from app.store.operators import Operators
from app.store.outbox import Outbox
from app.store.own_puzzles import OwnPuzzles
from app.store.passkeys import Passkeys
from app.store.phrases import Phrases
from app.store.puzzle_rushes import PuzzleRushes
from app.store.puzzles import PuzzleStore
from app.store.rankings import Rankings
from app.store.ratings import Ratings
from app.store.reports import Reports
from app.store.sanctions import Sanctions
from app.store.shown_hints import ShownHints
from app.store.study_boards import StudyBoards
from app.store.tokens import Tokens
from app.store.word_votes import WordVotes


@dataclass(frozen=True, kw_only=True)
class Stores:
    """Sign-in, play, people and messages, as far as no rules of a game are needed."""

    devices: Devices
    phrases: Phrases
    passkeys: Passkeys
    mail_addresses: MailAddresses
    merging: Merging
    tokens: Tokens
    operators: Operators
    shown: ShownHints

    levels: Levels
    word_votes: WordVotes
    rankings: Rankings
    ratings: Ratings
    puzzles: PuzzleStore
    rushes: PuzzleRushes
    own_puzzles: OwnPuzzles
    cards: Cards
    study_boards: StudyBoards

    circles: Circles
    circle_activity: CircleActivity
    blocks: Blocks
    reports: Reports
    sanctions: Sanctions
    audit: Audit

    channels: Channels
    outbox: Outbox

    @classmethod
    def of(cls, database: Database) -> Self:
        """All of them, for one database."""
        return cls(**{name: store(database) for name, store in get_type_hints(cls).items()})
