"""Puzzles: the best answer agrees with brute force, others are wrong, and altered puzzles are detected."""

from functools import cache
from itertools import islice, permutations
from random import Random
from typing import Any

import pytest

from app.games import puzzles
from app.games.boggle.puzzles import BogglePuzzles
from app.games.boggle.puzzles import Position as BogglePosition
from app.games.boggle.rules import Boggle
from app.games.fribble.bag import without
from app.games.fribble.board import Board
from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.ending import Ending
from app.games.fribble.movegen import Rack, number_of
from app.games.fribble.presets import presets
from app.games.fribble.puzzles import FribblePuzzles
from app.games.fribble.puzzles import Position as FribblePosition
from app.games.fribble.rules import Fribble
from app.games.fribble.selfplay import NO_MOVE
from app.games.game import AnyGame, IllegalMove, LexiconRef
from app.games.letterpress.puzzles import LetterpressPuzzles
from app.games.letterpress.puzzles import Position as LetterpressPosition
from app.games.letterpress.rules import Letterpress
from app.games.puzzle_sets import shipped_puzzles
from app.games.puzzles import Given, Puzzle, PuzzleRules, WrongPuzzle, given_of, make, puzzle_of, verify
from app.games.scrabblet.hand import Hand
from app.games.scrabblet.puzzles import Position as ScrabbletPosition
from app.games.scrabblet.puzzles import ScrabbletPuzzles
from app.games.scrabblet.rules import Scrabblet
from app.games.wibble.modes import modes
from app.games.wibble.options import Options as WibbleOptions
from app.games.wibble.planning import gem_table, points_later
from app.games.wibble.puzzles import Position as WibblePosition
from app.games.wibble.puzzles import WibblePuzzles, gem_values
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board as WibbleBoard
from app.games.wibble.state import Bonus
from app.rooms import ROOMS
from app.words.letters import letter_values
from app.words.lexicon import Lexicon
from app.words.library import Library
from app.words.vocabulary import rarest_rank
from tests.games import brute
from tests.games.fribble.brute import every_move
from tests.games.fribble.test_endgame import value_of
from tests.games.letterpress import brute as slow_letterpress

KINDS = ("wibble", "letterpress", "boggle", "fribble", "scrabblet")


def rules_of(kind: str) -> PuzzleRules:
    rules = ROOMS[kind].puzzles
    assert rules is not None
    return rules


@pytest.fixture(scope="module")
def game_of(library: Library) -> Any:
    @cache
    def bound(kind: str) -> AnyGame:
        game = ROOMS.games[kind]
        return game(library.load(rules_of(kind).lexicon(game)))

    return bound


@pytest.fixture(scope="module")
def made(game_of: Any) -> Any:
    """A few puzzles of a kind."""

    @cache
    def some(kind: str) -> tuple[Puzzle, ...]:
        rules, game = rules_of(kind), game_of(kind)
        found: list[Puzzle] = []
        for number in range(60):
            found += make(rules, game, rules.states(game, f"test {number}"))
            if len(found) >= 2:
                break
        return tuple(found)

    return some


@pytest.mark.parametrize("kind", KINDS)
def test_puzzles_made_by_self_play_verify_and_are_the_same_for_a_seed(
    kind: str, game_of: Any, made: Any
) -> None:
    rules, game = rules_of(kind), game_of(kind)
    found = made(kind)
    assert len(found) >= 2
    for puzzle in found:
        verify(rules, game, puzzle)
        assert puzzle.margin >= rules.clear_margin
        assert puzzles.is_shown(game.lexicon, puzzle.solution.word)
        rank = game.lexicon.ranks[game.lexicon.index(puzzle.solution.word)]
        assert rank <= rarest_rank(rules.hardest)
        assert puzzle.id == puzzles.puzzle_id(kind, puzzle.lexicon.sha256, puzzles.position_in(rules, puzzle))
    assert list(make(rules, game, rules.states(game, "test 3"))) == list(
        make(rules, game, rules.states(game, "test 3"))
    )


