"""Jinja templates for pages and HTMX fragments; a fragment is one block of its page."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2_fragments.fastapi import Jinja2Blocks

from app.grammar import format_count, format_percent, plural
from app.resources import resource
from app.web.files import VERSION


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        auto_reload=False,  # it would stat every file for every fragment
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = f"/static/{VERSION}"
    environment.globals["htmx"] = f"/vendor/htmx/{VERSION}/htmx.min.js"
    environment.globals["count"] = format_count
    environment.globals["plural"] = plural
    environment.globals["percent"] = format_percent
    return environment


templates = Jinja2Blocks(env=_environment())
