"""The rules of Fribble as a Game: the crossword game of Appendix A of the Fribble README.

The first word covers the centre; every later one shares or touches a tile. All words formed in a turn must be
valid, and all score. The game ends when a seat plays its last tile with the bag empty, after a number of
consecutive scoreless turns, or when all but one seat have resigned. Tiles left on the racks are subtracted
from the scores, and added to the score of a seat that went out. With a clock per player, a seat that runs out
of time is out of the game like one that resigned. Tournaments deduct 10 points for each minute of
overtime instead; here the others need not wait for a player whose clock has run out.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import ClassVar, Final

from app.games.clock import (
    OUT_OF_TIME,
    clocks_after,
    clocks_text,
    new_clocks,
    pause_in_time,
    start_time_limit,
)
from app.games.departures import how_forfeited
from app.games.fribble.adviser import Adviser
from app.games.fribble.analysis import ACCURACY, Analysis, analyse
from app.games.fribble.bag import fill
from app.games.fribble.bot import bots, choose, pause
from app.games.fribble.deep_analysis import deepen
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.movegen_kernels import search
from app.games.fribble.notation import BadNotation, parse, shortage
from app.games.fribble.placement import Placement
from app.games.fribble.presets import presets
from app.games.fribble.scoring import Score, score
from app.games.fribble.settlement import settled_if_over
from app.games.fribble.state import (
    Challenge,
    Choices,
    Exchange,
    Move,
    Options,
    Pass,
    Place,
    Resign,
    Setup,
    State,
    TimeUp,
    View,
    Write,
    preset_of,
)
from app.games.fribble.turn_order import GRACE, check_turn, ends_at
from app.games.fribble.turns import exchange, leave, pass_turn, place_tiles, skip_turn, withdraw
from app.games.fribble.views import view_of
from app.games.game import (
    Due,
    Forfeit,
    Game,
    IllegalMove,
    LexiconRef,
    Measure,
    NotAWord,
    Outcome,
    OutOfTurn,
    Summary,
    Thought,
)
from app.games.randomness import generator
from app.words.lexicon import Lexicon

THOUGHTS_KEPT: Final = 64
"""Cache size: a table asks for its bot's move on every view."""
_DEAL: Final = -1
"""Racks are dealt before ply 0, from their own generator."""


