"""The rules of Ghost.

The seats take turns to add a letter to a fragment that begins a word. A player who completes a
word of four letters or more loses; the others win.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from app.games.game import (
    Due,
    Frozen,
    Game,
    GameAnalysis,
    IllegalMove,
    LexiconRef,
    Measure,
    Outcome,
    OutOfTurn,
    SeatAnalysis,
    Summary,
    Thought,
)
from app.words.letters import ALPHABET
from app.words.library import Library

SHORTEST = 4
"""The fewest letters of a word that loses the game."""


class Setup(Frozen):
    """The options for a new game, with the lexicon's name."""

    lexicon: str = Library.default


class Options(Frozen):
    """The options of a game, with the lexicon pinned by its content."""

    lexicon: LexiconRef


class State(Frozen):
    """A position of the game."""

    options: Options
    seats: int
    ply: int = 0
    fragment: str = ""
    loser: int | None = None
    reason: str | None = None
    """Why the game ended; None while it is running."""


class Add(Frozen):
    """Add a letter to the fragment."""

    type: Literal["letter"] = "letter"
    letter: Annotated[str, Field(pattern="^[a-z]$")]


class Resign(Frozen):
    """Resign the game."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[Add | Resign, Field(discriminator="type")]


class View(Frozen):
    """What everybody may see; nothing is hidden."""

    lexicon: str
    ply: int
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int | None
    """None once the game is over."""
    fragment: str
    loser: int | None
    reason: str | None


class Analysis(GameAnalysis):
    """The letters after each of which the game could still be won."""

    escapes: tuple[str, ...]
    """Per letter of the fragment: the letters that would not have completed a word."""


class Ghost(Game[Options, State, Move, View, Analysis]):
    """Ghost over one lexicon."""

    kind: ClassVar[str] = "ghost"
    bots: ClassVar[tuple[str, ...]] = ()
    setup_type: ClassVar[type[Setup]] = Setup
    resignation: ClassVar[Move] = Resign()
    accuracy: ClassVar[Measure] = Measure(
        title="Escapes",
        phrase="of the escapes found",
        definition="An escape is a letter that completes no word, where there is one.",
    )

    @classmethod
    def seats(cls, options: Setup | Options) -> range:
        return range(2, 5)

    def start(self, options: Options, seats: int, seed: str) -> State:
        if seats not in self.seats(options):
            raise IllegalMove(f"Ghost is for 2 to 4, not {seats}")
        return State(options=options, seats=seats)

    def opening(self, options: Options) -> tuple[Move, ...]:
        return ()

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        if not 0 <= seat < state.seats:
            raise IllegalMove(f"there is no seat {seat}: seats are 0 to {state.seats - 1}")
        if state.reason is not None:
            raise OutOfTurn("the game is over")
        if isinstance(move, Resign):
            return state.model_copy(update={"loser": seat, "reason": "resigned", "ply": state.ply + 1})
        if seat != self.to_move(state):
            raise OutOfTurn("it is another player’s turn")
        fragment = state.fragment + move.letter
        if not self._begins_word(fragment):
            raise IllegalMove(f"no word begins with {fragment.upper()}")
        added: dict[str, object] = {"fragment": fragment, "ply": state.ply + 1}
        if self._loses(fragment):
            added |= {"loser": seat, "reason": f"{fragment.upper()} is a word"}
        return state.model_copy(update=added)

    def to_move(self, state: State) -> int | None:
        return len(state.fragment) % state.seats if state.reason is None else None

    def due(self, state: State, at: float) -> Due[Move] | None:
        return None

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        raise NotImplementedError("Ghost has no bots")

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        return Options(lexicon=LexiconRef.of(self.lexicon)), next(seeds)

    def summary(self, state: State, seat: int) -> Summary:
        score = int(seat != state.loser)
        return Summary(mode=self.kind, score=score, words=0, best_word="", best_points=0, longest_word="")

    def view(self, state: State, seat: int | None) -> View:
        return View(
            lexicon=state.options.lexicon.name,
            ply=state.ply,
            seat=seat,
            to_move=self.to_move(state),
            fragment=state.fragment,
            loser=state.loser,
            reason=state.reason,
        )

    def outcome(self, state: State) -> Outcome | None:
        if state.reason is None:
            return None
        winners = tuple(seat for seat in range(state.seats) if seat != state.loser)
        scores = tuple(int(seat in winners) for seat in range(state.seats))
        return Outcome(scores=scores, winners=winners, reason=state.reason)

    def seat_count(self, state: State) -> int:
        return state.seats

    def fingerprint(self, state: State) -> str:
        return f"{state.fragment} {state.loser} {state.reason}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        last = states[-1]
        prefixes = [last.fragment[:end] for end in range(len(last.fragment))]
        escapes = tuple("".join(self._escapes(prefix)) for prefix in prefixes)
        return Analysis(
            seats=tuple(self._judge(last, escapes, seat) for seat in range(last.seats)), escapes=escapes
        )

    def _judge(self, state: State, escapes: tuple[str, ...], seat: int) -> SeatAnalysis:
        own = range(seat, len(escapes), state.seats)
        chances = [state.fragment[index] in escapes[index] for index in own if escapes[index]]
        return SeatAnalysis(
            accuracy=100 * sum(chances) / len(chances) if chances else None,
            score=int(seat != state.loser),
            best_score=1,
            best_word="",
            best_points=0,
        )

    def _escapes(self, prefix: str) -> list[str]:
        return [
            letter
            for letter in ALPHABET
            if self._begins_word(prefix + letter) and not self._loses(prefix + letter)
        ]

    def _loses(self, fragment: str) -> bool:
        return len(fragment) >= SHORTEST and fragment in self.lexicon

    def _begins_word(self, fragment: str) -> bool:
        index = bisect_left(self.lexicon, fragment)
        return index < len(self.lexicon) and self.lexicon[index].startswith(fragment)
