"""The state machine of Wibble, as a transition table.

``title -> play.idle -> play.chaining -> play.cleanup -> play.idle ... -> finished``. As in "Wibble: Day 4",
which renamed its "score" state to "clean up", the clean-up does everything that follows a chain. For a state
and a trigger, rows are tried from the top, and the first whose guard passes is taken.

A chain that is not a word leaves the board unchanged. This differs from "Wibble: Day 4", where the tiles of
every released chain are replaced; a game of Zen with the option ``replace = "releases"`` follows that rule. A
single tile is never an attempt.
"""

from collections.abc import Callable
from typing import NamedTuple

from app.games.game import IllegalMove, OutOfTurn
from app.games.wibble import actions, guards
from app.games.wibble.events import Context, Event, Trigger
from app.games.wibble.state import Phase, State

Guard = Callable[[State, Event, Context], str | None]
Action = Callable[[State, Event, Context], State]


class Transition(NamedTuple):
    """In ``source``, on ``trigger``, if ``guard`` passes: do ``action`` and go to ``target``."""

    source: Phase
    trigger: Trigger
    guard: Guard
    action: Action
    target: Phase


_TITLE, _IDLE, _CHAINING, _CLEANUP, _FINISHED = Phase

# fmt: off
TABLE: tuple[Transition, ...] = (
    Transition(_TITLE,    Trigger.START,   guards.always,             actions.deal,             _IDLE),
    Transition(_TITLE,    Trigger.RESIGN,  guards.always,             actions.end_by_player,    _FINISHED),

    Transition(_IDLE,     Trigger.ADD,     guards.on_board,           actions.extend,           _CHAINING),
    Transition(_IDLE,     Trigger.SHUFFLE, guards.can_pay,            actions.shuffle,          _IDLE),
    Transition(_IDLE,     Trigger.SWAP,    guards.can_swap,           actions.swap,             _IDLE),
    Transition(_IDLE,     Trigger.HINT,    guards.can_pay,            actions.hint,             _IDLE),
    Transition(_IDLE,     Trigger.SUGGEST, guards.can_suggest,        actions.suggest,          _IDLE),
    Transition(_IDLE,     Trigger.PASS,    guards.has_rounds,         actions.pass_turn,        _CLEANUP),
    Transition(_IDLE,     Trigger.TIME_UP, guards.game_clock_ran_out, actions.end_by_clock,     _FINISHED),
    Transition(_IDLE,     Trigger.TIME_UP, guards.turn_clock_ran_out, actions.pass_turn,        _CLEANUP),
    Transition(_IDLE,     Trigger.TIME_UP, guards.last_ran_out,       actions.end_out_of_time,  _FINISHED),
    Transition(_IDLE,     Trigger.TIME_UP, guards.player_ran_out,     actions.lose_on_time,     _CLEANUP),
    Transition(_IDLE,     Trigger.FORFEIT, guards.nobody_else_plays,  actions.end_out_of_time,  _FINISHED),
    Transition(_IDLE,     Trigger.FORFEIT, guards.always,             actions.lose_on_time,     _CLEANUP),
    Transition(_IDLE,     Trigger.RESIGN,  guards.nobody_else_plays,  actions.end_by_player,    _FINISHED),
    Transition(_IDLE,     Trigger.RESIGN,  guards.always,             actions.leave_table,      _CLEANUP),

    Transition(_CHAINING, Trigger.ADD,     guards.second_to_last,     actions.drop_last,        _CHAINING),
    Transition(_CHAINING, Trigger.ADD,     guards.extends_chain,      actions.extend,           _CHAINING),
    Transition(_CHAINING, Trigger.BACK,    guards.several_tiles,      actions.drop_last,        _CHAINING),
    Transition(_CHAINING, Trigger.BACK,    guards.one_tile,           actions.drop_last,        _IDLE),
    Transition(_CHAINING, Trigger.RELEASE, guards.one_tile,           actions.drop_chain,       _IDLE),
    Transition(_CHAINING, Trigger.RELEASE, guards.replaces_releases,  actions.clean_up_release, _CLEANUP),
    Transition(_CHAINING, Trigger.RELEASE, guards.several_tiles,      actions.clean_up,         _CLEANUP),
    Transition(_CHAINING, Trigger.SUGGEST, guards.can_suggest,        actions.suggest,          _CHAINING),
    Transition(_CHAINING, Trigger.TIME_UP, guards.game_clock_ran_out, actions.end_by_clock,     _FINISHED),
    Transition(_CHAINING, Trigger.TIME_UP, guards.turn_clock_ran_out, actions.pass_turn,        _CLEANUP),
    Transition(_CHAINING, Trigger.TIME_UP, guards.last_ran_out,       actions.end_out_of_time,  _FINISHED),
    Transition(_CHAINING, Trigger.TIME_UP, guards.player_ran_out,     actions.lose_on_time,     _CLEANUP),
    Transition(_CHAINING, Trigger.FORFEIT, guards.nobody_else_plays,  actions.end_out_of_time,  _FINISHED),
    Transition(_CHAINING, Trigger.FORFEIT, guards.always,             actions.lose_on_time,     _CLEANUP),
    Transition(_CHAINING, Trigger.RESIGN,  guards.nobody_else_plays,  actions.end_by_player,    _FINISHED),
    Transition(_CHAINING, Trigger.RESIGN,  guards.is_to_move,         actions.leave_table,      _CLEANUP),
    Transition(_CHAINING, Trigger.RESIGN,  guards.always,             actions.leave_table,      _CHAINING),

    Transition(_CLEANUP,  Trigger.CLEANED, guards.level_is_over,      actions.end_level,        _FINISHED),
    Transition(_CLEANUP,  Trigger.CLEANED, guards.out_of_rounds,      actions.end_after_rounds, _FINISHED),
    Transition(_CLEANUP,  Trigger.CLEANED, guards.always,             actions.settle,           _IDLE),
)
# fmt: on


def step(state: State, event: Event, context: Context) -> State:
    """Return the state after ``event``; a clean-up runs to completion.

    Raises IllegalMove with the guard's reason, or OutOfTurn if the phase has no such event.
    """
    rows = [row for row in TABLE if row.source is state.phase and row.trigger is event.trigger]
    if not rows:
        raise OutOfTurn(_out_of_phase(state, event))
    for row in rows:
        refusal = row.guard(state, event, context)
        if refusal is None:
            reached = row.action(state, event, context).model_copy(update={"phase": row.target})
            return step(reached, Event(Trigger.CLEANED), context) if row.target is _CLEANUP else reached
    raise IllegalMove(refusal or "")


def _out_of_phase(state: State, event: Event) -> str:
    match state.phase:
        case Phase.FINISHED:
            return "the game is over"
        case Phase.TITLE:
            return "the game has not started: start it first"
        case Phase.CHAINING:
            return f"a chain is under way: release it or back up before you {event.trigger.replace('_', ' ')}"
        case _ if event.trigger is Trigger.START:
            return "the game has started already"
        case _:
            return f"there is no chain to {event.trigger.replace('_', ' ')}"
