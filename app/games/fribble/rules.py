"""The rules of Fribble as a Game: the crossword game of Appendix A of the Fribble README.

The first word covers the centre; every later one shares or touches a tile. All words formed in a turn must be
valid, and all score. The game ends when a seat plays its last tile with the bag empty, after a number of
consecutive scoreless turns, or when all but one seat have resigned. Tiles left on the racks are subtracted
from the scores, and added to the score of a seat that went out. With a clock per player, a seat that runs out
of time is out of the game like one that resigned. Tournaments take 10 points for each minute overtime
instead; here a clock that has run out cannot keep the others waiting.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any, ClassVar, Final

from app.games.clock import (
    OUT_OF_TIME,
    check_run_out,
    check_time,
    clocks_after,
    clocks_text,
    new_clocks,
    pause_in_time,
)
from app.games.fribble.adviser import Adviser
from app.games.fribble.analysis import ACCURACY, Analysis, analyse
from app.games.fribble.bag import draw, fill, missing, ordered, without
from app.games.fribble.bot import bots, choose, pause
from app.games.fribble.deep_analysis import deepen
from app.games.fribble.kernels import search
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.notation import BadNotation, coordinate, parse, played_text, shortage
from app.games.fribble.placement import Placement
from app.games.fribble.presets import presets
from app.games.fribble.scoring import Score, score
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
    Turn,
    Unsettled,
    View,
    Write,
    exchangeable,
    preset_of,
)
from app.games.game import (
    Due,
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
from app.grammar import format_count
from app.words.lexicon import Lexicon

GRACE: Final = 2.0
"""Seconds after the deadline in which a move made in time may still arrive over the network."""
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
        """Build the lexicon's GADDAG and filter of anagrams, which are then cached."""
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

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves: the racks are dealt at the start."""
        return ()

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        _check_moment(state, seat, move, at)
        match move:
            case Resign():
                after = _resigned(state, seat)
            case Challenge():
                after = self._challenged(state)
            case Pass() | TimeUp():
                after = _passed(state, move)
            case Exchange(tiles=tiles):
                after = _exchanged(state, tiles)
            case Write(text=text):
                after = self._placed(state, _read(state, text))
            case Place():
                after = self._placed(state, Placement(cells=move.cells, tiles=move.tiles))
        started = at if after.to_move != state.to_move else state.turn_started_at
        ended = _ended(after)
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
        """Return the timeout, with a limit per turn once a move made in time can no longer arrive."""
        deadline = _ends_at(state)
        if deadline is None:
            return None
        if state.clocks is not None:
            return Due(state.to_move, TimeUp(), deadline) if at >= deadline else None
        return Due(state.to_move, TimeUp(), deadline + GRACE) if at > deadline + GRACE else None

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        return self._thought(state, level)

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return the default preset, dealt from the day's first seed."""
        return Options(lexicon=LexiconRef(name=self.lexicon.name, sha256=self.lexicon.sha256)), next(seeds)

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
        """Return all but the seed, the order of the bag and, until the game is over, the other racks."""
        preset = preset_of(state)
        over = state.reason is not None
        played = [turn for turn in state.turns if turn.kind == "place"]
        return View(
            preset=state.options.preset,
            title=preset.title,
            layout=preset.layout.rows,
            values={letter: value for value, letters in preset.tiles.values.items() for letter in letters},
            bingo=preset.bingo,
            challenge=state.options.challenge,
            turn_seconds=state.options.turn_seconds,
            clock_seconds=state.options.clock_seconds,
            increment_seconds=state.options.increment_seconds,
            clocks=state.clocks,
            lexicon=state.lexicon.name,
            ply=state.ply,
            seat=seat,
            to_move=self.to_move(state),
            board=state.board.rows,
            rack=None if seat is None else state.racks[seat],
            racks=state.racks if over else None,
            held=tuple(map(len, state.racks)),
            bag=len(state.bag),
            unseen=state.unseen_by(seat),
            exchange=0 if over else exchangeable(state),
            scores=state.scores,
            turns=tuple(turn if over or turn.seat == seat else _hidden(turn) for turn in state.turns),
            last=played[-1] if played else None,
            may_challenge=state.unsettled is not None and not over,
            settled=state.settled,
            resigned=state.resigned,
            ends_at=_ends_at(state),
            reason=state.reason,
        )

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
        rest = f"{state.bag} {state.scores} {state.to_move} {state.resigned} {state.reason}"
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
        seat = state.to_move
        kept = without(state.racks[seat], placement.used)
        rack, bag = fill(kept, state.bag, generator(state.seed, state.ply))
        turn = Turn(
            seat=seat,
            kind="place",
            points=found.total,
            placement=placement,
            coordinate=coordinate(state.board, placement),
            text=played_text(state.board, placement),
            words=found.words,
        )
        before = Unsettled(board=state.board, rack=state.racks[seat], bag=state.bag)
        return state.model_copy(
            update={
                "board": state.board.with_tiles(placement.cells, placement.tiles),
                "racks": _with(state.racks, seat, rack),
                "bag": bag,
                "scores": _with(state.scores, seat, state.scores[seat] + found.total),
                "turns": (*state.turns, turn),
                "to_move": _next_seat(state),
                "unsettled": before if state.options.challenge == "double" else None,
                "out": seat if not rack else None,
            }
        )

    def _challenged(self, state: State) -> State:
        if state.options.challenge == "void":
            raise IllegalMove("there is nothing to challenge: invalid words are refused in this game")
        if state.unsettled is None:
            raise OutOfTurn("there is no play to challenge: that is for the turn right after it")
        *earlier, played = state.turns
        if all(word.lower() in self.lexicon for word in played.words):
            return _skipped(state, "challenge")
        return state.model_copy(
            update={
                "board": state.unsettled.board,
                "racks": _with(state.racks, played.seat, state.unsettled.rack),
                "bag": state.unsettled.bag,
                "scores": _with(state.scores, played.seat, state.scores[played.seat] - played.points),
                "turns": (*earlier, played.model_copy(update={"kind": "withdrawn", "points": 0})),
                "unsettled": None,
                "out": None,
            }
        )


