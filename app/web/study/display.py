"""Pages and downloads of study boards."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from app.games.study_tree import MOST_NODES, START, BadStudy, names_of, rows_of
from app.store.study_boards import LONGEST_TITLE
from app.web.guard.fields import collecting_errors, invalid_field
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.studies import Study, file_of
from app.web.templating import templates

OFF: Final = "off"
_SHOWN: Final = ("at", "engine", "download", "part")
"""The parameters for how a board is shown; all others describe a new board."""

Errors = dict[str, str]
"""Error messages by field."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that is shown again, by field: what was typed and its errors. Empty for a page without one."""

    typed: Mapping[str, str] = field(default_factory=dict)
    errors: Errors = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of a board."""

    base: str
    """The URL of the board without the parameters for how it is shown."""
    at: int
    """The number of the node."""
    engine: str
    """The way to evaluate the node; OFF, or a name that need not exist."""

    @classmethod
    def of(cls, study: Study, base: str, fields: Mapping[str, str]) -> "Shown":
        """What a form or the parameters of a URL ask for."""
        return cls(base, study.number(number_of(fields.get("at", ""))), fields.get("engine", ""))

    def link(self, at: int, **more: str) -> str:
        """The URL of a node."""
        fields = {"at": at} | ({"engine": self.engine} if self.engine != OFF else {}) | more
        return f"{self.base}{'&' if '?' in self.base else '?'}{urlencode(fields)}"


def setup_of(request: Request) -> dict[str, str]:
    """The query parameters that describe a new board."""
    return {name: text for name, text in request.query_params.items() if name not in _SHOWN and text.strip()}


def setup_errors(study: Study, error: BadStudy) -> Errors:
    """The messages of the form for setting up a position, by field."""
    names = study.board.setup_fields(study.steps[START].position)
    errors: Errors = {}
    for each in error.every:
        errors.setdefault(study.board.field_of(each.location, names) or "position", each.reason)
    return errors


def known_errors(study: Study, error: BadStudy, fields: Mapping[str, str]) -> Errors:
    """The messages of the form for known facts, at ``known-`` and the field, or at ``known``."""
    errors: Errors = {}
    for each in error.every:
        field = study.board.field_of(each.location, fields)
        errors.setdefault(f"known-{field}" if field else "known", each.reason)
    return errors


def show_board(
    request: Request,
    services: Services,
    caller: Caller,
    study: Study,
    base: str,
    form: Filled | None = None,
) -> Response:
    """The board's page, its fragment, or a download, depending on the query parameters."""
    shown = Shown.of(study, base, request.query_params)
    if name := request.query_params.get("download"):
        return _download(study, shown.at, name)
    return show_page(request, services, caller, study, shown, form or Filled())


def _download(study: Study, at: int, name: str) -> Response:
    try:
        if name == "json":
            text, file = file_of(study), "board.json"
        else:
            made = study.board.download(name, study.tree, study.steps, at)
            text, file = made.text, made.name
    except BadStudy as error:
        raise invalid_field(error.reason, "query", "download") from None
    kind = "application/json" if name == "json" else "text/plain"
    head = {"Content-Disposition": f'attachment; filename="{study.room.kind}-{file}"'}
    return PlainTextResponse(text, media_type=kind, headers=head)


def show_page(
    request: Request, services: Services, caller: Caller, study: Study, shown: Shown, form: Filled
) -> Response:
    """The page of a node with the form's errors, or its fragment. Raises PoolFull, TooOften."""
    if shown.engine not in dict(study.board.engines):
        shown = replace(shown, engine=OFF)
    part = request.query_params.get("part", "")
    is_part = request.headers.get("hx-request") == "true"
    step, errors, answer = study.steps[shown.at], dict(form.errors), None
    over = study.board.rules.ending(step.position)
    if shown.engine != OFF and not over and (part == "engine" or not is_part):
        if study.info is not None:
            charge(services, caller, "engines", 1)
        with collecting_errors(errors):
            answer = study.board.best(services, caller, step, shown.engine)
    context = _context(services, study, shown, caller.player) | {
        "errors": errors,
        "typed": form.typed,
        "answer": answer,
        "lazy": shown.engine != OFF and is_part and part != "engine" and not over,
        "over": over,
    }
    if errors.keys() & context["setup"].keys():
        context["setup"] |= {name: text for name, text in form.typed.items() if name in context["setup"]}
    block = ("engine" if part == "engine" else "board") if is_part else None
    headers = {"Cache-Control": "no-store"}
    if block == "board":
        headers["HX-Push-Url"] = shown.link(shown.at)
    return templates.TemplateResponse(
        request,
        "study/board.html",
        context,
        # Fragments contain their errors; 4xx would log an error in the browser's console.
        status_code=422 if errors and not is_part else 200,
        headers=headers,
        block_name=block,
    )


def _context(services: Services, study: Study, shown: Shown, player: str | None) -> dict[str, Any]:
    tree, at = study.tree, shown.at
    step = study.steps[at]
    line, children = tree.line(at), tree.children()
    place = line.index(at) if at else -1
    names = names_of(tree, study.board.rules.seats(step.position))
    return {
        "room": study.room,
        "board": study.board,
        "info": study.info,
        "mine": study.info is not None and study.info.player_id == player,
        "title": study.name,
        "longest_title": LONGEST_TITLE,
        "tree": tree,
        "steps": study.steps,
        "step": step,
        "position": step.position,
        "at": at,
        "parent": tree.nodes[at - 1].parent if at else None,
        "previous": (line[place - 1] if place > 0 else START) if at else None,
        "next": line[place + 1] if place + 1 < len(line) else None,
        "last": line[-1] if line and line[-1] != at else None,
        "moves_after": [(number, tree.nodes[number - 1].move) for number in children.get(at, ())],
        "is_main": tree.line(START)[: len(tree.path(at))] == tree.path(at),
        "depths": {number: len(tree.path(number)) for number in range(1, len(tree.nodes) + 1)},
        "rows": list(rows_of(tree)),
        "comment": tree.nodes[at - 1].comment if at else tree.comment,
        "names": names,
        "engine": shown.engine,
        "engines": study.board.engines,
        "base": shown.base,
        "link": shown.link,
        "setup": study.board.setup_fields(step.position),
        "most_nodes": MOST_NODES,
        "lexicons": [(info.name, info.name.capitalize()) for info in services.library.names()],
    } | study.board.context(step.position, step, names)


def base_of(request: Request) -> str:
    """The URL of a board without the parameters for how it is shown."""
    fields = setup_of(request)
    return request.url.path + (f"?{urlencode(fields)}" if fields else "")


def number_of(text: str) -> int | None:
    """A number from a form or a URL; None if it is not a number."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