def test_puzzles_with_rare_words_are_not_made(game_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, game = rules_of("wibble"), game_of("wibble")

    def levels() -> set[str]:
        states = (rules.states(game, f"rare {number}") for number in range(12))
        return {puzzle.level for each in states for puzzle in make(rules, game, each)}

    monkeypatch.setattr(type(rules), "hardest", "everything")
    assert "everything" in levels()
    monkeypatch.setattr(type(rules), "hardest", "common")
    assert "common" in (known := levels())
    assert known <= {"basic", "common"}


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("wibble", Given(word="c", cells=(0, 1)), "C has 1 letter, and there are 2 cells"),
        ("fribble", Given(cells=(112,), tiles="AB"), "there are 2 tiles for 1 square"),
    ],
)
def test_as_many_letters_as_cells_are_needed(
    kind: str, given: Given, message: str, game_of: Any, made: Any
) -> None:
    rules, game = rules_of(kind), game_of(kind)
    with pytest.raises(IllegalMove, match=message):
        rules.judge(game, puzzles.position_in(rules, made(kind)[0]), given)


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_is_right_and_the_second_best_is_not(kind: str, game_of: Any, made: Any) -> None:
    rules, game = rules_of(kind), game_of(kind)
    for puzzle in made(kind):
        position = puzzles.position_in(rules, puzzle)
        assert puzzle.is_solved_by(rules.judge(game, position, given_of(puzzle.solution)))
        second = rules.judge(game, position, given_of(puzzle.second))
        assert second.value == pytest.approx(puzzle.second_value, abs=0.01)
        assert not puzzle.is_solved_by(second)
        typed = Given(word=(puzzle.solution.text or puzzle.solution.word).upper())
        assert puzzle.is_solved_by(rules.judge(game, position, typed))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "given",
    [
        Given(word="zzzzqx"),
        Given(word=""),
        Given(word="né"),
        Given(word="8H ZZZZQX"),
        Given(cells=(0, 224), tiles="A"),
        Given(cells=(0, 0)),
        Given(cells=(-1,)),
        Given(word="a", cells=(0,)),
    ],
)
def test_impossible_answers_are_refused(kind: str, given: Given, game_of: Any, made: Any) -> None:
    rules = rules_of(kind)
    position = puzzles.position_in(rules, made(kind)[0])
    with pytest.raises(IllegalMove):
        rules.judge(game_of(kind), position, given)


@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_puzzle_is_detected(kind: str, game_of: Any, made: Any) -> None:
    rules, puzzle = rules_of(kind), made(kind)[0]
    for changes in (
        {"value": puzzle.value + 1},
        {"second_value": puzzle.second_value - 1},
        {"themes": (*puzzle.themes, "steal", "hook")},
        {"id": f"{kind}-aaaaaaaa"},
    ):
        with pytest.raises(WrongPuzzle, match=kind):
            verify(rules, game_of(kind), puzzle.model_copy(update=changes))
    with pytest.raises(WrongPuzzle, match="position"):
        verify(rules, game_of(kind), puzzle.model_copy(update={"position": {"nothing": 1}}))


def test_a_damaged_file_names_line_and_field(made: Any) -> None:
    good = made("boggle")[0].model_dump_json()
    assert next(puzzles.read_puzzles(good)).id == made("boggle")[0].id
    with pytest.raises(WrongPuzzle, match="line 3: id"):
        list(puzzles.read_puzzles(f"{good}\n\n" + '{"id": "-"}'))
    with pytest.raises(WrongPuzzle, match="line 1"):
        list(puzzles.read_puzzles("not json"))


FEW = sorted({"".join(way) for word in ("team", "teams", "rate", "seat") for way in permutations(word)})


def test_a_word_is_shown_unless_it_is_profane_a_name_or_unknown() -> None:
    lexicon = Lexicon.from_words(
        ["cat", "damn", "john", "qat"], "few", ranks={"cat": 1, "damn": 2}, profanity={"damn"}, names={"john"}
    )
    words = (*lexicon, "zzz")
    assert [word for word in words if puzzles.is_shown(lexicon, word)] == ["cat", "qat"]


def test_a_position_whose_second_best_word_is_profane_makes_no_puzzle(game_of: Any) -> None:
    rules, game = rules_of("scrabblet"), game_of("scrabblet")
    position = ScrabbletPosition(rack="lutyli")
    solved = rules.solve(game, position)
    assert solved is not None
    assert solved.best.value - solved.second.value >= rules.clear_margin
    assert solved.second.answer.word == "titty"
    assert puzzle_of(rules, game, position) is None


def test_boggle_agrees_with_trying_every_path(lexicon: Lexicon) -> None:
    few = Lexicon.from_words(FEW, "few")
    game, rules, random = Boggle(few), BogglePuzzles(), Random(1)
    for _ in range(30):
        rows = tuple("".join(random.choices("teamsrl", k=4)) for _ in range(4))
        found = {word for word, _ in brute.paths("".join(rows), 4, set(FEW))}
        points = sorted((1 if len(word) < 5 else 2 for word in found), reverse=True)
        solved = rules.solve(game, BogglePosition(rows=rows))
        expected = None if len(points) < 2 else points[:2]
        assert (solved and [solved.best.value, solved.second.value]) == expected


def test_scrabblet_agrees_with_trying_every_word() -> None:
    few = Lexicon.from_words(FEW, "few")
    game, rules, random = Scrabblet(few), ScrabbletPuzzles(), Random(1)
    for _ in range(30):
        rack = "".join(random.sample("teamsrl", 5))
        hand = Hand(rack)
        scores = sorted(
            (hand.score(word) for word in few if len(word) >= 4 and hand.makes(word)), reverse=True
        )
        solved = rules.solve(game, ScrabbletPosition(rack=rack))
        expected = None if len(scores) < 2 else scores[:2]
        assert (solved and [solved.best.value, solved.second.value]) == expected


@pytest.mark.parametrize("gems", [0, 4])
def test_wibble_agrees_with_trying_every_path_and_swap(gems: int) -> None:
    words = ["teams", "meats", "rate", "late"]
    few = Lexicon.from_words(words, "few")
    game, rules, random = Wibble(few), WibblePuzzles(), Random(3)
    scoring = Scoring(letter_values("spellcast"), long_word_length=6, long_word_bonus=10)
    for round_ in (1, 3, 5):
        letters = "".join(random.choices("teamsrl", k=25))
        board = WibbleBoard(letters=letters, gems=(0, 3, 7, 12, 20), word_bonus=Bonus(cell=6, factor=2))
        position = WibblePosition(board=board, round=round_, gems=gems)
        solved = rules.solve(game, position)
        best: dict[str, float] = {}
        for swapped in range(2 if gems >= 3 else 1):
            rest = WibblePosition(board=board, round=round_, gems=gems - 3 * swapped)
            cost = _later(position, rest)
            for word in words:
                rows = [[-(10**6)] * 6] * swapped + [[value + cost for value in gem_values(rest)]]
                found = brute.best_by_value(board, 5, scoring, [word], rows)
                if found is not None and len(found.swaps) == swapped:
                    value = found.points + rows[-1][found.gems]
                    best[word] = max(best.get(word, -(10**6)), value)
        values = sorted(best.values(), reverse=True)
        if solved is not None:
            assert [solved.best.value, solved.second.value] == values[:2]
        else:
            assert len(values) < 2 or gems  # with gems a shuffle may be better


