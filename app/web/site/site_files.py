"""Files that browsers and crawlers request at fixed paths."""

from fastapi import APIRouter
from fastapi.responses import FileResponse

from app.resources import resource

router = APIRouter(include_in_schema=False)

_HEADERS = {"Cache-Control": "public, max-age=86400"}


@router.get("/favicon.ico")
def favicon() -> FileResponse:
    """The icon for clients that ignore the page's link to the SVG."""
    return FileResponse(resource("static") / "favicon.ico", headers=_HEADERS)


@router.get("/apple-touch-icon.png")
def touch_icon() -> FileResponse:
    """The icon for home screens."""
    return FileResponse(resource("static") / "apple-touch-icon.png", headers=_HEADERS)


@router.get("/robots.txt")
def robots() -> FileResponse:
    """Excludes games, the API, private pages and computed pages from crawling."""
    return FileResponse(resource("static") / "robots.txt", headers=_HEADERS)
