"""`wibble wibble solve`."""

import pytest

from tests.cli.shells import wibble

BOARD = "wibbletileschainwordgames"


def test_the_best_words_the_swaps_and_the_plan_are_shown() -> None:
    marked = ("--tl", "c2", "--x2", "c3", "--gems", "b1,a2,e2")
    status, output = wibble("wibble", "solve", BOARD, *marked, "--round", "5", "--held", "9")
    assert status == 0
    assert "buzzwords 116 1 c1 b1 c2 c3 b4 c4 d4 e4 e5 b1=u c2=z c3=z" in output
    assert "bichrome 58 c1 c2 b3 c3 d4 c4 c5 d5" in output
    assert "Plan: play buzzwords, with b1=u c2=z c3=z. About 116 points" in output
    assert "Plan:" not in wibble("wibble", "solve", BOARD)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("abc",), "16, 25, 36 or 49 letters a-z expected, 3 given"),
        ((BOARD, "--tl", "z9"), "z9 is not on the board: tiles are a1 to e5"),
        ((BOARD, "--dl", "a1", "--tl", "a2"), "a board has one letter bonus"),
        ((BOARD, "--round", "6"), "5 or less expected, 6 given"),
        ((BOARD, "--held", "6"), "used only with --round"),
        ((BOARD, "--round", "1", "--held", "11"), "10 or less expected, 11 given"),
        ((BOARD, "--lexicon", "klingon"), "there is no lexicon named"),
    ],
)
def test_bad_arguments_exit_with_status_2(arguments: tuple[str, ...], says: str) -> None:
    status, output = wibble("wibble", "solve", *arguments)
    assert status == 2
    assert says in output
