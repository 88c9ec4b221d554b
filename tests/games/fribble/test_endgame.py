"""The endgame solver: exact, compared with brute force, and never worse than greedy play."""

import json
import operator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from app.games.fribble import endgame
from app.games.fribble.board import Board
from app.games.fribble.endgame import DEEPEST, EndgameSolver
from app.games.fribble.endgame_lists import PreviousTurn
from app.games.fribble.ending import Ending, greedy_choice
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.presets import Preset, presets
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.words.lexicon import Lexicon
from tests.games.fribble.brute import every_move
from tests.games.fribble.positions import grown


@pytest.fixture(scope="module")
def few_words(lexicon: Lexicon) -> Lexicon:
    short = [word for word in lexicon if 2 <= len(word) <= 3 and set(word) <= set("aeorstnz")]
    return Lexicon.from_words(Random(2).sample(short, 12), "few")


def value_of(board: Board, ours: str, theirs: str, scoreless: int, preset: Preset, lexicon: Lexicon) -> int:
    """What the player to move gains on the other with best play by both, by brute force."""
    if not theirs:
        return -2 * preset.tiles.total_points(ours)
    if scoreless == preset.scoreless_turns:
        return preset.tiles.total_points(theirs) - preset.tiles.total_points(ours)
    best = -value_of(board, theirs, ours, scoreless + 1, preset, lexicon)
    for placement, score in every_move(board, ours, preset, lexicon).items():
        left = list(ours)
        for tile in placement.used:
            left.remove(tile)
        after = board.with_tiles(placement.cells, placement.tiles)
        stalled = 0 if score else scoreless + 1
        best = max(best, score - value_of(after, theirs, "".join(left), stalled, preset, lexicon))
    return best


@pytest.mark.parametrize(
    ("name", "tiles", "count"),
    [("wwf", "AAEORSTNZ", 14), ("wwf", "AAEOST??", 8), ("standard", "AEORSTNZ", 6)],
)
def test_small_endgames_are_those_of_trying_everything(
    few_words: Lexicon, name: str, tiles: str, count: int
) -> None:
    preset = presets()[name]
    generator, random = MoveGenerator(few_words, preset), Random(4)
    solver = EndgameSolver(generator, preset.scoreless_turns, unbounded=0)
    gained = 0
    for number in range(count):
        board = grown(generator, random, 1)
        ours, theirs = ("".join(random.choices(tiles, k=random.randint(1, 2))) for _ in range(2))
        scoreless = number % preset.scoreless_turns
        ending = Ending(generator.squares(board), Rack(ours).counts, Rack(theirs).counts, scoreless)
        found = solver.solve(ending)
        assert found.exact
        expected = value_of(board, ours, theirs, scoreless, preset, few_words)
        assert found.value == expected, (board.rows, ours, theirs, scoreless)
        gained += found.value
    assert gained != 0


