from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import IllegalMove, LexiconRef, OutOfTurn
from app.games.letterpress import rules
from app.games.letterpress.boards import CONSONANTS, LONG, RARE, VOWELS, Letters, board_rules
from app.games.letterpress.bot import choose, engines, position_of
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Options, Pass, Play, Resign, State
from app.games.letterpress.territory import EVERY, mask_of
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words
from tests.examples import examples
from tests.games.letterpress import brute
from tests.games.letterpress.brute import Side
from tests.games.playing import play

#  h o r s e
#  r a d i s
#  h z z z z     row by row
#  t e a m s
#  c a t z z
BOARD = "horseradishzzzzteamscatzz"
HORSERADISH = tuple(range(11))
HORSE = (0, 1, 2, 3, 4)
RADISH = (5, 6, 7, 8, 9, 10)
TEAMS = (15, 16, 17, 18, 19)
TEAM = (15, 16, 17, 18)


def options(game: Letterpress, board: str | None = BOARD) -> Options:
    return Options(lexicon=LexiconRef.of(game.lexicon), board=board)


def after(game: Letterpress, *moves: Move | tuple[int, ...], board: str = BOARD) -> State:
    """The state of a new game after the seats made these moves in turn."""
    made = (Play(cells=move) if isinstance(move, tuple) else move for move in moves)
    return play(game, game.start(options(game, board), 2, "seed"), *made)


def refusal(game: Letterpress, state: State, cells: tuple[int, ...]) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        game.apply(state, state.to_move, Play(cells=cells), 0.0)
    return refused.value


def test_a_word_turns_its_tiles(game: Letterpress) -> None:
    state = after(game, HORSE, RADISH)
    assert state.owned == (mask_of(HORSE), mask_of(RADISH))
    assert [(turn.word, turn.gained) for turn in state.turns] == [("horse", 5), ("radish", 6)]
    assert (game.to_move(state), state.ply) == (0, 2)


def test_protected_tiles_stay(game: Letterpress) -> None:
    state = after(game, HORSERADISH)
    assert game.view(state, None).protected == (mask_of((0, 1, 2, 3, 4, 5)), 0)
    shared = game.apply(state, 1, Play(cells=(3, 0, 6, 7, 4)), 0.0)  # s h a d e
    assert shared.owned == (mask_of(HORSERADISH) & ~mask_of((6, 7)), mask_of((6, 7)))


def test_a_word_and_its_beginnings_are_played_once(game: Letterpress) -> None:
    state = after(game, HORSERADISH)
    assert refusal(game, state, HORSE).reason == "HORSE begins HORSERADISH, which was played already"
    assert refusal(game, state, HORSERADISH).reason == "HORSERADISH was played already"
    assert after(game, HORSERADISH, RADISH).turns[-1].word == "radish"
    state = after(game, TEAM)
    assert game.apply(state, 1, Play(cells=TEAMS), 0.0).turns[-1].word == "teams"


@pytest.mark.parametrize(
    ("cells", "index", "says"),
    [
        ((0, 25), 1, "cell 25 is not on the board: cells are 0 to 24"),
        ((15, 16, 15), 2, "cell 15 is used twice"),
        ((11, 12), None, "ZZ is not in the word list"),
        ((0,), None, "a word has 2 letters or more"),
        ((), None, "a word has 2 letters or more"),
    ],
)
def test_what_is_no_word_is_refused(
    game: Letterpress, cells: tuple[int, ...], index: int | None, says: str
) -> None:
    refused = refusal(game, after(game), cells)
    assert says in refused.reason
    assert refused.index == index


def test_moves_out_of_turn_or_after_the_end_are_refused(game: Letterpress) -> None:
    with pytest.raises(OutOfTurn):
        game.apply(after(game), 1, Play(cells=HORSE), 0.0)
    with pytest.raises(OutOfTurn):
        game.apply(after(game, Pass(), Pass()), 0, Play(cells=HORSE), 0.0)


def test_after_two_passes_in_a_row_the_player_with_more_tiles_wins(game: Letterpress) -> None:
    assert game.outcome(after(game, Pass(), HORSE, Pass())) is None
    outcome = game.outcome(after(game, TEAM, HORSE, Pass(), Pass()))
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((4, 5), (1,), "both passed")
    drawn = game.outcome(after(game, Pass(), Pass()))
    assert drawn is not None
    assert drawn.winners == (0, 1)


def test_a_full_board_ends_the_game(game: Letterpress) -> None:
    state = after(game, HORSERADISH)
    state = state.model_copy(update={"owned": (EVERY & ~mask_of(TEAMS), 0), "turns": state.turns * 2})
    state = game.apply(state, 0, Play(cells=TEAMS), 0.0)
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason, game.to_move(state)) == ((0,), "every tile is owned", None)


def test_a_player_who_resigns_loses_at_any_moment(game: Letterpress) -> None:
    state = game.apply(after(game, HORSERADISH), 0, Resign(), 0.0)
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winners, state.resigned) == ((1,), 0)


@pytest.mark.parametrize("letters", ["usual", "even"])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_board_is_drawn_from_its_seed(game: Letterpress, seed: str, letters: Letters) -> None:
    drawn = options(game, None).model_copy(update={"letters": letters})
    board = game.start(drawn, 2, seed).board
    assert board == game.start(drawn, 2, seed).board
    fewest, most = board_rules(letters).vowels
    assert fewest <= sum(letter in VOWELS for letter in board) <= most
    assert max(board.count(letter) for letter in CONSONANTS + VOWELS) <= 3
    assert game.solver.count(board).words >= 1_500


