"""Move generation, compared with brute force and with the results of other engines."""

import json
import os
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.games.fribble.anchor_kernels import (
    ANCHOR_ROWS,
    HOOK,
    LEFT,
    LINE,
    MAX_ANCHORS,
    RIGHT,
    find_anchors,
    find_openings,
)
from app.games.fribble.board import Board
from app.games.fribble.board_kernels import ALL_LINES, CROSS, CROSS_SUM, ENTRY, FREE, TILE
from app.games.fribble.bound_kernels import (
    IMPOSSIBLE,
    LEFT_OVER,
    SET_ROWS,
    SETS,
    SIZES,
    bound_extents,
    cap_squares,
    list_sets,
    lower_limits,
)
from app.games.fribble.layout import SIDE, Layout
from app.games.fribble.leaves import no_leaves, shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Rack, Squares, number_of, placement_of
from app.games.fribble.placement import Placement
from app.games.fribble.presets import presets
from app.games.fribble.rack_kernels import CELL_SHIFT, NO_LIMIT, POINT
from app.games.fribble.tileset import RACK, TILES
from app.words.anagrams import TILE_KEYS
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.fribble.brute import every_move

POSITIONS = int(os.environ.get("WIBBLE_TEST_POSITIONS", "300"))
"""The number of positions compared with brute force; a campaign uses more."""
PER_LEXICON = 40


@pytest.fixture(scope="module")
def some_words(lexicon: Lexicon) -> Lexicon:
    """Short words of few letters, so that many fit, and a few long ones."""
    random = Random(5)
    short = [word for word in lexicon if 2 <= len(word) <= 4 and set(word) <= set("aeiorstnlqz")]
    long = [word for word in lexicon if len(word) >= 7 and set(word) <= set("aeiorstnl")]
    return Lexicon.from_words([*random.sample(short, 250), *random.sample(long, 30)], "some")


def random_rack(random: Random) -> str:
    """Tiles of a bag with two blanks, as with more of them, there may be more moves than are listed."""
    return "".join(random.sample("AAEEIORSTNLQZ??", k=random.randint(1, 7)))


def grown(generator: MoveGenerator, random: Random, turns: int) -> Board:
    """The board after some random moves, blanks among them."""
    board = Board()
    for _ in range(turns):
        numbers = np.sort(generator.moves(generator.squares(board), Rack(random_rack(random))).numbers)
        if len(numbers):
            played = placement_of(int(random.choice(numbers)))
            board = board.with_tiles(played.cells, played.tiles)
    return board


def found_on(generator: MoveGenerator, board: Board, rack: str) -> dict[Placement, int]:
    moves = generator.moves(generator.squares(board), Rack(rack))
    assert moves.total == len(moves.numbers) == len(set(moves.numbers.tolist()))
    return {
        placement_of(number): score
        for number, score in zip(moves.numbers.tolist(), moves.scores.tolist(), strict=True)
    }


def few_words(lexicon: Lexicon, random: Random) -> Lexicon:
    """A few words that fit together, few enough for brute force on hundreds of boards."""
    letters = set(random.sample("aeiorstnl", 5))
    short = [word for word in lexicon if 2 <= len(word) <= 4 and set(word) <= letters]
    long = [word for word in lexicon if len(word) == 7 and len(set(word) & letters) >= 4]
    return Lexicon.from_words([*random.sample(short, min(25, len(short))), *random.sample(long, 5)], "few")


