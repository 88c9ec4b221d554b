"""The pre-endgame: exact, compared with trying every draw and every line."""

from random import Random
from typing import Any

import numpy as np
import pytest

from app.games.fribble.bag import without
from app.games.fribble.board import Board
from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.ending import Ending
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Rack, number_of
from app.games.fribble.preendgame import PreEndgameSolver, draws
from app.games.fribble.presets import presets
from app.games.fribble.rack_kernels import spend
from app.games.fribble.selfplay import NO_MOVE, Choice, Table
from app.games.fribble.simulate import (
    SIMULATED,
    Candidate,
    Estimate,
    LookAhead,
    Situation,
    best_candidates,
    estimated,
)
from app.games.fribble.simulating_player import simulating
from app.games.fribble.strategy import player
from app.words.lexicon import Lexicon
from tests.games.fribble.brute import every_move
from tests.games.fribble.test_endgame import value_of

BOARD = Board(rows=("." * 15,) * 7 + (".......TA......",) + ("." * 15,) * 7)
ONE_IN_BAG = [
    (
        """
        .....UInTAITE.. ........OX.R... .......TEE.A... ...........NOTE .........T.Q... .MARCH..PAPS...
        GALAH..LAVE.... .T.WINZES..W... .C.....V.E.I..B OH...FRIENDS.NO K....J.T.G.E.OM A....O.Y.U.DRUB
        .....R...L...NE .....D...F....D ...DISH........
        """,
        "AEGORSY",
        "EEIILOU?",
        -32,
    ),
    (
        """
        LEAF..HORSIER.. ..BAIZA........ ......HE....... ACTINIAN....... .O.....G....... .X...VROW......
        YA.....r....... EL.D.FIGS.....B P..U.E.EL.....E .QUOTH.DO...MAW ...M....JUTTY.E ...O....D.....E
        ..TSK.........P ....AmIDINE.... ...LEUD.NORI...
        """,
        "AEGRRST",
        "CEHNOSTV",
        -32,
    ),
]
"""Positions of games of the engine against itself: board, rack, unseen tiles and lead."""
WORDS = Lexicon.from_words(["ta", "tat", "at", "eta"], "few")


