"""The study is consistent and reproduces the published averages."""

import json
import lzma
import time
from pathlib import Path

import numpy as np
import pytest

from app.games.boggle.board_request import NAMES
from app.games.boggle.catalogue import catalogue
from app.games.boggle.generators import Options, generate
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.published_study import (
    BIN,
    STUDIED,
    Chunk,
    StudyRunner,
    Tally,
    Tuning,
    added_up,
    chunks,
    tuning_chunks,
)
from app.games.boggle.solver import Solver
from app.words.lexicon import Lexicon

PUBLISHED = {entry.name: entry.published for entry in catalogue() if entry.published}
STANDARD_ERRORS = 4


@pytest.fixture(scope="module")
def dwyl(reference: Path) -> Lexicon:
    """The published study's word list, without its single letters."""
    listed = lzma.decompress((reference / "words" / "words_alpha.txt.xz").read_bytes()).decode("ascii")
    return Lexicon.from_words((word for word in listed.split() if len(word) > 1), "dwyl")


@pytest.fixture(scope="module")
def runner(dwyl: Lexicon) -> StudyRunner:
    return StudyRunner(dwyl, time.perf_counter)


def test_the_list_is_that_of_the_published_study(dwyl: Lexicon) -> None:
    assert statistics_of(dwyl).vowel_share == pytest.approx(0.39155, abs=5e-6)


@pytest.mark.parametrize("name", PUBLISHED)
def test_averages_are_within_their_error_of_those_published(runner: StudyRunner, name: str) -> None:
    """The published averages are over 100,000 boards; ours, over fewer, differ by a few standard errors."""
    tally = added_up([runner.measure(chunk) for chunk in chunks([name], 4000, 4, 4, "published")])
    published = PUBLISHED[name]
    assert tally.boards == 4000
    assert abs(tally.means["path_words"] - published.words) < STANDARD_ERRORS * tally.errors["path_words"]
    assert abs(tally.means["path_points"] - published.points) < STANDARD_ERRORS * tally.errors["path_points"]


def test_counted_properly_a_stronger_decay_does_help(runner: StudyRunner) -> None:
    """The published puzzle ("I am unsure why") is an effect of counting every path."""
    greedy, decayed = (
        added_up([runner.measure(chunk) for chunk in chunks([name], 4000, 4, 4, "puzzle")]).means
        for name in ("greedy-cad", "greedy-dcad")
    )
    assert decayed["path_points"] < 1.02 * greedy["path_points"]
    assert decayed["points"] > 1.05 * greedy["points"]


def test_seven_vowels_and_one_first_letter_are_best_as_published(runner: StudyRunner) -> None:
    """The document's two tuning experiments, by the points of paths that it counts."""
    for tuning, best in ((Tuning("vowels", (4, 6, 7, 8, 10)), 7), (Tuning("seeds", (1, 4, 8, 16)), 1)):
        tallies: dict[Options, list[Tally]] = {}
        for chunk in tuning_chunks(tuning, 6000, 4, 4, "tuning"):
            tallies.setdefault(chunk.options, []).append(runner.measure(chunk))
        points = {
            value: added_up(tallies[options]).means["path_points"] for value, options in tuning.options()
        }
        assert max(points, key=points.__getitem__) == best, points


def test_adj_from_random_letters_alone_is_freq(runner: StudyRunner) -> None:
    """ "With a large n, the algorithm degenerates towards FREQ": with n = 16 it is FREQ."""
    chunks_of_16 = list(tuning_chunks(Tuning("seeds", (16,)), 4000, 4, 4, "freq"))
    adj = added_up([runner.measure(chunk) for chunk in chunks_of_16])
    freq = added_up([runner.measure(chunk) for chunk in chunks(["freq"], 4000, 4, 4, "adj")])
    error = (adj.errors["path_points"] ** 2 + freq.errors["path_points"] ** 2) ** 0.5
    assert abs(adj.means["path_points"] - freq.means["path_points"]) < STANDARD_ERRORS * error


def test_a_tally_is_what_its_boards_add_up_to(lexicon: Lexicon) -> None:
    runner = StudyRunner(lexicon, lambda: 0.0)
    parts = [runner.measure(Chunk("freq", 4, 3, boards, f"part/{boards}")) for boards in (30, 20)]
    tally = added_up(parts)
    statistics = statistics_of(lexicon)
    boards = np.concatenate([generate("freq", 4, 3, n, f"part/{n}", statistics) for n in (30, 20)])
    words, points = Solver(lexicon).score(boards, 4, 3)
    paths, path_points = Solver(lexicon, min_length=2).score(boards, 4, 3, every_path=True)
    for measure, values in (
        ("words", words),
        ("points", points),
        ("path_words", paths),
        ("path_points", path_points),
    ):
        assert tally.means[measure] == pytest.approx(values.mean())
        assert tally.errors[measure] == pytest.approx(values.std(ddof=1) / 50**0.5)
    assert tally.distribution.sum() == 50
    assert tally.distribution[0] == (points < BIN).sum()


def test_chunks_make_up_the_work_and_differ() -> None:
    work = list(chunks(["rnd", "climb"], 5000, 4, 5, "seed"))
    assert sum(chunk.boards for chunk in work if chunk.algorithm == "rnd") == 5000
    assert sum(chunk.boards for chunk in work if chunk.algorithm == "climb") == 50
    assert len({chunk.seed for chunk in work}) == len(work)


def test_every_algorithm_is_described_and_measured() -> None:
    entries = {entry.name: entry for entry in catalogue()}
    assert tuple(entries) == NAMES
    assert len(PUBLISHED) == 9
    for entry in entries.values():
        assert entry.title
        assert entry.description
        assert (entry.averages is not None) == (entry.name in STUDIED)
        assert json.loads(entry.model_dump_json())["name"] == entry.name


def test_the_averages_kept_are_those_published() -> None:
    for entry in catalogue():
        if entry.published and entry.averages:
            assert entry.averages.path_words == pytest.approx(entry.published.words, rel=0.015)
            assert entry.averages.path_points == pytest.approx(entry.published.points, rel=0.015)