def _later(before: WibblePosition, after: WibblePosition) -> int:
    """The difference in value between the gems of ``after`` and ``before``."""
    mode, table = modes()["classic"], gem_table(1)
    return round(points_later(mode, table, after.round, after.gems)) - round(
        points_later(mode, table, before.round, before.gems)
    )


@pytest.mark.parametrize("values", ["scrabble", "spellcast"])
def test_wibble_counts_by_the_letter_values_of_the_game(values: Any, game_of: Any) -> None:
    game, rules = game_of("wibble"), WibblePuzzles()
    options = WibbleOptions(mode="classic", values=values, lexicon=LexiconRef.of(game.lexicon))
    (state,) = islice(puzzles.bot_game(game, options, (3,), "values", 1), 1)
    position = rules.position_of(game, state)
    assert position is not None
    position = position.model_copy(update={"round": 5, "gems": 0})  # in the last round gems count nothing
    position = WibblePosition.model_validate_json(position.model_dump_json())
    best = game.solver.best(position.board, 5, game.scoring(options))
    assert best is not None
    assert rules.judge(game, position, Given(word=best.word)).value == best.points


def test_letterpress_agrees_with_trying_every_placement_and_reply() -> None:
    board = "teamsrlbcdfghijkenopquvta"
    words = ["teams", "meats", "rate", "late", "realms", "tram"]
    few = Lexicon.from_words(words, "few")
    game, rules, random = Letterpress(few), LetterpressPuzzles(), Random(5)
    for _ in range(6):
        owners = random.choices((0, 1, 2), k=25)
        ours = slow_letterpress.mask_of(cell for cell, owner in enumerate(owners) if owner == 1)
        theirs = slow_letterpress.mask_of(cell for cell, owner in enumerate(owners) if owner == 2)
        judged = slow_letterpress.Brute(
            board, slow_letterpress.Side(ours, theirs), ["rate"], words, words, sorted(words)
        )
        solved = rules.solve(
            game, LetterpressPosition(board=board, ours=ours, theirs=theirs, played=("rate",))
        )
        assert solved is not None
        by_letters: dict[str, int] = {}
        for move in judged.ours:
            letters = "".join(sorted(move.word))
            by_letters[letters] = max(by_letters.get(letters, -1000), judged.two(move)[0])
        values = sorted((max(-100, min(100, value)) for value in by_letters.values()), reverse=True)
        assert [solved.best.value, solved.second.value] == values[:2]


def test_a_typed_word_of_letterpress_is_judged_though_a_pass_is_as_good() -> None:
    """The opponent then ends the game with any reply."""
    words = ["late", "meats", "rate", "tare", "teamsrlb"]
    game, rules = Letterpress(Lexicon.from_words(words, "few")), LetterpressPuzzles()
    ours, theirs = (slow_letterpress.mask_of(cells) for cells in ((2, 8, 13), {*range(25)} - {2, 8, 13, 16}))
    position = LetterpressPosition(board="teamsrlbcdfghijkenopquvta", ours=ours, theirs=theirs)
    judged = rules.judge(game, position, Given(word="rate"))
    assert judged.answer.word == "rate"
    assert judged.value == rules.judge(game, position, Given(cells=judged.answer.cells)).value


@pytest.mark.parametrize(("word", "says"), [("rated", "RATED was played"), ("rate", "RATE begins RATED")])
def test_a_closed_word_of_letterpress_is_no_answer(word: str, says: str) -> None:
    game = Letterpress(Lexicon.from_words(["late", "rate", "rated"], "few"))
    position = LetterpressPosition(board="ratedlbcfghijkmnopqsuvwxy", ours=0, theirs=0, played=("rated",))
    with pytest.raises(IllegalMove, match=says):
        LetterpressPuzzles().judge(game, position, Given(word=word))