class Fribble(Game[Options, State, Move, View, Analysis]):
    """Fribble over one lexicon."""

    kind: ClassVar[str] = "fribble"
    bots: ClassVar[tuple[str, ...]] = tuple(bot.name for bot in bots())
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Resign()
    forfeits: ClassVar[bool] = True
    secret: ClassVar[tuple[type[Move], ...]] = (Exchange,)

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.movegen: Final = cache(self._movegen)
        """Cached: the move generator of the named preset. Building the first one for a lexicon takes
        seconds."""
        self.adviser: Final = cache(self._adviser)
        """Cached: the adviser of the named preset."""
        self._thought: Final = lru_cache(maxsize=THOUGHTS_KEPT)(self._think)

    def prepare(self) -> None:
        """Build and cache the lexicon's GADDAG and anagram filter."""
        _ = self.lexicon.gaddag, self.lexicon.anagrams

    @classmethod
    def seats(cls, options: Choices) -> range:
        fewest, most = presets()[options.preset].seats
        return range(fewest, most + 1)

    def start(self, options: Options, seats: int, seed: str) -> State:
        """Return an empty board with full racks."""
        allowed = self.seats(options)
        if seats not in allowed:
            most = f" to {allowed[-1]}" if len(allowed) > 1 else ""
            raise IllegalMove(f"{presets()[options.preset].title} is for {allowed[0]}{most}, not {seats}")
        random, bag = generator(seed, _DEAL), presets()[options.preset].tiles.full_bag
        racks: list[str] = []
        for _ in range(seats):
            rack, bag = fill("", bag, random)
            racks.append(rack)
        clocks = new_clocks(options, seats)
        return State(
            options=options, seed=seed, racks=tuple(racks), bag=bag, scores=(0,) * seats, clocks=clocks
        )

    @classmethod
    def start_time_limit(cls, options: Options) -> int | None:
        return start_time_limit(options.clock_seconds or options.turn_seconds)

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves: the racks are dealt at the start."""
        return ()

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        check_turn(state, seat, move, at)
        match move:
            case Resign():
                after = leave(state, seat, "resigned")
            case Forfeit(began=began):
                after = leave(state, seat, how_forfeited(began=began))
            case Challenge():
                after = self._challenged(state)
            case Pass() | TimeUp():
                after = pass_turn(state, move)
            case Exchange(tiles=tiles):
                after = exchange(state, tiles)
            case Write(text=text):
                after = self._placed(state, _read(state, text))
            case Place():
                after = self._placed(state, Placement(cells=move.cells, tiles=move.tiles))
        started = at if after.to_move != state.to_move else state.turn_started_at
        ended = settled_if_over(after)
        increment = state.options.increment_seconds if len(after.turns) > len(state.turns) else 0
        clocks = clocks_after(state.clocks, self.to_move(state), self.to_move(ended), at, increment)
        return ended.model_copy(update={"ply": state.ply + 1, "turn_started_at": started, "clocks": clocks})

    def logged(self, state: State, move: Move) -> Move:
        """Return a written placement as squares and tiles, so that no later version has to parse it."""
        if not isinstance(move, Write):
            return move
        read = _read(state, move.text)
        return Place(cells=read.cells, tiles=read.tiles)

    def judge(self, state: State, placement: Placement) -> tuple[Score, tuple[str, ...]]:
        """Return the score of ``placement`` for the seat to move, and its invalid words.

        Raises IllegalMove if the rack lacks the tiles, or the squares are not allowed.
        """
        found = score(state.board, placement, preset_of(state))
        if lacking := shortage(state.board, placement, state.racks[state.to_move]):
            raise IllegalMove(f"the rack has {lacking}")
        return found, tuple(word for word in found.words if word.lower() not in self.lexicon)

    def to_move(self, state: State) -> int | None:
        return state.to_move if state.reason is None else None

    def due(self, state: State, at: float) -> Due[Move] | None:
        """Return the next timeout; with a limit per turn, after a grace period for moves made in time."""
        deadline = ends_at(state)
        if deadline is None:
            return None
        if state.clocks is not None:
            return Due(state.to_move, TimeUp(), deadline) if at >= deadline else None
        return Due(state.to_move, TimeUp(), deadline + GRACE) if at > deadline + GRACE else None

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        return self._thought(state, level)

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return the default preset, dealt from the day's first seed."""
        return Options(lexicon=LexiconRef.of(self.lexicon)), next(seeds)

    def summary(self, state: State, seat: int) -> Summary:
        """Return the seat's statistics; a turn counts as its main word."""
        own = [turn for turn in state.turns if turn.seat == seat and turn.kind == "place"]
        best = max(own, key=lambda turn: turn.points, default=None)
        return Summary(
            mode=state.options.preset,
            score=state.scores[seat],
            words=len(own),
            best_word=best.words[0].lower() if best else "",
            best_points=best.points if best else 0,
            longest_word=max((turn.words[0].lower() for turn in own), key=len, default=""),
        )

    def turn_words(self, state: State, seat: int) -> tuple[str, ...]:
        own = (turn for turn in state.turns if turn.seat == seat)
        return tuple(turn.words[0].lower() if turn.words else "" for turn in own)

    def view(self, state: State, seat: int | None) -> View:
        return view_of(state, seat)

    def reveal(self, state: State) -> View:
        """Return the position as the seat to move saw it, with all racks shown."""
        return self.view(state, state.to_move).model_copy(update={"racks": state.racks})

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: the best score among the seats that have not resigned wins."""
        if state.reason is None:
            return None
        stayed = [seat for seat in range(len(state.scores)) if seat not in state.resigned]
        best = max(state.scores[seat] for seat in stayed)
        winners = tuple(seat for seat in stayed if state.scores[seat] == best)
        return Outcome(scores=state.scores, winners=winners, reason=state.reason)

    def seat_count(self, state: State) -> int:
        return len(state.scores)

    def fingerprint(self, state: State) -> str:
        """Return board, racks, bag, scores, seat to move and end of the game as text."""
        # Older records say so of a player who missed two turns in a row.
        reason = "resigned" if state.reason == OUT_OF_TIME and state.clocks is None else state.reason
        rest = f"{state.bag} {state.scores} {state.to_move} {state.resigned} {reason}"
        return f"{state.board.squares} {' '.join(state.racks)} {rest}{clocks_text(state.clocks)}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        return analyse(states, self.lexicon, self.adviser(states[-1].options.preset))

    def deepen(self, states: tuple[State, ...], analysis: Analysis, late: Callable[[], bool]) -> Analysis:
        if not search.ready:
            return analysis
        return deepen(states, analysis, self.lexicon, self.adviser(states[-1].options.preset), late)

    def _think(self, state: State, level: int) -> Thought[Move]:
        adviser = self.adviser(state.options.preset)
        move = choose(state, bots()[level - 1], self.lexicon, adviser)
        return Thought(move, pause_in_time(pause(state, move, level), state.clocks))

    def _movegen(self, preset: str) -> MoveGenerator:
        return MoveGenerator(self.lexicon, presets()[preset])

    def _adviser(self, preset: str) -> Adviser:
        return Adviser(self.movegen(preset), preset)

    def _placed(self, state: State, placement: Placement) -> State:
        if state.out is not None:
            raise OutOfTurn("the last tile was played: challenge it, or pass to accept it")
        found, invalid = self.judge(state, placement)
        if invalid and state.options.challenge == "void":
            raise NotAWord(*(word.lower() for word in invalid))
        return place_tiles(state, placement, found)

    def _challenged(self, state: State) -> State:
        if state.options.challenge == "void":
            raise IllegalMove("there is nothing to challenge: invalid words are refused in this game")
        if state.unsettled is None:
            raise OutOfTurn("there is no play to challenge: that is for the turn right after it")
        if all(word.lower() in self.lexicon for word in state.turns[-1].words):
            return skip_turn(state, "challenge")
        return withdraw(state, state.unsettled)


def _read(state: State, text: str) -> Placement:
    try:
        return parse(text, state.board, state.racks[state.to_move])
    except BadNotation as error:
        raise IllegalMove(str(error)) from None
