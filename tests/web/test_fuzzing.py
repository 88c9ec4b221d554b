"""Made-up requests against the document at /openapi.json: no answer of the server may break its promises.

A campaign is the same with more of everything, about a second for ten requests:
``WIBBLE_TEST_FUZZ=550 pytest tests/web/test_fuzzing.py`` makes over 20,000.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.serving import Served

EXAMPLES = int(os.environ.get("WIBBLE_TEST_FUZZ", "0"))
"""Requests made up for each operation; 0 is the small bound of every day."""
PATIENCE = 120
"""Seconds: the first of all requests waits for a lexicon to be read, on a machine that may do more."""
ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "tests" / "fuzzing" / "schemathesis.toml"
PHASES = "examples,coverage,fuzzing,stateful" if EXAMPLES else "examples,fuzzing,stateful"
LEAST = 20_000 if EXAMPLES >= 550 else 300


def test_no_request_breaks_what_the_api_promises(tmp_path: Path) -> None:
    """No 5xx, and no status, type, header or body that is not documented."""
    server = Served(tmp_path, rate_limits="0")
    server.start()
    try:
        with httpx.Client(timeout=PATIENCE) as player:
            player.post(f"{server.url}/api/games", json={})
            player.get(f"{server.url}/openapi.json")  # made once; for who loads it, 10 seconds must be enough
            cookie = "; ".join(f"{name}={value}" for name, value in player.cookies.items())
        report = tmp_path / "report.json"
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run"]
        command += [f"{server.url}/openapi.json", "--phases", PHASES, "--max-examples", str(EXAMPLES or 8)]
        command += ["--header", f"Cookie: {cookie}", "--report-json-path", str(report)]
        command += ["--continue-on-failure", "--no-color", "--seed", "1", "--request-timeout", str(PATIENCE)]
        found = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=False,
        )
    finally:
        server.stop()
    assert found.returncode == 0, found.stdout + found.stderr
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["operations"]["tested"] == told["operations"]["selected"] > 30, found.stdout
    assert told["test_cases"]["generated"] >= LEAST, found.stdout
    assert " 500 in " not in server.log.read_text(encoding="utf-8")
