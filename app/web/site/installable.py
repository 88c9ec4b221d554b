"""The installable app: the manifest, the service worker and its offline page."""

import json
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from app.web.files import VERSION
from app.web.services import ServicesDep
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

_STATIC: Final = f"/static/{VERSION}"
_GROUND: Final = "#eff4f5"
"""Background of the light theme, as in the style sheet; a manifest cannot have a dark theme."""
_OFFLINE_FILES: Final = (
    f"/offline?{VERSION}",
    *(
        f"{_STATIC}/{file}"
        for file in (
            "site/early.js",
            "site/base.css",
            "site/parts.css",
            "site/app.js",
            "fonts/rubik.woff2",
            "favicon.svg",
        )
    ),
)
"""The offline page and its files. Their URLs have the version in them, so that all are of the same one."""
_ICONS: Final = (("192", "192x192", "any"), ("512", "512x512", "any"), ("maskable", "512x512", "maskable"))
_SERVICE_WORKER: Final = "\n".join(
    (
        f"const VERSION = {json.dumps(VERSION)};",
        f"const OFFLINE_FILES = {json.dumps(_OFFLINE_FILES)};",
        f"const ICON = {json.dumps(f'{_STATIC}/icons/192.png')};",
        f"const BADGE = {json.dumps(f'{_STATIC}/icons/badge.png')};",
        f"importScripts({json.dumps(f'{_STATIC}/worker/worker.js')});",
        "",
    )
)


@router.get("/manifest.webmanifest")
def manifest(services: ServicesDep) -> Response:
    """Name, icons and shortcuts of the installed app."""
    content: dict[str, Any] = {
        "name": "Wibble",
        "short_name": "Wibble",
        "description": "Word games against friends, bots and the clock.",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "lang": "en",
        "display": "standalone",
        "theme_color": _GROUND,
        "background_color": _GROUND,
        "icons": [
            {"src": f"{_STATIC}/icons/{name}.png", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in _ICONS
        ],
        "shortcuts": [
            {"name": room.title, "url": room.address} for room in services.rooms.values() if room.address
        ],
    }
    return JSONResponse(content, media_type="application/manifest+json")


@router.get("/sw.js")
def service_worker() -> Response:
    """The service worker. It is at the root, because it can only handle URLs below its own path."""
    return Response(_SERVICE_WORKER, media_type="text/javascript")


@router.get("/offline")
def offline_page(request: Request) -> Response:
    """The page that the service worker shows without a network; the same for everybody."""
    return templates.TemplateResponse(request, "site/offline.html")
