"""Jinja templates for pages and HTMX fragments; a fragment is one block of its page."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2_fragments.fastapi import Jinja2Blocks
from markupsafe import Markup

from app.games.cast import cast
from app.grammar import format_count, format_percent, plural
from app.resources import resource
from app.web.files import VERSION, module_imports
from app.web.preferences import preferences_of
from app.web.share.qr import qr_code

_loader: Final = FileSystemLoader(resource("templates"))


def module_script(path: str) -> Markup:
    """Return the elements that load a script and, at the same time, all modules that it imports."""
    folder = f"/static/{VERSION}"
    preloads = "".join(f'<link rel="modulepreload" href="{folder}/{each}">' for each in module_imports(path))
    return Markup(f'<script type="module" src="{folder}/{path}"></script>{preloads}')  # noqa: S704 - our own paths


def _environment() -> Environment:
    environment = Environment(
        loader=_loader,
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        auto_reload=False,  # it would stat every file for every fragment
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = f"/static/{VERSION}"
    environment.globals["module_script"] = module_script
    environment.globals["htmx"] = f"/vendor/htmx/{VERSION}/htmx.min.js"
    environment.globals["qr_code"] = qr_code
    environment.globals["cast"] = cast()
    environment.globals["count"] = format_count
    environment.globals["plural"] = plural
    environment.globals["percent"] = format_percent
    return environment


def use_templates(folders: Iterable[Path]) -> None:
    """Look for templates in these folders, too."""
    _loader.searchpath += [str(folder) for folder in folders if str(folder) not in _loader.searchpath]


def _for_every_page(request: Request) -> dict[str, Any]:
    return {"rooms": request.app.state.services.rooms, "preferences": preferences_of(request)}


templates = Jinja2Blocks(env=_environment(), context_processors=[_for_every_page])
