"""Trees of moves from a position: the content of a study board.

A node is a move after another node, or after the start. The first of several moves after a node is the main
line; the others are variations. Positions are not stored: ``replay`` computes them by the rules of the game,
so a tree is valid if it can be replayed.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from app.games.game import Frozen
from app.validation import fault_of, location_of, message_of, shorten

MOST_NODES: Final = 400
MOST_BYTES: Final = 60_000
"""The maximum size of a tree as JSON."""
START: Final = 0
"""The number of the start position; nodes are numbered from 1, in their order."""

Comment = Annotated[str, Field(max_length=1000)]
PlayerName = Annotated[str, Field(min_length=1, max_length=40)]

PositionT = TypeVar("PositionT", bound=Frozen)


class BadStudy(ValueError):
    """The tree, its start or a move is impossible; the message says what is wrong and what is accepted.

    ``location`` is the field, such as ``("nodes", 2, "move")``. ``reason`` begins with the place where that
    helps a reader, such as ``node 3 (CAT): ``; ``fault`` is the reason without it. ``others`` are
    further errors of the same position.
    """

    others: tuple["BadStudy", ...] = ()

    def __init__(self, reason: str, *location: str | int, fault: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.location = location
        if fault is None:
            fault = reason.removeprefix(f"{location[0]}: ") if location else reason
        self.fault = fault

    @property
    def every(self) -> tuple["BadStudy", ...]:
        """The error and the others."""
        return self, *self.others

    def at(self, where: str, *location: str | int) -> "BadStudy":
        """Return the error with a place in the tree before its location and, unless empty, its reason."""
        reason = f"{where}: {self.reason}" if where else self.reason
        placed = BadStudy(reason, *location, *self.location, fault=self.fault)
        placed.others = tuple(each.at(where, *location) for each in self.others)
        return placed


class StudyNode(Frozen):
    """A move, and the facts known after it."""

    parent: Annotated[int, Field(ge=START)]
    """The number of the node that it follows; 0 for the start."""
    move: Annotated[str, Field(min_length=1, max_length=300)]
    """In the game's notation."""
    known: dict[str, Any] = Field(default_factory=dict)
    """Fields of the position after the move that do not follow from the rules, such as the tiles drawn."""
    comment: Comment = ""
    """About the move."""


class StudyTree(Frozen):
    """A start and the moves from it."""

    start: dict[str, Any]
    """The start position, in the form of the game's StudyRules."""
    names: Annotated[tuple[PlayerName, ...], Field(max_length=6)] = ()
    """The players' names, if they are given."""
    comment: Comment = ""
    """About the start position."""
    nodes: Annotated[tuple[StudyNode, ...], Field(max_length=MOST_NODES)] = ()
    """Every node after its parent; the moves after one node in order, the main line first."""

    def children(self) -> dict[int, list[int]]:
        """Return the numbers of the nodes after each node, in order."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, node in enumerate(self.nodes, start=1):
            found[node.parent].append(number)
        return found

    def path(self, number: int) -> list[int]:
        """Return the numbers from the first move to this node; empty for the start."""
        found: list[int] = []
        while number:
            found.append(number)
            number = self.nodes[number - 1].parent
        return found[::-1]

    def line(self, number: int) -> list[int]:
        """Return the path to this node and, after it, the main line."""
        found, children = self.path(number), self.children()
        while following := children.get(number):
            number = following[0]
            found.append(number)
        return found


class Played(NamedTuple):
    """The result of a move."""

    position: Any
    move: str
    """The move as it is stored."""
    points: int | None = None
    """The points that it scores; None in games without points."""
    unlisted: tuple[str, ...] = ()
    """The words that are not in the word list, in upper case."""
    cells: tuple[int, ...] = ()
    """The cells of the move, to be marked on the board."""
    detail: Any = None
    """Details of the move for the game's engine or formats."""