def test_on_an_empty_board_words_down_are_moves_where_they_count_otherwise(some_words: Lexicon) -> None:
    wwf = presets()["wwf"]
    rows = [*wwf.layout.rows[:6], "=" * SIDE, *wwf.layout.rows[7:]]
    lopsided = wwf.model_copy(update={"layout": Layout(rows=tuple(rows))})
    generator = MoveGenerator(some_words, lopsided)
    for rack in ("AEIORST", "AT?"):
        expected = every_move(Board(), rack, lopsided, some_words)
        assert found_on(generator, Board(), rack) == expected
        best = generator.best(
            generator.squares(Board()), Rack(rack), np.zeros(Rack(rack).leave_count, np.int32)
        )
        assert best is not None
        assert best[1] == max(expected.values())
    assert {len({cell // SIDE for cell in placement.cells}) == 1 for placement in expected} == {True, False}


def test_the_moves_are_those_of_trying_every_word_everywhere(lexicon: Lexicon) -> None:
    """On WIBBLE_TEST_POSITIONS random positions, blanks in the rack and on the board among them."""
    wanted, blanks_on_board, blanks_in_rack, moves = POSITIONS, 0, 0, 0
    for number in range(wanted):
        random = Random(f"position {number}")
        if number % PER_LEXICON == 0:
            words = few_words(lexicon, random)
            generators = {name: MoveGenerator(words, presets()[name]) for name in ("wwf", "standard")}
        name = ("wwf", "standard")[number % 2]
        board, rack = grown(generators[name], random, random.randrange(12)), random_rack(random)
        found = found_on(generators[name], board, rack)
        assert found == every_move(board, rack, presets()[name], words), (number, board.rows, rack)
        blanks_on_board += any(tile.islower() for tile in board.squares)
        blanks_in_rack += "?" in rack
        moves += len(found)
    assert min(blanks_on_board, blanks_in_rack) > wanted / 5
    assert moves > 10 * wanted


letters = st.text("abc", min_size=2, max_size=4)


@given(st.sets(letters, min_size=1, max_size=8), st.integers(0, 2**32), st.sampled_from(["wwf", "standard"]))
@examples(15)
def test_the_moves_are_those_of_trying_every_word_of_any_lexicon(
    words: set[str], seed: int, name: str
) -> None:
    lexicon, random, preset = Lexicon.from_words(words, "few"), Random(seed), presets()[name]
    generator = MoveGenerator(lexicon, preset)
    board = Board()
    for _ in range(random.randrange(8)):
        rack = "".join(random.choices("ABC?", k=7))
        moves = sorted(every_move(board, rack, preset, lexicon).items(), key=str)
        if moves:
            played, _ = random.choice(moves)
            board = board.with_tiles(played.cells, played.tiles)
    rack = "".join(random.choices("AABBCC?", k=random.randint(1, 7)))
    assert found_on(generator, board, rack) == every_move(board, rack, preset, lexicon)


def test_the_moves_agree_with_three_other_engines(reference: Path) -> None:
    words = (reference / "words" / "enable1.txt").read_text().split()
    generator = MoveGenerator(Lexicon.from_words(words, "enable1"), presets()["wwf"])
    entries = json.loads((reference / "fribble" / "enable1_wwf_movegen.json").read_text())
    for entry in entries:
        moves = generator.moves(generator.squares(Board(rows=tuple(entry["board"]))), Rack(entry["rack"]))
        found = (moves.total, int(moves.scores.sum(dtype=np.int64)), int(moves.scores.max(initial=0)))
        assert found == (entry["moves"], entry["score_sum"], entry["best_score"]), entry
    assert len(entries) == 180


@pytest.fixture(scope="module")
def generator(lexicon: Lexicon) -> MoveGenerator:
    return MoveGenerator(lexicon, presets()["wwf"])


@pytest.fixture(scope="module")
def generators(lexicon: Lexicon) -> dict[str, MoveGenerator]:
    return {name: MoveGenerator(lexicon, presets()[name]) for name in ("wwf", "standard")}


def random_leave_values(random: Random, rack: Rack) -> NDArray[np.int32]:
    """No leaves, trained ones or any at all."""
    if (kind := random.randrange(3)) < 2:
        leaves = (no_leaves(presets()["wwf"]), shipped_leaves("wwf"))[kind]
        return leaves.values(rack, np.array([random.randrange(8) for _ in TILES], np.int32))
    return np.array(
        [random.choice([0, random.randrange(-40_000, 40_000)]) for _ in range(rack.leave_count)], np.int32
    )


@given(st.integers(0, 2**32), st.sampled_from(["wwf", "standard"]), st.integers(0, 3))
@examples(150)
def test_the_best_move_is_the_best_of_all(
    generators: dict[str, MoveGenerator], seed: int, name: str, blanks: int
) -> None:
    generator, random = generators[name], Random(seed)
    board = grown(generator, random, random.randrange(9))
    naturals = random.sample(
        "AAEEIORSTNLQZ", k=random.randint(0 if blanks else 1, 4 if blanks > 2 else 7 - blanks)
    )
    rack = Rack("".join(naturals) + "?" * blanks)
    squares = generator.squares(board)
    leave_values = random_leave_values(random, rack)
    moves = generator.moves(squares, rack)
    best = generator.best(squares, rack, leave_values)
    if not moves.total:
        assert best is None
        return
    assume(moves.total == len(moves.numbers))  # all are listed
    equities = moves.scores.astype(np.int64) * POINT + leave_values[moves.kept]
    chosen = np.lexsort((moves.numbers, -equities))[0]
    assert best == (moves.numbers[chosen], moves.scores[chosen], moves.kept[chosen])


@given(st.integers(0, 2**32), st.sampled_from(["wwf", "standard"]))
@examples(20)
def test_no_move_is_better_than_the_bound_of_its_extent(
    generators: dict[str, MoveGenerator], seed: int, name: str
) -> None:
    generator, random = generators[name], Random(seed)
    squares = generator.squares(grown(generator, random, random.randrange(9)))
    rack = Rack(random_rack(random))
    leave_values = random_leave_values(random, rack)
    moves = generator.moves(squares, rack)
    limits = limits_of(generator, squares, rack, leave_values)
    for number, score, kept in zip(
        moves.numbers.tolist(), moves.scores.tolist(), moves.kept.tolist(), strict=True
    ):
        equity = score * POINT + int(leave_values[kept])
        assert all(equity <= limit for limit in limits[number >> CELL_SHIFT]), number


def limits_of(
    generator: MoveGenerator, squares: Squares, rack: Rack, leave_values: NDArray[np.int32]
) -> dict[int, tuple[int, int]]:
    """The bound of each extent, by line and squares filled, at first and lowered."""
    sets, ranked = np.zeros((SET_ROWS, SETS), np.int64), np.zeros((RACK, SETS), np.int64)
    starts, caps = np.zeros(SIZES + 1, np.int64), np.zeros(2 * SIDE * SIDE, np.int64)
    list_sets(rack.counts, rack.strides, generator.values, TILE_KEYS, sets, ranked, starts)
    whole, held = rack.leave_count - 1, int(rack.counts.sum())
    cap_squares(squares, generator.values, int(sets[LEFT_OVER, 0]), int(ranked[0, whole]), caps)
    leaves = np.full(SIZES, leave_values.max(), np.int64)
    anchors = np.zeros((ANCHOR_ROWS, MAX_ANCHORS), np.int64)
    count = find_anchors(squares, find_openings(squares, generator.premiums), ALL_LINES, anchors)
    scratch, limits = np.zeros((4, SIZES), np.int64), np.zeros((count, SIZES, SIZES), np.int64)
    found: dict[int, tuple[int, int]] = {}
    for anchor in range(count):
        bound_extents(
            squares, generator.premiums, caps, ranked, whole, held, int(rack.counts[-1]), generator.bonus,
            leaves, anchors, anchor, scratch, limits,
        )  # fmt: skip
        at_first = limits[anchor].copy()
        if not anchors[HOOK, anchor]:
            lower_limits(
                squares, leave_values, generator.anagrams, TILE_KEYS, sets, starts, whole, held, leaves,
                anchors, anchor, -NO_LIMIT, limits,
            )  # fmt: skip
        line, left, right = (int(anchors[row, anchor]) for row in (LINE, LEFT, RIGHT))
        free = [place for place in range(SIDE) if squares[TILE, line * SIDE + place] == FREE]
        before = [place for place in free if place <= left][::-1]
        after = [place for place in free if place >= right]
        for lefts in range(min(held, len(before)) + 1):
            for rights in range(min(held - lefts, len(after)) + 1):
                cells = sum(1 << place for place in before[:lefts] + after[:rights])
                extent = line << SIDE | cells
                bounds = int(at_first[lefts, rights]), int(limits[anchor, lefts, rights])
                if bounds[0] > found.get(extent, (IMPOSSIBLE, 0))[0]:
                    found[extent] = bounds
    return found


@given(seed=st.integers(0, 2**32))
@examples(60)
def test_a_move_laid_leaves_the_board_as_if_looked_at_afresh(generator: MoveGenerator, seed: int) -> None:
    random = Random(seed)
    board = grown(generator, random, random.randrange(9))
    squares = generator.squares(board)
    rack = random_rack(random)
    moves = generator.moves(squares, Rack(rack))
    if not moves.total:
        return
    index = random.randrange(len(moves.numbers))
    number = int(moves.numbers[index])
    placement = placement_of(number)
    assert number_of(board, placement) == number
    assert sorted(placement.used + Rack(rack).kept(int(moves.kept[index]))) == sorted(rack)
    generator.lay(squares, number)
    afresh = generator.squares(board.with_tiles(placement.cells, placement.tiles))
    free = afresh[TILE] == FREE
    ends = ~free & np.append(free.reshape(-1, SIDE)[:, 1:], np.ones((2 * SIDE, 1), bool), axis=1).reshape(-1)
    for row in range(len(squares)):
        matters = free if row in (CROSS, CROSS_SUM) else ends if row == ENTRY else np.ones_like(free)
        np.testing.assert_array_equal(squares[row, matters], afresh[row, matters])


def test_more_moves_than_there_is_room_for_are_counted(
    generator: MoveGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    squares, rack = generator.squares(Board()), Rack("RETINA?")
    everything = generator.moves(squares, rack)
    monkeypatch.setattr("app.games.fribble.movegen.MOST_MOVES", 100)
    small = MoveGenerator.__new__(MoveGenerator)
    small.__dict__.update({**generator.__dict__, "workspace": type(generator.workspace)()})
    some = small.moves(squares, rack)
    assert some.total == everything.total > len(some.numbers) == 100
    assert set(some.numbers.tolist()) <= set(everything.numbers.tolist())


@pytest.mark.parametrize("tiles", ["AEIOUBCD", "a", "A1"])
def test_a_rack_has_seven_tiles_at_most_and_only_tiles(tiles: str) -> None:
    with pytest.raises(ValueError, match="tiles"):
        Rack(tiles)


@given(st.text(TILES, max_size=7))
def test_each_way_to_keep_tiles_has_a_number(tiles: str) -> None:
    rack = Rack(tiles)
    ways = [rack.kept(number) for number in range(rack.leave_count)]
    assert len(set(ways)) == rack.leave_count
    assert ways[0] == ""
    assert sorted(ways[-1]) == sorted(tiles)


def answers(lexicon: Lexicon) -> list[object]:
    generator, random = MoveGenerator(lexicon, presets()["wwf"]), Random(3)
    found: list[object] = []
    for turns in (0, 3, 6):
        board, rack = grown(generator, random, turns), random_rack(random)
        squares = generator.squares(board)
        found += [board, found_on(generator, board, rack), squares.tolist()]
        found.append(generator.best(squares, Rack(rack), np.zeros(Rack(rack).leave_count, np.int32)))
    return found


@pytest.fixture(scope="module")
def compiled_answers(some_words: Lexicon) -> list[object]:
    return answers(some_words)


@pytest.mark.usefixtures("uncompiled")
def test_plain_python_finds_the_same(some_words: Lexicon, compiled_answers: list[object]) -> None:
    assert answers(some_words) == compiled_answers
