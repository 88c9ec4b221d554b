"""Names that operators remove or replace, and their restoration."""

from collections.abc import Callable

import pytest

from app.store.merging import Merging
from app.store.moderation import DAY, end_sanctions
from app.store.players import BadNickname
from app.store.sanctions import Sanctioned, SanctionKind
from tests.store.driver import AT
from tests.store.operator import WHO, Desk


def test_a_name_is_removed_for_a_time_and_given_back(desk: Desk) -> None:
    desk.acts.rename(WHO, desk.ada, "rude", AT, name=None, days=7)
    assert desk.players.nickname(desk.ada) is None
    with pytest.raises(Sanctioned, match="cannot choose a name until"):
        desk.players.rename(desk.ada, "Ada", AT)
    desk.acts.rename(WHO, desk.ada, "a plain one", AT, name="Player", days=7)
    assert desk.players.nickname(desk.ada) == "Player"
    desk.acts.rename(WHO, desk.ada, "a plainer one", AT, name="Guest", days=9)
    assert desk.players.nickname(desk.ada) == "Guest"
    desk.acts.lift(WHO, desk.ada, "name", "was fine", AT)
    assert desk.players.nickname(desk.ada) == "Ada", "their own comes back"
    desk.acts.rename(WHO, desk.ada, "rude", AT, name=None, days=0)
    assert desk.kinds(desk.ada) == []
    assert desk.players.rename(desk.ada, "Ada", AT) == "Ada"
    with pytest.raises(BadNickname):
        desk.acts.rename(WHO, desk.ada, "rude", AT, name="\u200b", days=0)
    assert desk.players.nickname(desk.ada) == "Ada"


@pytest.mark.parametrize("name", [None, "Player"])
@pytest.mark.parametrize("days", [0, 2])
def test_a_players_own_name_comes_back_after_several_sanctions(
    desk: Desk, name: str | None, days: int
) -> None:
    later = AT + 3 * DAY
    desk.acts.rename(WHO, desk.ada, "rude", AT, name=name, days=days)
    end_sanctions(desk.database, later)
    assert (desk.kinds(desk.ada, later), desk.players.nickname(desk.ada)) == ([], name)
    desk.acts.mute(WHO, desk.ada, "shouts", later, days=1)
    desk.acts.rename(WHO, desk.ada, "a plainer one", later, name="Guest", days=9)
    desk.acts.lift(WHO, desk.ada, "mute", "was fine", later)
    desk.acts.lift(WHO, desk.ada, "name", "was fine", later)
    assert desk.players.nickname(desk.ada) == "Ada"
    desk.acts.rename(WHO, desk.ada, "rude", later, name=name, days=0)
    desk.players.rename(desk.ada, "Adele", later)
    desk.acts.rename(WHO, desk.ada, "rude", later, name="Guest", days=9)
    desk.acts.lift(WHO, desk.ada, "name", "was fine", later)
    assert desk.players.nickname(desk.ada) == "Adele", "the player chose it"


@pytest.mark.parametrize("lifted", [("mute", "name"), ("name", "mute")])
@pytest.mark.parametrize("muted_first", [True, False])
def test_a_name_comes_back_when_both_a_mute_and_a_removed_name_are_lifted(
    desk: Desk, lifted: tuple[SanctionKind, ...], muted_first: bool
) -> None:
    acts: list[Callable[[], object]] = [
        lambda: desk.acts.mute(WHO, desk.ada, "shouts", AT, days=1),
        lambda: desk.acts.rename(WHO, desk.ada, "rude", AT, name=None, days=2),
    ]
    for act in acts if muted_first else reversed(acts):
        act()
    for kind in lifted:
        assert desk.players.nickname(desk.ada) is None
        desk.acts.lift(WHO, desk.ada, kind, "was fine", AT)
    assert desk.players.nickname(desk.ada) == "Ada"


def test_a_name_that_is_allowed_again_comes_back_with_the_end_of_the_mute(desk: Desk) -> None:
    desk.acts.rename(WHO, desk.ada, "rude", AT, name="Player", days=None)
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=1)
    desk.acts.lift(WHO, desk.ada, "name", "was fine", AT)
    assert desk.players.nickname(desk.ada) is None
    end_sanctions(desk.database, AT + DAY)
    assert desk.players.nickname(desk.ada) == "Ada"


@pytest.mark.parametrize(("name", "days"), [(None, 0), (None, 1), ("Player", 1)])
def test_a_name_that_was_removed_during_a_mute_does_not_come_back_with_its_end(
    desk: Desk, name: str | None, days: int
) -> None:
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=2)
    desk.acts.rename(WHO, desk.ada, "rude", AT, name=name, days=days)
    for day in (1, 2):
        end_sanctions(desk.database, AT + day * DAY)
    assert (desk.kinds(desk.ada, AT + 2 * DAY), desk.players.nickname(desk.ada)) == ([], name)


@pytest.mark.parametrize("muted_is_kept", [True, False])
def test_a_removed_name_does_not_come_back_by_merging(desk: Desk, muted_is_kept: bool) -> None:
    muted, other = desk.ada, desk.bob
    desk.players.rename(other, "Bob", AT)
    desk.acts.mute(WHO, muted, "shouts", AT, days=1)
    kept, gone = (muted, other) if muted_is_kept else (other, muted)
    Merging(desk.database).merge(kept, gone, AT)
    assert (desk.players.nickname(kept), desk.kinds(kept)) == (None, ["mute"])
