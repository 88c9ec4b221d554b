"""Boggle's board generator page and board page. The URL holds all options and reproduces the boards."""

from collections import defaultdict
from collections.abc import Mapping
from secrets import token_hex
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from app.games.boggle.board import parse_board
from app.games.boggle.board_request import OPTIONS
from app.games.boggle.catalogue import Entry, catalogue, has_published
from app.rooms.boggle.api import SolveRequest, WordAnswer, solved
from app.rooms.boggle.generate_api import GenerateAnswer, GenerateRequest, generated
from app.rooms.boggle.room import ROOM
from app.rooms.boggle.study import BoggleStudyRoom
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.pool import EnginesCompiling
from app.web.services import Services, ServicesDep
from app.web.share.pages import picture
from app.web.share.tiles import tile_rows
from app.web.templating import templates

PATH: Final = "/boggle/generator"
BOARD_PATH: Final = "/boggle/board"
STUDY_PATH: Final = "/boggle/solver"

Rows: TypeAlias = Annotated[
    str, Field(max_length=100), AfterValidator(lambda text: " ".join(parse_board(text).rows))
]
"""A board as text; parsed into rows separated by spaces."""
MOST_SHOWN: Final = 60
"""Maximum number of boards on the page; the API generates more."""

MEASURED_LENGTH: Final = 3
NOT_MEASURED: Final = (
    "Averages are available only for 4x4 boards, words of three letters or more, and dwyl’s "
    "words_alpha (370,073 words)."
)

router = APIRouter(include_in_schema=False, dependencies=[limited("engines")])

Fields = dict[str, str]
"""Input or error message by field name; errors that belong to no single field are under ``""``."""


class GalleryQuery(GenerateRequest):
    """The page's query parameters."""

    model_config = ConfigDict(extra="ignore")

    count: Annotated[int, Field(ge=1, le=MOST_SHOWN)] = 12


@router.get(PATH)
def generator_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The generator page: boards for the query parameters; errors are shown at the form's fields."""
    typed = _typed(request)
    fresh = typed.pop("fresh", None) or "seed" not in typed
    query, errors = _read(typed)
    if fresh and query is not None:
        return RedirectResponse(f"{PATH}?{urlencode(typed | {'seed': token_hex(4)})}", status_code=303)
    answer, busy = None, False
    if query is not None:
        try:
            with collecting_errors(errors, typed):
                answer = generated(query, services, caller)
        except EnginesCompiling as error:
            errors, busy = {"": str(error)}, True
    status = 503 if busy else 422 if errors else 200
    return _page(request, services, typed, query, answer, errors, status)


@router.get(BOARD_PATH)
def board_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """All words of a board, with the path of the word in ``show``."""
    typed = _typed(request)
    shown = typed.pop("show", "")
    try:
        body = SolveRequest.model_validate(typed)
    except ValidationError as invalid:
        located = [error | {"loc": ("query", *error["loc"])} for error in invalid.errors()]
        raise RequestValidationError(located) from None
    answer = solved(body, services, caller)
    by_length: dict[int, list[WordAnswer]] = defaultdict(list)
    for word in sorted(answer.words, key=lambda word: word.word):
        by_length[len(word.word)].append(word)
    context = {
        "rows": answer.board,
        "qu": answer.qu,
        "min_length": body.min_length,
        "lexicon": body.lexicon,
        "total": answer.word_count,
        "points": answer.points,
        "lengths": sorted(by_length.items(), reverse=True),
        "shown": next((word for word in answer.words if word.word == shown), None),
        "address": f"{BOARD_PATH}?{urlencode(typed)}",
        "preview_address": f"{BOARD_PATH}/preview.png?{urlencode({'board': ' '.join(answer.board)})}",
    }
    return templates.TemplateResponse(request, "boggle/board.html", context)


@router.get(f"{BOARD_PATH}/preview.png")
def board_preview(board: Rows, services: ServicesDep, caller: CallerDep) -> Response:
    """The picture that messengers show with a link to a board."""
    return picture(services, caller, ROOM, ROOM.title, "How many words do you see?", tile_rows(board.split()))


@router.get(STUDY_PATH)
def study_page(request: Request) -> Response:
    """Redirect to the study board, with the same board."""
    fields = _typed(request)
    address = BoggleStudyRoom.address
    return RedirectResponse(f"{address}?{urlencode(fields)}" if fields else address, status_code=307)


def _typed(request: Request) -> Fields:
    """The non-empty query parameters; an empty field means the default."""
    return {name: text.strip() for name, text in request.query_params.items() if text.strip()}


def _read(typed: Mapping[str, str]) -> tuple[GalleryQuery | None, Fields]:
    """Parse the query, ignoring options of other algorithms; return it, or None and errors by field."""
    taken = {*OPTIONS.get(typed.get("algorithm", "trip").lower(), ()), "min_words"}
    others = {option for options in OPTIONS.values() for option in options} - taken
    fields: dict[str, Any] = {name: text for name, text in typed.items() if name not in others}
    if fields.get("algorithm") == "dice":
        fields.setdefault("qu", "true")  # as printed on the dice
    errors: Fields = {}
    with collecting_errors(errors, typed):
        return GalleryQuery.model_validate(fields), errors
    return None, errors


def _page(
    request: Request,
    services: Services,
    typed: Fields,
    query: GalleryQuery | None,
    answer: GenerateAnswer | None,
    errors: Fields,
    status: int,
) -> Response:
    entries: dict[str, Entry] = {entry.name: entry for entry in catalogue()}
    usual = {name: field.get_default() for name, field in GalleryQuery.model_fields.items()}
    chosen = entries.get(typed.get("algorithm", str(usual["algorithm"])).lower())
    context = {
        "typed": typed,
        "usual": usual,
        "query": query,
        "answer": answer,
        "errors": errors,
        "entries": list(entries.values()),
        "entry": chosen,
        "measured": _is_measured(services, query, answer),
        "not_measured": NOT_MEASURED,
        "best": max(entry.averages.points for entry in entries.values() if entry.averages),
        "address_of": lambda name: f"{PATH}?{urlencode(_kept(typed) | {'algorithm': name})}",
        "board_address": lambda rows: _board_address(rows, query, answer),
        "lexicons": [info.name for info in services.library.names()],
        "most_shown": MOST_SHOWN,
    }
    return templates.TemplateResponse(request, "boggle/generator.html", context, status_code=status)


def _is_measured(services: Services, query: GalleryQuery | None, answer: GenerateAnswer | None) -> bool:
    """Whether the catalogue's averages apply to these boards."""
    if query is None or answer is None or query.min_length != MEASURED_LENGTH or answer.qu:
        return False
    return has_published(services.library.info(query.lexicon).sha256, query.grid.rows, query.grid.columns)


def _kept(typed: Fields) -> Fields:
    """The parameters to keep when switching to another algorithm."""
    return {name: typed[name] for name in ("size", "count", "seed", "lexicon", "min_length") if name in typed}


def _board_address(rows: list[str], query: GalleryQuery | None, answer: GenerateAnswer | None) -> str:
    fields: Fields = {"board": " ".join(rows)}
    if answer is not None and answer.qu:
        fields["qu"] = "true"
    if query is not None:
        fields |= {"min_length": str(query.min_length), "lexicon": query.lexicon}
    return f"{BOARD_PATH}?{urlencode(fields)}"
