"""Words on study boards of Scrabblet follow the rules of its games."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.scrabblet.hand import Hand
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Found, Guess, Quit
from app.games.scrabblet.study import ScrabbletStudy, StudyPosition, cells_of, node_of, tree_of_game
from app.games.study_tree import MOST_NODES, BadStudy, replay
from tests.examples import examples
from tests.games.playing import check_study_move, play
from tests.games.scrabblet.conftest import options

RULES = ScrabbletStudy()


def start(game: Scrabblet, **fields: Any) -> StudyPosition:
    return RULES.checked(game, StudyPosition.model_validate({"rack": "CRPEI"} | fields))


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("pie", "PIE has 3 letters: a word has 4 or more"),
        ("place", "PLACE needs A, L: the hand has CRPEI"),
        ("piece", "PIECE was found already"),
        ("p1e", "'p1e' is not a word; accepted: the letters a to z"),
    ],
)
def test_an_impossible_word_is_refused_with_its_reason(game: Scrabblet, move: str, says: str) -> None:
    with pytest.raises(BadStudy, match=re.escape(says)):
        RULES.play(game, start(game, found=["piece"]), move)


def test_letters_repeat_and_blanks_score_nothing(game: Scrabblet) -> None:
    step = RULES.play(game, start(game), "creepie")
    assert (step.move, step.points, step.position.score, step.cells) == ("CREEPIE", 11, 11, (0, 1, 2, 3, 4))
    step = RULES.play(game, start(game, rack="ple??"), "apples")
    assert (step.points, step.cells) == (8, (0, 1, 2, 3, 4))
    assert cells_of(Hand("ple??"), "peal") == (0, 1, 2, 3)


def test_a_word_that_the_list_lacks_is_reported(game: Scrabblet) -> None:
    step = RULES.play(game, start(game), "cccc")
    assert (step.unlisted, step.points) == (("CCCC",), 12)
    assert RULES.unlisted(game, start(game, found=["piece", "cccc"])) == ("CCCC",)


@examples(100)
@given(
    st.lists(
        st.sampled_from(["c", "pie", "ce", "s", "x", " ", "\u0664", "\u00df", "p" * 60])
        | st.text(max_size=3),
        max_size=6,
    )
)
def test_any_text_is_a_move_or_refused(game: Scrabblet, parts: list[str]) -> None:
    check_study_move(RULES, game, start(game, rack="crpei?", found=["piece"]), "".join(parts))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"found": ["place"]}, "found: PLACE needs A, L"),
        ({"found": ["piece", "piece"]}, "found: PIECE was found already"),
        ({"found": ["piece"], "lost": 10}, "lost: 10 is more than the words have made, 9 points"),
    ],
)
def test_an_impossible_start_is_refused(game: Scrabblet, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadStudy, match=says):
        start(game, **fields)


@examples(40)
@given(st.data())
def test_a_game_becomes_a_tree_with_the_same_words_and_points(game: Scrabblet, data: st.DataObject) -> None:
    rack = data.draw(st.sampled_from(["crpei", "ruolfnt", "crp?i"]))
    penalty = data.draw(st.sampled_from([0, 2, 20]))
    states = [game.start(options(game, rack=rack, penalty=penalty), 1, "seed")]
    words = [word.word for word in game.goal(states[0]).words.listed("alphabet")]
    guesses = st.sampled_from([*words[:: 1 + len(words) // 40], "zzzz", "aa"])
    for word in data.draw(st.lists(guesses, max_size=12)):
        states.append(play(game, states[-1], Guess(word=word)))
    states.append(play(game, states[-1], Quit()))
    steps = replay(tree_of_game(states, ("Ada",)), RULES, game)
    assert len(steps) == 1 + len(states[-1].found)
    assert steps[-1].position.score == states[-1].score
    for ply, state in enumerate(states):
        position = steps[node_of(states, ply)].position
        assert position.found == tuple(found.word for found in state.found)
        assert position.points == sum(found.points for found in state.found)


def test_the_first_of_very_many_words_belong_to_the_start(game: Scrabblet) -> None:
    first = game.start(options(game, rack="strane?"), 1, "seed")
    words = [word.word for word in game.goal(first).words.listed("alphabet", MOST_NODES + 5)]
    hand = Hand(first.hand)
    found = tuple(Found(word=word, points=hand.score(word), required=False, pangram=False) for word in words)
    states = [
        first.model_copy(
            update={"found": found[:number], "score": sum(each.points for each in found[:number])}
        )
        for number in range(len(found) + 1)
    ]
    tree = tree_of_game(states, ())
    steps = replay(tree, RULES, game)
    assert (len(tree.nodes), node_of(states, 5), node_of(states, 6)) == (MOST_NODES, 0, 1)
    assert steps[-1].position.found == tuple(words)
    assert steps[-1].position.score == states[-1].score
