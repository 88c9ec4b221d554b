"""Self-play games: by the rules, with every tile accounted for."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from app.games.fribble.advice import counted
from app.games.fribble.board import Board
from app.games.fribble.learning import Lessons, observe
from app.games.fribble.leave_kernels import SIZE, STAGES, TIMING, features, find_surplus, spread
from app.games.fribble.leaves import Leaves, load_leaves, no_leaves, shipped_leaves
from app.games.fribble.match import Score, pair
from app.games.fribble.movegen import MoveGenerator, Rack, placement_of
from app.games.fribble.presets import presets
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.scoring import score
from app.games.fribble.selfplay import NO_MOVE, Choice, Table, play
from app.games.fribble.simulate import Candidate, Situation, best_candidates, simulate
from app.games.fribble.simulating_player import simulating
from app.games.fribble.strategy import player
from app.games.fribble.tileset import TILES
from app.words.lexicon import Lexicon


@pytest.fixture(scope="module")
def generators(lexicon: Lexicon) -> dict[str, MoveGenerator]:
    return {name: MoveGenerator(lexicon, preset) for name, preset in presets().items()}


def tiles_of(counts: np.ndarray[tuple[int], np.dtype[np.int32]]) -> str:
    return "".join(tile * int(count) for tile, count in zip(TILES, counts, strict=True))


@pytest.mark.parametrize("name", ["wwf", "standard"])
@pytest.mark.parametrize("strategy", ["greedy", "static"])
def test_a_game_follows_the_rules_and_loses_no_tile(
    generators: dict[str, MoveGenerator], lexicon: Lexicon, name: str, strategy: str
) -> None:
    preset = presets()[name]
    choose = player("greedy" if strategy == "greedy" else "static", shipped_leaves(name))
    for bag in range(3):
        table = Table(generators[name], preset, Random(bag))
        board, scores = Board(), [0, 0]
        while not table.over:
            seat, choice = table.to_move, choose(table)
            if choice.move != NO_MOVE:
                placement = placement_of(choice.move)
                made = score(board, placement, preset)
                assert all(word.lower() in lexicon for word in made.words)
                assert made.total == choice.score
                board = board.with_tiles(placement.cells, placement.tiles)
                scores[seat] += made.total
            table.play(choice)
            in_bag = table.bag[table.ends[0] : table.ends[1]]
            held = tiles_of(table.counts[0]) + tiles_of(table.counts[1])
            everything = board.tiles + held + "".join(TILES[kind] for kind in in_bag)
            assert sorted(everything) == sorted(preset.tiles.full_bag)
        assert table.scores == scores
        left = [preset.tiles.total_points(tiles_of(counts)) for counts in table.counts]
        settled = table.settle()
        if 0 in left:
            assert sum(settled) == sum(scores)
        assert settled[0] - settled[1] - scores[0] + scores[1] in (
            2 * left[1],
            -2 * left[0],
            left[1] - left[0],
        )


def test_exchanged_tiles_go_back_into_the_bag(generators: dict[str, MoveGenerator]) -> None:
    preset = presets()["wwf"]
    for seat in (0, 1):
        table = Table(generators["wwf"], preset, Random(7))
        if seat:
            table.play(Choice(NO_MOVE, 0, table.rack.leave_count - 1))
        rack, before, in_bag = table.rack.tiles, table.counts[seat].copy(), table.in_bag
        table.play(Choice(NO_MOVE, 0, 0))
        assert table.in_bag == in_bag
        assert table.counts[seat].sum() == 7
        assert (table.counts[seat] != before).any()
        bag = "".join(TILES[kind] for kind in table.bag[table.ends[0] : table.ends[1]])
        assert sorted(bag + tiles_of(table.counts[0]) + tiles_of(table.counts[1])) == sorted(
            preset.tiles.full_bag
        )
        assert all(bag.count(tile) >= rack.count(tile) for tile in rack)


def test_three_turns_without_points_end_a_game_once_there_are_points(
    generators: dict[str, MoveGenerator],
) -> None:
    greedy = player("greedy", no_leaves(presets()["wwf"]))
    table = Table(generators["wwf"], presets()["wwf"], Random(1))
    for _ in range(4):
        table.play(Choice(NO_MOVE, 0, table.rack.leave_count - 1))
        assert not table.over
    table.play(greedy(table))
    for ended in (False, False, True):
        table.play(Choice(NO_MOVE, 0, table.rack.leave_count - 1))
        assert table.over == ended


def test_a_player_is_even_with_itself_in_a_pair_of_games(generators: dict[str, MoveGenerator]) -> None:
    greedy = player("greedy", no_leaves(presets()["wwf"]))
    found = pair(generators["wwf"], presets()["wwf"], greedy, greedy, 3)
    assert (found.games, found.share, found.spread) == (2, 0.5, 0)


def test_static_is_ahead_of_greedy(generators: dict[str, MoveGenerator]) -> None:
    static, greedy = player("static", shipped_leaves("wwf")), player("greedy", no_leaves(presets()["wwf"]))
    found = sum(
        (pair(generators["wwf"], presets()["wwf"], static, greedy, bag) for bag in range(60)), Score()
    )
    assert found.games == 120
    assert found.mean_spread > 0
    assert found.share > 0.5


def test_errors_are_those_of_pairs() -> None:
    pairs = [Score(1, 2, 0, 1.0, 30, 900.0, 40), Score(1, 0, 0, 0.0, -10, 100.0, 40)]
    both = sum(pairs, Score())
    assert (both.games, both.losses, both.share) == (4, 2, 0.5)
    assert both.share_error == pytest.approx(1.96 * 0.5 / 2**0.5)
    assert both.mean_spread == 5
    assert both.spread_error == pytest.approx(1.96 * 10 / 2**0.5)


def full_set(name: str) -> NDArray[np.int32]:
    return counted(presets()[name].tiles.full_bag)


def leave_values(leaves: Leaves, tiles: str, unseen: NDArray[np.int32]) -> dict[str, float]:
    """The value in points of each leave of a rack."""
    rack = Rack(tiles)
    values = leaves.values(rack, unseen) / POINT
    return dict(zip(map(rack.kept, range(rack.leave_count)), values.tolist(), strict=True))


def test_leaves_are_learned_and_kept(generators: dict[str, MoveGenerator], tmp_path: Path) -> None:
    """If an R gained 20 points in each game and a V lost 20, their values move towards that."""
    preset = presets()["wwf"]
    observed = observe(generators["wwf"], preset, no_leaves(preset), 60, Random(1))
    assert observed.kept.shape == observed.unseen.shape == (len(observed.gains), 27)
    gains = np.float64(20) * (observed.kept[:, TILES.index("R")] - observed.kept[:, TILES.index("V")])
    lessons = Lessons(no_leaves(preset), preset)
    for _ in range(60):
        lessons.add(observed._replace(gains=gains))
    assert lessons.turns == 60 * len(gains)
    learned = lessons.fit(Random(2))
    values = leave_values(learned, "AERSTVN", full_set("wwf") // 2)
    assert 12 < values["R"] - values["T"] < 24
    assert 6 < values["T"] - values["V"] < 24
    assert abs(values["S"] - values["T"]) < 4
    learned.save(tmp_path / "leaves.npz")
    loaded = load_leaves(tmp_path / "leaves.npz")
    np.testing.assert_array_equal(loaded.weights, learned.weights)
    np.testing.assert_array_equal(loaded.last, learned.last)


def test_what_tiles_cost_with_the_bag_empty_is_learned_too(generators: dict[str, MoveGenerator]) -> None:
    """If each tile kept cost 9 points then, but none for each that the opponent held."""
    preset = presets()["wwf"]
    observed = observe(generators["wwf"], preset, no_leaves(preset), 60, Random(1))
    lessons = Lessons(no_leaves(preset), preset)
    for _ in range(20):
        lessons.add(observed._replace(gains=np.float64(-9) * observed.kept.sum(axis=1)))
    learned, rack = lessons.fit(Random(2)), Rack("AEN")
    points = preset.tiles.points.astype(np.int32)
    values = learned.last_values(rack, Rack("TRE").counts, points) / POINT
    for number in range(1, rack.leave_count):
        assert values[number] == pytest.approx(-9 * len(rack.kept(number)), abs=3)
    assert values[0] == 2 * sum(int(points[TILES.index(tile)]) for tile in "TRE")


def test_only_what_counts_late_may_be_learned(generators: dict[str, MoveGenerator]) -> None:
    preset, shipped = presets()["wwf"], shipped_leaves("wwf")
    lessons = Lessons(shipped, preset)
    lessons.add(observe(generators["wwf"], preset, shipped, 40, Random(1)))
    learned = lessons.fit(Random(2), only_late=True)
    changed = learned.weights != shipped.weights
    assert changed[TIMING * STAGES :].any()
    assert not changed[: TIMING * STAGES].any()
    assert (learned.last != shipped.last).any()


def test_how_many_tiles_to_draw_from_a_small_bag_is_learned(generators: dict[str, MoveGenerator]) -> None:
    """If leaving one tile in the bag gained 15 points, and nothing else gained any, that is learned."""
    preset = presets()["wwf"]
    observed = observe(generators["wwf"], preset, no_leaves(preset), 60, Random(1))
    lessons = Lessons(no_leaves(preset), preset)
    for _ in range(20):
        lessons.add(observed._replace(gains=np.where(observed.left == 1, 15.0, 0.0)))
    learned = lessons.fit(Random(2))
    worths: dict[bool, list[float]] = {True: [], False: []}
    for kept, unseen, left in zip(observed.kept, observed.unseen, observed.left, strict=True):
        if 7 < unseen.sum() <= 17:
            worths[bool(left == 1)].append(float(learned.values(Rack(kept), unseen)[-1]) / POINT)
    assert min(map(len, worths.values())) > 10
    assert np.mean(worths[True]) > np.mean(worths[False]) + 8


def test_each_turn_of_a_game_is_observed_with_what_it_led_to(generators: dict[str, MoveGenerator]) -> None:
    """Tiles are drawn from the bag after each turn; its gains are those of the turns that follow it."""
    preset = presets()["wwf"]
    observed = observe(generators["wwf"], preset, no_leaves(preset), 1, Random(4))
    held = observed.kept.sum(axis=1)
    in_bag = np.maximum(0, observed.unseen.sum(axis=1) - 7)
    np.testing.assert_array_equal(observed.left, np.maximum(0, in_bag - 7 + held))
    assert held[-1] == 0
    np.testing.assert_array_equal(in_bag[1:], observed.left[:-1])
    assert in_bag[0] == len(preset.tiles.full_bag) - 14
    # From one turn to the next, the gain changes by the points of the opponent's turn in between.
    assert (observed.gains[:-1] + observed.gains[1:] <= 0).all()


def test_random_leaves_of_each_size_are_worth_nothing_on_average(
    generators: dict[str, MoveGenerator],
) -> None:
    preset = presets()["wwf"]
    observed = observe(generators["wwf"], preset, no_leaves(preset), 60, Random(1))
    lessons = Lessons(no_leaves(preset), preset)
    lessons.add(observed)
    learned, random = lessons.fit(Random(2)), Random(3)
    values: dict[int, list[float]] = {size: [] for size in range(1, 7)}
    for unseen in observed.unseen[observed.left > 20]:
        kinds = np.repeat(np.arange(27), unseen).tolist()
        for size, found in values.items():
            rack = Rack(np.bincount(random.sample(kinds, size), minlength=27).astype(np.int32))
            found.append(int(learned.values(rack, unseen)[-1]) / POINT)
    for found in values.values():
        assert abs(np.mean(found)) < 3 * np.std(found) / len(found) ** 0.5 + 0.5


@pytest.mark.parametrize("name", ["wwf", "standard"])
def test_the_leaves_shipped_know_what_is_good_to_keep(name: str) -> None:
    values = leave_values(shipped_leaves(name), "EERSVV?", full_set(name))
    assert values["?"] > 15 > values["S"] > 4 > values["V"]
    assert values["ERS?"] > values["VV"]


def test_a_vowel_is_worth_more_when_few_are_left() -> None:
    unseen = full_set("wwf")
    few = unseen.copy()
    for vowel in "AEIOU":
        few[TILES.index(vowel)] //= 3
    shipped = shipped_leaves("wwf")
    assert leave_values(shipped, "A", few)["A"] > leave_values(shipped, "A", unseen)["A"] + 2


def test_a_q_is_worth_less_late_in_the_game() -> None:
    shipped, unseen = shipped_leaves("wwf"), full_set("wwf")
    assert leave_values(shipped, "Q", (unseen + 2) // 4)["Q"] < leave_values(shipped, "Q", unseen)["Q"] - 2


@pytest.mark.parametrize("tiles", ["EES", "QU", "AEIOU", "BCD?", "EEEE", "?"])
@pytest.mark.parametrize("share", [1, 3, 12])
def test_what_a_set_of_tiles_is_worth_is_its_features_added_up(tiles: str, share: int) -> None:
    """These are the features of the training, at any stage of the game."""
    shipped, rack = shipped_leaves("wwf"), Rack(tiles)
    unseen = full_set("wwf") // share
    places, amounts, surplus = np.zeros(512, np.int64), np.zeros(512), np.zeros(28)
    in_bag = find_surplus(unseen, shipped.usual, 1, surplus)
    total = features(rack.counts, surplus, in_bag, places, amounts)
    total = spread(SIZE + len(tiles), 1, in_bag, 3, places, amounts, total)
    if in_bag <= 17:
        total = spread(TIMING + 8 * in_bag + 7 - len(tiles), 1, in_bag, 0, places, amounts, total)
    expected = float(shipped.weights[places[:total]] @ amounts[:total])
    assert shipped.values(rack, unseen)[-1] == pytest.approx(expected, abs=25)


def test_a_simulation_prefers_what_wins(generators: dict[str, MoveGenerator]) -> None:
    """Of a high-scoring and a low-scoring play, simulation prefers the first."""
    generator, preset, leaves = generators["wwf"], presets()["wwf"], shipped_leaves("wwf")
    table = Table(generator, preset, Random(2))
    leave_values = leaves.values(table.rack, table.unseen)
    candidates = best_candidates(generator, table.squares, table.rack, leave_values, 500)
    assert [each.equity for each in candidates] == sorted((each.equity for each in candidates), reverse=True)
    best, worst = candidates[0], candidates[-1]
    assert isinstance(best, Candidate)
    situation = Situation(table.squares, table.counts[0], table.unseen, 0)
    squares = table.squares.copy()
    found = simulate(
        generator,
        preset,
        leaves,
        situation,
        [worst, best],
        Random(1),
        lambda samples: samples == 30,
    )
    assert [each.choice for each in found] == [best.choice, worst.choice]
    assert found[0].win_share > found[1].win_share
    assert all(each.samples == 30 and 0 < each.error < 0.2 for each in found)
    np.testing.assert_array_equal(table.squares, squares)


def test_playing_on_sees_the_game_end_by_turns_without_points(generators: dict[str, MoveGenerator]) -> None:
    """After two scoreless turns, an exchange ends the game, and the player in the lead wins."""
    generator, preset = generators["wwf"], presets()["wwf"]
    table = Table(generator, preset, Random(2))
    table.play(player("greedy", no_leaves(presets()["wwf"]))(table))
    rack = table.rack
    exchange = Candidate(Choice(NO_MOVE, 0, rack.leave_count - 2), 0.0)
    for lead, share in ((90, 1.0), (-90, 0.0)):
        situation = Situation(table.squares, rack.counts, table.unseen, lead, scoreless=2)
        found = simulate(
            generator,
            preset,
            shipped_leaves("wwf"),
            situation,
            [exchange],
            Random(1),
            lambda _: False,
        )
        assert abs(found[0].win_share - share) < 0.35, "static's prior counts as 20 samples"
        assert found[0].error == 0


def test_in_one_sample_all_moves_are_tried_with_the_same_tiles(generators: dict[str, MoveGenerator]) -> None:
    """An exchange puts tiles back into its own bag only."""
    generator, preset, leaves = generators["wwf"], presets()["wwf"], shipped_leaves("wwf")
    table = Table(generator, preset, Random(2))
    situation = Situation(table.squares, table.counts[0], table.unseen, 0)
    exchange = Candidate(Choice(NO_MOVE, 0, 0), 0.0)
    best = best_candidates(generator, table.squares, table.rack, leaves.values(table.rack, table.unseen), 1)[
        0
    ]
    alone, after = (
        simulate(generator, preset, leaves, situation, tried, Random(1), lambda n: n == 12)
        for tried in ([best], [exchange, best])
    )
    (once,) = (each for each in after if each.choice == best.choice)
    assert once.equity == alone[0].equity


def test_simulating_players_finish_their_games(generators: dict[str, MoveGenerator]) -> None:
    leaves = shipped_leaves("wwf")
    clever = simulating(leaves, Random(0), lambda: lambda count: count >= 1, top=2)
    played = play(generators["wwf"], presets()["wwf"], (clever, player("static", leaves)), Random(5))
    assert min(played.scores) > 100
    assert played.turns > 10


@pytest.fixture(scope="module")
def few_words(lexicon: Lexicon) -> Lexicon:
    return Lexicon.from_words(Random(1).sample([word for word in lexicon if len(word) < 6], 300), "few")


def answers(lexicon: Lexicon) -> list[object]:
    generator, preset = MoveGenerator(lexicon, presets()["wwf"]), presets()["wwf"]
    static = player("static", shipped_leaves("wwf"))
    played = play(generator, preset, (static, player("greedy", no_leaves(presets()["wwf"]))), Random(4))
    observed = observe(generator, preset, no_leaves(preset), 1, Random(4))
    lessons = Lessons(no_leaves(preset), preset)
    lessons.add(observed)
    learned = lessons.fit(Random(5))
    return [played, *(column.tolist() for column in observed), learned.weights.tolist()]


@pytest.fixture(scope="module")
def compiled_answers(few_words: Lexicon) -> list[object]:
    return answers(few_words)


@pytest.mark.usefixtures("uncompiled")
def test_plain_python_plays_the_same_games(few_words: Lexicon, compiled_answers: list[object]) -> None:
    assert answers(few_words) == compiled_answers


def test_a_result_is_rounded_as_people_do() -> None:
    assert "51.3% ± 0.0%, spread +1.3 ± 0.0" in str(Score(pairs=40, wins=41, spread=100))
