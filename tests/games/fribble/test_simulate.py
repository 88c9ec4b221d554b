"""Simulation: the order of the candidates and their shares."""

from random import Random

import numpy as np
import pytest

from app.games.fribble import simulate
from app.games.fribble.board import Board
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import presets
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.games.fribble.simulate import FEWEST, Candidate, Situation
from app.games.fribble.tileset import TILES
from app.words.lexicon import Lexicon


def test_a_dropped_candidate_is_as_far_behind_as_in_the_samples_of_both(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All did better in the first samples, so one dropped after them would seem better than the best."""
    shares = {1: (0.9, 0.5), 2: (0.8995, 0.4), 3: (0.8, 0.5), 4: (0.7, 0.5)}
    taken = dict.fromkeys(shares, 0)

    def outcome(_table: object, number: float, _lead: int) -> tuple[float, float]:
        taken[int(number)] += 1
        return 0.0, shares[int(number)][taken[int(number)] > FEWEST]

    monkeypatch.setattr(simulate, "_played_on", lambda _table, choice, *_: (choice.score, 0))
    monkeypatch.setattr(simulate, "_outcome", outcome)
    preset = presets()["wwf"]
    generator = MoveGenerator(lexicon, preset)
    rack = np.array([tile in "ABC" for tile in TILES], np.int32)
    full = np.array([preset.tiles.counts[tile] for tile in TILES], np.int32)
    found = simulate.simulate(
        generator,
        preset,
        shipped_leaves("wwf"),
        Situation(generator.squares(Board()), rack, full - rack, lead=0),
        [Candidate(Choice(NO_MOVE, number, 0), 0.0) for number in shares],
        Random(0),
        lambda samples: samples >= 2 * FEWEST - 1,
    )
    assert [estimate.samples for estimate in found] == [63, 63, 32, 32]
    assert [estimate.choice.score for estimate in found] == [1, 2, 3, 4]
    assert [estimate.win_share for estimate in found] == sorted(
        (estimate.win_share for estimate in found), reverse=True
    )
    shrunk = FEWEST / (FEWEST + simulate.PRIOR)
    assert found[0].win_share - found[2].win_share == pytest.approx(0.1 * shrunk)
    assert found[0].win_share - found[3].win_share == pytest.approx(0.2 * shrunk)
