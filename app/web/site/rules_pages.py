"""The rules of the games, as pages and as sheets over a game."""

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from app.validation import quote
from app.web.services import ServicesDep
from app.web.table.page import HtmxRequest
from app.web.templating import templates

router = APIRouter(prefix="/rules", include_in_schema=False)


@router.get("")
def all_rules(request: Request) -> Response:
    """The list of all rules."""
    return templates.TemplateResponse(request, "site/all_rules.html", {})


@router.get("/{kind}")
def rules_page(
    kind: str,
    request: Request,
    services: ServicesDep,
    lexicon: str | None = None,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The rules of one game, or only their text for a sheet; the sheet of a table names its word list."""
    room = services.rooms.get(kind)
    rules = room.rules() if room else None
    if rules is None:
        raise HTTPException(404, f"there are no rules of {quote(kind)}")
    template = "site/_rules.html" if is_htmx else "site/rules.html"
    library = services.library
    word_list = None if lexicon is None else library.info(lexicon)
    context = {"room": room, "rules": rules, "sheet": is_htmx, "word_list": word_list, "library": library}
    return templates.TemplateResponse(request, template, context, headers={"Vary": "HX-Request"})
