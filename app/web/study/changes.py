"""Forms that change study boards: each stores the board and shows it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from app.games.study_tree import START, BadStudy, StudyTree
from app.store.study_boards import clean_title
from app.validation import quote
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.display import (
    Errors,
    Filled,
    Shown,
    base_of,
    known_errors,
    number_of,
    setup_errors,
    show_page,
)
from app.web.study.studies import (
    Study,
    as_main_line,
    of_fields,
    with_comment,
    with_known,
    with_names,
    with_played,
    without_node,
)

PATH: Final = "/boards"


def change_board(
    request: Request, services: Services, caller: Caller, fields: Mapping[str, str], study: Study
) -> Response:
    """Make the change in the field ``do``, store the board and show it; errors are shown at their field."""
    shown = Shown.of(study, base_of(request), fields)
    keep = fields.get("do") == "keep"
    title = fields.get("title", "").strip() if keep else ""
    try:
        tree, at = _changed(services, caller, study, shown.at, fields)
        title = title and clean_title(title)
    except BadStudy as error:
        form = Filled(fields, _errors(study, shown.at, fields, error))
        return show_page(request, services, caller, study, shown, form)
    # Another setup makes a new board, so that no moves are lost.
    is_new = fields.get("do") == "setup" and study.tree.nodes
    try:
        return store_as(
            services,
            caller,
            request,
            replace(study, info=None, title=study.name) if is_new else study,
            tree,
            at,
            shown.engine,
            title=title,
            keep=keep,
            revision=number_of(fields.get("revision", "")),
        )
    except BadStudy as error:
        form = Filled(fields, {"change": error.reason})
        return show_page(request, services, caller, study, shown, form)


_FIELDS: Final = {"play": "move", "comment": "comment", "names": "names", "keep": "title"}
"""The form field for errors, by kind of change."""


def _errors(study: Study, at: int, fields: Mapping[str, str], error: BadStudy) -> Errors:
    """The messages of the form that made a change, by field."""
    do = fields.get("do", "")
    if do == "setup":
        return setup_errors(study, error)
    if do == "known":
        return known_errors(study, error, fields)
    if do == "play" and study.board.rules.ending(study.steps[at].position):
        return {"change": error.reason}  # no move is asked for
    return {_FIELDS.get(do, "change"): error.reason}


def _changed(
    services: Services, caller: Caller, study: Study, at: int, fields: Mapping[str, str]
) -> tuple[StudyTree, int]:
    """The changed tree, and the node to show. Raises BadStudy."""
    changes: dict[str, Callable[[], tuple[StudyTree, int]]] = {
        "play": lambda: with_played(services, study, at, fields.get("move", "").strip()),
        "known": lambda: with_known(services, caller, study, at, fields),
        "comment": lambda: with_comment(study, at, fields.get("comment", "")),
        "names": lambda: with_names(study, at, fields),
        "remove": lambda: without_node(study, at),
        "promote": lambda: as_main_line(study, at),
        "setup": lambda: (of_fields(services, caller, study.room.kind, fields).tree, START),
        "keep": lambda: (study.tree, at),
        "copy": lambda: (study.tree, at),
    }
    do = fields.get("do", "")
    if do not in changes:
        raise BadStudy(f"do: {quote(do)} is unknown; accepted: {', '.join(changes)}", "do")
    return changes[do]()


def store_as(
    services: Services,
    caller: Caller,
    request: Request,
    study: Study,
    tree: StudyTree,
    at: int,
    engine: str,
    *,
    title: str = "",
    keep: bool = False,
    revision: int | None = None,
) -> Response:
    """Store a board, as a new one unless it is one of the caller's, and redirect to it.

    Raises BadStudy, TooOften.
    """
    response = RedirectResponse(PATH, status_code=303)
    now, info = services.clock(), study.info
    mine = info is not None and info.player_id == caller.player
    charge(services, caller, "boards", 0 if mine else 1)
    player = services.guests.welcome(request, response, now)
    if info is not None and mine:
        services.study_boards.change(
            player,
            info.id,
            now,
            revision=revision,
            tree=None if tree is study.tree else tree,
            title=title or None,
            kept=True if keep else None,
        )
        board_id = info.id
    else:
        added = services.study_boards.add(
            player, study.room.kind, tree, now, title=title or study.name, kept=keep
        )
        board_id = added.id
    shown = {"at": at} | ({"engine": engine} if engine else {})
    response.headers["location"] = f"{PATH}/{board_id}?{urlencode(shown)}"
    return response
