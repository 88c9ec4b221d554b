"""The form for adding the words missed in a finished game to the player's cards."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.store.cards import CardKey
from app.store.models import NotYourSeat, Table
from app.web.guard.limits import CallerDep, charge, limited
from app.web.guard.rates import Caller
from app.web.preferences import PreferencesDep, preferences_of
from app.web.services import Services, ServicesDep
from app.web.site.card_texts import ASK_TITLES
from app.web.table.missed_words import MOST
from app.web.templating import templates

router = APIRouter(include_in_schema=False, dependencies=[limited("engines")])


@router.get("/games/{game_id}/cards")
async def offer(game_id: str, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The form with the missed words to choose from."""
    table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    keys = await _offered(services, table, caller)
    return await run_in_threadpool(_show, request, services, table, caller, keys)


@router.post("/games/{game_id}/cards")
async def add(
    game_id: str,
    services: ServicesDep,
    caller: CallerDep,
    request: Request,
    preferences: PreferencesDep,
    card: Annotated[list[str], Form(max_length=MOST)] = [],  # noqa: B006 - FastAPI copies it
    always: Annotated[bool, Form()] = False,  # noqa: FBT002 - a form field
) -> Response:
    """Add the chosen words, and store whether to always add missed words."""
    table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    keys = [key for key in await _offered(services, table, caller) if _value(key) in card]

    def store() -> Response:
        player = caller.player or ""
        charge(services, caller, "cards", services.cards.number_new(caller.player, keys))
        added = services.cards.add(player, keys, services.clock(), game_id)
        response = RedirectResponse(f"/cards?added={added}", status_code=303)
        if preferences.learn_missed is not always:
            services.guests.prefer(request, response, preferences.model_copy(update={"learn_missed": always}))
        return response

    return await run_in_threadpool(store)


async def _offered(services: Services, table: Table, caller: Caller) -> list[CardKey]:
    """The cards that the game offers to the player. Raises NotYourSeat, PoolFull."""
    seat = table.seat_of(caller.player)
    if seat is None:
        raise NotYourSeat("only the players of this game can add its words to their cards")
    analysis = await services.analyst.analysis(table, caller)
    of_seat = services.missed_words.of_seat
    return await run_in_threadpool(
        services.pool.run, caller, f"{table.kind} cards", of_seat, table, seat, analysis
    )


def _show(
    request: Request, services: Services, table: Table, caller: Caller, keys: list[CardKey]
) -> Response:
    missing = set(services.cards.missing(caller.player, keys))
    context: dict[str, Any] = {
        "game_id": table.id,
        "lines": [
            {"key": key, "value": _value(key), "title": ASK_TITLES[key.ask], "held": key not in missing}
            for key in keys
        ],
        "always": preferences_of(request).learn_missed,
        "default_lexicon": services.library.default,
    }
    headers = {"Cache-Control": "no-store"}
    return templates.TemplateResponse(request, "table/missed_words.html", context, headers=headers)


def _value(key: CardKey) -> str:
    return f"{key.ask} {key.word}"
