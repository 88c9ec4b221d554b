"""The parts of the store that need only the database."""

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


class Stores:
    """Sign-in, play, people and messages, as far as no rules of a game are needed."""

    def __init__(self, database: Database) -> None:
        self.devices = Devices(database)
        self.phrases = Phrases(database)
        self.passkeys = Passkeys(database)
        self.mail_addresses = MailAddresses(database)
        self.merging = Merging(database)
        self.tokens = Tokens(database)
        self.operators = Operators(database)
        self.shown = ShownHints(database)

        self.levels = Levels(database)
        self.word_votes = WordVotes(database)
        self.rankings = Rankings(database)
        self.ratings = Ratings(database)
        self.puzzles = PuzzleStore(database)
        self.rushes = PuzzleRushes(database)
        self.own_puzzles = OwnPuzzles(database)
        self.cards = Cards(database)
        self.study_boards = StudyBoards(database)

        self.circles = Circles(database)
        self.circle_activity = CircleActivity(database)
        self.blocks = Blocks(database)
        self.reports = Reports(database)
        self.sanctions = Sanctions(database)
        self.audit = Audit(database)

        self.channels = Channels(database)
        self.outbox = Outbox(database)