class StudyRules(ABC, Generic[PositionT]):
    """The game-specific part of study boards. Stateless; ``game`` is the game over the position's lexicon."""

    kind: ClassVar[str]
    position_type: ClassVar[type[Frozen]]
    """The position; its field ``lexicon`` is the name of the word list."""
    known: ClassVar[frozenset[str]] = frozenset()
    """The fields of the position that a node may set."""

    def seats(self, position: PositionT) -> int:  # noqa: ARG002 - most boards are for two
        """Return the number of players of a checked position."""
        return 2

    @abstractmethod
    def checked(self, game: Any, position: PositionT) -> PositionT:
        """Return the position with derived fields filled in. Raises BadStudy."""

    def unlisted(self, game: Any, position: PositionT) -> tuple[str, ...]:  # noqa: ARG002 - few positions show words
        """Return the words on a position's board that are not in the word list, in upper case."""
        return ()

    @abstractmethod
    def play(self, game: Any, position: PositionT, move: str) -> Played:
        """Return the result of a move by the side to move. Raises BadStudy."""

    @abstractmethod
    def ending(self, position: PositionT) -> str | None:
        """Return why the game is over, as a sentence for players; None while it is not."""


@contextmanager
def collecting_faults(faults: list[BadStudy]) -> Iterator[None]:
    """Add a BadStudy of the block to ``faults`` instead of raising it."""
    try:
        yield
    except BadStudy as fault:
        faults += fault.every


def raise_all(faults: Sequence[BadStudy]) -> None:
    """Raise the first of the faults, with the others attached; return if there are none."""
    if faults:
        first, *others = faults
        first.others = tuple(others)
        raise first


def read_position(
    rules: StudyRules[PositionT], fields: Mapping[str, Any], faults: Sequence[BadStudy] = ()
) -> PositionT:
    """Parse a position. Raises BadStudy naming the field, also for ``faults`` found before."""
    try:
        found: Any = rules.position_type.model_validate(fields)
    except ValidationError as error:
        wrong = [
            BadStudy(fault_of(each), *location_of(each), fault=message_of(each)) for each in error.errors()
        ]
        raise_all([*faults, *wrong])
    raise_all(faults)
    position: PositionT = found
    return position


def replay(tree: StudyTree, rules: StudyRules[Any], game: Any) -> tuple[Played, ...]:
    """Return the result of each node, by number; the start first. Raises BadStudy naming the node."""
    try:
        start = rules.checked(game, read_position(rules, tree.start))
    except BadStudy as error:
        raise error.at("start", "start") from None
    steps = [Played(start, "", unlisted=rules.unlisted(game, start))]
    taken: dict[tuple[int, str], int] = {}
    for number, node in enumerate(tree.nodes, start=1):
        where = f"node {number} ({shorten(node.move)})"
        try:
            if node.parent >= number:
                raise BadStudy(
                    f"parent {node.parent} does not come before it; accepted: 0 for the start to "
                    f"{number - 1}",
                    "parent",
                )
            step = after(rules, game, steps[node.parent].position, node)
            twin = taken.setdefault((node.parent, step.move), number)
            if twin != number:
                raise BadStudy(f"node {twin} is the same move", "move")
        except BadStudy as error:
            raise error.at(where, "nodes", number - 1) from None
        steps.append(step)
    return tuple(steps)


def after(rules: StudyRules[Any], game: Any, position: Any, node: StudyNode) -> Played:
    """Return the result of a node, given the position before it. Raises BadStudy."""
    if reason := rules.ending(position):
        raise BadStudy(f"the game is over: {reason}", "move")
    try:
        step = rules.play(game, position, node.move)
    except BadStudy as error:
        raise BadStudy(error.reason, "move") from None
    if not node.known:
        return step
    if foreign := sorted(node.known.keys() - rules.known):
        accepted = ", ".join(sorted(rules.known)) or "none"
        raise BadStudy(f"a move cannot set {foreign[0]}; accepted: {accepted}", "known", foreign[0])
    try:
        position = read_position(rules, step.position.model_dump() | node.known)
        return step._replace(position=rules.checked(game, position))
    except BadStudy as error:
        raise error.at("", "known") from None


