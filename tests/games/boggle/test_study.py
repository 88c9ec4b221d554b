"""Words on study boards of Boggle follow the rules of its games."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.boggle.board import Board
from app.games.boggle.paths import TooManySteps, path_of
from app.games.boggle.rounds import scores_of
from app.games.boggle.rules import Boggle
from app.games.boggle.state import HandIn, Options, Setup, Start, Word
from app.games.boggle.study import BoggleStudy, StudyPosition, node_of, tree_of_game
from app.games.game import LexiconRef
from app.games.study_tree import MOST_NODES, BadStudy, replay
from tests.examples import examples
from tests.games.playing import check_study_move, play

RULES = BoggleStudy()
ROWS = ("cats", "doge", "rinq", "team")


def start(game: Boggle, **fields: Any) -> StudyPosition:
    return RULES.checked(game, StudyPosition.model_validate({"board": ROWS} | fields))


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("at", "AT has 2 letters: a word has 3 or more"),
        ("zebra", "ZEBRA is not on this board"),
        ("tat", "TAT is not on this board"),
        ("cat 0 1 16", "cell 16 is not on the board"),
        ("cat 0 1 1", "cell 1 is used twice"),
        ("cat 0 2 1", "cell 2 does not touch cell 0"),
        ("cat 1 0 4", "these cells spell ACD, not CAT"),
        ("dog", "DOG was found already"),
        ("2: cat", "there is no player 2: the board has 1 player"),
        ("c4t", "'c4t' is not a word; accepted: CHAT"),
    ],
)
def test_an_impossible_word_is_refused_with_its_reason(game: Boggle, move: str, says: str) -> None:
    with pytest.raises(BadStudy, match=says):
        RULES.play(game, start(game, found=[["dog"]]), move)


def test_a_word_that_the_list_lacks_is_reported_and_scores_by_its_length(game: Boggle) -> None:
    step = RULES.play(game, start(game), "tsegq")
    assert (step.unlisted, step.points, step.cells) == (("TSEGQ",), 2, (2, 3, 7, 6, 11))
    assert RULES.unlisted(game, start(game, found=[["cat", "acd"]])) == ("ACD",)


def test_a_qu_tile_is_two_letters(game: Boggle) -> None:
    step = RULES.play(game, start(game, board="quit iiii teee", qu=True, min_length=2), "quit")
    assert (step.move, step.cells, step.points) == ("QUIT 0 4 8", (0, 4, 8), 1)
    with pytest.raises(BadStudy, match="QIT is not on this board"):
        RULES.play(game, start(game, board="quit iiii teee", qu=True), "qit")


def test_two_players_find_words_in_turn_or_one_after_the_other(game: Boggle) -> None:
    position = start(game, found=[[], []])
    moves = []
    for move in ("2: cats", "ring", "1: cat"):
        step = RULES.play(game, position, move)
        moves.append(step.move)
        position = step.position
    assert moves == ["2: CATS 0 1 2 3", "2: RING 8 9 10 6", "1: CAT 0 1 2"]
    assert (position.found, position.scores, position.turn) == ((("cat",), ("cats", "ring")), (1, 2), 0)


def test_shared_words_cancel_if_the_rules_say_so(game: Boggle) -> None:
    for cancel, expected in ((False, (1, 1)), (True, (0, 0))):
        step = RULES.play(game, start(game, found=[["cats"], []], cancel=cancel), "2: cats")
        assert step.position.scores == expected
        assert start(game, found=[["cats"], ["cats"]], cancel=cancel).scores == expected


@examples(100)
@given(
    st.lists(
        st.sampled_from(["2: ", "cat", "dog", "tsegq", " 0", " 1 2", ",99", "\u0664"]) | st.text(max_size=3),
        max_size=6,
    )
)
def test_any_text_is_a_move_or_refused(game: Boggle, parts: list[str]) -> None:
    check_study_move(RULES, game, start(game, found=[["dog"], []]), "".join(parts))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"found": [["zebra"]]}, "found: ZEBRA is not on this board"),
        ({"found": [["cat", "cat"]]}, "found: CAT was found already"),
        ({"turn": 1}, "turn: there is no player 2"),
    ],
)
def test_an_impossible_start_is_refused(game: Boggle, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadStudy, match=says):
        start(game, **fields)


def test_the_search_for_one_word_ends() -> None:
    board = Board(("a" * 8,) * 7 + ("aaaaaaab",))
    assert len(path_of("a" * 64, Board(("a" * 8,) * 8), qu=False)) == 64
    with pytest.raises(TooManySteps):
        path_of("b" + "a" * 30 + "b", board, qu=False)


@examples(100)
@given(
    st.lists(st.text("abq", min_size=3, max_size=3), min_size=3, max_size=3),
    st.text("abqu", min_size=1, max_size=6),
    st.booleans(),
)
def test_the_path_of_a_word_is_the_first_of_all(rows: list[str], word: str, qu: bool) -> None:
    board = Board(tuple(rows))
    faces = ["qu" if qu and letter == "q" else letter for letter in board.letters]

    def paths(left: str, path: tuple[int, ...]) -> list[tuple[int, ...]]:
        if not left:
            return [path]
        return [
            whole
            for cell, face in enumerate(faces)
            if left.startswith(face) and cell not in path and (not path or board.grid.touch(path[-1], cell))
            for whole in paths(left.removeprefix(face), (*path, cell))
        ]

    assert path_of(word, board, qu=qu) == min(paths(word, ()), default=())


@examples(40)
@given(st.data())
def test_a_game_becomes_a_tree_with_the_same_words_and_points(game: Boggle, data: st.DataObject) -> None:
    find_all = data.draw(st.booleans())
    choices = {
        "board": data.draw(st.sampled_from([" ".join(ROWS), "quest minor elate"])),
        "seconds": None,
        "min_length": data.draw(st.integers(2, 4)),
        "qu": data.draw(st.booleans()),
        "find_all": find_all,
        "cancel": not find_all and data.draw(st.booleans()),
    }
    states = [game.start(options(game, choices), 2, "seed")]
    words = st.sampled_from([word.word for word in game.reveal(states[0]).solution or ()])
    moves = st.tuples(st.integers(0, 1), words.map(lambda word: Word(word=word)))
    for move in [(0, Start()), (1, Start()), *data.draw(st.lists(moves, max_size=12))]:
        states.append(play(game, states[-1], move))
    steps = replay(tree_of_game(states, ("Ada", "Bob")), RULES, game)
    for ply, state in enumerate(states):
        position = steps[node_of(states, ply)].position
        assert position.scores == scores_of(state)
        assert position.found == tuple(tuple(found.word for found in round_.found) for round_ in state.rounds)
    assert len(steps) == 1 + sum(map(len, steps[-1].position.found))


def options(game: Boggle, choices: dict[str, Any]) -> Options:
    ref = LexiconRef.of(game.lexicon)
    return Options.model_validate(
        Setup.model_validate(choices).model_dump(exclude={"lexicon"}) | {"lexicon": ref}
    )


def test_the_first_of_very_many_words_belong_to_the_start(game: Boggle) -> None:
    states = [game.start(options(game, {"board": ("estsa rtlne iedao snirt elats")}), 1, "seed")]
    words = tuple(word.word for word in game.reveal(states[0]).solution or ())
    assert len(words) > MOST_NODES
    states.append(play(game, states[0], HandIn(words=words)))
    tree = tree_of_game(states, ())
    steps = replay(tree, RULES, game)
    assert (len(tree.nodes), node_of(states, 0), node_of(states, 1)) == (MOST_NODES, 0, MOST_NODES)
    assert steps[-1].position.found == (words,)
    assert steps[-1].position.scores == scores_of(states[-1])


def test_a_game_of_three_is_refused(game: Boggle) -> None:
    with pytest.raises(BadStudy, match="one or two players; this one has 3"):
        tree_of_game([game.start(options(game, {}), 3, "seed")], ())
