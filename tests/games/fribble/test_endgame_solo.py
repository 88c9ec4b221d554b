"""The upper bound of what a player can still score in an endgame while the other passes."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.board_kernels import POINTS, TILE
from app.games.fribble.endgame_keys import line_keys, zobrist_keys
from app.games.fribble.endgame_lists import search_rack_of
from app.games.fribble.endgame_move_kernels import Keys, LiveBoard
from app.games.fribble.endgame_solo_kernels import compute_solo_bounds, solo_arrays, solo_bound
from app.games.fribble.endgame_word_kernels import compute_best_scores, word_arrays
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.presets import presets
from app.games.fribble.rack_kernels import KINDS, spend
from app.games.fribble.tileset import RACK
from app.words.lexicon import Lexicon
from tests.games.fribble.positions import grown


class Bounds:
    """Bounds on one board after another, reusing what is known of their lines."""

    def __init__(self, generator: MoveGenerator) -> None:
        self._generator = generator
        self._words = word_arrays()
        self._solo = solo_arrays()
        self._sets = np.zeros(1 << RACK, np.int64)

    def compute(self, squares: Squares, tiles: str) -> None:
        """Compute the bounds for a rack and all its subsets."""
        generator = self._generator
        values = generator.values
        self._holding = search_rack_of(Rack(tiles).counts, values[:KINDS])
        live = LiveBoard(
            generator.gaddag,
            generator.premiums,
            values,
            generator.bonus,
            np.ascontiguousarray(squares[[TILE, POINTS]]),
        )
        keys = Keys(*zobrist_keys(), line_keys(squares, values))
        kinds, slots, packed, _ = self._holding
        assert compute_best_scores(live, keys, self._words, kinds, slots, packed)
        compute_solo_bounds(
            generator.bonus,
            packed,
            self._words.best_scores,
            self._singles(squares, tiles),
            self._sets,
            self._solo.bounds,
            0,
        )

    def _singles(self, squares: Squares, tiles: str) -> NDArray[np.int64]:
        """Return what each tile scores alone at most, by its slot."""
        singles = np.zeros(RACK, np.int64)
        for slot, kind in enumerate(self._holding.kinds[: len(set(tiles))]):
            counts = np.zeros(KINDS, np.int32)
            counts[kind] = 1
            singles[slot] = max(self._generator.moves(squares, Rack(counts)).scores, default=0)
        return singles

    def of(self, tiles: str) -> int:
        """Return the bound for tiles of the rack, after the others have been laid."""
        return solo_bound(self._solo.bounds, 0, int(Rack(tiles).counts @ self._holding.slots))


def solo_gain(generator: MoveGenerator, squares: Squares, tiles: str) -> int:
    """The most that a player can score with these tiles while the other passes, by brute force."""
    moves = generator.moves(squares, Rack(tiles))
    return max(
        (
            int(score) + solo_gain(generator, *after(generator, squares, tiles, int(move)))
            for move, score in zip(moves.numbers, moves.scores, strict=True)
        ),
        default=0,
    )


def after(generator: MoveGenerator, squares: Squares, tiles: str, move: int) -> tuple[Squares, str]:
    laid, counts = squares.copy(), Rack(tiles).counts.copy()
    generator.lay(laid, move)
    spend(move, counts)
    return laid, Rack(counts).tiles


@pytest.mark.parametrize("name", ["wwf", "standard"])
@pytest.mark.parametrize("tiles", ["AEIORSTNDL", "QJXZVKAEU", "AEORST??"])
def test_no_rack_gains_more_alone_than_the_bound(lexicon: Lexicon, name: str, tiles: str) -> None:
    """This holds for the board as it is, and after any turn."""
    generator, random = MoveGenerator(lexicon, presets()[name]), Random(3)
    bounds = Bounds(generator)
    laid = 0
    for turns in (0, 1, 3, 5):
        squares = generator.squares(grown(generator, random, turns))
        for size in (1, 2, 3):
            rack = "".join(random.sample(tiles, size))
            moves = generator.moves(squares, Rack(rack))
            bounds.compute(squares, rack)
            best = 0
            chosen = random.sample(range(len(moves.numbers)), min(12, len(moves.numbers)))
            for place in chosen if size == 3 else range(len(moves.numbers)):
                left = after(generator, squares, rack, int(moves.numbers[place]))
                gained = solo_gain(generator, *left)
                assert gained <= bounds.of(left[1]), (turns, rack, left[1])
                best = max(best, gained + int(moves.scores[place]))
                laid += 1
            assert best <= bounds.of(rack), (turns, rack)
    assert laid > 20


def test_a_word_between_others_is_found_on_its_line() -> None:
    """S before or after CAT: only the line across counts, as no word goes down."""
    generator = MoveGenerator(
        Lexicon.from_words(["cat", "scat", "cats", "scatcat"], "cats"), presets()["wwf"]
    )
    squares = generator.squares(Board(rows=("." * 15,) * 7 + ("...cat.........".upper(),) + ("." * 15,) * 7))
    bounds = Bounds(generator)
    bounds.compute(squares, "S")
    assert bounds.of("S") == solo_gain(generator, squares, "S") > 0
    bounds.compute(squares, "KS")
    assert bounds.of("K") == 0
    assert bounds.of("KS") == bounds.of("S")


def test_a_word_of_new_tiles_is_found_where_it_just_fits() -> None:
    """SOD down from behind CAT to the edge of the board, as three squares are free nowhere else."""
    generator = MoveGenerator(Lexicon.from_words(["cat", "cats", "sod"], "sods"), presets()["wwf"])
    full, below = ("C" * 15,) * 11, ("CCCCC...CCCCCCC",) * 2
    squares = generator.squares(Board(rows=(*full, "CCCCCC.CCCCCCCC", "...CAT...CCCCCC", *below)))
    bounds = Bounds(generator)
    for tiles in ("S", "DOS"):
        bounds.compute(squares, tiles)
        assert bounds.of(tiles) >= solo_gain(generator, squares, tiles) > 0
    assert solo_gain(generator, squares, "DOS") > solo_gain(generator, squares, "S")


def test_a_word_that_scores_nothing_lets_another_one_stand_beside_it() -> None:
    """A blank D behind a blank A scores nothing; then a blank B makes BAD, and BZ with the Z below."""
    generator = MoveGenerator(Lexicon.from_words(["ad", "bad", "bz"], "blanks"), presets()["wwf"])
    rows = ("." * 15,) * 7 + (".......a.......", ".....QZ........") + ("." * 15,) * 6
    squares = generator.squares(Board(rows=rows))
    bounds = Bounds(generator)
    bounds.compute(squares, "??")
    moves = generator.moves(squares, Rack("??"))
    gained = {solo_gain(generator, *after(generator, squares, "??", int(move))) for move in moves.numbers}
    assert 0 < max(gained) <= bounds.of("?")
