"""Positions of study boards, games and GCG as trees, and lines as GCG."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble import cgp, gcg
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.study import FribbleStudy, StudyPosition
from app.games.fribble.study_lines import line_as_gcg, tree_of_game, tree_of_gcg
from app.games.game import LexiconRef
from app.games.study_tree import BadStudy, StudyTree, changed, replay, with_move
from tests.examples import examples
from tests.games.fribble.positions import options
from tests.games.fribble.test_gcg import LONGER, OPENING

RULES = FribbleStudy()


def ref(game: Fribble) -> LexiconRef:
    return LexiconRef.of(game.lexicon)


def start(game: Fribble, **fields: object) -> StudyPosition:
    position = StudyPosition.model_validate({"lexicon": game.lexicon.name, **fields})
    return RULES.checked(game, position)


def played(game: Fribble, *moves: str, **fields: object) -> StudyPosition:
    position = start(game, **fields)
    for move in moves:
        position = RULES.play(game, position, move).position
    return position


def refusal(game: Fribble, move: str, **fields: object) -> str:
    with pytest.raises(BadStudy) as refused:
        RULES.play(game, start(game, **fields), move)
    return refused.value.reason


def test_a_move_takes_its_tiles_and_scores(game: Fribble) -> None:
    after = played(game, "8H fribble", racks=["EFIRBLB", ""])
    assert after.rows[7] == ".......FRIBBLE."
    assert (after.scores, after.racks, after.to_move, after.bag) == ((69, 0), ("", ""), 1, 83)
    assert played(game, "8H FRIBBLE", "exchange 3", "pass").scoreless == 2


def test_tiles_that_are_not_known_may_be_played_as_long_as_there_is_room(game: Fribble) -> None:
    assert played(game, "8H BAT", racks=["BQZ", ""]).racks[0] == "QZ"
    assert "the rack has no A" in refusal(game, "8H BAT", racks=["QZJXKV", ""])
    assert refusal(game, "8H BAT", racks=["QZJXKVW", ""]).startswith("the rack has no A")


@pytest.mark.parametrize(
    ("move", "fields", "says"),
    [
        ("8H ZOOZ", {}, "has only 1 Z left"),
        ("8H B4T", {}, "'B4T' is not a word"),
        ("dance", {}, "'dance' is not a move"),
        ("exchange ABC", {"racks": ["DEINRST", ""]}, "the rack has no A"),
        ("8H BAT", {"scoreless": 3, "scores": [1, 0]}, "the rack has no"),
    ],
)
def test_an_impossible_move_is_refused_with_its_reason(
    game: Fribble, move: str, fields: dict[str, object], says: str
) -> None:
    assert says in refusal(game, move, **({"racks": ["DEINRST", ""]} | fields))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"rows": ["." * 15] * 14}, "rows: there are 14 rows: a board has 15"),
        ({"rows": ["." * 14 + "!"] + ["." * 15] * 14}, "row 1, column O has '!'"),
        ({"racks": ["ABCDEFGH", ""]}, "racks: there are 8 tiles"),
        ({"racks": ["ZZ", ""]}, "racks: board and rack have 2 tiles Z"),
        ({"preset": "chess"}, "there is no preset named 'chess'"),
        ({"rows": ["A" + "." * 14] + ["." * 15] * 14}, "row 1, column A has a tile"),
    ],
)
def test_an_impossible_position_is_refused_with_its_place(
    game: Fribble, fields: dict[str, object], says: str
) -> None:
    tree = StudyTree(start={"lexicon": game.lexicon.name, **fields})
    with pytest.raises(BadStudy) as refused:
        replay(tree, RULES, game)
    assert says in refused.value.reason
    assert refused.value.location[0] == "start"


def test_a_game_survives_the_way_through_a_tree_and_gcg(game: Fribble) -> None:
    tree = tree_of_gcg(LONGER, game, ref(game))
    assert tree.names == ("Anna Karenina", "Konstantin Levin")
    assert [node.move for node in tree.nodes] == ["8H FRIBBLE", "H8 .RIENDS", "exchange VV", "pass"]
    steps = replay(tree, RULES, game)
    assert steps[0].position.racks == ("BBEFILR", "")
    assert steps[2].position.racks == ("AEIOUVV", "T")
    assert steps[-1].position.racks[1] == "AEIOTU?"
    assert tree.nodes[3].comment.endswith("was challenged and withdrawn.")
    again = tree_of_gcg(line_as_gcg(tree, steps, [1, 2, 3, 4]), game, ref(game))
    assert [node.move for node in again.nodes] == [node.move for node in tree.nodes]
    assert replay(again, RULES, game)[-1].position == steps[-1].position


def test_a_stored_game_becomes_a_tree_with_all_racks(game: Fribble) -> None:
    states = gcg.replay(gcg.read(OPENING), game, options(game))
    tree = tree_of_game(game, states, ("Anna", "Levin"))
    steps = replay(tree, RULES, game)
    for step, state in zip(steps, states, strict=True):
        assert (step.position.board, step.position.scores) == (state.board, state.scores)
    assert all(set(map(len, step.position.racks)) == {7} for step in steps[:-1])


def test_gcg_that_breaks_the_rules_names_the_line(game: Fribble) -> None:
    with pytest.raises(BadStudy, match="GCG, line 4: the turn makes"):
        tree_of_gcg(OPENING.replace("+69 69", "+70 70"), game, ref(game))


def test_a_gcg_of_a_line_from_a_position_is_refused(game: Fribble) -> None:
    tree = StudyTree(start=start(game, scores=[3, 4]).model_dump(mode="json"))
    with pytest.raises(BadStudy, match="from an empty board"):
        line_as_gcg(tree, replay(tree, RULES, game), [])


def test_the_position_is_written_as_cgp(game: Fribble) -> None:
    text = cgp.write(played(game, "8H FRIBBLE", racks=["BBEFILR", "EINDRST"]).to_cgp())
    assert text.startswith("15/15/15/15/15/15/15/7FRIBBLE1/15/15/15/15/15/15/15 DEINRST/ 0/69 0 lex ")


@examples(60)
@given(st.lists(st.sampled_from(["pass", "exchange 2", "best"]), max_size=12), st.data())
def test_no_tile_is_lost_whatever_is_played(game: Fribble, turns: list[str], data: st.DataObject) -> None:
    tree, node = StudyTree(start=start(game).model_dump(mode="json")), 0
    full = presets()["wwf"].tiles.full_bag
    for turn in turns:
        position = replay(tree, RULES, game)[node].position
        if position.is_over:
            break
        rack = "".join(data.draw(st.permutations(position.unseen + position.racks[position.to_move]))[:7])
        racks = list(position.racks)
        racks[position.to_move] = rack[: position.sizes[position.to_move]]
        if node:
            tree = changed(tree, node, known={"racks": racks})
        position = replay(tree, RULES, game)[node].position
        move = "pass" if turn == "best" or position.bag < 7 else turn
        tree, node = with_move(tree, node, RULES.play(game, position, move).move)
        after = replay(tree, RULES, game)[node].position
        assert len(after.board.tiles) + sum(after.sizes) + after.bag == len(full)
    assert StudyTree.model_validate_json(tree.model_dump_json()) == tree
