"""How words are judged: found, refused, or no path at all."""

import pytest
from pydantic import ValidationError

from app.games.boggle.rules import Boggle
from app.games.boggle.state import Finish, Start, Word
from app.games.game import IllegalMove
from tests.games.boggle.rounds import CAT, CATS, RING, after
from tests.games.playing import AT


def test_words_are_found_as_cells_or_typed(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CATS), (0, "ring"), (0, "RINGED"), (0, Finish()))
    found = state.rounds[0].found
    assert [(one.word, one.cells, one.points, one.at) for one in found[:2]] == [
        ("cats", CATS, 1, AT + 1),
        ("ring", RING, 1, AT + 2),
    ]
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((2,), (0,), "finished early")


@pytest.mark.parametrize(
    ("word", "result", "cells"),
    [
        ((0, 1), "too_short", (0, 1)),
        ("at", "too_short", ()),
        (" ", "too_short", ()),
        ((4, 0, 1), "not_a_word", (4, 0, 1)),
        ("qqqq", "not_a_word", ()),
        ("İé!", "not_a_word", ()),
        ("horse", "not_on_board", ()),
        ("cat", "repeated", CAT),
        (CAT, "repeated", CAT),
    ],
)
def test_wrong_words_get_different_results_and_cost_nothing(
    game: Boggle, word: tuple[int, ...] | str, result: str, cells: tuple[int, ...]
) -> None:
    state = after(game, (0, Start()), (0, CAT), (0, word))
    report = game.view(state, 0).report
    assert report is not None
    assert (report.result, report.points, report.cells) == (result, 0, cells)
    assert [one.word for one in state.rounds[0].found] == ["cat"]
    assert game.view(state, 0).rounds[0].score == 1


@pytest.mark.parametrize(
    ("cells", "index", "says"),
    [
        ((0, 16), 1, "cell 16 is not on the board: cells are 0 to 15"),
        ((-1, 0), 0, "cell -1 is not on the board"),
        ((0, 1, 0), 2, "cell 0 is used twice"),
        ((0, 1, 3), 2, "cell 3 does not touch cell 1"),
    ],
)
def test_what_is_no_path_is_refused(game: Boggle, cells: tuple[int, ...], index: int, says: str) -> None:
    with pytest.raises(IllegalMove, match=says) as refused:
        game.apply(after(game, (0, Start())), 0, Word(cells=cells), AT)
    assert refused.value.index == index


@pytest.mark.parametrize("move", [{}, {"cells": [0, 1], "word": "ca"}, {"cells": []}, {"word": ""}])
def test_a_word_is_cells_or_a_text(move: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Boggle.move_adapter.validate_python({"type": "word"} | move)


def test_qu_is_one_cell_where_the_face_is_played(game: Boggle) -> None:
    rows = ("qixx", "tsxx", "xxxx", "xxxx")
    state = after(game, (0, Start()), (0, "quit"), (0, (0, 1, 4, 5)), board=rows, qu=True)
    assert [(one.word, one.cells, one.points) for one in state.rounds[0].found] == [
        ("quit", (0, 1, 4), 1),
        ("quits", (0, 1, 4, 5), 2),
    ]
