"""The API reference at /docs: pages rendered from the OpenAPI document and the examples."""

from functools import lru_cache
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from app.validation import quote
from app.web.examples import format_json
from app.web.openapi import Application
from app.web.site.api_reference import PROBLEMS, TYPES, Reference, read_reference
from app.web.site.code_samples import code_samples
from app.web.templating import templates

PATH: Final = "/docs"

router = APIRouter(include_in_schema=False)


@router.get(PATH)
def overview(request: Request) -> Response:
    """The overview of the API, with all operations."""
    return _page(request, "overview")


@router.get(PATH + "/{name}")
def section(request: Request, name: str) -> Response:
    """The operations with a tag, all types, or all problems."""
    return _page(request, name)


def _page(request: Request, name: str) -> Response:
    reference = _reference(request.app)
    pages = [(each.name, each.title) for each in reference.sections]
    pages += [(TYPES, "Types"), (PROBLEMS, "Problems")]
    sections = {each.name: each for each in reference.sections}
    if name not in (*sections, TYPES, PROBLEMS, "overview"):
        raise HTTPException(404, f"there is no page {quote(name)} in the API reference")
    context = {
        "reference": reference,
        "page": name,
        "pages": pages,
        "section": sections.get(name),
        "origin": str(request.base_url).rstrip("/"),
        "samples": code_samples,
        "shown": lambda value: value if isinstance(value, str) else format_json(value),
    }
    return templates.TemplateResponse(request, "site/api_docs.html", context)


@lru_cache(maxsize=1)
def _reference(app: Application) -> Reference:
    return read_reference(app.openapi())
