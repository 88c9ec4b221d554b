"""Rounds of Boggle on a known board."""

from typing import TypeAlias

from app.games.boggle.rules import Boggle
from app.games.boggle.state import Move, Options, State, Word
from app.games.game import LexiconRef
from tests.games.playing import play

ROWS = ("cats", "doge", "rinq", "team")
Given: TypeAlias = Move | tuple[int, ...] | str
CAT, CATS, DOGS, RING = (0, 1, 2), (0, 1, 2, 3), (4, 5, 6, 3), (8, 9, 10, 6)


def options(game: Boggle, **given_: object) -> Options:
    return Options.model_validate({"lexicon": LexiconRef.of(game.lexicon), "board": ROWS} | given_)


def after(game: Boggle, *moves: tuple[int, Given], **given_: object) -> State:
    """The state of a new game after these seats' moves, one a second; a word may be its cells or its text."""
    new = game.start(options(game, **given_), 1 + max((seat for seat, _ in moves), default=0), "seed")
    return play(game, new, *((seat, made(move)) for seat, move in moves), pause=1)


def made(move: Given) -> Move:
    if isinstance(move, tuple):
        return Word(cells=move)
    return Word(word=move) if isinstance(move, str) else move


def scores(game: Boggle, state: State) -> tuple[int, ...]:
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores
