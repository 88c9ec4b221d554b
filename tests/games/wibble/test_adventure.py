"""Adventure: the data of its levels, its rules, and the bots that measure it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.game import IllegalMove, UnknownLevel
from app.games.randomness import generator
from app.games.rulebook import Rulebook
from app.games.wibble.adventure import EXPLODED, OUT_OF_MOVES, WON, open_board
from app.games.wibble.bot import bots, choose_for_goals, known_words
from app.games.wibble.goal_choice import best_for_goals
from app.games.wibble.levels import Goal, Level, LevelGems, chapters, find_level, levels, measured
from app.games.wibble.moves import Chain, Hint, Resign, Shuffle, Start, Swap
from app.games.wibble.options import Options, Setup
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board, State
from app.words.lexicon import Lexicon
from app.words.library import Library
from data.build.adventure import measure, summarize
from tests.examples import examples
from tests.games.brute import touching
from tests.games.wibble.positions import AT

STEP = Level(
    name="a-step",
    title="A step",
    story="A level for tests.",
    layout=("t e a l", "# o* n** .", "s= a+ d i!2", "r e s t"),
    moves=3,
    goals=(Goal(type="marked"), Goal(type="frozen"), Goal(type="points", count=10)),
    gems=LevelGems(start=3),
    min_words=0,
)
"""Its cells: 4 is a wall, 5 and 6 are frozen, 8 is fixed, 9 marked, 11 a bomb."""


@pytest.fixture
def wibble(library: Library) -> Wibble:
    return Wibble(library.load("english"))


def begin(wibble: Wibble, level: Level, seed: str = "s") -> State:
    options = pin(wibble, level)
    return wibble.apply(wibble.start(options, 1, seed), 0, Start(), AT)


def pin(wibble: Wibble, level: Level) -> Options:
    lexicon = {"name": wibble.lexicon.name, "sha256": wibble.lexicon.sha256}
    return Options.model_validate(
        {"mode": "adventure", "level": level, "size": level.size, "min_words": 0, "lexicon": lexicon}
    )


def play(wibble: Wibble, state: State, *cells: int) -> State:
    return wibble.apply(state, 0, Chain(cells=cells), AT)


def test_there_are_forty_levels_and_more_in_chapters_of_eight_to_ten() -> None:
    assert len(levels()) >= 40
    assert all(8 <= len(chapter.levels) <= 10 for chapter in chapters())
    assert len({level.title for level in levels().values()}) == len(levels())


def test_every_level_is_measured_and_they_are_in_the_order_of_their_difficulty() -> None:
    assert list(measured()) == list(levels())
    ease = [each.ease for each in measured().values()]
    assert ease == sorted(ease, reverse=True)
    assert all(each.runs >= 200 and len(each.won) == len(bots()) for each in measured().values())


def test_the_first_five_levels_are_gentle_and_teach_one_thing_each() -> None:
    first = list(levels().values())[:5]
    assert all(measured()[level.name].ease >= 0.99 and len(level.goals) == 1 for level in first)
    taught = [
        (level.goals[0].type, tuple({cell.obstacle for cell in level.cells} - {None})) for level in first
    ]
    assert len(set(taught)) == 5


@pytest.mark.parametrize("name", levels())
def test_every_level_can_be_won(wibble: Wibble, name: str) -> None:
    best = bots()[-1]
    vocabulary = known_words(best, wibble.lexicon, "", 0)
    assert any(run(wibble, levels()[name], vocabulary, f"seed-{seed}").reason == WON for seed in range(10))


def run(wibble: Wibble, level: Level, vocabulary: np.ndarray, seed: str) -> State:
    state = begin(wibble, level, seed)
    while wibble.outcome(state) is None:
        random = generator(seed, state.ply)
        scoring = wibble.scoring(state.options)
        move = choose_for_goals(state, 0, bots()[-1], vocabulary, wibble.solver, scoring, random)
        state = wibble.apply(state, 0, move, AT)
    return state


def test_a_few_levels_measured_again_are_as_hard_as_stored(library: Library) -> None:
    names = list(levels())[4::10]
    runs = 12
    again = measure(names, runs, Rulebook(library, {Wibble.kind: Wibble}))
    for name in names:
        ease = measured()[name].ease
        assert abs(summarize(levels()[name], again[name]).ease - ease) < 0.2, name


def test_a_level_is_found_by_name_and_number_and_no_other_way() -> None:
    name = list(levels())[2]
    assert find_level(name) is find_level("3") is levels()[name]
    for wrong in ("0", str(len(levels()) + 1), "-1", "nowhere", "", "٣", "1" * 30):
        with pytest.raises(UnknownLevel, match="there is no level"):
            find_level(wrong)
        with pytest.raises(UnknownLevel, match="there is no level"):
            Setup(mode="adventure", level=wrong)


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "adventure"},
        {"mode": "classic", "level": "1"},
        {"mode": "adventure", "level": 1, "board": "a" * 25},
    ],
)
def test_a_level_belongs_to_adventure_alone_and_has_its_own_board(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="level"):
        Setup.model_validate(options)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"layout": ("a b c d",) * 3}, "at least 4"),
        ({"layout": ("a b c",) * 4}, "has 4 cells"),
        ({"layout": ("a b c #*",) * 4}, "a wall cannot have an obstacle"),
        ({"layout": ("a b c ?",) * 4}, "is not a cell"),
        ({"goals": (Goal(type="bombs"),), "layout": (". . . .",) * 4}, "the layout has none"),
        ({"goals": (Goal(type="gems", count=3),)}, "none on the board"),
        ({"goals": (Goal(type="points", count=3),) * 2}, "twice"),
        ({"stars": (3, 2)}, "ascend"),
    ],
)
def test_a_level_that_makes_no_sense_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Level.model_validate(STEP.model_dump() | change)


def test_a_retry_has_the_same_first_board_and_other_letters_after_it(wibble: Wibble) -> None:
    level = levels()["the-first-hill"]
    one, other = begin(wibble, level, "one"), begin(wibble, level, "other")
    assert one.board == other.board
    best = best_for_goals(one, wibble.solver, wibble.scoring(one.options))
    assert best is not None
    assert play(wibble, one, *best.cells).board != play(wibble, other, *best.cells).board


def test_walls_and_frozen_tiles_are_in_no_word_and_the_refusal_says_why(wibble: Wibble) -> None:
    state = begin(wibble, STEP)
    with pytest.raises(IllegalMove, match="cell 4 is a wall") as refused:
        play(wibble, state, 0, 4)
    assert refused.value.index == 1
    with pytest.raises(IllegalMove, match="cell 5 is frozen"):
        play(wibble, state, 0, 5)
    found = wibble.solver.words(open_board(state), 4, wibble.scoring(state.options))
    assert found
    assert not {4, 5, 6} & {cell for word in found for cell in word.cells}


def test_a_word_beside_ice_melts_one_layer_and_fixed_letters_stay(wibble: Wibble) -> None:
    state = play(wibble, begin(wibble, STEP), 8, 9, 10)  # SAD
    assert state.adventure is not None
    assert state.adventure.frozen == ((6, 1),)
    assert state.adventure.marked == ()
    assert state.adventure.bombs == ((11, 1),)
    assert state.board is not None
    assert state.board.letters[8] == "s"
    view = wibble.view(state, 0)
    assert (view.tiles[6].obstacle, view.tiles[6].obstacle_count) == ("frozen", 1)
    assert view.level is not None
    assert (view.level.moves_left, view.level.goals[0].reached, view.level.goals[1].reached) == (2, 1, 2)


def test_a_bomb_that_is_left_alone_ends_the_level(wibble: Wibble) -> None:
    state = begin(wibble, STEP)
    state = play(wibble, state, 0, 1, 2)  # TEA
    assert wibble.outcome(state) is None
    state = play(wibble, state, 12, 13, 14)  # RES
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (EXPLODED, ())
    assert wibble.level_result(state) is None


def test_a_level_is_lost_when_its_moves_are_used_up(wibble: Wibble) -> None:
    level = STEP.model_copy(update={"layout": ("t e a l", "# o* n** .", "s= a+ d i", "r e s t"), "moves": 1})
    state = play(wibble, begin(wibble, level), 0, 1, 2)
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (OUT_OF_MOVES, ())


@pytest.mark.parametrize(("stars", "expected"), [((1, 2), 3), ((1, 1), 3), (None, 1)])
def test_a_level_is_won_with_the_word_that_reaches_the_last_goal(
    wibble: Wibble, stars: tuple[int, int] | None, expected: int
) -> None:
    level = STEP.model_copy(update={"goals": (Goal(type="marked"),), "stars": stars})
    state = play(wibble, begin(wibble, level), 8, 9, 10)
    outcome, result = wibble.outcome(state), wibble.level_result(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (WON, (0,))
    assert result is not None
    assert (result.level, result.stars, result.moves) == ("a-step", expected, 1)


def test_powers_leave_obstacles_alone(wibble: Wibble) -> None:
    costs = {"shuffle": 1, "swap": 1, "hint": 1}
    level = Level.model_validate(STEP.model_dump() | {"costs": costs})
    state = begin(wibble, level)
    with pytest.raises(IllegalMove, match="fixed"):
        wibble.apply(state, 0, Swap(cell=8, letter="z"), AT)
    with pytest.raises(IllegalMove, match="frozen"):
        wibble.apply(state, 0, Swap(cell=5, letter="z"), AT)
    shuffled = wibble.apply(state, 0, Shuffle(), AT)
    assert state.board is not None
    assert shuffled.board is not None
    assert all(shuffled.board.letters[cell] == state.board.letters[cell] for cell in (4, 5, 6, 8, 9, 11))
    hinted = wibble.apply(shuffled, 0, Hint(), AT)
    best = best_for_goals(shuffled, wibble.solver, wibble.scoring(state.options))
    assert best is not None
    assert hinted.hint is not None
    assert wibble.apply(hinted, 0, Resign(), AT).reason == "finished early"


def test_a_game_of_an_earlier_version_has_the_state_it_had(wibble: Wibble) -> None:
    lexicon = {"name": wibble.lexicon.name, "sha256": wibble.lexicon.sha256}
    state = wibble.apply(
        wibble.start(Options.model_validate({"mode": "classic", "lexicon": lexicon}), 1, "s"), 0, Start(), AT
    )
    stored = state.model_dump(mode="json")
    del stored["adventure"], stored["options"]["level"]
    before = State.model_validate(stored)
    assert before == state
    assert "adventure" not in wibble.fingerprint(before)
    assert wibble.fingerprint(before) == wibble.fingerprint(state)


BLOCKED = st.text("aeinrst..", min_size=16, max_size=16)


@examples(60)
@given(letters=BLOCKED, swaps=st.integers(0, 2))
def test_the_solver_goes_around_walls_as_a_brute_force_does(letters: str, swaps: int) -> None:
    words = ["rain", "sit", "tea", "at", "its", "neat", "as"]
    solver = Solver(Lexicon.from_words(words, "few"))
    scoring = Scoring(values=tuple(range(1, 27)))
    board = Board(letters=letters)
    best = {word: fewest_swaps(letters, word) for word in sorted(words)}
    expected = max(
        (sum(scoring.values[ord(letter) - 97] for letter in word) for word in words if best[word] <= swaps),
        default=None,
    )
    found = solver.best(board, 4, scoring, swaps)
    assert (found.points if found else None) == expected
    if found:
        assert not any(letters[cell] == "." for cell in found.cells)
    listed = {word.word for word in solver.words(board, 4, scoring)}
    assert listed == {word for word in words if best[word] == 0}
    assert solver.count(letters, 4) == len(listed)


def fewest_swaps(letters: str, word: str) -> int:
    """The fewest letters to swap so that the word is on the board of 4 by 4; 99 if it has no path."""

    def search(path: tuple[int, ...], left: str) -> int:
        if not left:
            return 0
        free = [
            cell
            for cell, letter in enumerate(letters)
            if letter != "." and cell not in path and (not path or touching(path[-1], cell, 4))
        ]
        return min(
            ((letters[cell] != left[0]) + search((*path, cell), left[1:]) for cell in free), default=99
        )

    return min(search((), word), 99)
