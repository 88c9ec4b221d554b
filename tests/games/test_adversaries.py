"""The compiled searches on adversarial boards, compared with brute force."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.games.boggle.board import Board as Rows
from app.games.boggle.generator_kernels import fill_by_mark, fill_combined, fill_with_triplets
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver as BoggleSolver
from app.games.fribble import last_leave_kernels as last_leaves
from app.games.fribble.board import Board
from app.games.fribble.layout import SIDE
from app.games.fribble.leave_kernels import (
    BALANCE,
    DOUBLE,
    FEATURES,
    KNOTS,
    MIXTURE,
    PAIR,
    POOL,
    SIZE,
    STAGES,
    TILE,
    TIMING,
    TRIPLE,
)
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack, placement_of
from app.games.fribble.presets import presets
from app.games.fribble.rack_kernels import refill
from app.games.fribble.tileset import TILES
from app.games.grid import grid
from app.games.letterpress.solver import Position
from app.games.letterpress.solver import Solver as LetterpressSolver
from app.games.letterpress.territory import Territory
from app.games.scrabblet.hand import Hand
from app.games.scrabblet.solver import Solver as ScrabbletSolver
from app.games.wibble import workspace
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver as WibbleSolver
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games import adversaries, brute
from tests.games.fribble.brute import every_move
from tests.games.letterpress.brute import PASS, Brute, DepthLimited, Move, Side, all_moves
from tests.games.scrabblet.brute import words_of

shapes = st.sampled_from(adversaries.SHAPES)
REPEATS = ["a" * length for length in range(1, 65)]


@pytest.mark.parametrize("room", [1, workspace.FIRST_WORDS])
@examples(25)
@given(st.data(), st.sampled_from([2, 3, 4, 5, 6, 7, 8]))
def test_wibble_finds_every_word_by_its_best_path(room: int, data: st.DataObject, size: int) -> None:
    """This also holds if the buffers have room for one word at first and have to grow repeatedly."""
    letters, words = data.draw(adversaries.boards(size, size))
    board = data.draw(adversaries.tiles(letters))
    scoring = Scoring(
        values=data.draw(st.sampled_from([(0,) * 26, (1,) * 26, (1000,) * 26, tuple(range(26))])),
        long_word_length=data.draw(st.sampled_from([None, 1, 3, 64])),
        long_word_bonus=data.draw(st.sampled_from([0, 10, 1000])),
    )
    expected = brute.all_words(board, size, scoring, words)
    solver = WibbleSolver(Lexicon.from_words(words, "hard"))
    solver._workspace.found = workspace.FoundWords(room)
    assert solver.words(board, size, scoring) == expected
    assert solver.count(letters, size) == len(expected)
    assert solver.best(board, size, scoring) == (expected[0] if expected else None)
    for found in expected[:3]:
        assert solver.best_path(board, size, scoring, found.word) == found
    if size <= 3:
        for swaps in (1, 2)[: 4 - size]:
            best = brute.best_word(board, size, scoring, words, swaps)
            assert solver.best(board, size, scoring, swaps) == best


@examples(40)
@given(st.data(), shapes, st.integers(2, 4), st.booleans())
def test_boggle_finds_every_path(
    data: st.DataObject, shape: tuple[int, int], min_length: int, qu: bool
) -> None:
    rows, columns = shape
    letters, words = data.draw(adversaries.boards(rows, columns))
    faces = {word.replace("qu", "q"): word for word in words if word.count("q") == word.count("qu")}
    spelled = faces if qu else {word: word for word in words}
    found: dict[str, list[tuple[int, ...]]] = {}
    for text, path in brute.paths(letters, columns, set(spelled)):
        if len(spelled[text]) >= min_length:
            found.setdefault(spelled[text], []).append(path)
    solver = BoggleSolver(Lexicon.from_words(words, "hard"), min_length, qu)
    board = Rows.of(letters, columns)
    everything = {word.word: sorted(word.paths) for word in solver.solve(board, "all").words}
    assert everything == {word: sorted(paths) for word, paths in found.items()}
    assert {word.word: word.paths for word in solver.solve(board).words} == {
        word: (min(paths),) for word, paths in found.items()
    }
    once, _ = solver.score(board.codes.reshape(1, -1), columns, rows)
    each, _ = solver.score(board.codes.reshape(1, -1), columns, rows, every_path=True)
    assert (int(once[0]), int(each[0])) == (len(found), sum(map(len, found.values())))


@examples(15)
@given(
    shapes,
    st.sets(st.sampled_from(["aa", "ab", "zzzz", "q", "abcabc", "zaz"]), min_size=1),
    st.lists(
        st.sampled_from([0.0, 0.5, 1 - 2.0**-53]) | st.floats(0, 1, exclude_max=True),
        min_size=128,
        max_size=128,
    ),
    st.sampled_from([0.0, 0.001, 1.0]),
    st.booleans(),
)
def test_boggles_generators_grow_the_boards_of_their_plain_twins(
    shape: tuple[int, int], words: set[str], chances: list[float], decay: float, greedy: bool
) -> None:
    """Extreme random numbers, and letters that mostly never occur together."""
    board = grid(*shape)
    letters, adjacency, triplets = (
        table.reshape(-1) for table in statistics_of(Lexicon.from_words(words, "few"))
    )
    given_chances = np.array(chances[: 2 * board.cells])
    for kernel, arguments in [
        (fill_by_mark, (letters, adjacency, board.near, 1)),
        (fill_by_mark, (letters, adjacency, board.near, board.cells)),
        (fill_combined, (letters, adjacency, board.near, greedy, decay)),
        (fill_with_triplets, (letters, adjacency, triplets, triplets + 1, board.near, decay)),
    ]:
        fill: Any = kernel
        grown, plain = np.full((2, board.cells), 255, np.uint8)
        fill(*arguments, given_chances, grown)
        fill.plain(*arguments, given_chances, plain)
        assert grown.tolist() == plain.tolist()
        assert set(grown.tolist()) <= set(np.flatnonzero(letters).tolist())


@st.composite
def fribble_boards(draw: st.DrawFn) -> Board:
    """Full lines, full boards and checkerboards, of one letter or of blanks for it."""
    empty = ["." * SIDE] * SIDE
    line = draw(st.text("Aa", min_size=SIDE, max_size=SIDE))
    places = draw(st.sets(st.sampled_from([0, 1, 7, 13, 14]), max_size=3))
    made = draw(st.sampled_from(["rows", "columns", "chequered", "full but for some"]))
    if made == "chequered":
        signs = ["".join("A."[(row + column) % 2] for column in range(SIDE)) for row in range(SIDE)]
    elif made == "full but for some":
        gaps = draw(st.sets(st.integers(0, SIDE**2 - 1), max_size=9))
        text = "".join("." if cell in gaps else "Ab"[cell % 2] for cell in range(SIDE**2))
        signs = [text[start : start + SIDE] for start in range(0, SIDE**2, SIDE)]
    else:
        signs = [line if row in places else blank for row, blank in enumerate(empty)]
        if made == "columns":
            signs = ["".join(column) for column in zip(*signs, strict=True)]
    return Board(rows=tuple(signs))


@examples(12)
@given(
    fribble_boards(),
    st.sampled_from(["A", "AA?", "??", "AB", "AAAAAAA", "ABAB?", "???????", "ZZ"]),
    st.sets(
        st.sampled_from([*REPEATS[1:5], REPEATS[14], "ab", "ba", "aba", "bab", "zz"]), min_size=1, max_size=4
    ),
    st.sampled_from(["wwf", "standard"]),
)
def test_fribble_finds_every_move(board: Board, rack: str, words: set[str], name: str) -> None:
    lexicon, preset = Lexicon.from_words(words, "hard"), presets()[name]
    generator = MoveGenerator(lexicon, preset)
    moves = generator.moves(generator.squares(board), Rack(rack))
    assert moves.total == len(moves.numbers)
    found = {
        placement_of(number): points
        for number, points in zip(moves.numbers.tolist(), moves.scores.tolist(), strict=True)
    }
    expected = every_move(board, rack, preset, lexicon)
    assert found == expected
    ways = Rack(rack).leave_count
    best = generator.best(generator.squares(board), Rack(rack), np.zeros(ways, np.int32))
    assert (None if best is None else best[1]) == (max(expected.values()) if expected else None)


@examples(20)
@given(st.data(), st.lists(st.integers(0, 26), max_size=12), st.integers(0, 7), st.sampled_from([0, 1]))
def test_racks_are_filled_from_their_end_of_the_bag(
    data: st.DataObject, kinds: list[int], held: int, seat: int
) -> None:
    bag, left = np.array(kinds, np.int64), list(kinds)
    counts = np.zeros(27, np.int32)
    counts[data.draw(st.integers(0, 26))] = held
    expected = Counter({kind: int(count) for kind, count in enumerate(counts) if count})
    while expected.total() < 7 and left:
        expected[left.pop(0 if seat == 0 else -1)] += 1
    ends = np.array([0, len(bag)], np.int64)
    refill(bag, ends, seat, counts)
    assert Counter({kind: int(count) for kind, count in enumerate(counts) if count}) == expected
    assert bag[ends[0] : ends[1]].tolist() == left


racks = st.sampled_from(["AAAAAAA", "???????", "ABCDEF?", "AEIOUAE", "BCDFGHJ", "ZZZ???E"])


def feature_weights(
    kept: str,
    unseen: Counter[str],
    weights: NDArray[np.float64],
    usual: NDArray[np.float64],
    *,
    opponents: int,
    exchanging: bool,
) -> float:
    """The weights of all that a set of tiles has, ``weights`` by feature and knot."""
    total, held = unseen.total(), Counter(kept)
    in_bag = max(0, total - 7 * opponents)
    vowels, unseen_vowels = (sum(tiles[tile] for tile in "AEIOU") for tiles in (held, unseen))
    consonants = len(kept) - vowels - held["?"]
    usual_vowels = sum(usual[TILES.index(tile)] for tile in "AEIOU") / (1 - usual[TILES.index("?")])
    surplus = float(np.clip(10 * (unseen_vowels / max(1, total - unseen["?"]) - usual_vowels), -2, 2))
    replaced = 0 if exchanging else 7 - len(kept)
    found = float(weights[TIMING + 8 * in_bag + replaced, 0]) if in_bag <= 17 else 0.0
    if len(kept) in (0, 7):
        return found

    def at(feature: int) -> float:
        return float(np.interp(in_bag, KNOTS, weights[feature]))

    kinds = sorted(TILES.index(tile) for tile in held)
    pairs = [(one, other) for one in range(27) for other in range(one + 1, 27)]
    for kind in kinds:
        count = held[TILES[kind]]
        found += count * at(TILE + kind) + (count - 1) * at(DOUBLE + kind) + (count > 2) * at(TRIPLE + kind)
        for other, tile in enumerate(TILES):
            share = np.clip(10 * (unseen[tile] / max(1, total) - usual[other]), -2, 2)
            found += count * share * float(weights[POOL + kind * 27 + other, 0])
    found += sum(at(PAIR + number) for number, each in enumerate(pairs) if set(each) <= set(kinds))
    found += at(BALANCE + vowels * 8 + consonants) + at(SIZE + len(kept))
    return float(found + surplus * (vowels * at(MIXTURE) + consonants * at(MIXTURE + 1)))


@examples(15)
@given(
    racks,
    st.integers(0, 2**32),
    st.dictionaries(st.sampled_from(TILES), st.integers(0, 12)),
    st.integers(1, 3),
    st.booleans(),
)
def test_what_is_kept_is_worth_the_weights_of_what_it_has(
    tiles: str, seed: int, unseen: dict[str, int], opponents: int, exchanging: bool
) -> None:
    rack, random = Rack(tiles), np.random.default_rng(seed)
    weights = random.integers(-(2**20), 2**20, (FEATURES, STAGES)).astype(np.int32)
    usual = random.random(27)
    usual /= usual.sum()
    usual.flags.writeable = False
    counts = np.array([unseen.get(tile, 0) for tile in TILES], np.int32)
    leaves = Leaves(weights.ravel(), np.zeros(last_leaves.FEATURES, np.int32), usual)
    leave_values = leaves.values(rack, counts, opponents=opponents, exchanging=exchanging)
    expected = [
        feature_weights(
            rack.kept(number),
            Counter(unseen),
            weights.astype(np.float64),
            usual,
            opponents=opponents,
            exchanging=exchanging,
        )
        for number in range(rack.leave_count)
    ]
    np.testing.assert_allclose(leave_values, expected, atol=0.6)


def last_feature_weights(kept: str, theirs: str, points: dict[str, int], weights: NDArray[np.int32]) -> float:
    """The weights of what both players hold, with the bag empty."""
    found = float(weights[8 * len(kept) + len(theirs)])
    for tiles, first, against in ((kept, last_leaves.KEPT, theirs), (theirs, last_leaves.THEIRS, kept)):
        for tile, count in Counter(tiles).items():
            kind = first + TILES.index(tile)
            found += float(count * weights[kind] + (count - 1) * weights[kind + 27])
        vowels = sum(tile in "AEIOU" for tile in tiles)
        consonants = len(tiles) - vowels - tiles.count("?")
        found += float(weights[first + last_leaves.BALANCE + 8 * vowels + consonants])
        held = sum(points.get(tile, 0) for tile in tiles)
        found += float(held * weights[first + last_leaves.POINTS + len(against)])
    return found


@examples(15)
@given(racks, racks, st.integers(0, 2**32))
def test_with_the_bag_empty_a_leave_is_worth_the_weights_of_what_both_hold(
    tiles: str, theirs: str, seed: int
) -> None:
    random, rack = np.random.default_rng(seed), Rack(tiles)
    weights = random.integers(-(2**14), 2**14, last_leaves.FEATURES).astype(np.int32)
    points = np.append(random.integers(1, 11, 26), 0).astype(np.int32)
    by_tile = dict(zip(TILES, points.tolist(), strict=True))
    leaves = Leaves(np.zeros(FEATURES * STAGES, np.int32), weights, np.full(27, 1 / 27))
    leave_values = leaves.last_values(rack, Rack(theirs).counts, points)
    expected = [
        last_feature_weights(rack.kept(number), theirs, by_tile, weights)
        for number in range(rack.leave_count)
    ]
    expected[0] = 2000 * sum(by_tile[tile] for tile in theirs)
    np.testing.assert_allclose(leave_values, expected, atol=0.6)


def letterpress_boards() -> st.SearchStrategy[tuple[str, set[str]]]:
    """A few equal tiles among others, and words that use all 25."""
    alike = st.integers(2, 8).flatmap(
        lambda count: st.permutations("a" * count + "bcdefghijklmnopqrstuvwxyz"[: 25 - count]).map("".join)
    )
    repeats = st.sets(st.sampled_from([*REPEATS[1:8], "ab", "ba", "abc", "aab"]), min_size=1, max_size=3)
    whole = st.sampled_from(["a" * 25, "abcde" * 5, "abcdefghijklmnopqrstuvwxy", "aaaaabbbbbcccccdddddeeeee"])
    full = whole.flatmap(
        lambda word: st.tuples(
            st.permutations(word).map("".join),
            st.sets(st.sampled_from([word, word[::-1], "z" * 25]), min_size=1),
        )
    )
    return st.tuples(alike, repeats) | full


@examples(25)
@given(letterpress_boards(), st.integers(0, 2**25 - 1), st.integers(0, 2**25 - 1), st.integers(0, 24))
def test_letterpress_ranks_moves_as_trying_every_reply_does(
    hard: tuple[str, set[str]], ours: int, theirs: int, free: int
) -> None:
    board, words = hard
    assume(len(all_moves(board, words)) <= 40)
    ours, theirs = ours & ~(1 << free), theirs & ~ours & ~(1 << free)
    brute_ = Brute(board, Side(ours, theirs), [], sorted(words), sorted(words), sorted(words))
    solver = LetterpressSolver(Lexicon.from_words(words, "hard"))
    position = Position(board=board, territory=Territory(ours=ours, theirs=theirs))
    two = [(Move(each.word, each.mask), each.value) for each in solver.solve(position, top=100).moves]
    assert two == brute_.ranking()
    if len(two) <= 20:
        deeper = DepthLimited(board, words, words, (), passed=False)
        for each in solver.solve(position, top=100, plies=3).moves:
            assert each.value == deeper.value(Side(ours, theirs), Move(each.word, each.mask), 3)
    sight = [Move(each.word, each.mask) for each in solver.solve(position, top=100, plies=1).moves]
    assert [move for move in sight if move != PASS] == [move for move, _ in brute_.static_eval()][
        : 100 - (PASS in sight)
    ]


hands = st.sampled_from(["a" * 15, "?", "??", "abcdefghijklmnopqrstuvwxyz", "zz??", "bcdf", "e?" + "?" * 24])


@examples(30)
@given(
    hands,
    st.sets(
        st.sampled_from([*REPEATS, "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "zebra"])
        | st.text("abez", min_size=1, max_size=6),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 65),
    st.sampled_from(["", "a", "z", "az", "abcdefghijklmnopqrstuvwxyz"]),
)
def test_scrabblet_finds_every_word(hand: str, words: set[str], min_length: int, required: str) -> None:
    solver = ScrabbletSolver(Lexicon.from_words(words, "hard"))
    mask = sum(1 << ord(letter) - ord("a") for letter in required)
    found = solver.find(Hand(hand), min_length, mask)
    assert {each.word: each.score for each in found.listed()} == words_of(words, hand, min_length, required)
