"""Games of Wibble as study boards."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from app.games.departures import ENDINGS
from app.games.study_tree import MOST_NODES, BadStudy, StudyNode, StudyTree
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, State
from app.games.wibble.study import (
    HINT,
    PASS,
    RESIGN,
    SHUFFLE,
    StudyPosition,
    WibbleStudy,
    swap_text,
    word_text,
)

_RULES: Final = WibbleStudy()
_PLAIN: Final = {"shuffled": SHUFFLE, "hinted": HINT, "passed": PASS}


def tree_of_game(game: Wibble, states: Sequence[State], names: Sequence[str]) -> StudyTree:
    """Return the tree of a game, with the tiles that replaced others. Raises BadStudy."""
    options = states[0].options
    if options.mode == "adventure":
        raise BadStudy(
            "levels of Adventure cannot be opened: their goals and obstacles are not on study boards"
        )
    dealt = next((state for state in states if state.board is not None), None)
    if dealt is None or dealt.board is None:
        raise BadStudy("the game has no board: it ended before the deal")
    start = StudyPosition(
        mode=options.mode,
        values=options.values,
        scores=dealt.scores,
        held=dealt.gems,
        lexicon=dealt.lexicon.name,
        **known_fields(dealt.board),
    )
    position = _RULES.checked(game, start)
    nodes = list[StudyNode]()
    for state, move in _moves(states):
        reached = _RULES.play(game, position, move).position
        position = _RULES.checked(game, reached.model_copy(update=_update(state)))
        shown = position.model_dump(mode="json")
        known = {
            name: shown[name] for name in _RULES.known if getattr(reached, name) != getattr(position, name)
        }
        nodes.append(StudyNode(parent=len(nodes), move=move, known=known))
    if len(nodes) > MOST_NODES:
        raise BadStudy(f"the game has {len(nodes):,} moves: a study board has up to {MOST_NODES}")
    return StudyTree(start=start.model_dump(mode="json"), names=tuple(names), nodes=tuple(nodes))


def node_of(states: Sequence[State], ply: int) -> int:
    """Return the number of the node of a game's tree after ``ply`` moves."""
    return sum(1 for _ in _moves(states[: ply + 1]))


def known_fields(board: Board) -> dict[str, Any]:
    """Return a board as fields of a position."""
    letter, word = board.letter_bonus, board.word_bonus
    return {
        "board": board.letters,
        "gems": board.gems,
        "dl": letter.cell if letter and letter.factor == 2 else None,
        "tl": letter.cell if letter and letter.factor != 2 else None,
        "x2": word.cell if word else None,
    }


def _update(state: State) -> dict[str, Any]:
    return known_fields(state.board) if state.board else {}


def _moves(states: Sequence[State]) -> Iterator[tuple[State, str]]:
    """Yield the moves that change a position, each with the state after it."""
    for before, after in pairwise(states):
        # A word shown to a partner does not change the report, which is still that of an earlier move.
        if before.board is not None and not after.latest_suggestions and (move := _move(after)):
            yield after, move


def _move(after: State) -> str:
    """Return the latest move in the notation of study boards; empty if it does not change the position."""
    report = after.report
    if report is None or after.board is None:
        return ""
    match report.result:
        case "scored":
            return word_text(report.word, report.cells)
        case "not_a_word" if report.replaced:
            return word_text(report.word, report.cells, counts=False)
        case "swapped":
            (cell,) = report.cells
            return swap_text(((cell, after.board.letters[cell]),))
        case "resigned" | "out_of_time" | "not_begun" if after.reason not in ENDINGS.values():
            return f"{RESIGN} {report.seat + 1}"
    return _PLAIN.get(report.result, "")
