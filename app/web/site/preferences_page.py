"""The settings page; at a table its form opens as a sheet over the game."""

import re
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from app.web.guard.limits import limited
from app.web.preferences import Preferences, PreferencesDep
from app.web.services import ServicesDep
from app.web.table.page import FormFields, HtmxRequest
from app.web.templating import templates

router = APIRouter(prefix="/settings", include_in_schema=False)

GAME: Final = re.compile(r"/games/[\w-]+")
"""The path of a game to go back to."""


@router.get("")
def settings_page(
    request: Request,
    services: ServicesDep,
    game: str = "",
    saved: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The page, with a link back to ``game``; or its form alone, for the sheet."""
    context: dict[str, Any] = {
        "game_address": game if GAME.fullmatch(game) else None,
        "saved": saved,
        "sheet": is_htmx,
        "lexicons": [info.name for info in services.library.names()],
    }
    template = "site/_settings_form.html" if is_htmx else "site/settings.html"
    return templates.TemplateResponse(request, template, context)


@router.post("", dependencies=[limited("names")])
def save(
    fields: FormFields,
    request: Request,
    services: ServicesDep,
    current: PreferencesDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Change the preferences in the form; those it leaves out stay as they are. Raises UnknownLexicon."""
    game = fields.pop("game", "")
    given = (
        current.model_dump()
        | fields
        | ({"lexicon": fields["lexicon"] or None} if "lexicon" in fields else {})
    )
    try:
        chosen = Preferences.model_validate(given)
    except ValidationError as error:
        raise RequestValidationError(error.errors(), body=fields) from error
    if fields.get("lexicon"):
        services.library.info(fields["lexicon"])
    back = f"&game={game}" if GAME.fullmatch(game) else ""
    response = Response(status_code=204) if is_htmx else RedirectResponse(f"/settings?saved=1{back}", 303)
    services.guests.prefer(request, response, chosen)
    return response
