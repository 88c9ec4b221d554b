"""Inference from an opponent's move about the tiles it kept."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.inference import DRAWS, Hidden
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Rack, number_of
from app.games.fribble.placement import Placement
from app.games.fribble.presets import presets
from app.games.fribble.selfplay import LastMove, Player, Table
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES
from app.words.lexicon import Lexicon

Counts = NDArray[np.int32]

LEAVES = shipped_leaves("wwf")


@pytest.fixture(scope="module")
def generator(lexicon: Lexicon) -> MoveGenerator:
    return MoveGenerator(lexicon, presets()["wwf"])


def counted(tiles: str) -> Counts:
    return np.array([tiles.count(tile) for tile in TILES], np.int32)


def after(
    generator: MoveGenerator, last: LastMove, unseen: Counts, *, late: bool = False, seed: int = 0
) -> Hidden:
    return Hidden.after(last, unseen, counted(""), generator, LEAVES, Random(seed), lambda: late)


def opening(generator: MoveGenerator, word: str, score: int) -> LastMove:
    placement = Placement(cells=tuple(range(112, 112 + len(word))), tiles=word)
    return LastMove(generator.squares(Board()), number_of(Board(), placement), score)


def racks(hidden: Hidden, times: int = 300) -> list[str]:
    random = Random(1)
    return ["".join(TILES[kind] for kind in hidden.deal(random)[:RACK]) for _ in range(times)]


def test_all_tiles_are_dealt_whatever_is_concluded(generator: MoveGenerator) -> None:
    unseen = counted("AABCDEEEFGHIIILMNOOPQRSTTUV?")
    for hidden in (Hidden.uniform(unseen), after(generator, opening(generator, "CAT", 10), unseen)):
        random = Random(3)
        deals = [hidden.deal(random) for _ in range(50)]
        assert all((np.bincount(deal, minlength=len(TILES)) == unseen).all() for deal in deals)
        assert len({tuple(deal) for deal in deals}) > 40


def test_a_missed_bingo_makes_its_rack_unlikely(generator: MoveGenerator) -> None:
    """MYSTIC keeps one tile: with another S, the player would have played MYSTICS."""
    squares, rack = generator.squares(Board()), Rack("MYSTIC")
    best = generator.best(squares, rack, np.zeros(rack.leave_count, np.int32))
    assert best is not None
    last, unseen = LastMove(squares, *best[:2]), counted("BBCDFGSSSSSSVVWXYQJKMHPOOUU")
    thought, by_chance = (
        sum(rack[0] == "S" for rack in racks(hidden))
        for hidden in (after(generator, last, unseen), Hidden.uniform(unseen))
    )
    assert thought < by_chance / 10


def test_what_was_kept_is_guessed_better_than_by_chance(generator: MoveGenerator) -> None:
    static = player("static", LEAVES)
    guessed: list[float] = []
    by_chance: list[float] = []
    for bag in range(4):
        for last, unseen, kept in turns(generator, bag, static):
            thought = after(generator, last, unseen)
            for hidden, found in ((thought, guessed), (Hidden.uniform(unseen), by_chance)):
                found += [
                    np.minimum(counted(rack[: len(kept)]), counted(kept)).sum() / len(kept)
                    for rack in racks(hidden, 50)
                ]
    assert np.mean(guessed) > 1.1 * np.mean(by_chance)


def turns(generator: MoveGenerator, bag: int, static: Player) -> Iterator[tuple[LastMove, Counts, str]]:
    table = Table(generator, presets()["wwf"], Random(bag))
    while not table.over and table.in_bag:
        choice = static(table)
        kept = table.rack.kept(choice.kept)
        table.play(choice)
        if table.last is not None and table.in_bag and kept:
            yield table.last, table.unseen, kept


def test_playing_the_whole_rack_reveals_nothing(generator: MoveGenerator) -> None:
    unseen = counted("AABCDEEEFGHIIILMN")
    bingo = after(generator, opening(generator, "FRIBBLE", 69), unseen)
    random, other = Random(5), Random(5)
    assert (bingo.deal(random) == Hidden.uniform(unseen).deal(other)).all()


def test_more_racks_are_inferred_with_more_time(generator: MoveGenerator) -> None:
    """A high-scoring word is best with nearly any leave, so most of those drawn are dealt."""
    unseen = counted("AABCDEEEFGHIIILMNOOPQRSTTUV?")
    last = opening(generator, "QUIZ", 48)
    for seed in range(4):
        for late, fewest, most in ((True, 1, 1), (False, DRAWS // 3, DRAWS)):
            dealt = {rack[:3] for rack in racks(after(generator, last, unseen, late=late, seed=seed))}
            assert fewest <= len(dealt) <= most


def test_no_rack_is_ruled_out_where_the_move_was_not_the_best_with_any(generator: MoveGenerator) -> None:
    unseen = counted("EEEIIISSRRTTNNLLAADD??")
    poor = LastMove(generator.squares(Board()), opening(generator, "AD", 6).move, 6)
    assert len(set(racks(after(generator, poor, unseen)))) > 40
