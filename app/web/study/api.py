"""The API of study boards: trees of moves, checked against the rules."""

from typing import Annotated, Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field

from app.games.study_tree import BadStudy, StudyTree
from app.store.study_boards import LONGEST_TITLE, BoardInfo, UnknownBoard, clean_title
from app.web.guard.limits import CallerDep, charge, limited
from app.web.guard.problems import describe
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.study.studies import Study, checked, stored

router = api_router("/api/boards", "boards")

_TREE: Final[Any] = {
    "start": {"racks": ["BBEFILR", ""]},
    "nodes": [{"parent": 0, "move": "8H FRIBBLE"}, {"parent": 1, "move": "H8 .RIENDS"}],
}
Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]


class BoardSummary(Documented):
    """One of your study boards, without its tree."""

    id: str
    """The ID; the page of the board is `/boards/ID`."""
    kind: str
    """The game."""
    title: str
    """The board's name."""
    kept: bool
    """False for boards that are removed seven days after their last change."""
    revision: int
    """Number of the latest change, from 1."""
    created_at: float
    """Time of creation, in seconds since the epoch."""
    changed_at: float
    """Time of the latest change, in seconds since the epoch."""


class BoardList(Documented):
    """Your study boards."""

    boards: list[BoardSummary]
    """The boards, the most recently changed first."""


class StepAnswer(Documented):
    """The position after a node of the tree."""

    node: int
    """The node's number: 0 for the start, then from 1 in the order of `nodes`."""
    points: int | None
    """Points of the move; null for the start, and in games whose moves score nothing."""
    unlisted: list[str]
    """The move's words that are not in the word list, in upper case."""
    over: str | None
    """Why the game is over; null if it is not."""


class BoardAnswer(BoardSummary):
    """A study board."""

    mine: bool
    """Whether the board is yours, so that you may change it."""
    tree: StudyTree
    """The start position and the moves from it."""
    steps: list[StepAnswer]
    """The steps by number of their node, the start first."""


class NewBoard(Documented):
    """A study board to store."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"kind": "fribble", "title": "An opening", "tree": _TREE}]},
    )

    kind: Annotated[str, Field(max_length=32, examples=["fribble"])]
    """The game."""
    title: Title = "Study board"
    """The board's name."""
    kept: bool = True
    """Whether to keep the board; otherwise it is removed seven days after its last change."""
    tree: StudyTree
    """The start position and the moves from it."""


class ChangedBoard(Documented):
    """The parts of a board that can be changed."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"title": "An opening", "kept": True, "tree": _TREE}]},
    )

    title: Title
    """The board's name."""
    kept: bool
    """Whether to keep the board; otherwise it is removed seven days after its last change."""
    tree: StudyTree
    """The start position and the moves from it."""
    revision: int | None = None
    """The revision that you read: 409 if the board has been changed since. By default it is not checked."""


@router.get("", response_model=BoardList, summary="List your study boards")
def list_boards(services: ServicesDep, player: Player) -> BoardList:
    """Your boards without their trees, kept or not."""
    return BoardList(boards=[_summary(info) for info in services.study_boards.of_player(player)])


@router.post(
    "",
    response_model=BoardAnswer,
    status_code=201,
    summary="Store a study board",
    dependencies=[limited("engines", "guests")],
)
def add_board(
    body: JsonBody[NewBoard], request: Request, response: Response, services: ServicesDep, caller: CallerDep
) -> BoardAnswer:
    """Store a tree of up to 400 moves and 60,000 bytes, replayed by the game's rules. Errors name the node.

    Fields left out of `tree.start` get the game's defaults; the answer has all of them.
    """
    study = _checked(services, caller, body.kind, body.tree)
    title, now = clean_title(body.title), services.clock()  # before there is a guest
    charge(services, caller, "boards", 1)
    player = services.guests.welcome(request, response, now)
    info = services.study_boards.add(player, body.kind, study.tree, now, title=title, kept=body.kept)
    return _answer(info, study, player)


@router.get(
    "/{board_id}",
    response_model=BoardAnswer,
    summary="Get a study board",
    dependencies=[limited("engines")],
)
def see_board(board_id: str, services: ServicesDep, caller: CallerDep) -> BoardAnswer:
    """A board, yours or another player's. Anyone with the ID may read it."""
    study = stored(services, caller, board_id)
    if study.info is None:
        raise UnknownBoard(f"there is no board {board_id}")
    return _answer(study.info, study, caller.player)


@router.put(
    "/{board_id}",
    response_model=BoardAnswer,
    summary="Change a study board",
    dependencies=[limited("engines")],
    responses=describe(409),
)
def change_board(
    board_id: str, body: JsonBody[ChangedBoard], services: ServicesDep, caller: CallerDep
) -> BoardAnswer:
    """Replace the title and tree of one of your boards, and set whether it is kept."""
    kind = services.study_boards.board(board_id).info.kind
    study = _checked(services, caller, kind, body.tree)
    info = services.study_boards.change(
        caller.player,
        board_id,
        services.clock(),
        revision=body.revision,
        tree=study.tree,
        title=body.title,
        kept=body.kept,
    )
    return _answer(info, study, caller.player)


@router.delete("/{board_id}", status_code=204, response_class=Response, summary="Delete a study board")
def delete_board(board_id: str, services: ServicesDep, player: Player) -> None:
    """Delete one of your boards."""
    services.study_boards.remove(player, board_id)


def _checked(services: Services, caller: Caller, kind: str, tree: StudyTree) -> Study:
    """Replay a tree. Raises RequestValidationError naming the node."""
    try:
        return checked(services, caller, kind, tree)
    except BadStudy as error:
        root = ("body",) if error.location[:1] == ("kind",) else ("body", "tree")
        found = [{"loc": (*root, *each.location), "msg": each.fault} for each in error.every]
        raise RequestValidationError(found) from error


def _summary(info: BoardInfo) -> BoardSummary:
    return BoardSummary.model_validate(info, from_attributes=True)


def _answer(info: BoardInfo, study: Study, player: str | None) -> BoardAnswer:
    steps = [
        StepAnswer(
            node=number,
            points=step.points,
            unlisted=list(step.unlisted),
            over=study.board.rules.ending(step.position),
        )
        for number, step in enumerate(study.steps)
    ]
    return BoardAnswer(
        **_summary(info).model_dump(), mine=info.player_id == player, tree=study.tree, steps=steps
    )
