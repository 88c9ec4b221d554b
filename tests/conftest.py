"""Fixtures for all tests, and skips for what a machine lacks.

A test that needs Chromium, PostgreSQL or the reference collection uses the fixture of that name. If it is
missing, the test is skipped with the reason; with ``WIBBLE_TEST_REQUIRE_ALL=1`` (as in CI) every skip is a
failure instead, so that no test is left out unnoticed.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from app.games import kernel
from app.games.rulebook import Rulebook
from app.resources import resource
from app.rooms import ROOMS
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.library import Library
from tests import markers
from tests.examples import examples
from tests.seeds import Deals
from tests.servers import RedisCluster, RedisServer
from tests.shared_parts import SharedLibrary, share_certificates, share_lexicons

# This must come before any test module imports it.
pytest.register_assert_rewrite("tests.driver")

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LOCAL_POSTGRESQL = "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"

settings.register_profile("local", deadline=None)
# Hypothesis's profile for CI: the same examples in every run, and no health checks for slow machines.
IN_CI = bool(os.environ.get("CI")) or os.environ.get("WIBBLE_TEST_REQUIRE_ALL") == "1"
settings.load_profile("ci" if IN_CI else "local")
settings.register_profile("tests", examples())
settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests away from the user's own installation, before anything reads the settings."""
    sandbox = Path(tempfile.mkdtemp(prefix="wibble-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(sandbox, ignore_errors=True))
    for name in [name for name in os.environ if name.startswith("WIBBLE_") and "_TEST_" not in name]:
        del os.environ[name]
    os.environ["WIBBLE_DATA_DIR"] = str(sandbox / "data")
    # Set by the process that starts the workers and inherited by them, so that they share one cache.
    os.environ["WIBBLE_CACHE_DIR"] = os.environ.setdefault("WIBBLE_TEST_CACHE_DIR", str(sandbox / "cache"))
    Settings.model_config["env_file"] = None
    # With the default, collecting the application's many objects takes an eighth of the tests' time.
    gc.set_threshold(100_000, 50, 1000)
    share_certificates()
    share_lexicons()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Skip the final garbage collection, which takes seconds: the process ends anyway."""
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """Three processes per two cores, as many tests wait for a browser, a server or a clock."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, before tests are selected by marker, and put them first."""
    markers.mark(items)
    markers.put_long_first(items)


def _nothing_may_be_left_out() -> bool:
    return os.environ.get("WIBBLE_TEST_REQUIRE_ALL") == "1"


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason}\n(WIBBLE_TEST_REQUIRE_ALL=1: nothing may be left out)"


def _locate_skip(report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
    """Report the skip at the line of the fixture, so that the summary has one line per missing program."""
    if report.skipped and isinstance(report.longrepr, tuple) and call.excinfo is not None:
        for entry in call.excinfo.traceback:
            if Path(entry.path) == Path(__file__):
                report.longrepr = (__file__, entry.lineno + 1, report.longrepr[2])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report what is missing; turn a skipped test into a failed one where no test may be skipped."""
    report = yield
    _locate_skip(report, call)
    if _nothing_may_be_left_out():
        _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a skipped module into a failed one where no test may be skipped."""
    report = yield
    if _nothing_may_be_left_out():
        _fail_if_skipped(report)
    return report


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernels() -> None:
    """Compile the kernels, as on a warm server; the plain functions have tests of their own."""
    assert ROOMS.games, "imported, so that the kernels of all games are known"
    # With an empty cache, workers start at both ends, and each reads the other half from the cache.
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:] in "13579":
        for each in reversed(kernel._registered):
            each.warm()
    kernel.warm_up()


@pytest.fixture(scope="session", autouse=True)
def _patient_stores() -> Iterator[None]:
    """Let writers wait a minute instead of five seconds for each other and for a slow disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.store.database._BUSY_SECONDS", 60.0)
        yield


@pytest.fixture(scope="session")
def shared_cache() -> Path:
    """The cache folder of the lexicons, shared by all processes of a run."""
    return Path(os.environ["WIBBLE_CACHE_DIR"])


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Library:
    """The shipped lexicons, with an empty home folder."""
    return SharedLibrary(data=resource("data"), home=tmp_path_factory.mktemp("home"), cache=shared_cache)


@pytest.fixture(scope="session")
def lexicon(library: Library) -> Lexicon:
    """The complete default lexicon."""
    return library.load()


@pytest.fixture(scope="session")
def rulebook(library: Library) -> Rulebook:
    return ROOMS.rulebook(library)


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference results, beside the repository."""
    if not REFERENCE.is_dir():
        pytest.skip("the reference collection is not beside this repository (../shared/reference)")
    return REFERENCE


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium or Chrome executable."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(CHROMIUM_NAMES)} is on the PATH")
    return found


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The URL of a new, empty database for this session, dropped at its end.

    It is created on the server of ``WIBBLE_TEST_POSTGRESQL_URL`` (an SQLAlchemy URL whose role may create
    databases), or else on a local server that trusts the role ``postgres``.
    """
    named = os.environ.get("WIBBLE_TEST_POSTGRESQL_URL")
    server = create_engine(
        named or LOCAL_POSTGRESQL,
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
        connect_args={"connect_timeout": 3},
    )
    database = f"wibble_test_{uuid4().hex[:12]}"
    try:
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {database}"))
    except OperationalError as error:
        if named:
            raise
        reason = str(error.orig).splitlines()[0]
        pytest.skip(f"no PostgreSQL: WIBBLE_TEST_POSTGRESQL_URL is not set, and locally {reason}")
    yield make_url(server.url).set(database=database).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {database} WITH (FORCE)"))


@pytest.fixture
def deals(request: pytest.FixtureRequest) -> Deals:
    """The seeds of this test's games."""
    return Deals(request.node.nodeid)


def _redis_executable() -> str:
    executable = shutil.which("redis-server")
    if executable is None:
        pytest.skip("no Redis: redis-server is not on the PATH")
    return executable


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that a test may stop and start."""
    server = RedisServer(_redis_executable(), tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A Redis Cluster that a test may stop, if it starts it again."""
    cluster = RedisCluster(_redis_executable(), tmp_path_factory.mktemp("redis-cluster"))
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(params=["redis_server", "redis_cluster"])
def any_redis(request: pytest.FixtureRequest) -> RedisServer | RedisCluster:
    """One Redis, then a cluster."""
    found: RedisServer | RedisCluster = request.getfixturevalue(request.param)
    return found
