"""Cookie check: an error page for players whose browser rejects cookies, since they could only watch."""

from typing import Final

from starlette.datastructures import URL, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.guard.guests import COOKIE
from app.web.templating import templates

GIVEN: Final = "cookie-given"
"""Query parameter of the redirect that follows a browser's first cookie."""


class CookieCheck:
    """Marks the redirect that sets a new player's cookie, and checks the cookie on the request that follows.

    With the cookie, the browser is redirected to the plain URL; without it, it gets an error page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer marked requests, and mark redirects that set the cookie."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if request.method == "GET" and GIVEN in request.query_params:
            await _answer_marked(request)(scope, receive, send)
            return
        first = COOKIE not in request.cookies and "text/html" in request.headers.get("accept", "")

        async def send_marked(message: Message) -> None:
            if first and message["type"] == "http.response.start" and message["status"] == 303:
                headers = MutableHeaders(scope=message)
                if headers.get("set-cookie", "").startswith(f"{COOKIE}="):
                    headers["location"] = str(URL(headers["location"]).include_query_params(**{GIVEN: ""}))
            await send(message)

        await self._app(scope, receive, send_marked)


def _answer_marked(request: Request) -> ASGIApp:
    if COOKIE in request.cookies:
        plain = request.url.remove_query_params(GIVEN)
        # Exactly one leading slash: two would be an open redirect to another host.
        path = "/" + plain.path.lstrip("/")
        return RedirectResponse(str(plain.replace(scheme="", netloc="", path=path)), status_code=303)
    context = {
        "status": 403,
        "title": "Your browser blocked the cookie",
        "detail": "Wibble recognises you only by a cookie: without it you cannot play. "
        "Allow cookies for this site, then start again",
    }
    return templates.TemplateResponse(request, "site/error.html", context, status_code=403)
