"""The random play of every game, from the module ``trial`` in its folder."""

from importlib import import_module

from app.rooms import ROOMS
from tests.games.trial import Trial

TRIALS: dict[str, type[Trial]] = {kind: import_module(f"tests.games.{kind}.trial").TRIAL for kind in ROOMS}
