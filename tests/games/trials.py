"""The random play of every game, from the module ``trial`` in its folder.

``tests/test_rooms.py`` reports a missing one.
"""

from importlib import import_module
from pathlib import Path

from app.rooms import ROOMS
from tests.games.trial import Trial

TRIALS: dict[str, type[Trial]] = {
    kind: import_module(f"tests.games.{kind}.trial").TRIAL
    for kind in ROOMS
    if (Path(__file__).parent / kind / "trial.py").is_file()
}
