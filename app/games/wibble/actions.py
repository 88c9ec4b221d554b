"""Guards (conditions) and actions of the state machine.

A guard returns None to allow a transition, or a reason for the player. An action returns the next state; the
machine sets its phase.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from app.games.game import FINISHED_EARLY
from app.games.grid import grid
from app.games.wibble.board import mix, place_bonuses, place_gems, replace_tiles
from app.games.wibble.modes import ModeRules
from app.games.wibble.scoring import Scoring, points
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board, Power, Report, State, Turn
from app.grammar import format_count, there_are
from app.words.draw import LetterDraw
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words


class Trigger(StrEnum):
    """The events of a game."""

    START = "start"
    ADD = "add"
    BACK = "back"
    RELEASE = "release"
    CLEANED = "cleaned"
    PASS = "pass"  # noqa: S105 - a move
    SHUFFLE = "shuffle"
    SWAP = "swap"
    HINT = "hint"
    TIME_UP = "time_up"
    RESIGN = "resign"


POWERS: dict[Trigger, Power] = {Trigger.SHUFFLE: "shuffle", Trigger.SWAP: "swap", Trigger.HINT: "hint"}


@dataclass(frozen=True, slots=True)
class Event:
    """An event, with its tile and letter if any."""

    trigger: Trigger
    cell: int = -1
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What guards and actions need besides the state and the event."""

    lexicon: Lexicon
    solver: Solver
    mode: ModeRules
    scoring: Scoring
    draw: LetterDraw
    random: Random
    seat: int
    """The seat that makes the move: the seat to move, except for a resignation out of turn."""
    at: float

    def count(self, size: int) -> "BoardCounter":
        """Return a word counter for boards of this size."""
        return BoardCounter(self.solver, size)


@dataclass(frozen=True, slots=True)
class BoardCounter:
    """Counts words on boards of one size."""

    solver: Solver
    size: int

    def __call__(self, letters: str, enough: int) -> int:
        """Return the number of words on the board, counted up to ``enough``."""
        return self.solver.count(letters, self.size, enough=enough)


# Guards


def always(_state: State, _event: Event, _context: Context) -> str | None:
    """Allow every event."""
    return None


def on_board(state: State, event: Event, _context: Context) -> str | None:
    """Require an existing cell."""
    cells = state.options.size**2
    if 0 <= event.cell < cells:
        return None
    return f"cell {event.cell} is not on the board: cells are 0 to {cells - 1}"


def second_to_last(state: State, event: Event, _context: Context) -> str | None:
    """Require the second-to-last tile of the chain: the player backs up."""
    return None if len(state.chain) > 1 and event.cell == state.chain[-2] else "not the second-to-last tile"


def extends_chain(state: State, event: Event, context: Context) -> str | None:
    """Require an existing tile, not in the chain, next to its last tile."""
    if (refusal := on_board(state, event, context)) is not None:
        return refusal
    last = state.chain[-1]
    if event.cell in state.chain:
        return f"cell {event.cell} is in the chain already: each tile is used once"
    if not grid(state.options.size, state.options.size).touch(last, event.cell):
        return f"cell {event.cell} does not touch cell {last}: each tile must touch the one before"
    return None


def several_tiles(state: State, _event: Event, _context: Context) -> str | None:
    """Require a chain of at least two tiles."""
    return None if len(state.chain) > 1 else "the chain has one tile"


def one_tile(state: State, _event: Event, _context: Context) -> str | None:
    """Require a chain of one tile."""
    return None if len(state.chain) == 1 else "the chain has several tiles"


def replaces_releases(state: State, event: Event, context: Context) -> str | None:
    """Require a chain of at least two tiles, in a game that replaces the tiles of every chain."""
    if state.options.replace != "releases":
        return "only the tiles of words are replaced"
    return several_tiles(state, event, context)


def out_of_rounds(state: State, _event: Event, context: Context) -> str | None:
    """Require that the last round is over."""
    rounds = context.mode.rounds
    return None if rounds is not None and state.round > rounds else "there are rounds left"


def game_clock_ran_out(state: State, _event: Event, context: Context) -> str | None:
    """Require that the game's time limit has expired."""
    return _left(state.started_at, context.mode.seconds, context.at)


def turn_clock_ran_out(state: State, event: Event, context: Context) -> str | None:
    """Require that the turn's time limit has expired."""
    if state.options.turn_seconds is None:
        return game_clock_ran_out(state, event, context) or "the game’s clock ran out, not the turn’s"
    return _left(state.turn_started_at, state.options.turn_seconds, context.at)


def has_rounds(_state: State, _event: Event, context: Context) -> str | None:
    """Require a mode with rounds, where turns can be passed."""
    return None if context.mode.rounds else f"{context.mode.title} has no turns to pass"


