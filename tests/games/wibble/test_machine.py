"""The transition table of the state machine, compared with "Wibble: Day 4"."""

from app.games.wibble.events import Trigger
from app.games.wibble.machine import TABLE
from app.games.wibble.state import Phase


def targets(source: Phase, trigger: Trigger) -> set[Phase]:
    return {row.target for row in TABLE if row.source is source and row.trigger is trigger}


def test_a_game_goes_title_idle_chaining_cleanup_idle_and_at_last_finished() -> None:
    assert targets(Phase.TITLE, Trigger.START) == {Phase.IDLE}
    assert targets(Phase.IDLE, Trigger.ADD) == {Phase.CHAINING}
    assert targets(Phase.CHAINING, Trigger.ADD) == {Phase.CHAINING}
    assert targets(Phase.CHAINING, Trigger.RELEASE) == {Phase.IDLE, Phase.CLEANUP}
    assert targets(Phase.CLEANUP, Trigger.CLEANED) == {Phase.IDLE, Phase.FINISHED}


def test_a_chain_reaches_the_board_again_only_through_the_clean_up() -> None:
    """As in "Wibble: Day 4", all that follows a chain moved from "score" and "idle" to one clean-up state."""
    leaving = {row.trigger for row in TABLE if row.source is Phase.CLEANUP}
    entering = {row.source for row in TABLE if row.target is Phase.CLEANUP}
    assert leaving == {Trigger.CLEANED}
    assert entering == {Phase.CHAINING, Phase.IDLE}
    from_idle = {row.trigger for row in TABLE if row.source is Phase.IDLE and row.target is Phase.CLEANUP}
    ends = {Trigger.PASS, Trigger.TIME_UP, Trigger.RESIGN, Trigger.FORFEIT}
    assert from_idle == ends, "turns that end without a chain"


def test_only_a_game_that_replaces_releases_cleans_up_by_the_rule_of_the_document() -> None:
    actions = [
        (row.guard.__name__, row.action.__name__)
        for row in TABLE
        if row.source is Phase.CHAINING and row.trigger is Trigger.RELEASE and row.target is Phase.CLEANUP
    ]
    assert actions == [("replaces_releases", "clean_up_release"), ("several_tiles", "clean_up")]


def test_nothing_leaves_the_finished_state() -> None:
    assert not [row for row in TABLE if row.source is Phase.FINISHED]


def test_time_and_resignation_end_a_game_from_wherever_one_plays() -> None:
    for phase in (Phase.IDLE, Phase.CHAINING):
        assert Phase.FINISHED in targets(phase, Trigger.TIME_UP)
        assert Phase.FINISHED in targets(phase, Trigger.RESIGN)
    assert targets(Phase.TITLE, Trigger.RESIGN) == {Phase.FINISHED}


def test_every_phase_but_the_last_can_be_left_and_every_phase_but_the_title_be_reached() -> None:
    assert {row.source for row in TABLE} == set(Phase) - {Phase.FINISHED}
    assert {row.target for row in TABLE} == set(Phase) - {Phase.TITLE}