@pytest.mark.parametrize("preset", sorted(presets()))
def test_a_first_word_of_fribble_down_is_judged_like_the_one_across(preset: str, game_of: Any) -> None:
    rules, game = FribblePuzzles(), game_of("fribble")
    position = FribblePosition(preset=preset, rows=Board().rows, rack="CATSXQZ", lead=0)
    across = rules.judge(game, position, Given(cells=(110, 111, 112, 113), tiles="CATS"))
    down = rules.judge(game, position, Given(cells=(82, 97, 112, 127), tiles="CATS"))
    assert down.value == across.value
    assert down.answer.cells == (82, 97, 112, 127)


@pytest.mark.parametrize(("text", "finds"), [("cat", False), ("act", True)])
def test_a_turn_of_fribble_that_was_the_best_play_has_no_better_one(text: str, finds: bool) -> None:
    """With the bag empty it may still be a mistake: a pass may be better than any play."""
    best = {"coordinate": "8G", "text": "cat", "equity": 10.0, "played_on": gaining(7.0)}
    turn = best | {"text": text, "best": [best], "played_on": gaining(3.0)}
    assert (FribblePuzzles().better_move(turn) is not None) is finds


def test_an_ending_of_fribble_is_worth_what_its_review_says() -> None:
    """Points gained by the end, once the review has searched it; a play not searched was not the best."""
    rules = FribblePuzzles()
    ending = next(each for each in shipped_puzzles("fribble").values() if "last word" in each.themes)
    position = puzzles.position_in(rules, ending)
    best = {"coordinate": "8G", "text": "cat", "equity": 10.0}
    turn = best | {"text": "act", "equity": 12.0, "best": [best | {"played_on": gaining(7.0)}]}
    assert rules.included(position) == "by the end"
    assert rules.review_values(position, turn, 6.0) == (6.0, None), "not searched yet"
    searched = turn | {"played_on": gaining(3.0)}
    assert rules.review_values(position, searched, 6.0) == (7.0, 3.0)
    assert rules.better_move(searched)
    by_equity = turn | {"equity": 8.0}
    assert not rules.better_move(by_equity | {"unseen": 7}), "an ending judged by equity"
    assert rules.better_move(by_equity | {"unseen": 8})
    assert not rules.better_move(by_equity), "a review of an earlier version does not say whether it is one"
    assert rules.better_move(by_equity | {"unseen": 7}, is_final=True)
    assert rules.better_move(by_equity, is_final=True)
    assert rules.better_move(searched | {"unseen": 7})
    assert not rules.better_move(searched | {"best": [best | {"equity": 20.0}]}), "a pass was better"


def gaining(points: float) -> dict[str, Any]:
    """How a review shows the points gained by the end of the game."""
    return {"reply": None, "exact_share": None, "gain": points}


def test_fribble_endings_agree_with_trying_everything() -> None:
    words = ["tea", "eat", "ate", "as", "at", "teas", "eats", "seat", "sea", "ta", "ea", "es"]
    few = Lexicon.from_words(words, "few")
    preset, board = presets()["wwf"], Board().with_tiles((111, 112, 113), "TEA")
    generator = Fribble(few).movegen("wwf")
    solver = EndgameSolver(generator, preset.scoreless_turns)
    for ours, theirs in (("AS", "ET"), ("ST", "AE"), ("ES", "AT")):
        ending = Ending(generator.squares(board), Rack(ours).counts, Rack(theirs).counts, 0)
        values = {}
        for placement, score in every_move(board, ours, preset, few).items():
            after = board.with_tiles(placement.cells, placement.tiles)
            left = without(ours, placement.used)
            values[number_of(board, placement)] = score - value_of(after, theirs, left, 0, preset, few)
        values[NO_MOVE] = -value_of(board, theirs, ours, 1, preset, few)
        best = solver.solve(ending)
        assert best.value == max(values.values())
        second = solver.solve_without(ending, lambda move, chosen=best.choice.move: move == chosen)  # type: ignore[misc]
        assert second is not None
        assert second.value == max(value for move, value in values.items() if move != best.choice.move)