def nobody_else_plays(state: State, _event: Event, context: Context) -> str | None:
    """Require that at most one seat remains when this one leaves."""
    left = [seat for seat in active_seats(state) if seat != context.seat]
    return None if len(left) <= 1 else "others play on"


def is_to_move(state: State, _event: Event, context: Context) -> str | None:
    """Require that it is this seat's turn."""
    return None if context.seat == state.to_move else f"it is the turn of seat {state.to_move}"


def can_pay(state: State, event: Event, context: Context) -> str | None:
    """Require that the mode has the power, and the seat to move enough gems."""
    power = POWERS[event.trigger]
    cost = context.mode.costs.get(power)
    if cost is None:
        return f"{context.mode.title} has no {power}"
    held = state.gems[state.to_move]
    return None if held >= cost else f"a {power} costs {format_count(cost, 'gem')} and you have {held}"


def can_swap(state: State, event: Event, context: Context) -> str | None:
    """Require what any power requires, an existing tile and a different letter."""
    refusal = can_pay(state, event, context) or on_board(state, event, context)
    if refusal is None and _board(state).letters[event.cell] == event.letter:
        return f"the tile is {event.letter.upper()} already: choose another letter"
    return refusal


# Actions


def deal(state: State, _event: Event, context: Context) -> State:
    """Deal the first board and start the clock."""
    options = state.options
    cells = range(options.size**2)
    letters = options.board or replace_tiles(
        "a" * len(cells),
        cells,
        context.draw,
        context.random,
        context.count(options.size),
        options.min_words,
    )
    gems = context.mode.gems
    board = Board(letters=letters)
    if gems:
        board = Board(letters=letters, gems=place_gems((), cells, gems.on_board, context.random))
    return state.model_copy(
        update={
            "board": place_bonuses(board, context.mode, 1, context.random),
            "round": 1,
            "started_at": context.at,
            "turn_started_at": context.at,
            "report": Report(result="started", seat=context.seat),
        }
    )


def extend(state: State, event: Event, _context: Context) -> State:
    """Append the tile to the chain."""
    return state.model_copy(update={"chain": (*state.chain, event.cell)})


def drop_last(state: State, _event: Event, _context: Context) -> State:
    """Remove the last tile of the chain."""
    return state.model_copy(update={"chain": state.chain[:-1]})


def drop_chain(state: State, _event: Event, _context: Context) -> State:
    """Discard the chain; a single tile is not an attempt."""
    return state.model_copy(update={"chain": (), "report": Report(result="dropped", seat=state.to_move)})


def clean_up(state: State, _event: Event, context: Context) -> State:
    """Process a released chain: validate, score, replace the used tiles, end the turn."""
    report = _validate(state, context)
    if report.result != "scored":
        return state.model_copy(update={"chain": (), "report": report})
    return _close_turn(_replace_used(_score(state, report, context), context), context)


def clean_up_release(state: State, event: Event, context: Context) -> State:
    """Process a released chain, and replace its tiles even if it is not a word."""
    cleaned = clean_up(state, event, context)
    report = cleaned.report
    if report is None or report.result == "scored":
        return cleaned
    replaced = _replace_used(cleaned.model_copy(update={"chain": state.chain}), context)
    return replaced.model_copy(update={"report": report.model_copy(update={"replaced": True})})


def settle(state: State, _event: Event, _context: Context) -> State:
    """Finish the clean-up."""
    return state


def end_after_rounds(state: State, _event: Event, context: Context) -> State:
    """End the game: all rounds are played."""
    return state.model_copy(
        update={"round": context.mode.rounds, "reason": f"all {context.mode.rounds} rounds played"}
    )


def end_by_clock(state: State, _event: Event, _context: Context) -> State:
    """End the game: time is up. A chain in progress is lost."""
    return _ended(state, "time’s up")


def end_by_player(state: State, _event: Event, context: Context) -> State:
    """End the game: the player finishes, or leaves only one opponent. A chain in progress is lost."""
    if len(state.scores) == 1:
        return _ended(state, FINISHED_EARLY)
    left = state.model_copy(update={"resigned": (*state.resigned, context.seat)})
    return _ended(left, "all others resigned")


def pass_turn(state: State, _event: Event, context: Context) -> State:
    """Pass the turn. A chain in progress is lost."""
    turn = Turn(seat=state.to_move, round=state.round, word="", cells=(), points=0)
    passed = state.model_copy(
        update={
            "chain": (),
            "hint": None,
            "turns": (*state.turns, turn),
            "report": Report(result="passed", seat=state.to_move),
        }
    )
    return _close_turn(passed, context)


def leave_table(state: State, _event: Event, context: Context) -> State:
    """Resign a seat while the others continue; if it was its turn, the turn is passed."""
    left = state.model_copy(
        update={
            "resigned": (*state.resigned, context.seat),
            "report": Report(result="resigned", seat=context.seat),
        }
    )
    if context.seat != state.to_move:
        return left
    return _close_turn(left.model_copy(update={"chain": (), "hint": None}), context)


