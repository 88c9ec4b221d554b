"""Pages of study boards: new boards, boards of games and puzzles, and stored boards.

A board that is not stored is described by its URL; its first change stores it. All pages have the same
parameters: ``at`` is the number of the node shown, ``engine`` the way to evaluate it, ``download`` a format.
"""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import RedirectResponse

from app.games.study_tree import START, BadStudy
from app.store.study_boards import LONGEST_TITLE, clean_title
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.services import Player, Services, ServicesDep
from app.web.site.sign_in_methods import guest_days
from app.web.study.changes import PATH, change_board, store_as
from app.web.study.display import Errors, Filled, base_of, setup_errors, setup_of, show_board
from app.web.study.studies import (
    Study,
    checked,
    of_fields,
    of_game,
    of_puzzle,
    read_file,
    stored,
    study_rooms,
)
from app.web.table.page import FormFields
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


@router.get(PATH)
def boards_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's boards, and a form for opening a file."""
    return _list(request, services, player, {})


@router.post(f"{PATH}/open", dependencies=[limited("engines", "guests")])
def open_file(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    kind: Annotated[str, Form(max_length=32)],
    file: Annotated[UploadFile, File()],
) -> Response:
    """Open a downloaded board, or another file that the room can read, as a new board."""
    try:
        text = file.file.read().decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            study = checked(services, caller, *read_file(text, kind))
        else:
            study = of_fields(services, caller, _kind_of_text(services, kind), {"position": text})
        return store_as(
            services, caller, request, study, study.tree, START, "", title=_title_of(file.filename)
        )
    except UnicodeDecodeError:
        errors = {"file": "the file is not text in UTF-8"}
    except BadStudy as error:
        errors = {"file": "; ".join(each.reason for each in error.every)}
    return _list(request, services, caller.player, errors, kind)


@router.get(f"{PATH}/new/{{kind}}", dependencies=[limited("engines")])
def new_board(kind: str, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The board described by the query parameters; an empty one without any."""
    return show_new(request, services, caller, kind)


@router.post(f"{PATH}/new/{{kind}}", dependencies=[limited("engines", "guests")])
def change_new(
    kind: str, fields: FormFields, request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """Change such a board and store it."""
    return change_board(request, services, caller, fields, _new(services, caller, kind, request))


@router.get(f"{PATH}/games/{{game_id}}", dependencies=[limited("engines")])
def game_board(
    game_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    ply: int | None = None,
) -> Response:
    """A board with a finished game, after ``ply`` moves."""
    study = of_game(services, caller, game_id, ply)
    return show_board(request, services, caller, study, f"{PATH}/games/{game_id}")


@router.post(f"{PATH}/games/{{game_id}}", dependencies=[limited("engines", "guests")])
def change_game_board(
    game_id: str, fields: FormFields, request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """Change such a board and store it."""
    return change_board(request, services, caller, fields, of_game(services, caller, game_id, None))


@router.get(f"{PATH}/puzzles/{{puzzle_id}}", dependencies=[limited("engines")])
def puzzle_board(puzzle_id: str, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """A board with the position of a puzzle."""
    study = of_puzzle(services, caller, puzzle_id)
    return show_board(request, services, caller, study, f"{PATH}/puzzles/{puzzle_id}")


@router.post(f"{PATH}/puzzles/{{puzzle_id}}", dependencies=[limited("engines", "guests")])
def change_puzzle_board(
    puzzle_id: str, fields: FormFields, request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """Change such a board and store it."""
    return change_board(request, services, caller, fields, of_puzzle(services, caller, puzzle_id))


@router.get(f"{PATH}/{{board_id}}")
def stored_board(board_id: str, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """A stored board, for everybody who knows its URL."""
    study = stored(services, caller, board_id)
    return show_board(request, services, caller, study, f"{PATH}/{board_id}")


@router.post(f"{PATH}/{{board_id}}", dependencies=[limited("engines", "guests")])
def change_stored(
    board_id: str, fields: FormFields, request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """Change a board; another player's is copied first."""
    return change_board(request, services, caller, fields, stored(services, caller, board_id))


@router.post(f"{PATH}/{{board_id}}/delete")
def delete_board(board_id: str, services: ServicesDep, player: Player) -> Response:
    """Delete one of the player's boards."""
    services.study_boards.remove(player, board_id)
    return RedirectResponse(PATH, status_code=303)


def show_new(request: Request, services: Services, caller: Caller, kind: str) -> Response:
    """The board described by the query parameters; in case of errors an empty board with them."""
    fields = setup_of(request)
    try:
        study = _new(services, caller, kind, request)
        form = Filled(fields)
    except BadStudy as error:
        if error.location[:1] == ("kind",):
            raise invalid_field(error.reason, "path", "kind") from None
        study = of_fields(services, caller, kind, {})
        form = Filled(fields, setup_errors(study, error))
    return show_board(request, services, caller, study, base_of(request), form)


def _new(services: Services, caller: Caller, kind: str, request: Request) -> Study:
    return of_fields(services, caller, kind, setup_of(request))


def _kind_of_text(services: Services, kind: str) -> str:
    """The kind of game of a text file: ``kind``, if its room can read such files. Raises BadStudy."""
    kinds = [
        name for name, room in study_rooms(services.rooms).items() if room.study and room.study.reads_text
    ]
    if not kinds:
        raise BadStudy("the file is not a board downloaded from this site", "file")
    return kind if kind in kinds else kinds[0]


def _list(
    request: Request, services: Services, player: str | None, errors: Errors, kind: str = ""
) -> Response:
    context = {
        "chosen": kind,
        "boards": services.study_boards.of_player(player),
        "guest_days": guest_days(services, player),
        "study_rooms": study_rooms(services.rooms),
        "errors": errors,
    }
    return templates.TemplateResponse(
        request, "study/boards.html", context, status_code=422 if errors else 200
    )


def _title_of(filename: str | None) -> str:
    """The file's name without its extension; empty if it is not valid as a title."""
    stem = (filename or "").rpartition("/")[2].removesuffix(".json").removesuffix(".gcg")
    with suppress(BadStudy):
        return clean_title(stem[:LONGEST_TITLE])
    return ""
