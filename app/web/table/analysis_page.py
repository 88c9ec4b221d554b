"""The analysis of a finished game, on the page of its table or as a fragment."""

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.store.models import Table
from app.web.guard.limits import CallerDep, get_caller
from app.web.services import Services, ServicesDep
from app.web.table.page import HtmxRequest, show_table, table_context
from app.web.templating import templates

router = APIRouter(include_in_schema=False, dependencies=[Depends(get_caller)])


@router.get("/games/{game_id}/analysis")
async def analysis(
    game_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The analysis of a finished game, as a fragment or within its page."""
    table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    found = await services.analyst.analysis(table, caller)
    return await run_in_threadpool(
        _show_analysis, request, services, table, caller.player, found, fragment=is_htmx
    )


@router.get("/games/{game_id}/analysis/progress")
async def analysis_progress(
    game_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    searched: Annotated[int, Query(ge=0)],
) -> Response:
    """The changes in an analysis since the deeper search had judged ``searched`` turns."""
    table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    found = await services.analyst.analysis(table, caller)
    return await run_in_threadpool(
        _show_analysis, request, services, table, caller.player, found, fragment=True, searched=searched
    )


def _show_analysis(
    request: Request,
    services: Services,
    table: Table,
    player: str | None,
    analysis: str,
    *,
    fragment: bool,
    searched: int | None = None,
) -> Response:
    """Show an analysis given as JSON, as a fragment or within the table's page.

    With ``searched``, only the changes since the deeper search had judged that many turns.
    """
    found = json.loads(analysis)
    if not fragment:
        return show_table(request, services, table, player, found=found)
    context = {
        "analysis": found,
        "searches_on": services.analyst.searches_on(table.id),
        **table_context(services, table, player),
    }
    if searched is not None:
        context["searched"] = searched
    return templates.TemplateResponse(request, "table/analysis.html", context, block_name="analysis")
