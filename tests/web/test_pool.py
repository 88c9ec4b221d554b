"""The engine pool is shared fairly: no caller gets all of its threads, places or turns."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from threading import Barrier, Event

import pytest
from fastapi.testclient import TestClient

from app.web.guard.rates import Caller
from app.web.pool import EnginePool, PoolFull, ShareTaken
from tests.driver import open_game, problem
from tests.web.busy_pool import ENGINES, engines_busy, idle, neighbour, pool_of
from tests.web.conftest import Serve

GREEDY = Caller("192.0.2.1", None)
LONE = Caller("192.0.2.2", "a player")
PATIENCE = 60.0

MakePool = Callable[[int, int], EnginePool]


@pytest.fixture
def release() -> Iterator[Event]:
    """What blocked computations wait for."""
    event = Event()
    yield event
    event.set()


@pytest.fixture
def make_pool(release: Event) -> Iterator[MakePool]:
    made: list[EnginePool] = []

    def make(threads: int, queue: int) -> EnginePool:
        made.append(EnginePool(threads, queue))
        return made[-1]

    yield make
    release.set()
    for pool in made:
        pool.close()


def occupy(pool: EnginePool, caller: Caller, release: Event) -> None:
    """Start a long computation for the caller that runs until it is released."""
    begun = Event()

    def block() -> None:
        begun.set()
        release.wait(PATIENCE)

    pool.start_long(caller, "blocked", block)
    assert begun.wait(PATIENCE)


def occupy_but_one_thread(pool: EnginePool, release: Event) -> Event:
    """Occupy the two threads of a pool; return an event that frees one, while the other waits for release."""
    free_one = Event()
    occupy(pool, neighbour(98), free_one)
    pool.start(neighbour(99), "blocked", release.wait)
    return free_one


def test_a_first_request_is_served_before_the_second_one_of_a_greedy_caller(
    make_pool: MakePool, release: Event
) -> None:
    pool, served = make_pool(1, 15), list[str]()
    occupy(pool, GREEDY, release)
    works = [pool.start_long(GREEDY, "test", served.append, f"greedy {number}") for number in range(5)]
    works += [pool.start_long(LONE, "test", served.append, f"lone {number}") for number in range(2)]
    works += [pool.start_long(neighbour(1), "test", served.append, "neighbour")]
    release.set()
    for work in works:
        work.result(PATIENCE)
    # The greedy address uses its turn for its first request; the other callers follow in the same round.
    assert served[:2] == ["lone 0", "neighbour"]
    assert served[2:6] == ["greedy 0", "lone 1", "greedy 1", "greedy 2"]
    assert len(served) == 8


def test_long_jobs_wait_for_others_but_not_for_ever(make_pool: MakePool, release: Event) -> None:
    pool, served = make_pool(1, 30), list[str]()
    free_one = occupy_but_one_thread(pool, release)
    works = [pool.start_long(neighbour(number), "test", served.append, "search") for number in range(2)]
    works += [pool.start(neighbour(number), "test", served.append, "move") for number in range(2, 22)]
    free_one.set()
    for work in works:
        work.result(PATIENCE)
    # The eighth before the first search is the one that still runs.
    assert served == [*["move"] * 7, "search", *["move"] * 8, "search", *["move"] * 5]


def test_callers_take_turns_with_short_jobs_too(make_pool: MakePool, release: Event) -> None:
    pool, served = make_pool(1, 15), list[str]()
    free_one = occupy_but_one_thread(pool, release)
    works = [pool.start(caller, "test", served.append, caller.address) for caller in (LONE, LONE, GREEDY)]
    free_one.set()
    for work in works:
        work.result(PATIENCE)
    assert served == [LONE.address, GREEDY.address, LONE.address]


def test_a_caller_with_many_short_jobs_is_not_put_behind_all_of_a_newcomer(
    make_pool: MakePool, release: Event
) -> None:
    """Such as a school behind one address, whose next job always arrives before the last one ends."""
    pool, served = make_pool(1, 15), list[str]()
    free_one = occupy_but_one_thread(pool, release)
    for _ in range(20):
        begun, end = Event(), Event()

        def block(begun: Event = begun, end: Event = end) -> None:
            begun.set()
            end.wait(PATIENCE)

        pool.start(GREEDY, "blocked", block)
        free_one.set()
        assert begun.wait(PATIENCE)
        free_one = end
    works = [pool.start(GREEDY, "test", served.append, "greedy")]
    works += [pool.start(LONE, "test", served.append, "newcomer") for _ in range(5)]
    free_one.set()
    for work in works:
        work.result(PATIENCE)
    assert "greedy" in served[:2]


def test_a_job_that_ends_makes_room_for_all_that_waited_for_it(make_pool: MakePool, release: Event) -> None:
    pool, meet = make_pool(1, 15), Barrier(2)
    pool.start(Caller("192.0.2.1", "a player"), "blocked", release.wait)
    waiting = [
        pool.start(Caller("192.0.2.1", None), "test", meet.wait, PATIENCE),
        pool.start(Caller("192.0.2.9", "a player"), "test", meet.wait, PATIENCE),
    ]
    assert pool.running == 1
    release.set()
    for work in waiting:
        work.result(PATIENCE)


def test_a_search_that_cannot_give_way_protects_no_others(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(1, 13)
    free_one = occupy_but_one_thread(pool, release)
    pool.start_long(neighbour(1), "test", int)
    many = [pool.start(GREEDY, "test", int) for _ in range(7)]
    for caller in (neighbour(2), neighbour(2), neighbour(3), neighbour(4)):
        pool.start(caller, "test", int)
    pool.start(neighbour(2), "test", int)
    assert [work.cancelled() for work in many] == [False] * 6 + [True]
    free_one.set()


def test_long_jobs_leave_one_thread_to_others(make_pool: MakePool, release: Event) -> None:
    """So a bot moves while searches run, even those of its player."""
    pool = make_pool(2, 16)
    for caller in (GREEDY, LONE):
        occupy(pool, caller, release)
    waiting = pool.start_long(neighbour(1), "test", lambda: "search")
    for caller in (GREEDY, LONE, neighbour(2)):
        assert pool.run(caller, "test", lambda: "move") == "move"
    assert (pool.running, pool.taken, waiting.done()) == (2, 3, False)
    release.set()
    assert waiting.result(PATIENCE) == "search"


def test_a_search_on_the_only_thread_does_not_hold_up_short_jobs_of_its_address(
    make_pool: MakePool, release: Event
) -> None:
    pool = make_pool(1, 15)
    pool.start_long(GREEDY, "blocked", release.wait)
    assert pool.run(GREEDY, "test", lambda: "move") == "move"


def test_one_thread_is_left_to_others(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(2, 16)
    occupy(pool, GREEDY, release)
    waiting = pool.start_long(GREEDY, "test", lambda: "greedy")
    assert pool.run_long(LONE, "test", lambda: "lone") == "lone", "a thread is free at once"
    assert (pool.running, pool.taken, waiting.done()) == (1, 2, False)
    release.set()
    assert waiting.result(PATIENCE) == "greedy", "the delayed request runs as soon as it may"


def test_many_callers_use_all_threads(make_pool: MakePool) -> None:
    pool, meet = make_pool(3, 3), Barrier(4)
    works = [pool.start_long(neighbour(number), "test", meet.wait, PATIENCE) for number in range(3)]
    for work in [*works, pool.start(neighbour(3), "test", meet.wait, PATIENCE)]:
        work.result(PATIENCE)


def test_one_thread_is_left_to_others_whatever_the_jobs(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(2, 16)
    works = [pool.start(GREEDY, "blocked", release.wait, PATIENCE) for _ in range(3)]
    works += [pool.start_long(GREEDY, "blocked", release.wait, PATIENCE)]
    assert pool.run(LONE, "test", lambda: "lone") == "lone"
    assert pool.run_long(LONE, "test", lambda: "lone") == "lone"
    assert pool.running == 2
    release.set()
    assert all(work.result(PATIENCE) for work in works)


def test_an_address_has_half_of_the_places_and_a_player_a_third(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(2, 16)
    for _ in range(9):
        pool.start(GREEDY, "blocked", release.wait)
    with pytest.raises(ShareTaken, match="you have 9 computations"):
        pool.start(GREEDY, "test", int)
    for number in range(6):  # from any address
        pool.start(Caller(f"198.51.100.{number}", "a player"), "blocked", release.wait)
    with pytest.raises(ShareTaken, match="you have 6 computations"):
        pool.start(LONE, "test", int)
    for number in range(3):
        pool.start(neighbour(number), "blocked", release.wait)
    assert (pool.taken, pool.refused) == (18, 2)


def test_in_a_full_pool_the_heaviest_caller_gives_way(make_pool: MakePool, release: Event) -> None:
    """Otherwise two addresses could take all places and lock everybody else out."""
    pool, callers = make_pool(1, 7), [GREEDY, neighbour(0), *(neighbour(number) for number in range(1, 7))]
    occupy(pool, GREEDY, release)
    works = [(caller, pool.start_long(caller, "test", int)) for caller in [GREEDY] * 3 + [neighbour(0)] * 4]
    works += [(caller, pool.start_long(caller, "test", int)) for caller in callers[2:]]
    assert (pool.taken, pool.refused) == (8, 6)
    with pytest.raises(PoolFull, match="all busy"):
        pool.start_long(neighbour(9), "test", int)
    release.set()
    kept = [caller for caller, work in works if not work.cancelled()]
    assert kept == [neighbour(0), *callers[2:]], "one each, the first of each"
    assert all(work.cancelled() or work.result(PATIENCE) == 0 for _, work in works)


def test_in_a_full_pool_a_long_job_gives_way_to_another_of_a_caller_with_no_more_jobs(
    make_pool: MakePool, release: Event
) -> None:
    pool = make_pool(1, 7)
    free_one = occupy_but_one_thread(pool, release)
    searches = [pool.start_long(neighbour(number), "test", int) for number in range(1, 7)]
    moves = [pool.start(GREEDY, "test", int) for _ in range(2)]
    with pytest.raises(PoolFull, match="all busy"):  # as it has two jobs, and the others one each
        pool.start(GREEDY, "test", int)
    assert [search.cancelled() for search in searches] == [False] * 4 + [True] * 2
    free_one.set()
    assert [work.result(PATIENCE) for work in [*searches[:4], *moves]] == [0] * 6


def test_in_a_full_pool_a_search_gives_way_before_one_of_the_new_jobs_own_caller(
    make_pool: MakePool, release: Event
) -> None:
    pool = make_pool(1, 5)
    occupy_but_one_thread(pool, release)
    callers = [neighbour(1), neighbour(2), neighbour(3), LONE]
    searches = [pool.start_long(caller, "test", int) for caller in callers]
    pool.start(LONE, "test", int)
    assert [search.cancelled() for search in searches] == [False, False, True, False]


def test_in_a_pool_without_long_jobs_the_heaviest_caller_gives_way(
    make_pool: MakePool, release: Event
) -> None:
    pool = make_pool(1, 5)
    occupy_but_one_thread(pool, release)
    moves = [pool.start(caller, "test", int) for caller in (LONE, neighbour(0), neighbour(0), neighbour(1))]
    another = pool.start(neighbour(2), "test", int)
    with pytest.raises(PoolFull, match="all busy"):
        pool.start(neighbour(3), "test", int)
    assert [move.cancelled() for move in [*moves, another]] == [False, False, True, False, False]


def test_the_smallest_pool_serves_all_callers(make_pool: MakePool) -> None:
    pool = make_pool(1, 0)
    assert [pool.run(caller, "test", str, caller.address) for caller in (GREEDY, LONE, GREEDY)] == [
        GREEDY.address,
        LONE.address,
        GREEDY.address,
    ]


def test_a_fault_is_the_callers_and_the_thread_goes_on(make_pool: MakePool) -> None:
    pool = make_pool(1, 4)

    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool.run(LONE, "test", broken)
    assert pool.run(LONE, "test", lambda: pool.taken) == 1
    assert pool.taken == 0


def test_cancelled_work_gives_its_place_back(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(1, 4)
    occupy(pool, GREEDY, release)
    given_up: Future[int] = pool.start_long(LONE, "test", int)
    assert given_up.cancel()
    release.set()
    assert pool.run_long(neighbour(1), "test", lambda: pool.taken) == 1


def test_closing_a_pool_cancels_waiting_work(make_pool: MakePool, release: Event) -> None:
    pool = make_pool(1, 4)
    occupy(pool, GREEDY, release)
    waiting = pool.start_long(LONE, "test", int)
    waiting.add_done_callback(lambda _: release.set())
    pool.close()
    with pytest.raises(CancelledError):
        waiting.result(PATIENCE)


def test_too_many_requests_are_refused_and_others_are_served(serve: Serve) -> None:
    client = serve()
    pool, release = pool_of(client), Event()
    idle(client)
    here = Caller("", None)  # as the test's client has no address
    for _ in range(9):
        pool.start(here, "blocked", release.wait)
    try:
        answer = client.get("/api/scrabblet/signature/listen")
        assert "you have 9 computations" in problem(answer, 429)["detail"]
        assert int(answer.headers["Retry-After"]) > 0
        assert pool.run(LONE, "test", lambda: "served") == "served"
    finally:
        release.set()
    with engines_busy(client):
        problem(client.get("/api/scrabblet/signature/listen"), 503)


def test_full_engines_say_when_to_come_back_and_pages_go_on(serve: Serve) -> None:
    client = serve()
    with engines_busy(client):
        for method, path, body in ENGINES:
            if path == "/api/fribble/score":
                continue  # the rules count that without an engine
            for accepted, shape in (("text/html", "text/html"), ("*/*", "application/problem+json")):
                answer = client.request(method, path, json=body, headers={"Accept": accepted})
                assert answer.status_code == 503, path
                assert int(answer.headers["Retry-After"]) > 0, path
                assert path.startswith("/api/") or answer.headers["Content-Type"].startswith(shape), path
        for page in ("/", "/daily", "/lobby", "/letterpress", "/boggle", "/fribble", "/scrabblet", "/me"):
            assert client.get(page).status_code == 200, page
        game = open_game(client, "boggle")
        assert client.get(f"/games/{game['id']}").status_code == 200


def test_pages_have_threads_however_many_wait_for_engines(serve: Serve) -> None:
    client = serve(engine_threads=1, engine_queue=61)
    stream_limiter = [TestClient(client.app, client=(f"10.1.0.{number}", 1)) for number in range(60)]
    for each in stream_limiter:
        each.portal = client.portal  # one server for all of them
    with ThreadPoolExecutor(61) as threads, engines_busy(client, places_left=60) as pool:
        waiting = [threads.submit(each.get, "/api/scrabblet/signature/listen") for each in stream_limiter]
        while pool.taken < pool.places:
            wait(waiting, timeout=0.01)
        assert threads.submit(client.get, "/lobby").result(timeout=60).status_code == 200
    assert {each.result().status_code for each in waiting} == {200}


def test_a_computing_limit_counts_the_threads_own_work_only(make_pool: MakePool) -> None:
    pool = make_pool(1, 1)

    def is_over_after_waiting_and_after_work() -> tuple[bool, bool]:
        is_over = pool.computing_limit(100)
        time.sleep(0.3)
        waited, end = is_over(), time.thread_time() + 0.15
        while time.thread_time() < end:
            pass
        return waited, is_over()

    assert pool.run(LONE, "deal", is_over_after_waiting_and_after_work) == (False, True)
