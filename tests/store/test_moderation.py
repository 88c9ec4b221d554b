"""Reports, sanctions, operators and the audit log in the store."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from app.games.wibble.moves import Resign
from app.games.wibble.options import Setup
from app.store.audit import Audit
from app.store.bot_accounts import BotAccounts
from app.store.challenges import Challenges
from app.store.circles import Circles, UnknownCircle
from app.store.dailies import Dailies
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.merging import Merging
from app.store.models import Seat, TableSettings, UnknownGame, UnknownPlayer
from app.store.moderation import DAY, BadAction, Moderation, UnknownReport, end_sanctions
from app.store.operators import LINK_SECONDS, OperatorExists, Operators, UnknownOperator
from app.store.players import BadNickname, UnknownRecovery
from app.store.remarks import Remarks
from app.store.reports import KEPT, AlreadyReported, BadReport, Subject, forget_reports
from app.store.results import ResultStore
from app.store.sanctions import Sanctioned
from app.store.schema import audit, reports
from app.store.seating import Seating
from tests.store.driver import AT, finish_wibble, open_wibble
from tests.store.operator import WHO, Desk

VERSUS = Setup(mode="versus")


def meetings(desk: Desk, games: GameStore, friend: str) -> dict[str, Callable[[], object]]:
    """Actions that a suspended player, Ada, may not take."""
    circles, seating = Circles(desk.database), Seating(games)
    circle = circles.open("Words", friend, AT)
    invitation = circles.read(circle, friend).invitation
    theirs = games.open("wibble", VERSUS, [Seat(friend), Seat()], AT)
    together = open_wibble(games, desk.ada, Seat(friend), mode="versus")
    done = finish_wibble(games, desk.ada, 0)
    dailies = Dailies(desk.database, games.rulebook, games)
    challenges = Challenges(games, dailies)
    taken = challenges.read(challenges.open(finish_wibble(games, friend, 1), friend, AT))
    listed = TableSettings(listed=True)
    return {
        "list": lambda: games.open("wibble", VERSUS, [Seat(desk.ada), Seat()], AT, listed),
        "invite": lambda: games.open("wibble", VERSUS, [Seat(desk.ada), Seat()], AT),
        "join": lambda: seating.sit_down(theirs.id, theirs.invitation, desk.ada, AT),
        "open circle": lambda: circles.open("Mine", desk.ada, AT),
        "join circle": lambda: circles.join(circle, invitation, desk.ada, AT),
        "remark": lambda: Remarks(games).say(together.id, desk.ada, 0, AT),
        "challenge": lambda: challenges.open(done, desk.ada, AT),
        "answer": lambda: challenges.enter(taken, challenges.draft(taken, AT), desk.ada),
        "name": lambda: desk.players.rename(desk.ada, "Ida", AT),
    }


def refused(attempts: dict[str, Callable[[], object]]) -> set[str]:
    found = set()
    for name, attempt in attempts.items():
        try:
            attempt()
        except Sanctioned:
            found.add(name)
    return found


def test_a_suspended_player_plays_only_alone(desk: Desk, games: GameStore) -> None:
    attempts = meetings(desk, games, desk.bob)
    underway = open_wibble(games, desk.ada, Seat(desk.bob), mode="versus")
    robo = BotAccounts(desk.database).make(desk.ada, "Robo", AT).id
    for opener in (desk.ada, robo):
        games.open("wibble", VERSUS, [Seat(opener), Seat()], AT, TableSettings(listed=True))
    desk.acts.suspend(WHO, desk.ada, "pest", AT, days=1)
    assert refused(attempts) == attempts.keys()
    listed = Lobby(games).joinable(1000, AT)
    assert {desk.ada, robo}.isdisjoint(seat.player_id for table in listed for seat in table.seats)
    assert open_wibble(games, desk.ada).id
    assert open_wibble(games, desk.ada, Seat(bot_level=1), mode="versus").id
    assert games.play(underway.id, desk.ada, Resign(), AT + 1).finished_at, "a game under way goes on"
    with pytest.raises(Sanctioned, match="suspended until 2 January 1970, 00:16 UTC"):
        desk.players.rename(desk.ada, "Ida", AT)
    desk.acts.lift(WHO, desk.ada, "suspend", "a mistake", AT)
    assert refused(attempts) == set()


@pytest.mark.parametrize("way", ["suspended", "erased by an operator", "erased", "owner's bot erased"])
def test_pages_of_tables_a_player_leaves_are_refreshed(desk: Desk, games: GameStore, way: str) -> None:
    looking: list[list[str]] = []

    def look_again(games: Iterable[str]) -> None:
        looking.append(sorted(games))

    bots = BotAccounts(desk.database, look_again)
    robo = bots.make(desk.ada, "Robo", AT).id
    joined = games.open("wibble", VERSUS, [Seat(desk.bob), Seat(), Seat()], AT).id
    opened = games.open("wibble", VERSUS, [Seat(robo), Seat()], AT).id
    Seating(games).seat(joined, robo, AT)
    acts = Moderation(desk.database, desk.known, look_again)
    ways: dict[str, Callable[[], object]] = {
        "suspended": lambda: acts.suspend(WHO, desk.ada, "pest", AT, days=1),
        "erased by an operator": lambda: acts.erase(WHO, desk.ada, "asked", AT),
        "erased": lambda: ResultStore(desk.database, look_again).erase(desk.ada, AT),
        "owner's bot erased": lambda: bots.erase(desk.ada, robo, AT),
    }
    ways[way]()
    assert looking == [sorted([joined, opened])]


def test_the_pages_of_a_removed_game_are_refreshed(desk: Desk, games: GameStore) -> None:
    looking: list[list[str]] = []
    game = open_wibble(games, desk.ada).id
    acts = Moderation(desk.database, desk.known, lambda games: looking.append(list(games)))
    acts.remove_game(WHO, game, "rude", AT)
    assert looking == [[game]]


def test_the_pages_that_show_a_player_who_is_renamed_or_muted_are_refreshed(
    desk: Desk, games: GameStore
) -> None:
    looking: list[list[str]] = []
    finish_wibble(games, desk.ada, 0, at=AT - 2 * DAY)
    over, running = (
        finish_wibble(games, desk.ada, 0).id,
        open_wibble(games, desk.ada, Seat(desk.bob), mode="versus").id,
    )
    acts = Moderation(desk.database, desk.known, lambda games: looking.append(sorted(games)))
    versions = [games.read(running).version]
    ways: list[Callable[[], object]] = [
        lambda: acts.rename(WHO, desk.ada, "rude", AT, name=None, days=0),
        lambda: acts.mute(WHO, desk.ada, "shouts", AT, days=1),
        lambda: acts.lift(WHO, desk.ada, "mute", "sorry", AT),
    ]
    for act in ways:
        act()
        assert looking.pop() == sorted([over, running])
        versions.append(games.read(running).version)
    assert len(set(versions)) == len(versions), "each act changes the version"


@pytest.mark.parametrize(("days", "end"), [(1, AT + DAY), (None, None)])
def test_a_sanction_ends_by_itself_or_not_at_all(desk: Desk, days: int | None, end: float | None) -> None:
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=days)
    [sanction] = desk.known.of_player(desk.ada, AT)
    assert (sanction.kind, sanction.until, sanction.reason) == ("mute", end, "shouts")
    assert desk.players.nickname(desk.ada) is None
    assert desk.ada in desk.known.muted_players(AT)
    end_sanctions(desk.database, AT + DAY - 1)
    assert desk.kinds(desk.ada, AT + DAY - 1) == ["mute"]
    end_sanctions(desk.database, AT + DAY)
    ended = end is not None
    assert desk.kinds(desk.ada, AT + DAY) == ([] if ended else ["mute"])
    assert desk.players.nickname(desk.ada) == ("Ada" if ended else None), "the name comes back"


def test_a_muted_player_plays_without_name_and_remarks(desk: Desk, games: GameStore) -> None:
    attempts = meetings(desk, games, desk.bob)
    robo = BotAccounts(desk.database).make(desk.ada, "Robo", AT).id
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=1)
    assert refused(attempts) == {"remark", "name", "open circle"}
    assert desk.known.muted_players(AT) >= {desk.ada, robo}, "also for earlier remarks of a bot account"
    desk.acts.lift(WHO, desk.ada, "mute", "enough", AT)
    assert desk.players.nickname(desk.ada) == "Ada"
    assert desk.ada not in desk.known.muted_players(AT)


def test_actions_on_unknown_subjects_are_refused_and_not_in_the_audit_log(desk: Desk) -> None:
    before = Audit(desk.database).latest(1)
    acts: dict[str, tuple[type[Exception], Callable[[], object]]] = {
        "mute": (UnknownPlayer, lambda: desk.acts.mute(WHO, "nobody", "x", AT, days=1)),
        "rename": (UnknownPlayer, lambda: desk.acts.rename(WHO, "nobody", "x", AT, name=None, days=1)),
        "suspend": (UnknownPlayer, lambda: desk.acts.suspend(WHO, "nobody", "x", AT, days=1)),
        "erase": (UnknownPlayer, lambda: desk.acts.erase(WHO, "nobody", "x", AT)),
        "lift": (BadAction, lambda: desk.acts.lift(WHO, desk.ada, "mute", "x", AT)),
        "circle": (UnknownCircle, lambda: desk.acts.rename_circle(WHO, "none", "x", AT, name=None)),
        "game": (UnknownGame, lambda: desk.acts.remove_game(WHO, "none", "x", AT)),
        "dismiss": (UnknownReport, lambda: desk.acts.dismiss(WHO, "none", "x", AT)),
        "person": (UnknownPlayer, lambda: desk.acts.person("nobody", AT)),
    }
    for error, act in acts.values():
        with pytest.raises(error):
            act()
    assert Audit(desk.database).latest(1) == before


def test_reports_are_kept_as_they_were_once_for_each_reporter(desk: Desk) -> None:
    opened = desk.reports.open_count()
    desk.name_reported(desk.bob, desk.ada, "Ada")
    with pytest.raises(AlreadyReported):
        desk.name_reported(desk.bob, desk.ada, "Another name")
    with pytest.raises(BadReport):
        desk.name_reported(desk.ada, desk.ada)
    desk.name_reported(desk.players.create(AT), desk.ada, "Ada")
    assert desk.reports.open_count() == opened + 2
    person = desk.acts.person(desk.ada, AT)
    assert person.names == ("Ada",)
    [mine] = [each for each in person.reports if each.reporter_id == desk.bob]
    assert (mine.text, mine.comment) == ("Ada", "see")
    desk.acts.dismiss(WHO, mine.id, "no offence", AT)
    assert desk.reports.open_count() == opened, "reports on the same subject are also closed"
    with pytest.raises(UnknownReport):
        desk.acts.dismiss(WHO, mine.id, "no offence", AT)
    desk.name_reported(desk.bob, desk.ada)
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=1)
    assert {each.outcome for each in desk.acts.person(desk.ada, AT).reports} == {"dismiss", "mute"}
    forget_reports(desk.database, AT + KEPT + 1)
    assert desk.acts.person(desk.ada, AT).reports == ()


def test_one_of_two_concurrent_reports_is_stored(desk: Desk) -> None:
    def report(_: int) -> bool:
        try:
            desk.name_reported(desk.bob, desk.ada)
        except AlreadyReported:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(report, range(4))) == 1


def test_games_and_circles_lose_what_was_reported(desk: Desk, games: GameStore, results: ResultStore) -> None:
    circles, opened = Circles(desk.database), desk.reports.open_count()
    circle, game = circles.open("Rude", desk.ada, AT), finish_wibble(games, desk.ada, 0)
    desk.reports.file(desk.bob, [Subject("circle", "Rude", circle_id=circle)], "offensive", None, AT)
    desk.reports.file(desk.bob, [Subject("game", "Wibble", game_id=game.id)], "cheating", None, AT)
    assert {each.about[0] for each in desk.reports.open(1000)} >= {"circle", "game"}
    desk.acts.rename_circle(WHO, circle, "rude", AT, name=None)
    assert circles.read(circle, desk.ada).name == "Circle"
    desk.acts.remove_game(WHO, game.id, "cheated", AT)
    with pytest.raises(UnknownGame):
        games.read(game.id)
    assert len(results.of_player(desk.ada)) == 1, "results stay"
    assert desk.reports.open_count() == opened


def test_a_player_is_found_by_name_seat_and_id(desk: Desk, games: GameStore) -> None:
    desk.players.rename(desk.bob, "Zaphod 100%_x", AT)
    game = open_wibble(games, desk.ada, Seat(desk.bob), mode="versus").id
    for text in ("phod 100%_X", f"{game}/1", f"https://words.example/games/{game}/1", desk.bob):
        assert [each.player_id for each in desk.acts.find(text, AT)] == [desk.bob], text
    assert desk.acts.person(desk.bob, AT).game_id == game
    desk.players.rename(desk.bob, "Örjan", AT)
    assert [each.player_id for each in desk.acts.find("öRJ", AT)] == [desk.bob]
    for text in ("", " ", "\0", f"{game}/7", "zaphod%", "x" * 500, "no/1"):
        assert desk.acts.find(text, AT) == [], text


def test_merging_keeps_a_suspension(desk: Desk) -> None:
    merge = Merging(desk.database).merge
    desk.acts.suspend(WHO, desk.bob, "pest", AT, days=30)
    desk.acts.suspend(WHO, desk.ada, "pest", AT, days=1)
    desk.name_reported(desk.ada, desk.players.create(AT))
    merge(desk.ada, desk.bob, AT + 1)
    assert [each.until for each in desk.known.of_player(desk.ada, AT + 1)] == [AT + 30 * DAY]
    fresh = desk.players.create(AT)
    merge(fresh, desk.ada, AT + 2)
    assert desk.kinds(fresh, AT + 2) == ["suspend"]
    for_good = desk.players.create(AT)
    desk.acts.suspend(WHO, for_good, "pest", AT, days=None)
    merge(fresh, for_good, AT + 3)
    assert [each.until for each in desk.known.of_player(fresh, AT + 3)] == [None]
    with desk.database.reading() as connection:
        mine = select(reports.c.id).where(reports.c.reporter_id == fresh)
        assert connection.scalar(mine) is not None, "reports go along"


def test_two_names_of_a_merged_player_are_reported_once(desk: Desk) -> None:
    reporter, opened = desk.players.create(AT), desk.reports.open_count()
    names = [Subject("name", "Ada", desk.ada), Subject("name", "Bob", desk.bob)]
    Merging(desk.database).merge(desk.ada, desk.bob, AT)
    assert desk.reports.file(reporter, names, "offensive", None, AT) == opened + 1
    assert [each.player_id for each in desk.reports.by_player(reporter)] == [desk.ada]
    with pytest.raises(AlreadyReported):
        desk.reports.file(reporter, names, "offensive", None, AT)


def test_what_was_done_to_a_merged_profile_is_shown_with_the_one_kept(desk: Desk) -> None:
    eve = desk.players.create(AT)
    for player in (desk.ada, desk.bob, eve):
        desk.acts.suspend(WHO, player, "cheats", AT, days=1)
    Merging(desk.database).merge(desk.bob, desk.ada, AT)
    Merging(desk.database).merge(eve, desk.bob, AT)
    actions = desk.acts.person(eve, AT).actions
    assert [each.player_id for each in actions] == [eve, desk.bob, desk.ada]


def test_erasing_a_player_leaves_only_the_actions_in_the_audit_log(desk: Desk, games: GameStore) -> None:
    desk.name_reported(desk.bob, desk.ada, "Ada")
    desk.name_reported(desk.ada, desk.bob, "Bob")
    desk.acts.mute(WHO, desk.ada, "shouts", AT, days=None)
    desk.acts.erase(WHO, desk.ada, "asked for by mail", AT)
    assert not desk.players.exists(desk.ada)
    with desk.database.reading() as connection:
        rows: list[Any] = list(connection.execute(select(reports).where(reports.c.player_id == desk.ada)))
        own = connection.execute(select(reports).where(reports.c.player_id == desk.bob)).one()
        noted = list(connection.scalars(select(audit.c.action).where(audit.c.player_id == desk.ada)))
    assert (rows, own.reporter_id, own.comment, own.text) == ([], None, None, "Bob")
    assert noted == ["mute", "erase"]
    assert desk.kinds(desk.ada) == []
    with pytest.raises(UnknownPlayer):
        desk.acts.lift(WHO, desk.ada, "mute", "undone", AT)


def test_the_audit_log_has_operator_action_player_and_reason(desk: Desk) -> None:
    done = desk.acts.suspend(WHO, desk.ada, "pest", 0.0, days=1)
    log = Audit(desk.database)
    [entry] = log.latest(1)
    assert entry == done
    assert (entry.operator, entry.action, entry.player_id) == (WHO, "suspend", desk.ada)
    assert (entry.detail, entry.reason) == ("until 2 January 1970, 00:00 UTC", "pest")
    desk.acts.lift(WHO, desk.ada, "suspend", "undone", 1.0)
    assert log.latest(9, before=entry.number + 1)[0] == entry
    assert [each.action for each in desk.acts.person(desk.ada, AT).actions] == ["lift", "suspend"]


def test_a_link_makes_an_operator_once(desk: Desk) -> None:
    operators, name = Operators(desk.database), f"Grace {desk.ada[:8]}"
    void = operators.add(name, AT)
    token = operators.add(name, AT + 1)  # the first link is void
    for wrong, at in ((void, AT + 2), ("made up", AT + 2), (token, AT + 1 + LINK_SECONDS)):
        with pytest.raises(UnknownRecovery):
            operators.join(wrong, desk.ada, at)
    assert [each.joined for each in operators.all(AT + 2) if each.name == name] == [False]
    assert operators.invited(token, AT + 2) == operators.join(token, desk.ada, AT + 2) == name
    with pytest.raises(UnknownRecovery):
        operators.join(token, desk.bob, AT + 3)
    with pytest.raises(OperatorExists):
        operators.add(name, AT + 3)
    second = operators.add(f"{name} 2", AT + 3)
    with pytest.raises(OperatorExists):
        operators.join(second, desk.ada, AT + 3)
    fresh = desk.players.create(AT)
    Merging(desk.database).merge(fresh, desk.ada, AT + 4)
    assert (operators.name_of(fresh), operators.name_of(desk.ada)) == (name, None)
    operators.remove(name, AT + 5)
    assert operators.name_of(fresh) is None
    with pytest.raises(UnknownOperator):
        operators.remove(name, AT + 6)
    operators.remove(f"{name} 2", AT + 6)
    with pytest.raises(UnknownRecovery):
        operators.join(second, desk.bob, AT + 7)
    with pytest.raises(BadNickname):
        operators.add("x" * 33, AT)
