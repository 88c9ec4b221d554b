"""Trees of moves can be stored and replayed after any operation, and no line is lost."""

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import Frozen
from app.games.study_tree import (
    MOST_NODES,
    BadStudy,
    Played,
    StudyNode,
    StudyRules,
    StudyTree,
    changed,
    names_of,
    promoted,
    replay,
    rows_of,
    with_move,
    without,
)
from tests.examples import examples


class Walk(Frozen):
    """A number that moves change."""

    lexicon: str = ""
    at: int = 0


class Walking(StudyRules[Walk]):
    """Moves are numbers to go; 99 is not accepted."""

    kind: ClassVar[str] = "walk"
    position_type: ClassVar[type[Frozen]] = Walk
    known: ClassVar[frozenset[str]] = frozenset({"at"})

    def checked(self, game: Any, position: Walk) -> Walk:  # noqa: ARG002
        return position

    def play(self, game: Any, position: Walk, move: str) -> Played:  # noqa: ARG002
        if move == "99":
            raise BadStudy("that is too far")
        return Played(position.model_copy(update={"at": position.at + int(move)}), move)

    def ending(self, position: Walk) -> str | None:
        return None if position.at < 1000 else "the end of the world"


RULES = Walking()
EMPTY = StudyTree(start={})


@st.composite
def trees(draw: st.DrawFn) -> StudyTree:
    tree = EMPTY
    for _ in range(draw(st.integers(0, 14))):
        parent = draw(st.integers(0, len(tree.nodes)))
        tree, _ = with_move(tree, parent, str(draw(st.integers(1, 4))))
    return tree


def lines(tree: StudyTree) -> set[tuple[str, ...]]:
    """The moves to each node."""
    return {
        tuple(tree.nodes[step - 1].move for step in tree.path(number))
        for number in range(1, len(tree.nodes) + 1)
    }


@examples(100)
@given(trees())
def test_a_tree_survives_storing_and_is_replayed_to_the_same_positions(tree: StudyTree) -> None:
    again = StudyTree.model_validate_json(tree.model_dump_json(exclude_defaults=True))
    assert again == tree
    steps = replay(again, RULES, None)
    for number, step in enumerate(steps):
        assert step.position.at == sum(int(tree.nodes[each - 1].move) for each in tree.path(number))


@examples(100)
@given(trees())
def test_every_move_is_listed_once_below_the_line_it_leaves(tree: StudyTree) -> None:
    rows = list(rows_of(tree))
    assert sorted(number for row in rows for number in row.numbers) == list(range(1, len(tree.nodes) + 1))
    main = [number for row in rows if row.depth == 0 for number in row.numbers]
    assert main == tree.line(0)
    for row in rows:
        for before, after in zip(row.numbers, row.numbers[1:], strict=False):
            assert tree.nodes[after - 1].parent == before


@examples(100)
@given(trees(), st.data())
def test_promoting_and_removing_keep_all_other_lines(tree: StudyTree, data: st.DataObject) -> None:
    if not tree.nodes:
        return
    number = data.draw(st.integers(1, len(tree.nodes)))
    path = tuple(tree.nodes[step - 1].move for step in tree.path(number))
    moved, new = promoted(tree, number)
    assert lines(moved) == lines(tree)
    assert moved.line(0)[: len(path)] == moved.path(new)
    assert tuple(moved.nodes[step - 1].move for step in moved.path(new)) == path
    replay(moved, RULES, None)
    left = without(tree, number)
    assert lines(left) == {line for line in lines(tree) if line[: len(path)] != path}
    replay(left, RULES, None)


@pytest.mark.parametrize(
    ("nodes", "says", "location"),
    [
        (
            [(0, "1", {}), (2, "1", {})],
            "node 2 (1): parent 2 does not come before it",
            ("nodes", 1, "parent"),
        ),
        ([(0, "1", {}), (0, "99", {})], "node 2 (99): that is too far", ("nodes", 1, "move")),
        ([(0, "1", {}), (0, "1", {})], "node 2 (1): node 1 is the same move", ("nodes", 1, "move")),
        (
            [(0, "1", {"to": 1})],
            "node 1 (1): a move cannot set to; accepted: at",
            ("nodes", 0, "known", "to"),
        ),
        ([(0, "1", {"at": "x"})], "node 1 (1): at: ", ("nodes", 0, "known", "at")),
        ([(0, "1", {"at": 1000}), (1, "1", {})], "node 2 (1): the game is over", ("nodes", 1, "move")),
    ],
)
def test_what_is_wrong_is_named_with_its_node(
    nodes: list[tuple[int, str, dict[str, Any]]], says: str, location: tuple[object, ...]
) -> None:
    listed = tuple(StudyNode(parent=parent, move=move, known=known) for parent, move, known in nodes)
    with pytest.raises(BadStudy) as refused:
        replay(EMPTY.model_copy(update={"nodes": listed}), RULES, None)
    assert refused.value.reason.startswith(says)
    assert refused.value.location == location


def test_a_full_tree_takes_no_more_moves() -> None:
    tree, node = EMPTY, 0
    for _ in range(MOST_NODES):
        tree, node = with_move(tree, node, "1")
    with pytest.raises(BadStudy, match="it has 400 moves, the most accepted"):
        with_move(tree, node, "1")
    assert with_move(tree, 0, "1") == (tree, 1), "one that is there is found"
    assert next(iter(rows_of(tree))).depth == 0


def test_names_and_comments() -> None:
    tree = changed(with_move(EMPTY, 0, "1")[0], 1, comment="Why?")
    assert (tree.nodes[0].comment, changed(tree, 0, comment="So").comment) == ("Why?", "So")
    assert names_of(tree) == ("Player 1", "Player 2")
    assert names_of(tree.model_copy(update={"names": ("Ada",)})) == ("Ada", "Player 2")
