"""Readiness reports whether pages are answered in time, and the metrics show why not."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Event

import pytest
from anyio import to_thread
from fastapi.testclient import TestClient

from app.web.ops import load
from app.web.ops.load import LARGEST_LAG, LoadMonitor
from tests.driver import problem
from tests.metrics import figure


@contextmanager
def page_threads_busy(client: TestClient) -> Iterator[int]:
    """Keep all page threads busy without end; return their number."""
    assert client.portal is not None
    portal, done = client.portal, Event()
    count = int(portal.call(lambda: to_thread.current_default_thread_limiter().total_tokens))
    works: list[Future[bool]] = [
        portal.start_task_soon(partial(to_thread.run_sync, done.wait)) for _ in range(count)
    ]
    try:
        yield count
    finally:
        done.set()
        for work in works:
            work.result()


def status_becomes(client: TestClient, status: int) -> None:
    while client.get("/readyz").status_code != status:
        time.sleep(0.05)


def test_a_server_whose_pages_wait_for_threads_is_not_ready(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "LONGEST_WAIT", 1.0)
    here = TestClient(client.app, client=("127.0.0.1", 50_000))
    here.portal = client.portal
    status_becomes(client, 200)
    with page_threads_busy(client) as threads:
        status_becomes(client, 503)
        answer = client.get("/readyz")
        assert f"{threads} of {threads} page threads are busy" in problem(answer, 503)["detail"]
        assert int(answer.headers["Retry-After"]) > 0
        assert client.get("/healthz").status_code == 200
        assert figure(here, "wibble_page_threads", state="busy") == threads
        assert figure(here, "wibble_page_threads", state="free") == 0
        assert figure(here, "wibble_page_threads", state="waited_for") >= 1
        assert figure(here, "wibble_page_wait_seconds") > 1.0
    status_becomes(client, 200)
    assert figure(here, "wibble_page_threads", state="free") > 0


def test_an_event_loop_that_is_late_three_times_in_a_row_is_reported() -> None:
    found, late = LoadMonitor(), 2 * LARGEST_LAG
    for lag in (late, late, 0.0, late, late):
        found.note_lag(lag)
        assert found.complaint is None, "it has caught up, or was late only twice"
    found.note_lag(late)
    assert found.complaint == "the event loop is repeatedly 2.0 seconds late"
    found.note_lag(0.01)
    assert found.complaint is None


def test_metrics_show_the_lag_and_the_places_of_the_pool(client: TestClient) -> None:
    here = TestClient(client.app, client=("127.0.0.1", 50_000))
    assert figure(here, "wibble_loop_lag_seconds") >= 0
    assert figure(here, "wibble_pool_running") == 0
