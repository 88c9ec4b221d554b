"""The rules of games, bound to a lexicon."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from app.games.game import AnyGame, LexiconRef, Setup
from app.words.library import Library

GameT = TypeVar("GameT", bound=AnyGame)


class Rulebook:
    """Provides the rules of any game over any of the library's lexicons."""

    def __init__(self, library: Library, games: Mapping[str, type[AnyGame]]) -> None:
        """``games`` by kind."""
        self.library = library
        self.games = games
        self._bound = lru_cache(maxsize=16)(self._bind)

    def pin(self, kind: str, setup: Setup) -> Any:
        """Return the game's options from a setup, with the lexicon pinned by content hash.

        Raises UnknownLexicon.
        """
        return self.games[kind].options_type(**(setup.model_dump() | {"lexicon": self.ref(setup.lexicon)}))

    def ref(self, lexicon: str) -> LexiconRef:
        """Return a reference to the current content of this lexicon. Raises UnknownLexicon."""
        info = self.library.info(lexicon)
        return LexiconRef(name=info.name, sha256=info.sha256)

    def game(self, kind: str, lexicon: LexiconRef) -> AnyGame:
        """Return the rules of ``kind`` over exactly this content of the lexicon.

        Raises UnknownLexicon if the installation no longer has it.
        """
        return self.rules(self.games[kind], lexicon)

    def kind_of_daily(self, name: str) -> str:
        """Return the kind of game of a daily: a daily is named after its kind, or among ``more_dailies``."""
        return next(kind for kind, game in self.games.items() if name == kind or name in game.more_dailies)

    def daily(self, name: str, seeds: Iterator[str]) -> tuple[Any, str]:
        """Return the options and seed of a daily game, over its kind's default lexicon."""
        kind = self.kind_of_daily(name)
        game = self.usual(kind)
        return game.daily(seeds) if name == kind else game.extra_daily(name, seeds)

    def usual(self, kind: str) -> AnyGame:
        """Return the rules of ``kind`` over its default lexicon."""
        return self.game(kind, self.ref(self.usual_lexicon(kind)))

    def usual_lexicon(self, kind: str) -> str:
        """Return the name of the kind's default lexicon."""
        name: str = self.games[kind].setup_type().lexicon
        return name

    def rules(self, game: type[GameT], lexicon: LexiconRef) -> GameT:
        """Like ``game``, given the class instead of the kind. Raises UnknownLexicon."""
        bound: GameT = self._bound(game, lexicon)
        return bound

    def _bind(self, game: type[GameT], lexicon: LexiconRef) -> GameT:
        return game(self.library.load(lexicon.name, lexicon.sha256))
