"""Fuzzing against the document at /openapi.json: every response of the server must match it.

A campaign is the same with more of everything, on SQLite and on PostgreSQL:
``WIBBLE_TEST_FUZZ_SEEDS=20 pytest tests/web/test_fuzzing.py`` makes up other requests twenty times over, and
with ``WIBBLE_TEST_FUZZ=550`` each time is over 20,000 requests in all phases, about a second for ten.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.servers import Served

EXAMPLES = int(os.environ.get("WIBBLE_TEST_FUZZ", "0"))
"""Generated requests per operation; 0 uses the small default."""
SEEDS = int(os.environ.get("WIBBLE_TEST_FUZZ_SEEDS", "1"))
"""The number of runs, with seeds 1, 2, 3 and so on."""
PATIENCE = 120
"""Seconds: the first of all requests waits for a lexicon to be read, on a machine that may do more."""
ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "tests" / "fuzzing" / "schemathesis.toml"
PHASES = "examples,coverage,fuzzing,stateful" if EXAMPLES else "examples,fuzzing,stateful"
LEAST = 20_000 if EXAMPLES >= 550 else 300


@pytest.mark.parametrize("database", ["sqlite", "postgresql"] if SEEDS > 1 else ["sqlite"])
def test_no_request_breaks_what_the_api_promises(
    tmp_path: Path, database: str, request: pytest.FixtureRequest
) -> None:
    """Check that there is no 5xx and no undocumented status, type, header or body."""
    url = request.getfixturevalue("postgresql_url") if database == "postgresql" else None
    with Served(tmp_path, url, rate_limits="0") as server:
        with httpx.Client(timeout=PATIENCE) as player:
            player.post(f"{server.url}/api/games", json={})
            player.get(f"{server.url}/openapi.json")  # made once; for who loads it, 10 seconds must be enough
            cookie = "; ".join(f"{name}={value}" for name, value in player.cookies.items())
        for seed in range(1, SEEDS + 1):
            _make_requests_up(server, cookie, seed, tmp_path)
    assert " 500 in " not in server.log.read_text(encoding="utf-8")


def _make_requests_up(server: Served, cookie: str, seed: int, folder: Path) -> None:
    report = folder / f"report-{seed}.json"
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run"]
    command += [f"{server.url}/openapi.json", "--phases", PHASES, "--max-examples", str(EXAMPLES or 6)]
    command += ["--header", f"Cookie: {cookie}", "--report-json-path", str(report)]
    command += [
        "--continue-on-failure",
        "--no-color",
        "--seed",
        str(seed),
        "--request-timeout",
        str(PATIENCE),
    ]
    found = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert found.returncode == 0, f"seed {seed}\n{found.stdout}{found.stderr}"
    summary = json.loads(report.read_text(encoding="utf-8"))
    assert summary["operations"]["tested"] == summary["operations"]["selected"] > 30, found.stdout
    assert summary["test_cases"]["generated"] >= LEAST, found.stdout
