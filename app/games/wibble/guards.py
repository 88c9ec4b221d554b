"""Guards of the state machine: each returns None to allow a transition, or a reason for the player."""

import math

from app.games.grid import grid
from app.games.wibble import adventure
from app.games.wibble.board import board_of
from app.games.wibble.events import POWERS, Context, Event
from app.games.wibble.state import State
from app.games.wibble.teams import MOST_SUGGESTIONS, playing_teams, suggestions_left
from app.grammar import format_count, there_are


def always(_state: State, _event: Event, _context: Context) -> str | None:
    """Allow every event."""
    return None


def on_board(state: State, event: Event, _context: Context) -> str | None:
    """Require a cell that words can use."""
    cells = state.options.size**2
    if 0 <= event.cell < cells:
        return adventure.refused_cell(state, event.cell)
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


def player_ran_out(state: State, event: Event, context: Context) -> str | None:
    """Require that the clock of the player to move has run out."""
    clocks = state.clocks
    if clocks is None or clocks.running is None:
        return turn_clock_ran_out(state, event, context)
    return _left(clocks.since, clocks.left[clocks.running], context.at)


def last_ran_out(state: State, event: Event, context: Context) -> str | None:
    """Require that the clock has run out, and that at most one other seat, or one team, remains."""
    return player_ran_out(state, event, context) or nobody_else_plays(state, event, context)


def has_rounds(_state: State, _event: Event, context: Context) -> str | None:
    """Require a mode with rounds, where turns can be passed."""
    return None if context.mode.rounds else f"{context.mode.title} has no turns to pass"


def nobody_else_plays(state: State, _event: Event, context: Context) -> str | None:
    """Require that at most one seat, or team, remains when this seat leaves."""
    left = playing_teams(state, context.mode, without=context.seat)
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
    """Require an affordable power, an existing tile and a different letter."""
    refusal = can_pay(state, event, context) or on_board(state, event, context)
    if refusal is None and board_of(state).letters[event.cell] == event.letter:
        return f"the tile is {event.letter.upper()} already: choose another letter"
    if refusal is None and adventure.obstacle_at(state, event.cell)[0] == "fixed":
        return "the tile is fixed: it keeps its letter"
    return refusal


def can_suggest(state: State, event: Event, context: Context) -> str | None:
    """Require a word on the board that counts, and that the seat may show another word in this turn."""
    if not suggestions_left(state, context.mode, context.seat):
        return f"you have shown {format_count(MOST_SUGGESTIONS, 'word')} in this turn, the most allowed"
    for index, cell in enumerate(event.cells):
        placed = state.model_copy(update={"chain": event.cells[:index]})
        guard = extends_chain if index else on_board
        if (refusal := guard(placed, Event(event.trigger, cell=cell), context)) is not None:
            return refusal
    word = "".join(board_of(state).letters[cell] for cell in event.cells)
    if word not in context.lexicon:
        return f"{word.upper()} is not in the word list: show a word that counts"
    return None


def level_is_over(state: State, _event: Event, _context: Context) -> str | None:
    """Require a level that is won or lost."""
    return None if adventure.ending(state) else "the level goes on"


def _left(since: float | None, seconds: float | None, at: float) -> str | None:
    """Return None once ``seconds`` have passed, else the reason why not."""
    if since is None or seconds is None:
        return "there is no clock"
    left = since + seconds - at
    return None if left <= 0 else f"{there_are(math.ceil(left), 'second')} left"