def shuffle(state: State, event: Event, context: Context) -> State:
    """Shuffle the tiles."""
    options = state.options
    board = mix(_board(state), context.random, context.count(options.size), options.min_words)
    return _paid(state, event, context).model_copy(
        update={"board": board, "hint": None, "report": Report(result="shuffled", seat=state.to_move)}
    )


def swap(state: State, event: Event, context: Context) -> State:
    """Change the letter of one tile; its gem and bonus stay."""
    board = _board(state)
    letters = board.letters[: event.cell] + event.letter + board.letters[event.cell + 1 :]
    return _paid(state, event, context).model_copy(
        update={
            "board": board.model_copy(update={"letters": letters}),
            "hint": None,
            "report": Report(result="swapped", seat=state.to_move, cells=(event.cell,)),
        }
    )


def hint(state: State, event: Event, context: Context) -> State:
    """Show the best word, excluding profanity."""
    best = context.solver.best(
        _board(state), state.options.size, context.scoring, allowed=allowed_words(context.lexicon)
    )
    cells = best.cells if best else ()
    return _paid(state, event, context).model_copy(
        update={"hint": cells or None, "report": Report(result="hinted", seat=state.to_move, cells=cells)}
    )


# Steps of the clean-up


def _validate(state: State, context: Context) -> Report:
    letters = _board(state).letters
    word = "".join(letters[cell] for cell in state.chain)
    if word not in context.lexicon:
        return Report(result="not_a_word", seat=state.to_move, word=word, cells=state.chain)
    if context.mode.once_per_word and any(turn.word == word for turn in state.turns):
        return Report(result="repeated", seat=state.to_move, word=word, cells=state.chain)
    return Report(result="scored", seat=state.to_move, word=word, cells=state.chain)


def _score(state: State, report: Report, context: Context) -> State:
    board, seat = _board(state), state.to_move
    scored = points(board, state.chain, context.scoring)
    gathered = sum(cell in board.gems for cell in state.chain)
    turn = Turn(
        seat=seat,
        round=state.round,
        word=report.word,
        cells=state.chain,
        points=scored,
        gems=gathered,
        hinted=state.hint is not None,
    )
    held = state.gems[seat] + gathered
    if context.mode.gems:
        held = min(held, context.mode.gems.most)
    return state.model_copy(
        update={
            "turns": (*state.turns, turn),
            "scores": _with(state.scores, seat, state.scores[seat] + scored),
            "gems": _with(state.gems, seat, held),
            "report": report.model_copy(update={"points": scored, "gems": gathered}),
        }
    )


def _replace_used(state: State, context: Context) -> State:
    board, options = _board(state), state.options
    letters = replace_tiles(
        board.letters,
        state.chain,
        context.draw,
        context.random,
        context.count(options.size),
        options.min_words,
    )
    left = tuple(cell for cell in board.gems if cell not in state.chain)
    if context.mode.gems:
        left = place_gems(left, state.chain, context.mode.gems.on_board, context.random)
    return state.model_copy(
        update={
            "board": board.model_copy(update={"letters": letters, "gems": left}),
            "chain": (),
            "hint": None,
        }
    )


def _close_turn(state: State, context: Context) -> State:
    """Move on to the next active seat; the round ends after the last seat."""
    seat, round_ = state.to_move, state.round
    while True:
        seat += 1
        if seat == len(state.scores):
            seat, round_ = 0, round_ + 1
        if seat not in state.resigned:
            break
    board = place_bonuses(_board(state), context.mode, round_, context.random)
    return state.model_copy(
        update={"to_move": seat, "round": round_, "board": board, "turn_started_at": context.at}
    )


def active_seats(state: State) -> list[int]:
    """Return the seats that have not resigned."""
    return [seat for seat in range(len(state.scores)) if seat not in state.resigned]


def _left(since: float | None, seconds: float | None, at: float) -> str | None:
    """Return None once ``seconds`` have passed, else the reason why not."""
    if since is None or seconds is None:
        return "there is no clock"
    left = since + seconds - at
    return None if left <= 0 else f"{there_are(math.ceil(left), 'second')} left"


def _board(state: State) -> Board:
    if state.board is None:
        raise AssertionError(f"no board is dealt in phase {state.phase}")
    return state.board


def _ended(state: State, reason: str) -> State:
    return state.model_copy(
        update={
            "chain": (),
            "hint": None,
            "reason": reason,
            "report": Report(result="finished", seat=state.to_move),
        }
    )


def _paid(state: State, event: Event, context: Context) -> State:
    seat, cost = state.to_move, context.mode.costs[POWERS[event.trigger]]
    return state.model_copy(update={"gems": _with(state.gems, seat, state.gems[seat] - cost)})


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