def standard(tree: StudyTree, steps: Sequence[Played]) -> StudyTree:
    """Return the tree with its start completed and its moves in the notation that is stored."""
    nodes = tuple(
        node.model_copy(update={"move": step.move}) for node, step in zip(tree.nodes, steps[1:], strict=True)
    )
    return tree.model_copy(update={"start": steps[START].position.model_dump(mode="json"), "nodes": nodes})


def with_move(tree: StudyTree, parent: int, move: str) -> tuple[StudyTree, int]:
    """Return the tree with a move, as stored, after a node, and its number; unchanged if it is there already.

    Raises BadStudy if the tree is full.
    """
    for number in tree.children().get(parent, ()):
        if tree.nodes[number - 1].move == move:
            return tree, number
    if len(tree.nodes) >= MOST_NODES:
        raise BadStudy(f"the board is full: it has {MOST_NODES} moves, the most accepted", "nodes")
    nodes = (*tree.nodes, StudyNode(parent=parent, move=move))
    return tree.model_copy(update={"nodes": nodes}), len(nodes)


def changed(tree: StudyTree, number: int, **fields: Any) -> StudyTree:
    """Return the tree with a new ``comment`` or ``known`` of a node, or a new ``comment`` of the start."""
    if number == START:
        return StudyTree.model_validate(tree.model_dump() | fields)
    nodes = list(tree.nodes)
    nodes[number - 1] = StudyNode.model_validate(nodes[number - 1].model_dump() | fields)
    return tree.model_copy(update={"nodes": tuple(nodes)})


def without(tree: StudyTree, number: int) -> StudyTree:
    """Return the tree without a node and all that follows it."""
    gone = {number}
    for other, node in enumerate(tree.nodes, start=1):
        if node.parent in gone:
            gone.add(other)
    return _renumbered(tree, [other for other in range(1, len(tree.nodes) + 1) if other not in gone])[0]


def promoted(tree: StudyTree, number: int) -> tuple[StudyTree, int]:
    """Return the tree with the moves to a node as its main line, and the node's new number."""
    chosen, children = set(tree.path(number)), tree.children()
    order, waiting = list[int](), [START]
    while waiting:
        current = waiting.pop()
        if current:
            order.append(current)
        following = sorted(children.get(current, ()), key=lambda child: child not in chosen)
        waiting += reversed(following)
    moved, numbers = _renumbered(tree, order)
    return moved, numbers[number]


def _renumbered(tree: StudyTree, order: Sequence[int]) -> tuple[StudyTree, dict[int, int]]:
    """Return the tree of these nodes in this order, and their new numbers."""
    numbers = {START: START} | {old: new for new, old in enumerate(order, start=1)}
    nodes = tuple(
        tree.nodes[old - 1].model_copy(update={"parent": numbers[tree.nodes[old - 1].parent]})
        for old in order
    )
    return tree.model_copy(update={"nodes": nodes}), numbers


class Row(NamedTuple):
    """Consecutive moves in the list of moves."""

    depth: int
    """0 for the main line, 1 for its variations, and so on."""
    numbers: tuple[int, ...]
    continues: bool
    """Whether the row continues a line that was interrupted by variations."""


def rows_of(tree: StudyTree) -> Iterator[Row]:
    """Yield the moves as they are listed: a line, and below each of its moves the variations to that move."""
    children = tree.children()
    # The beginnings of rows: with a node, or after it. A stack, because variations may be nested deeply.
    waiting = [(START, 0, False)]
    while waiting:
        number, depth, begins = waiting.pop()
        line, current = [number] if begins else [], number
        while following := children.get(current):
            current = following[0]
            line.append(current)
            if len(following) > 1:
                waiting.append((current, depth, False))
                waiting += [(other, depth + 1, True) for other in reversed(following[1:])]
                break
        if line:
            yield Row(depth, tuple(line), continues=not begins and number != START)


def names_of(tree: StudyTree, seats: int = 2) -> tuple[str, ...]:
    """Return the players' names, or ``Player 1`` and so on."""
    given: Iterable[str] = tree.names[:seats]
    return (*given, *(f"Player {seat + 1}" for seat in range(len(tree.names[:seats]), seats)))
