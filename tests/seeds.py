"""Seeds of the games in a test: the same in every run, so that failures are reproducible."""

import os
from hashlib import sha256


class Deals:
    """Seeds for the games of one test after the other; ``WIBBLE_TEST_SEED`` changes them."""

    def __init__(self, test: str = "") -> None:
        self.begin(test)

    def begin(self, test: str) -> None:
        """Start the seeds of the test with this name."""
        self._test = f"{os.environ.get('WIBBLE_TEST_SEED', '')} {test}"
        self._dealt = 0

    def __call__(self) -> str:
        self._dealt += 1
        return sha256(f"{self._test} {self._dealt}".encode()).hexdigest()[:32]
