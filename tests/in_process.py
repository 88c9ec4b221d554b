"""The real application behind httpx, without a socket."""

import httpx
from fastapi.testclient import TestClient


class InProcess(httpx.BaseTransport):
    """An httpx transport to the application that a test client runs."""

    def __init__(self, running: TestClient) -> None:
        """``running`` must have been entered, so that the application has started."""
        assert running.portal is not None
        self._portal = running.portal
        self._transport = httpx.ASGITransport(running.app)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response when it is complete."""
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = await self._transport.handle_async_request(
            httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
        )
        assert isinstance(answer.stream, httpx.AsyncByteStream)
        content = b"".join([chunk async for chunk in answer.stream])  # still compressed
        return httpx.Response(answer.status_code, headers=answer.headers, content=content)
