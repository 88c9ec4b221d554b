"""Singular and plural: the helper, and its use in the texts of the games."""

from collections.abc import Callable
from typing import Any

import pytest

from app.games.boggle.board import Board, parse_board
from app.games.boggle.board_request import BoardRequest
from app.games.fribble.advice import Forecast
from app.games.fribble.board import Board as Crossword
from app.games.fribble.notation import parse
from app.games.fribble.placement import Placement
from app.games.grid import grid, letter_numbers
from app.games.letterpress.puzzles import Position as LetterpressPosition
from app.grammar import (
    format_change,
    format_count,
    format_duration,
    format_percent,
    numbered,
    plural,
    round_half_up,
    sentence,
    spell_number,
    there_are,
)
from app.rooms.fribble.drawing import wins
from app.rooms.letterpress.puzzle import LetterpressBoard
from app.web.templating import templates


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Elizabeth B", "Elizabeth B"),
        ("Elizabeth Bennet", "Elizabeth …"),
        ("Elizabethm\u0301nn", "Elizabethm\u0301…"),
        (
            "Deutschla\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
            "Deutschla\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
        ),
        ("Deutschlan\U0001f1e9\U0001f1eadd", "Deutschlan…"),
        ("Deutschla\U0001f1e9\U0001f1eadd", "Deutschla\U0001f1e9\U0001f1ea…"),
        ("thumbs up\U0001f44d\U0001f3fd!!", "thumbs up\U0001f44d\U0001f3fd…"),
    ],
)
def test_a_name_is_cut_between_letters_as_they_are_seen(name: str, shown: str) -> None:
    seats: Any = templates.env.get_template("table/_seats.html").module
    assert str(seats.short_name({"you": False, "name": name})) == f"<bdi>{shown}</bdi>"


def test_the_initial_of_a_player_is_a_letter_as_it_is_seen() -> None:
    seats: Any = templates.env.get_template("table/_seats.html").module
    place = {"seat": 0, "occupant": "player", "bot_level": None, "name": "\U0001f1e9\U0001f1ea Ada"}
    assert ">\U0001f1e9\U0001f1ea<" in str(seats.initial(place))


def test_one_is_singular_and_every_other_number_plural() -> None:
    assert [format_count(number, "gem") for number in (0, 1, 2, 1200)] == [
        "0 gems",
        "1 gem",
        "2 gems",
        "1,200 gems",
    ]


def test_a_word_with_a_plural_of_its_own() -> None:
    assert plural(1, "has", "have") == "has"
    assert plural(0, "has", "have") == plural(3, "has", "have") == "have"
    assert format_count(2, "match", "matches") == "2 matches"


def test_numbers_in_a_sentence() -> None:
    assert [spell_number(number) for number in (0, 1, 9, 10, 1000)] == ["no", "one", "nine", "10", "1,000"]
    assert (there_are(1, "row"), there_are(14, "row")) == ("there is 1 row", "there are 14 rows")
    assert (numbered(1, "seat"), numbered(4, "seat")) == ("the only seat is 0", "seats are 0 to 3")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 second"),
        (59, "59 seconds"),
        (60, "a minute"),
        (61, "2 minutes"),
        (3300, "55 minutes"),
        (3600, "an hour"),
        (7 * 86400, "7 days"),
    ],
)
def test_a_duration_is_rounded_up_to_one_unit(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("change", "digits", "shown"),
    [
        (3, 0, "+3"),
        (-2, 0, "\u22122"),
        (0, 0, "±0"),
        (-0.04, 1, "±0.0"),
        (0.05, 1, "+0.1"),
        (-12.34, 1, "\u221212.3"),
        (1500, 0, "+1500"),
    ],
)
def test_a_change_has_a_sign_unless_it_is_nothing(change: float, digits: int, shown: str) -> None:
    assert format_change(change, digits) == shown


@pytest.mark.parametrize(
    ("number", "digits", "rounded"),
    [(2.5, 0, 3), (3.5, 0, 4), (-2.5, 0, -3), (2.49, 0, 2), (0, 0, 0), (0.25, 1, 0.3), (2.675, 2, 2.68)],
)
def test_halves_are_rounded_up(number: float, digits: int, rounded: float) -> None:
    assert round_half_up(number, digits) == rounded
    page = templates.env.from_string("{{ number|round(digits) }}")
    assert float(page.render(number=number, digits=digits)) == rounded


def test_percentages_and_changes_are_rounded_so() -> None:
    assert [format_percent(share) for share in (12.5, 62.5, 4.25, 0.01, 0)] == [
        "13%",
        "63%",
        "4.3%",
        "< 0.1%",
        "0%",
    ]
    assert (format_change(2.5), format_change(-0.25, 1)) == ("+3", "\u22120.3")
    assert wins(Forecast(win_share=0.0625, error=0.0225, gain=0)) == "6.3% ± 2.3"


def test_a_number_without_digits_is_rounded_to_an_int() -> None:
    page = templates.env.from_string("{{ 2.5|round }} {{ rounded(0.25, 1) }} {{ rounded(-0.04, 1) }}")
    assert page.render() == "3 0.3 0.0"
    assert f"{round_half_up(1e3)} {round_half_up(-0.4)}" == "1000 0"


def test_a_clause_becomes_a_sentence() -> None:
    assert [sentence(clause) for clause in ("", "not a word", "ZZZ is too short.", "why not?")] == [
        "",
        "Not a word.",
        "ZZZ is too short.",
        "Why not?",
    ]


def test_templates_have_them() -> None:
    page = templates.env.from_string(
        '{{ count(1, "word") }} {{ plural(1, "is", "are") }}, {{ count(3, "point") }}, {{ change(2) }}'
    )
    assert page.render() == "1 word is, 3 points, +2"


def test_a_letterpress_puzzle_counts_one_tile() -> None:
    position = LetterpressPosition(board="a" * 25, ours=1, theirs=0)
    assert LetterpressBoard().facts(position)[0] == "You are blue: 1 tile, they have 0"


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: Board(("a", "bc")), "row 1 has 1 letter: a row has 2 to 8"),
        (lambda: parse_board("a"), "1 letter does not make a square"),
        (lambda: letter_numbers("a", grid(2, 2)), "1 letter for a board of 2x2"),
        (lambda: BoardRequest(algorithm="climb", count=2, budget_ms=1), "budget_ms: 1 for 2 boards"),
        (lambda: Crossword(rows=(".",)), "there is 1 row: a board has 15"),
        (lambda: Crossword(rows=(".",) * 15), "row 1 has 1 square: a row has 15"),
        (lambda: parse("mf(r8,'1 3','a')", Crossword()), "there is 1 tile for 2 squares"),
        (lambda: Placement(cells=(0,), tiles="AB"), "there are 2 tiles for 1 square"),
    ],
)
def test_refusals_are_grammatical(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        refused()
    assert message in str(caught.value)
