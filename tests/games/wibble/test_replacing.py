"""Zen with the document's rule: the tiles of every released chain are replaced."""

import pytest

from app.games.game import IllegalMove
from app.games.record import BrokenRecord, read, replay, write
from app.games.wibble.moves import Add, Chain, Hint, Move, Release, Resign, Start
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Phase
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.games.playing import play
from tests.games.wibble.positions import (
    AT,
    CAT,
    DOG,
    LETTERS,
    XX,
    found,
    letters,
    on_known_board,
    pinned,
    result,
)


def test_a_chain_that_is_no_word_loses_its_tiles_and_scores_nothing(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, replace="releases"), Hint())
    by_hand = play(wibble, state, Add(cell=4), Add(cell=9), Release())
    at_once = play(wibble, state, Chain(cells=XX))
    for missed in (by_hand, at_once):
        assert missed.report is not None
        assert (missed.report.result, missed.report.word, missed.report.replaced) == (
            "not_a_word",
            "xx",
            True,
        )
        assert missed.report.cells == XX
        assert letters(missed) != LETTERS
        for cell, (was, is_now) in enumerate(zip(LETTERS, letters(missed), strict=True)):
            assert was == is_now or cell in XX
        assert len(found(wibble, missed)) >= state.options.min_words, "drawn again until there are words"
        assert (missed.scores, missed.turns, missed.chain) == ((0,), (), ())
        assert (missed.phase, missed.hint) == (Phase.IDLE, None)


def test_a_word_scores_as_ever_and_a_single_tile_stays(wibble: Wibble) -> None:
    state = on_known_board(wibble, replace="releases")
    usual = on_known_board(wibble)
    scored, as_usual = (play(wibble, each, Chain(cells=CAT)) for each in (state, usual))
    assert (scored.board, scored.scores, scored.report) == (as_usual.board, as_usual.scores, as_usual.report)
    dropped = play(wibble, state, Chain(cells=(4,)))
    assert (result(dropped), dropped.board) == ("dropped", state.board)


@pytest.mark.parametrize(("mode", "seats"), [("classic", 1), ("blitz", 1), ("versus", 2)])
def test_other_modes_do_not_replace_releases(wibble: Wibble, mode: str, seats: int) -> None:
    with pytest.raises(IllegalMove, match="replaces the tiles of words only; Zen can replace all releases"):
        wibble.start(pinned(wibble, mode, replace="releases"), seats, "seed")


def test_an_analysis_judges_words_on_the_boards_they_were_played_on(wibble: Wibble) -> None:
    states = [on_known_board(wibble, replace="releases")]
    moves: list[Move] = [Chain(cells=XX), Chain(cells=DOG), Chain(cells=(20, 21)), Resign()]
    for move in moves:
        states.append(play(wibble, states[-1], move))
    analysis = wibble.analyse(tuple(states))
    assert [turn.word for turn in analysis.turns] == ["dog"]
    assert "".join(tile.letter for tile in analysis.turns[0].tiles) == letters(states[1])
    assert analysis.turns[0].best.points == found(wibble, states[1])[0].points


RECORD_BEFORE_REPLACE = """wibble record 1
kind wibble
options {"mode":"zen","size":4,"values":null,"frequencies":"prose","minimum_words":2,"turn_seconds":null,\
"lexicon":{"name":"few","sha256":"09153d5afd7a09a187120c8c40db0b52a139c14ba925ae8495323a1085bb0188"}}
seats 1
seed seed
0 0 0.0 a8127141 {"type":"start"}
1 0 1.0 c906432e {"type":"chain","cells":[0,5]}
2 0 2.0 9f5d0997 {"type":"chain","cells":[0,1,2]}
3 0 3.0 7d188b87 {"type":"chain","cells":[5]}
4 0 4.0 a65b366d {"type":"chain","cells":[1,5,8]}
5 0 5.0 5ac92a3d {"type":"add","cell":3}
6 0 6.0 c383726c {"type":"add","cell":7}
7 0 7.0 41a4ca55 {"type":"release"}
8 0 8.0 ca518d73 {"type":"resign"}
"""


def test_a_record_from_before_the_option_replays_and_keeps_its_board() -> None:
    words = "an to it at on in as is he or of tea sea ant eat"
    few = Wibble(Lexicon.from_words(words.split(), "few"))
    states = replay(read(RECORD_BEFORE_REPLACE, ROOMS.games), few)
    assert states[3].report.result == "not_a_word"
    assert states[3].board == states[2].board
    assert states[-1].scores == (5,)


def test_a_record_keeps_the_option(wibble: Wibble) -> None:
    states = [wibble.start(pinned(wibble, "zen", replace="releases"), 1, "seed")]
    moves: list[Move] = [Start(), Chain(cells=(0, 1)), Chain(cells=(0, 1)), Resign()]
    for move in moves:
        states.append(play(wibble, states[-1], move))
    text = write(wibble, tuple(states), "seed", [(0, move, AT) for move in moves])
    assert '"replace":"releases"' in text
    assert replay(read(text, ROOMS.games), wibble) == tuple(states)
    with pytest.raises(BrokenRecord):
        replay(read(text.replace('"releases"', '"words"'), ROOMS.games), wibble)
