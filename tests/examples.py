"""How many examples Hypothesis makes up for a test."""

import os
from typing import Final

from hypothesis import settings

TIMES: Final = int(os.environ.get("WIBBLE_TEST_TIMES", "1"))
"""How many times as many as usual."""
QUICK: Final = os.environ.get("WIBBLE_TEST_QUICK") == "1"
"""Whether a quarter is enough, as in ``make quick``."""
USUAL: Final = 100


def examples(usual: int = USUAL) -> settings:
    """Decorate a test to be tried with so many examples where nothing else is asked for."""
    return settings(max_examples=max(5, usual * TIMES // (4 if QUICK else 1)))