@pytest.mark.parametrize("tiles", ["AAEORSTNZ", "AAEORST?"])
def test_targets_beside_the_value_are_decided_right(few_words: Lexicon, tiles: str) -> None:
    """Each target prunes by bounds, so that a wrong bound would be noticed."""
    preset = presets()["wwf"]
    generator, random = MoveGenerator(few_words, preset), Random(7)
    solver = EndgameSolver(generator, preset.scoreless_turns, unbounded=0)
    for number in range(10):
        board = grown(generator, random, 2)
        ours = "".join(random.choices(tiles, k=2 + number % 2))
        theirs = "".join(random.choices(tiles, k=1 + number // 2 % 2))
        for held, other in ((ours, theirs), (theirs, ours)):
            ending = Ending(generator.squares(board), Rack(held).counts, Rack(other).counts, 0)
            value = solver.solve(ending).value
            if len(ours) + len(theirs) < 5:
                assert value == value_of(board, held, other, 0, preset, few_words), (board.rows, held, other)
            for target in range(value - 4, value + 5):
                found = EndgameSolver(generator, preset.scoreless_turns, unbounded=0).compare(ending, target)
                assert found == (np.sign(value - target), True), (board.rows, held, other, target)


@pytest.mark.parametrize("kept", [0, 1 << 17], ids=["lists are dropped", "lists are kept"])
@pytest.mark.parametrize("tiles", ["AAEORSTNZ", "AEORSTNZ?"])
def test_moves_listed_before_a_turn_change_no_result(
    lexicon: Lexicon, tiles: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame, "_MOST_KEPT", kept)
    preset = presets()["wwf"]
    generator, random = MoveGenerator(lexicon, preset), Random(7)
    plain, reusing = (EndgameSolver(generator, preset.scoreless_turns) for _ in range(2))
    signs = set()
    for turns in (0, 2, 5):
        squares = generator.squares(grown(generator, random, turns))
        rack = Rack("".join(random.sample(tiles, 4)))
        moves = generator.moves(squares, rack)
        for move, drawn in product(random.sample(moves.numbers.tolist(), 3), ("A", "Z")):
            theirs = Rack("".join(random.sample(tiles, 3)))
            ending = Ending(squares, rack.counts, theirs.counts, 0).after(generator, Choice(move, 1, 0))
            ending = ending._replace(theirs=ending.theirs + Rack(drawn).counts)
            value = plain.solve(ending).value
            for target in (value - 1, value, value + 1):
                expected = plain.compare(ending, target)
                assert (
                    reusing.compare(ending, target, before=PreviousTurn(squares, rack.counts, move))
                    == expected
                )
                signs.add(expected)
    assert signs == {(-1, True), (0, True), (1, True)}


def test_blanks_alone_that_score_nothing_do_not_end_the_pauses() -> None:
    """A word of blanks scores nothing, so it counts as a scoreless turn."""
    preset, words = presets()["wwf"], Lexicon.from_words(["aa", "ab", "aaa", "ba"], "blanks")
    generator = MoveGenerator(words, preset)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    board = Board(rows=("." * 15,) * 7 + (".......aa......",) + ("." * 15,) * 7)
    for ours, theirs, scoreless in product(("?", "?V", "AV"), ("?", "V"), (0, 1)):
        ending = Ending(generator.squares(board), Rack(ours).counts, Rack(theirs).counts, scoreless)
        found = solver.solve(ending)
        assert found.exact
        assert found.value == value_of(board, ours, theirs, scoreless, preset, words), (ours, theirs)


def test_the_values_are_those_that_magpie_finds(reference: Path) -> None:
    """All but two of the quickly solved endings of the reference collection."""
    preset = presets()["standard"]
    lexicon = Lexicon.from_words((reference / "words" / "enable1.txt").read_text().split(), "enable1")
    generator, solved = MoveGenerator(lexicon, preset), 0
    solver = EndgameSolver(generator, preset.scoreless_turns)
    known = json.loads((reference / "fribble" / "endgames_standard.json").read_text())["positions"]
    for each in known:
        racks = Rack(each["rack"]).counts, Rack(each["opponent"]).counts
        squares = generator.squares(Board(rows=tuple(each["board"])))
        found = solver.solve(Ending(squares, *racks, each["scoreless"]), partial(operator.lt, 500_000))
        solved += found.exact
        assert not found.exact or found.value == each["spread"]
    assert solved >= len(known) - 2


def plain_value(generator: MoveGenerator, ending: Ending, preset: Preset) -> int:
    """What the player to move gains with best play by both, by trying all moves without bounds."""
    points = preset.tiles.total_points
    if not ending.theirs.any():
        return -2 * points(Rack(ending.ours).tiles)
    if ending.scoreless == preset.scoreless_turns:
        return points(Rack(ending.theirs).tiles) - points(Rack(ending.ours).tiles)
    rack = Rack(ending.ours)
    moves = generator.moves(ending.squares, rack)
    choices = [Choice(NO_MOVE, 0, 0)]
    choices += [
        Choice(int(move), int(score), 0) for move, score in zip(moves.numbers, moves.scores, strict=True)
    ]
    return max(each.score - plain_value(generator, ending.after(generator, each), preset) for each in choices)


@pytest.mark.parametrize("tiles", ["AEIORSTNDL", "EIQVCUAJS"])
def test_no_bound_of_the_search_is_on_the_wrong_side_of_the_value(lexicon: Lexicon, tiles: str) -> None:
    """Targets around the value prune by bounds, so that a wrong bound would be noticed."""
    preset = presets()["wwf"]
    generator, random = MoveGenerator(lexicon, preset), Random(7)
    solver = EndgameSolver(generator, preset.scoreless_turns, unbounded=0)
    for number in range(24):
        board = grown(generator, random, 4 + number % 3)
        ours = "".join(random.choices(tiles, k=1 + number % 2))
        theirs = "".join(random.choices(tiles, k=1 + number // 12))
        ending = Ending(generator.squares(board), Rack(ours).counts, Rack(theirs).counts, 0)
        value = plain_value(generator, ending, preset)
        assert solver.solve(ending).value == value, (board.rows, ours, theirs)
        for target in range(value - 4, value + 5):
            found = solver.compare(ending, target)
            assert found == (np.sign(value - target), True), (board.rows, ours, theirs, target)


def test_an_ending_with_a_tile_that_cannot_be_laid_is_solved_soon(lexicon: Lexicon) -> None:
    """Most lines leave the other player stuck with the X, so what one can still gain alone is bounded.

    Without that bound, the search takes a million positions.
    """
    preset = presets()["standard"]
    generator = MoveGenerator(lexicon, preset)
    board = Board(
        rows=(
            *(".............Q.", ".............U.", "...........B.I.", "..........FORT.", "..........OBE.P"),
            *(".....G....R.h.O", ".....N....KOI.I", "....JAIL.C.EN.N", ".AND.T...O..G.T", ".LEALTY..V..EME"),
            *("...GAIEtIES..ID", "..LOWE.H.DIVAN.", "..U..R.R....YAP", ".NTH...O....SEA", "FUZED..W......C"),
        )
    )
    ending = Ending(generator.squares(board), Rack("AEERRST").counts, Rack("AIMOSUX").counts, 0)
    found = EndgameSolver(generator, preset.scoreless_turns).solve(ending, partial(operator.lt, 100_000))
    assert (found.exact, found.value) == (True, 111)


def test_a_move_in_the_way_of_the_last_tile_is_worth_more(lexicon: Lexicon) -> None:
    """After any other move, the other player could play the V."""
    preset = presets()["wwf"]
    generator = MoveGenerator(lexicon, preset)
    board = Board(
        rows=(
            *(".RIOTRY........", "JO....UNAGED...", "OU............A", "EGO...........I", ".hO...........R"),
            *(".IO..........RE", "FEH........T.ID", "E....AWA...H.Y.", "ZA.B.C.SUBPENAS", ".D.I.U.....M.LI"),
            *(".V.N.T....FEH.N", "NEEDIEST..ODE.T", ".W.L.SKeP.G.H.E", "...E.TALAQ....R", "...S...AXIOM..."),
        )
    )
    ending = Ending(generator.squares(board), Rack("CLRT").counts, Rack("V").counts, 0)
    found = EndgameSolver(generator, preset.scoreless_turns).solve(ending)
    assert found.exact
    assert found.value == plain_value(generator, ending, preset) == 45


def test_a_solver_that_knows_a_position_from_comparing_it_plays_its_best_move(lexicon: Lexicon) -> None:
    """This also holds if the bound on what a player gains alone is used wherever possible."""
    preset = presets()["wwf"]
    generator, random = MoveGenerator(lexicon, preset), Random(2)
    solver = EndgameSolver(generator, preset.scoreless_turns, unbounded=0)
    compared = 0
    for number in range(60):
        squares = generator.squares(grown(generator, random, 4 + number % 4))
        ours, theirs = ("".join(random.choices("AEIORSTNDLQV", k=2 + number % 3)) for _ in range(2))
        ending = Ending(squares, Rack(ours).counts, Rack(theirs).counts, 0)
        plain = EndgameSolver(generator, preset.scoreless_turns, unbounded=1 << 40)
        value, exact = plain.solve(ending, partial(operator.lt, 20_000))[1:3]
        if not exact:
            continue
        for target in random.sample(range(value - 9, value + 10), 6):
            solver.compare(ending, target, partial(operator.lt, random.choice((50, 500, 5_000))))
        found = solver.solve(ending)
        assert (found.value, found.exact) == (value, True)
        assert plain.gain(ending, found.choice) == (value, True)
        compared += 1
    assert compared > 40


def test_the_solver_never_loses_to_greedy_play_from_either_side(lexicon: Lexicon) -> None:
    preset = presets()["standard"]
    generator, random = MoveGenerator(lexicon, preset), Random(9)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    points = preset.tiles.total_points

    def played(ending: Ending, best: tuple[bool, bool]) -> int:
        """What the first player gains on the second; ``best`` says which of them use the solver."""
        spread, seat, sign = 0, 0, 1
        while True:
            if not ending.theirs.any():
                return spread - sign * 2 * points(Rack(ending.ours).tiles)
            if ending.scoreless == preset.scoreless_turns:
                return spread + sign * (points(Rack(ending.theirs).tiles) - points(Rack(ending.ours).tiles))
            if best[seat]:
                found = solver.solve(ending)
                assert found.exact
                choice = found.choice
            else:
                choice = greedy_choice(generator, ending)
            spread += sign * choice.score
            ending = ending.after(generator, choice)
            seat, sign = 1 - seat, -sign

    won = 0
    for _ in range(5):
        board = grown(generator, random, 9)
        racks = ["".join(random.choices("AEIORSTN", k=3)) for _ in range(2)]
        ending = Ending(generator.squares(board), Rack(racks[0]).counts, Rack(racks[1]).counts, 0)
        gained = played(ending, (True, False)) - played(ending, (False, True))
        assert gained >= 0
        won += gained
    assert won > 0


def playout(generator: MoveGenerator, ending: Ending, choice: Choice, preset: Preset) -> int:
    """What the player to move gains with ``choice``, if both play their highest score after it."""
    spread, sign = 0, 1
    points = preset.tiles.total_points
    while True:
        spread += sign * choice.score
        ending, sign = ending.after(generator, choice), -sign
        if not ending.theirs.any():
            return spread - sign * 2 * points(Rack(ending.ours).tiles)
        if ending.scoreless == preset.scoreless_turns:
            return spread + sign * (points(Rack(ending.theirs).tiles) - points(Rack(ending.ours).tiles))
        choice = greedy_choice(generator, ending)


def test_a_search_given_up_at_any_time_is_not_behind_greedy_play(lexicon: Lexicon) -> None:
    preset = presets()["wwf"]
    generator, random = MoveGenerator(lexicon, preset), Random(12)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    ahead, given_up = 0, 0
    for number in range(24):
        board = grown(generator, random, 9)
        racks = ["".join(random.choices("AABDEEGIILNORSTUVY", k=random.randint(4, 7))) for _ in range(2)]
        ending = Ending(generator.squares(board), Rack(racks[0]).counts, Rack(racks[1]).counts, 0)
        budget = (3, 60, 400, 1200)[number % 4]
        found = solver.solve(ending, partial(operator.lt, budget))
        given_up += not found.exact
        if not found.exact:
            gained = playout(generator, ending, found.choice, preset)
            greedy = playout(generator, ending, greedy_choice(generator, ending), preset)
            assert gained >= greedy, (board.rows, racks, budget)
            ahead += gained > greedy
    assert given_up > 12
    assert ahead > 0


def test_a_search_stopped_on_its_way_to_the_end_has_proven_a_bound(lexicon: Lexicon) -> None:
    """Either its turn gains at least that much against any play, or no turn gains more."""
    preset = presets()["wwf"]
    generator, random = MoveGenerator(lexicon, preset), Random(5)
    gaining, limiting = 0, 0
    for number in range(60):
        squares = generator.squares(grown(generator, random, 6))
        ours, theirs = (Rack("".join(random.choices("AEIORSTNDKQV", k=3 + number % 4))) for _ in range(2))
        ending = Ending(squares, ours.counts, theirs.counts, 0)
        solver = EndgameSolver(generator, preset.scoreless_turns)
        exact = solver.solve(ending, partial(operator.lt, 30_000))
        if not exact.exact:
            continue
        for part in (0.3, 0.6, 0.9):
            stopper = EndgameSolver(generator, preset.scoreless_turns)
            stopped = stopper.solve(ending, partial(operator.lt, part * exact.positions))
            if stopped.exact or stopped.depth < DEEPEST:
                continue
            gained, known = solver.gain(ending, stopped.choice)
            assert known
            if stopped.value > exact.value:
                limiting += 1
            elif stopped.value < exact.value:
                assert stopped.value <= gained
                gaining += 1
    assert gaining > 3
    assert limiting > 0


def test_a_search_that_is_stopped_says_that_it_is_not_exact(lexicon: Lexicon) -> None:
    preset = presets()["wwf"]
    generator = MoveGenerator(lexicon, preset)
    board = grown(generator, Random(1), 9)
    ending = Ending(generator.squares(board), Rack("AEINRST").counts, Rack("AEIORST").counts, 0)
    found = EndgameSolver(generator, preset.scoreless_turns).solve(ending, lambda positions: positions > 5)
    assert not found.exact
    assert found.depth == 0
    assert 5 < found.positions < 100
    assert found.choice == greedy_choice(generator, ending)