def _hidden(turn: Turn) -> Turn:
    """Return the turn as opponents see it."""
    return turn.model_copy(update={"returned": ""})


def _check_moment(state: State, seat: int, move: Move, at: float) -> None:
    """Raise OutOfTurn if it is not this seat's turn or the move comes too late.

    Raises IllegalMove if there is no such seat.
    """
    if not 0 <= seat < len(state.scores):
        raise IllegalMove(f"there is no seat {seat}: seats are 0 to {len(state.scores) - 1}")
    if state.reason is not None:
        raise OutOfTurn("the game is over")
    if seat in state.resigned:
        raise OutOfTurn("you have resigned from this game")
    if seat != state.to_move and not isinstance(move, Resign):
        raise OutOfTurn(f"it is the turn of seat {state.to_move}")
    if state.clocks is not None:
        (check_run_out if isinstance(move, TimeUp) else check_time)(state.clocks, at)
        return
    deadline = _ends_at(state)
    late = deadline is not None and at > deadline
    if isinstance(move, TimeUp) and not late:
        raise OutOfTurn("the clock has not run out")
    if late and at > (deadline or 0) + GRACE and not isinstance(move, TimeUp | Resign):
        raise OutOfTurn("time is up")


def _ends_at(state: State) -> float | None:
    if state.clocks is not None:
        return state.clocks.ends_at
    if state.turn_started_at is None or state.options.turn_seconds is None or state.reason is not None:
        return None
    return state.turn_started_at + state.options.turn_seconds


def _read(state: State, text: str) -> Placement:
    try:
        return parse(text, state.board, state.racks[state.to_move])
    except BadNotation as error:
        raise IllegalMove(str(error)) from None


