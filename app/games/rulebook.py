"""All the games of the house by kind, each bound to the lexicon that a table asks for."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeVar

from app.games.boggle.rules import Boggle
from app.games.fribble.rules import Fribble
from app.games.game import Game, LexiconRef, Setup
from app.games.letterpress.rules import Letterpress
from app.games.scrabblet.rules import Scrabblet
from app.games.wibble.rules import Wibble
from app.words.library import Library

AnyGame = Game[Any, Any, Any, Any, Any]
GameT = TypeVar("GameT", bound=AnyGame)

GAMES: dict[str, type[AnyGame]] = {
    game.kind: game for game in (Wibble, Letterpress, Boggle, Fribble, Scrabblet)
}
"""Every kind of game there is."""


class Rulebook:
    """Hands out the rules of a kind of game over one of the library's lexicons."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._bound = lru_cache(maxsize=16)(self._bind)

    def pin(self, kind: str, setup: Setup) -> Any:
        """The options a game keeps: those asked for, with the lexicon pinned by its content.

        Raises UnknownLexicon.
        """
        return GAMES[kind].options_type(**(setup.model_dump() | {"lexicon": self.ref(setup.lexicon)}))

    def ref(self, lexicon: str) -> LexiconRef:
        """What the lexicon of this name is now. Raises UnknownLexicon."""
        info = self.library.info(lexicon)
        return LexiconRef(name=info.name, sha256=info.sha256)

    def game(self, kind: str, lexicon: LexiconRef) -> AnyGame:
        """The rules of ``kind`` over that very content of the lexicon.

        Raises UnknownLexicon where the installation does not have it any more.
        """
        return self.rules(GAMES[kind], lexicon)

    def daily(self, kind: str, seeds: Iterator[str]) -> tuple[Any, str]:
        """The options and the seed of a day's game, over the lexicon that the kind has by default."""
        return self.usual(kind).daily(seeds)

    def usual(self, kind: str) -> AnyGame:
        """The rules of ``kind`` over the lexicon that it is played with where nobody asks for another."""
        return self.game(kind, self.ref(self.usual_lexicon(kind)))

    @staticmethod
    def usual_lexicon(kind: str) -> str:
        """The name of that lexicon."""
        name: str = GAMES[kind].setup_type().lexicon
        return name

    def rules(self, game: type[GameT], lexicon: LexiconRef) -> GameT:
        """As ``game``, for who knows the class. Raises UnknownLexicon."""
        bound: GameT = self._bound(game, lexicon)
        return bound

    def _bind(self, game: type[GameT], lexicon: LexiconRef) -> GameT:
        return game(self.library.load(lexicon.name, lexicon.sha256))