def test_a_game_of_an_earlier_version_has_its_board(game: Letterpress) -> None:
    """These were stored before the letter distribution was an option, when all vowels were equally likely."""
    assert game.start(options(game, None), 2, "a").board == "udymzgicwxqkywimhlmoyrkos"


def test_usual_boards_have_letters_as_often_as_words(game: Letterpress) -> None:
    usual = options(game, None).model_copy(update={"letters": "usual"})
    boards = [game.start(usual, 2, str(seed)).board for seed in range(60)]
    counts = Counter("".join(boards))
    assert max(counts, key=counts.__getitem__) == "e"
    assert all(sum(map(board.count, RARE)) <= 3 for board in boards)
    common = [
        word for word, known in zip(game.lexicon, allowed_words(game.lexicon, "common"), strict=True) if known
    ]
    long = [Counter(word) for word in common if len(word) >= LONG]
    for board in boards[:5]:
        assert sum(word <= Counter(board) for word in long) >= 100, board


def test_prepared_rules_build_no_solver_later(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = Letterpress(lexicon)
    prepared.prepare()
    monkeypatch.delattr(rules, "Solver")
    assert prepared.bot(after(prepared), 0, 1).move


def test_a_poor_lexicon_still_gets_a_board() -> None:
    small = Letterpress(Lexicon.from_words(["cat"], "few"))
    assert len(small.start(options(small, None), 2, "x").board) == 25


def test_a_board_that_no_bot_could_look_through_is_refused() -> None:
    game = Letterpress(Lexicon.from_words(["z" * 12, "z" * 11], "repeats"))
    with pytest.raises(IllegalMove, match="ways to lay a word"):
        game.start(options(game, "z" * 25), 2, "seed")


def test_a_game_is_for_two_players(game: Letterpress) -> None:
    with pytest.raises(IllegalMove, match="for 2, not 3"):
        game.start(options(game), 3, "seed")
    assert (game.seats(options(game)), game.seat_count(after(game))) == (range(2, 3), 2)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_bot_plays_by_the_rules_and_the_same_every_time(game: Letterpress, level: int) -> None:
    state = after(game, HORSERADISH)
    for _ in range(3):
        seat = state.to_move
        thought = game.bot(state, seat, level)
        assert game.bot(state, seat, level) == thought
        state = game.apply(state, seat, thought.move, 0.0)
    assert state.ply == 4


def test_a_bot_that_loses_plays_on_where_the_solver_passes() -> None:
    lost = Letterpress(Lexicon.from_words(["aa", "bb"], "few"))
    state = lost.start(options(lost, "aabb" + "z" * 21), 2, "seed")
    state = state.model_copy(update={"owned": (0, EVERY & ~0b1111)})
    assert lost.solver.solve(position_of(state)).moves[0].word == ""
    assert choose(state, engines()["two-plies"], lost.solver) == Play(cells=(0, 1))


def test_the_levels_and_the_engines_have_names(game: Letterpress) -> None:
    assert len(game.bots) == 5
    assert [*engines()][:5] == [name.lower() for name in game.bots]
    assert engines()["letterpwn"].plies == 1


def test_a_view_has_no_seed_and_moves_are_read_back(game: Letterpress) -> None:
    state = after(game, HORSE)
    assert "seed" not in game.view(state, 0).model_dump()
    assert game.view(state, 1).tiles == (5, 0)
    assert game.state_type.model_validate_json(state.model_dump_json()) == state
    move = game.move_adapter.validate_python({"type": "word", "cells": [0, 1]})
    assert move == Play(cells=(0, 1))
    assert game.fingerprint(state) != game.fingerprint(after(game))


def test_an_analysis_names_the_best_and_what_was_lost(game: Letterpress) -> None:
    start = after(game)
    best = game.bot(start, 0, 4).move
    states = [start, game.apply(start, 0, best, 0.0)]
    states.append(game.apply(states[-1], 1, Play(cells=(21, 22)), 0.0))
    states.append(game.apply(states[-1], 0, Resign(), 0.0))
    analysis = game.analyse(tuple(states))
    assert [turn.seat for turn in analysis.turns] == [0, 1]
    assert all(turn.lost == turn.best.value - turn.value >= 0 for turn in analysis.turns)
    weak = analysis.turns[1]
    assert weak.word == "at"
    assert weak.lost > 0
    assert analysis.seats[1].accuracy is not None
    assert analysis.seats[1].accuracy < 100
    assert analysis.seats[1].best_score > analysis.seats[1].score


def test_the_summary_counts_tiles_and_words(game: Letterpress) -> None:
    summary = game.summary(after(game, HORSE, RADISH, TEAM, Pass(), Pass()), 0)
    assert (summary.score, summary.words, summary.best_word, summary.longest_word) == (9, 2, "horse", "horse")


def test_the_daily_has_a_board(game: Letterpress) -> None:
    chosen, seed = game.daily(f"day-{number}" for number in count())
    assert len(game.start(chosen, 2, seed).board) == 25


@given(st.lists(st.integers(0, 99), max_size=12))
@examples(20)
def test_tiles_turn_as_in_the_brute_force(game: Letterpress, choices: list[int]) -> None:
    state = after(game)
    expected = Side(0, 0)
    for choice in choices:
        moves = game.solver.solve(position_of(state), top=100, plies=1).moves
        move = moves[choice % len(moves)]
        if not move.word:
            break
        state = game.apply(state, state.to_move, Play(cells=move.cells(BOARD)), 0.0)
        theirs, ours = brute.after(expected, move.mask)
        expected = Side(ours, theirs)
        assert (state.owned[state.to_move], state.owned[1 - state.to_move]) == expected
        if state.reason:
            break