@pytest.mark.parametrize("in_bag", [1, 2])
@pytest.mark.parametrize("lead", [-3, 2])
def test_win_shares_are_those_of_trying_every_draw_and_line(
    in_bag: int, lead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[tuple[object, ...], int] = {}

    def tried(board: Board, ours: str, theirs: str, scoreless: int, *rules: Any) -> int:
        key = board, "".join(sorted(ours)), "".join(sorted(theirs)), scoreless
        if key not in known:
            known[key] = value_of(board, ours, theirs, scoreless, *rules)
        return known[key]

    monkeypatch.setattr("tests.games.fribble.test_endgame.value_of", tried)  # It calls itself.
    preset = presets()["wwf"]
    generator = MoveGenerator(WORDS, preset)
    ours, unseen = "ETVVVVV", "ATVVVVVV"[: 7 + in_bag] + "V" * (in_bag - 1)
    moves = every_move(BOARD, ours, preset, WORDS)
    placements = {
        number_of(BOARD, placement): (placement, score)
        for placement, score in moves.items()
        if len(placement.cells) >= in_bag
    }
    candidates = [
        Candidate(Choice(number, score, 0), float(score)) for number, (_, score) in placements.items()
    ]
    situation = Situation(generator.squares(BOARD), Rack(ours).counts, tally(unseen), lead)
    found = PreEndgameSolver(generator, preset, shipped_leaves("wwf")).evaluate(
        situation, candidates, Random(1)
    )
    shares = {}
    for number, (placement, score) in placements.items():
        after = BOARD.with_tiles(placement.cells, placement.tiles)
        won = total = 0.0
        for way in draws(tally(unseen), in_bag):
            drawn = Rack(way.counts).tiles
            held, theirs = without(ours, placement.used) + drawn, without(unseen, drawn)
            spread = lead + score - tried(after, theirs, held, 0, preset, WORDS)
            won += way.weight * (0.5 + 0.5 * np.sign(spread))
            total += way.weight
        shares[number] = won / total
    assert found[0].exact
    assert found[0].win_share == pytest.approx(max(shares.values()))
    for prospect in found:
        if prospect.exact:
            assert prospect.win_share == pytest.approx(shares[prospect.candidate.choice.move])
        else:
            assert shares[prospect.candidate.choice.move] <= found[0].win_share


@pytest.mark.parametrize("place", [0, 1])
def test_the_best_is_that_of_searching_every_draw_of_every_candidate(place: int, lexicon: Lexicon) -> None:
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    situation = with_one_in_bag(generator, place)
    rack = Rack(situation.rack)
    candidates = best_candidates(generator, situation.squares, rack, np.zeros(rack.leave_count, np.int32), 30)
    solver, shares = EndgameSolver(generator, preset.scoreless_turns), {}
    for candidate in candidates:
        choice, won = candidate.choice, 0.0
        squares = situation.squares.copy()
        generator.lay(squares, choice.move)
        for way in draws(situation.unseen, 1):
            ours = situation.rack + way.counts
            spend(choice.move, ours)
            ending = Ending(squares, situation.unseen - way.counts, ours, 0)
            theirs, exact = solver.compare(ending, situation.lead + choice.score)
            assert exact
            won += way.weight * (1 - theirs) / 2
        shares[choice] = won / situation.unseen.sum()
    found = PreEndgameSolver(generator, preset, leaves).evaluate(situation, candidates, Random(1), each=10**9)
    assert len(found) == len(candidates)
    assert found[0].exact
    assert found[0].win_share == max(shares.values())
    assert found[0].candidate != candidates[0], "the position is too easy for this test"
    for prospect in found:
        share = shares[prospect.candidate.choice]
        if prospect.exact:
            assert prospect.win_share == share
        assert prospect.win_share <= share <= prospect.win_share + 1 - prospect.tried_share
    for effort in (1, 16, 64):
        hasty = PreEndgameSolver(generator, preset, leaves).evaluate(
            situation, candidates, Random(1), each=effort
        )
        kept = [prospect.candidate.choice for prospect in hasty if prospect.tried_share == 1]
        assert max(shares[choice] for choice in kept) == found[0].win_share, (
            "wins that only seem refuted the best"
        )


def test_a_win_that_only_seems_to_be_one_refutes_nothing(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    situation = with_one_in_bag(generator, 0)
    rack = Rack(situation.rack)
    candidates = best_candidates(generator, situation.squares, rack, np.zeros(rack.leave_count, np.int32), 2)
    after_first = situation.squares.copy()
    generator.lay(after_first, candidates[0].choice.move)
    draw = draws(situation.unseen, 1)[0]

    def compare(_: EndgameSolver, ending: Ending, *__: Any, **___: Any) -> tuple[int, bool]:
        drawn = np.array_equal(ending.ours, situation.unseen - draw.counts)
        if np.array_equal(ending.squares, after_first):
            return -1, drawn
        return (1 if drawn else -1), True

    monkeypatch.setattr(EndgameSolver, "compare", compare)
    found = PreEndgameSolver(generator, preset, leaves).evaluate(situation, candidates, Random(1), each=1)
    seeming, true = found
    assert (seeming.candidate, seeming.win_share, seeming.exact) == (candidates[0], 1, False)
    assert (true.candidate, true.exact) == (candidates[1], True)
    assert true.win_share == 1 - draw.weight / situation.unseen.sum()


def test_a_pass_is_estimated_and_says_so() -> None:
    preset = presets()["wwf"]
    generator = MoveGenerator(WORDS, preset)
    situation = Situation(generator.squares(BOARD), Rack("ETVVVVV").counts, tally("ATVVVVVV"), 0)
    rack = Rack("ETVVVVV")
    (found,) = PreEndgameSolver(generator, preset, shipped_leaves("wwf")).evaluate(
        situation, [Candidate(Choice(NO_MOVE, 0, rack.leave_count - 1), 0.0)], Random(1)
    )
    assert (found.exact_share, found.tried_share) == (0, 1)
    assert 0 <= found.win_share <= 1


def test_a_simulating_player_makes_the_move_that_trying_all_draws_has_decided(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.games.fribble.preendgame.estimated", None)
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    static = player("static", leaves)
    choose = simulating(leaves, Random(1), lambda: lambda _: False)
    table = Table(generator, preset, Random(44))
    while table.in_bag > 2:
        table.play(static(table))
    candidates = best_candidates(
        generator, table.squares, table.rack, leaves.values(table.rack, table.unseen), SIMULATED
    )
    lead = table.scores[table.to_move] - table.scores[1 - table.to_move]
    situation = Situation(table.squares, table.counts[table.to_move], table.unseen, lead, table.scoreless)
    never = LookAhead.until(lambda: False)
    found = PreEndgameSolver(generator, preset, leaves).estimates(situation, candidates, never)
    assert 0 < found[0].win_share < 1
    assert found[0].choice != candidates[0].choice
    assert choose(table) == found[0].choice


def test_a_turn_known_to_win_more_comes_before_the_best_by_simulation(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review of a game in which it was played also has its win probability."""
    simulated: list[Estimate] = []

    def noted(*arguments: Any) -> list[Estimate]:
        simulated[:] = estimated(*arguments)
        return simulated

    monkeypatch.setattr("app.games.fribble.preendgame.QUICKLY", {1: 8_000})
    monkeypatch.setattr("app.games.fribble.preendgame.estimated", noted)
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    situation = with_one_in_bag(generator, 1)._replace(lead=-10)
    candidates = simulated_candidates(generator, situation)
    solver = PreEndgameSolver(generator, preset, leaves)

    def estimates(played: Choice | None) -> list[Estimate]:
        ahead = LookAhead(lambda samples: samples >= 32, lambda _: False, Random(1))
        return solver.estimates(situation, candidates, ahead, played)

    first, *others = estimates(None)
    assert simulated, "the position is too easy for this test"
    likely = simulated[0].choice
    assert first.choice != likely
    assert others
    reviewed, *others = estimates(likely)
    assert reviewed == first
    own = next(each for each in others if each.choice == likely)
    assert own.win_share + own.behind_error < first.win_share
    assert own.exact_share is not None
    assert own.behind_error == pytest.approx(own.error + first.error)
    shares = {}
    for candidate in candidates:
        if candidate.choice in (first.choice, likely):
            (prospect,) = solver.evaluate(situation, [candidate], Random(1), each=10**9)
            shares[candidate.choice] = prospect.win_share
    assert first.win_share == shares[first.choice] > shares[likely]


def test_all_is_simulated_if_the_time_ends_before_the_turn_played_is_searched(lexicon: Lexicon) -> None:
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    situation = with_one_in_bag(generator, 1)._replace(lead=0)
    candidates = simulated_candidates(generator, situation)
    most = 0

    def second(positions: int) -> bool:
        """Whether another search has begun, which counts from 0 again."""
        nonlocal most
        most = max(most, positions)
        return positions < most

    def estimates(played: Choice | None = None) -> list[Estimate]:
        nonlocal most
        most = 0
        solver = PreEndgameSolver(generator, preset, leaves)
        return solver.estimates(situation, candidates, LookAhead(lambda _: True, second, Random(1)), played)

    found = [estimate.choice for estimate in estimates()]
    given_up = next(candidate.choice for candidate in candidates if candidate.choice not in found)
    assert all(estimate.samples == 0 for estimate in estimates(found[-1]))
    simulated = estimates(given_up)
    assert all(estimate.samples for estimate in simulated)
    assert len(simulated) == len(candidates)


def test_a_search_of_all_draws_leaves_time_to_simulate(lexicon: Lexicon) -> None:
    preset, leaves = presets()["wwf"], shipped_leaves("wwf")
    generator = MoveGenerator(lexicon, preset)
    situation = with_one_in_bag(generator, 1)._replace(lead=0)
    candidates = simulated_candidates(generator, situation)
    solver = PreEndgameSolver(generator, preset, leaves)

    def samples(*, simulate_now: bool) -> int:
        limits = LookAhead(lambda taken: taken >= 32, lambda _: False, Random(1), lambda: simulate_now)
        return solver.estimates(situation, candidates, limits)[0].samples

    assert samples(simulate_now=False) == 0
    assert samples(simulate_now=True) == 32


def test_draws_are_counted_with_their_multiplicity() -> None:
    ways = draws(tally("AAB?"), 2)
    assert {Rack(way.counts).tiles: way.weight for way in ways} == {"AA": 1, "AB": 2, "A?": 2, "B?": 1}


def test_a_full_bag_is_refused() -> None:
    preset = presets()["wwf"]
    generator = MoveGenerator(WORDS, preset)
    situation = Situation(generator.squares(BOARD), Rack("ETVVVVV").counts, tally("A" * 12), 0)
    with pytest.raises(ValueError, match="5 tiles in the bag; accepted: 1 to 4"):
        PreEndgameSolver(generator, preset, shipped_leaves("wwf")).evaluate(situation, [], Random(1))


def with_one_in_bag(generator: MoveGenerator, place: int) -> Situation:
    rows, rack, unseen, lead = ONE_IN_BAG[place]
    squares = generator.squares(Board(rows=tuple(rows.split())))
    return Situation(squares, Rack(rack).counts, tally(unseen), lead)


def simulated_candidates(generator: MoveGenerator, situation: Situation) -> list[Candidate]:
    """The candidates that are simulated with WWF's leave values."""
    rack = Rack(situation.rack)
    leave_values = shipped_leaves("wwf").values(rack, situation.unseen)
    return best_candidates(generator, situation.squares, rack, leave_values, SIMULATED)


def tally(tiles: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([tiles.count(kind) for kind in "ABCDEFGHIJKLMNOPQRSTUVWXYZ?"], np.int32)
