"""Words that a player missed or guessed wrongly in a finished game, for their cards."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from app.store.cards import CardKey, Cards
from app.store.database import NO_WRITES
from app.store.game_reader import GameReader
from app.store.models import Table, TooMuch, UnknownPlayer
from app.store.players import PlayerStore
from app.web.preferences import Preferences
from app.web.room import Room, Rooms
from app.words.family import has_offensive_word
from app.words.lexicon import Lexicon
from app.words.library import DamagedLexicon, Library, UnknownLexicon
from app.words.recall import suggested

MOST: Final = 10
"""Most words that a game offers for the cards."""
MOST_REFUSED: Final = 3
"""Most wrong guesses among them."""


class MissedWords:
    """Finds the words missed in finished games, and adds them to the cards of players who want that."""

    def __init__(
        self,
        library: Library,
        rooms: Rooms,
        games: GameReader,
        cards: Cards,
        players: PlayerStore,
        clock: Callable[[], float],
    ) -> None:
        self._library = library
        self._rooms = rooms
        self._games = games
        self._cards = cards
        self._players = players
        self._clock = clock

    def of_seat(self, table: Table, seat: int, analysis: str) -> list[CardKey]:
        """Cards for a seat's missed words, the most useful first; ``analysis`` is JSON.

        Raises UnknownLexicon, DamagedLexicon.
        """
        room = self._rooms[table.kind]
        if not room.has_words_to_learn:
            return []
        lexicon = self._library.load(table.view(None).lexicon)
        states = self._games.states(table.id)
        return words_to_learn(room, lexicon, states, json.loads(analysis), seat)

    def add_wanted(self, table: Table, analysis: str) -> None:
        """Add the missed words of an analysed game to the cards of players who chose to always do that."""
        for seat, taken in enumerate(table.seats):
            if taken.player_id is None:
                continue
            stored = self._players.preferences(taken.player_id) or ""
            if Preferences.from_text(stored).learn_missed:
                # Left out, rather than the analysis lost: no room for more cards, no such list any more.
                with suppress(TooMuch, UnknownPlayer, UnknownLexicon, DamagedLexicon, *NO_WRITES):
                    self._cards.add(
                        taken.player_id, self.of_seat(table, seat, analysis), self._clock(), table.id
                    )


def words_to_learn(
    room: Room, lexicon: Lexicon, states: Sequence[Any], analysis: dict[str, Any], seat: int
) -> list[CardKey]:
    """Cards about a finished game: wrong guesses first, then missed words.

    Leaves out words that may not be suggested, such as offensive ones.
    """
    refused, missed = [], []
    for word, ask in dict.fromkeys(room.words_to_learn(states, analysis, seat)):
        key = CardKey(lexicon.name, word, ask)
        if ask == "validity":
            if word not in lexicon and not has_offensive_word(word):
                refused.append(key)
        elif suggested(lexicon, [word]):
            missed.append(key)
    latest = refused[-MOST_REFUSED:]
    return [*latest, *missed[: MOST - len(latest)]]
