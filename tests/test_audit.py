"""The audit's exit status: no known vulnerabilities, some, or no answer from the database."""

import subprocess
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[1] / ".ci" / "audit"
REPORT = 'while [ "$1" != --output ]; do shift; done; echo "numpy 1.0 CVE-1" > "$2"'


@pytest.mark.parametrize(
    ("installs", "audits", "status", "says"),
    [
        ("exit 0", "exit 0", 0, "No known vulnerabilities in "),
        ("exit 0", f"{REPORT}; exit 1", 1, "numpy 1.0 CVE-1"),
        (
            "exit 0",
            "echo 'not found: numpy' >&2; exit 1",
            75,
            "not found: numpy\nNot audited: the vulnerability database",
        ),
        ("echo 'no network' >&2; exit 1", "exit 0", 75, "no network\nNot audited: pip-audit could not"),
    ],
    ids=["none", "some", "no answer", "no network"],
)
def test_its_exit_status_gives_the_result(
    tmp_path: Path, installs: str, audits: str, status: int, says: str
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nif [ "$2" = pip ]; then {installs}; else {audits}; fi\n')
    python.chmod(0o755)
    found = subprocess.run(["bash", AUDIT, python], capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == status, found
    assert says in found.stdout + found.stderr
