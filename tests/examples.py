"""The number of examples that Hypothesis generates for a test."""

import os
from typing import Final

from hypothesis import settings

TIMES: Final = int(os.environ.get("WIBBLE_TEST_TIMES", "1"))
"""Factor for the number of examples."""
QUICK: Final = os.environ.get("WIBBLE_TEST_QUICK") == "1"
"""Whether to use a quarter of the examples, as in ``make quick``."""
USUAL: Final = 100


def examples(usual: int = USUAL) -> settings:
    """Return the settings of a test with this usual number of examples."""
    return settings(max_examples=max(5, usual * TIMES // (4 if QUICK else 1)))