def _resigned(state: State, seat: int, reason: str = "resigned") -> State:
    """Take ``seat`` out of the game, with its tiles. A play that it could have challenged is accepted."""
    gone = state.model_copy(update={"resigned": (*state.resigned, seat)})
    stayed = len(state.scores) - len(gone.resigned)
    if stayed == 1:
        return gone.model_copy(update={"reason": reason, "unsettled": None})
    if seat != state.to_move:
        return gone
    return gone.model_copy(update={"to_move": _next_seat(gone), "unsettled": None})


def _passed(state: State, move: Pass | TimeUp) -> State:
    """Pass the turn to the next seat. A second timeout in a row, or one by its clock, resigns the game."""
    own = [turn for turn in state.turns if turn.seat == state.to_move]
    after = _skipped(state, "timeup" if isinstance(move, TimeUp) else "pass")
    if isinstance(move, TimeUp) and state.clocks is not None:
        return _resigned(after, state.to_move, OUT_OF_TIME)
    if isinstance(move, TimeUp) and own and own[-1].kind == "timeup":
        after = _resigned(after, state.to_move)
    return after


def _skipped(state: State, kind: str) -> State:
    turn = Turn.model_validate({"seat": state.to_move, "kind": kind})
    return state.model_copy(
        update={"turns": (*state.turns, turn), "to_move": _next_seat(state), "unsettled": None}
    )


def _exchanged(state: State, tiles: str) -> State:
    seat, most = state.to_move, exchangeable(state)
    if state.out is not None:
        raise OutOfTurn("the last tile was played: challenge it, or pass to accept it")
    if lacking := missing(state.racks[seat], tiles):
        raise IllegalMove(f"the rack has no {lacking[0]} to exchange")
    if len(tiles) > most:
        minimum = preset_of(state).exchange_minimum
        rule = f"exchanges need {minimum} or more" if minimum > 1 else "no more can be exchanged"
        raise IllegalMove(f"the bag holds {format_count(len(state.bag), 'tile')}: {rule}")
    drawn, left = draw(state.bag, len(tiles), generator(state.seed, state.ply))
    after = _skipped(state, "exchange")
    turn = after.turns[-1].model_copy(update={"exchanged": len(tiles), "returned": ordered(tiles)})
    return after.model_copy(
        update={
            "racks": _with(state.racks, seat, ordered(without(state.racks[seat], tiles) + drawn)),
            "bag": ordered(left + tiles),
            "turns": (*state.turns, turn),
        }
    )


def _ended(state: State) -> State:
    """Settle the game if it has ended."""
    if state.reason is not None:
        return state
    if state.out is not None and state.unsettled is None:
        return settle(state, "the last tile was played")
    preset = preset_of(state)
    scoreless = sum(1 for _ in takewhile(lambda turn: turn.points == 0, reversed(state.turns)))
    counts = preset.scoreless_from_zero or any(state.scores)
    if scoreless >= preset.scoreless_turns and counts and state.unsettled is None:
        return settle(state, f"{preset.scoreless_turns} turns in a row without points")
    return state


def settle(state: State, reason: str) -> State:
    """End the game for this reason: subtract the tiles left, and add them for a seat that went out."""
    values = preset_of(state).tiles
    left = [0 if seat in state.resigned else values.worth(rack) for seat, rack in enumerate(state.racks)]
    change = [sum(left) if seat == state.out else -worth for seat, worth in enumerate(left)]
    scores = tuple(points + more for points, more in zip(state.scores, change, strict=True))
    return state.model_copy(update={"scores": scores, "settled": tuple(change), "reason": reason})


def _next_seat(state: State) -> int:
    seats = len(state.scores)
    return next(
        seat
        for seat in ((state.to_move + step) % seats for step in range(1, seats + 1))
        if seat not in state.resigned
    )


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
