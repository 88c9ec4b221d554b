"""The state machine of Wibble as a table to be held against the seed.

``title -> play.idle -> play.chaining -> play.cleanup -> play.idle ... -> finished``. The seed renamed its
"score" state to "clean up" and made it responsible for all that follows a chain: so it is here. For a state
and a trigger the rows are tried from the top and the first whose guard passes is taken.

A chain that is no word leaves the board as it is. That is Wibble's choice: in the document ("Wibble: Day 4")
the tiles of every chain released are replaced, and a game of Zen plays by that rule with the option
``replace = "releases"``. A single tile is no attempt either way.
"""

from collections.abc import Callable
from typing import NamedTuple

from app.games.game import IllegalMove, OutOfTurn
from app.games.wibble import actions
from app.games.wibble.actions import Context, Event, Trigger
from app.games.wibble.state import Phase, State

Guard = Callable[[State, Event, Context], str | None]
Action = Callable[[State, Event, Context], State]


class Transition(NamedTuple):
    """In ``source``, when ``trigger`` happens and ``guard`` passes: do ``action`` and go to ``target``."""

    source: Phase
    trigger: Trigger
    guard: Guard
    action: Action
    target: Phase


_TITLE, _IDLE, _CHAINING, _CLEANUP, _FINISHED = Phase

# fmt: off
TABLE: tuple[Transition, ...] = (
    Transition(_TITLE,    Trigger.START,   actions.always,             actions.deal,             _IDLE),
    Transition(_TITLE,    Trigger.RESIGN,  actions.always,             actions.end_by_player,    _FINISHED),

    Transition(_IDLE,     Trigger.ADD,     actions.on_board,           actions.extend,           _CHAINING),
    Transition(_IDLE,     Trigger.SHUFFLE, actions.can_pay,            actions.shuffle,          _IDLE),
    Transition(_IDLE,     Trigger.SWAP,    actions.can_swap,           actions.swap,             _IDLE),
    Transition(_IDLE,     Trigger.HINT,    actions.can_pay,            actions.hint,             _IDLE),
    Transition(_IDLE,     Trigger.PASS,    actions.has_rounds,         actions.pass_turn,        _CLEANUP),
    Transition(_IDLE,     Trigger.TIME_UP, actions.game_clock_ran_out, actions.end_by_clock,     _FINISHED),
    Transition(_IDLE,     Trigger.TIME_UP, actions.turn_clock_ran_out, actions.pass_turn,        _CLEANUP),
    Transition(_IDLE,     Trigger.RESIGN,  actions.nobody_else_plays,  actions.end_by_player,    _FINISHED),
    Transition(_IDLE,     Trigger.RESIGN,  actions.always,             actions.leave_table,      _CLEANUP),

    Transition(_CHAINING, Trigger.ADD,     actions.second_to_last,     actions.drop_last,        _CHAINING),
    Transition(_CHAINING, Trigger.ADD,     actions.extends_chain,      actions.extend,           _CHAINING),
    Transition(_CHAINING, Trigger.BACK,    actions.several_tiles,      actions.drop_last,        _CHAINING),
    Transition(_CHAINING, Trigger.BACK,    actions.one_tile,           actions.drop_last,        _IDLE),
    Transition(_CHAINING, Trigger.RELEASE, actions.one_tile,           actions.drop_chain,       _IDLE),
    Transition(_CHAINING, Trigger.RELEASE, actions.replaces_releases,  actions.clean_up_release, _CLEANUP),
    Transition(_CHAINING, Trigger.RELEASE, actions.several_tiles,      actions.clean_up,         _CLEANUP),
    Transition(_CHAINING, Trigger.TIME_UP, actions.game_clock_ran_out, actions.end_by_clock,     _FINISHED),
    Transition(_CHAINING, Trigger.TIME_UP, actions.turn_clock_ran_out, actions.pass_turn,        _CLEANUP),
    Transition(_CHAINING, Trigger.RESIGN,  actions.nobody_else_plays,  actions.end_by_player,    _FINISHED),
    Transition(_CHAINING, Trigger.RESIGN,  actions.is_to_move,         actions.leave_table,      _CLEANUP),
    Transition(_CHAINING, Trigger.RESIGN,  actions.always,             actions.leave_table,      _CHAINING),

    Transition(_CLEANUP,  Trigger.CLEANED, actions.out_of_rounds,      actions.end_after_rounds, _FINISHED),
    Transition(_CLEANUP,  Trigger.CLEANED, actions.always,             actions.settle,           _IDLE),
)
# fmt: on


def step(state: State, event: Event, context: Context) -> State:
    """The state after ``event``; a clean-up runs on to its end by itself.

    Raises IllegalMove with the guard's reason, or OutOfTurn where the phase knows no such event.
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
            return "the game is finished"
        case Phase.TITLE:
            return "the game has not started: start it first"
        case Phase.CHAINING:
            return f"a chain is under way: release it or back up before you {event.trigger.replace('_', ' ')}"
        case _ if event.trigger is Trigger.START:
            return "the game has started already"
        case _:
            return f"there is no chain to {event.trigger.replace('_', ' ')}"
