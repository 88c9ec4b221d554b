"""A browser that keeps no cookie is told so, before somebody wonders why they only watch their own game."""

from typing import Final

from starlette.datastructures import URL, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.guard.guests import COOKIE
from app.web.templating import templates

GIVEN: Final = "cookie-given"
"""What the address of the next page has in its query when a browser is given its first cookie."""


class CookieCheck:
    """Sends a new player to the next page by an address that tells what the browser should show by now.

    With the cookie the browser goes on to the plain address, which is all that is seen of it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it comes back from having been given a cookie."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if request.method == "GET" and GIVEN in request.query_params:
            await _after_giving(request)(scope, receive, send)
            return
        first = COOKIE not in request.cookies and "text/html" in request.headers.get("accept", "")

        async def send_marked(message: Message) -> None:
            if first and message["type"] == "http.response.start" and message["status"] == 303:
                headers = MutableHeaders(scope=message)
                if headers.get("set-cookie", "").startswith(f"{COOKIE}="):
                    headers["location"] = str(URL(headers["location"]).include_query_params(**{GIVEN: ""}))
            await send(message)

        await self._app(scope, receive, send_marked)


def _after_giving(request: Request) -> ASGIApp:
    if COOKIE in request.cookies:
        plain = request.url.remove_query_params(GIVEN)
        # The path alone, which one slash begins: two would begin another host's address.
        path = "/" + plain.path.lstrip("/")
        return RedirectResponse(str(plain.replace(scheme="", netloc="", path=path)), status_code=303)
    context = {
        "status": 403,
        "title": "Your browser kept no cookie",
        "detail": "Wibble knows you by one cookie and by nothing else: without it your games are nobody's. "
        "Allow cookies for this site, then begin again",
    }
    return templates.TemplateResponse(request, "error.html", context, status_code=403)
