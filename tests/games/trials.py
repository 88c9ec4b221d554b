"""Every kind of game as it is tried."""

from app.rooms import ROOMS
from tests.games.boggle.trial import BoggleTrial
from tests.games.fribble.trial import FribbleTrial
from tests.games.letterpress.trial import LetterpressTrial
from tests.games.scrabblet.trial import ScrabbletTrial
from tests.games.trial import Trial
from tests.games.wibble.trial import WibbleTrial

TRIALS: dict[str, type[Trial]] = {
    trial.kind.kind: trial
    for trial in (WibbleTrial, LetterpressTrial, BoggleTrial, FribbleTrial, ScrabbletTrial)
}
assert set(TRIALS) == set(ROOMS), "every kind is tried"
