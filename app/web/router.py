"""API routes that document their own error responses, derived from their dependencies."""

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from app.web.admin.access import api_operator
from app.web.guard.fields import invalid_field
from app.web.guard.limits import limited
from app.web.guard.methods import STATELESS_TAGS
from app.web.guard.problems import describe
from app.web.guard.token_scopes import computes, scope_by_table
from app.web.model import GIVEN_TWICE, JsonRequest
from app.web.query import is_list, is_model, list_parameters
from app.web.services import get_services
from app.web.services import player as find_player

PLAYER_COOKIE: Final[dict[str, list[str]]] = {"player": []}
METRICS_TOKEN: Final[dict[str, list[str]]] = {"metricsToken": []}
OPERATOR_TOKEN: Final[dict[str, list[str]]] = {"operatorToken": []}
"""Security requirements; ``app.web.openapi`` declares their schemes."""
_WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class ApiRoute(APIRoute):
    """An APIRoute that adds the common error responses; only special ones need ``responses``."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        extra = self.openapi_extra or {}
        if security := extra.get("security", self._security()):
            self.openapi_extra = extra | {"security": self._with_token(security)}
        self.responses = describe(*sorted(self._errors())) | self.responses

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Refuse unknown query parameters, as models of queries and bodies do, and what is given twice."""
        handle = super().get_route_handler()
        if not self.path.startswith("/api/"):
            return handle
        fields = [field for each in _with_dependencies(self.dependant) for field in each.query_params]
        models = [field.field_info.annotation for field in fields if is_model(field.field_info.annotation)]
        known = {field.alias for field in fields}
        lists = {field.alias for field in fields if is_list(field.field_info.annotation)}
        lists.update(*map(list_parameters, models))

        async def handle_checked(request: Request) -> Response:
            given = Counter(name for name, _ in request.query_params.multi_items())
            unknown = [] if models else [name for name in given if name not in known]
            if unknown:
                raise RequestValidationError(
                    [{"type": "extra_forbidden", "loc": ("query", name)} for name in unknown]
                )
            if repeated := [name for name, times in given.items() if times > 1 and name not in lists]:
                raise RequestValidationError(
                    [{"loc": ("query", name), "msg": GIVEN_TWICE} for name in repeated]
                )
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_checked

    def _errors(self) -> set[int]:
        used = list(_with_dependencies(self.dependant))
        writes = not _WRITES.isdisjoint(self.methods or ())
        statuses = {401, 403} if any(each.call is get_services for each in used) else set()  # a token refused
        if writes:
            statuses |= {403, 413}  # cross-site request, body too large
        if self.body_field:
            statuses |= {400, 415, 422}
        if self.path.startswith("/api/"):
            statuses.add(422)
        if any(each.query_params for each in used):
            statuses.add(431)
        if "{" in self.path:
            statuses.add(404)
        if "{game_id}" in self.path and writes:
            statuses.add(409)
        if any(each.call is get_services for each in used):
            statuses |= {429, 503}  # rate limit, database unavailable, engines busy
        return statuses

    def _with_token(self, security: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
        """The requirements, with the token that is accepted instead of a cookie."""
        method = next(iter(sorted(self.methods or {"GET"})))
        scope = scope_by_table(method, self.path) if PLAYER_COOKIE in security else None
        token: list[dict[str, list[str]]] = [] if scope is None else [{"token": [scope]}]
        return [*security[:1], *token, *security[1:]]

    def _security(self) -> list[dict[str, list[str]]]:
        """The security requirements.

        Writes to a game and routes that declare a 401 need a player's cookie; elsewhere it is optional.
        """
        if not STATELESS_TAGS.isdisjoint(self.tags):
            # There the player only counts towards a rate limit.
            return [{}, {"token": ["engine" if computes(self) else "read"]}]
        used = {each.call for each in _with_dependencies(self.dependant)}
        if find_player not in used:
            return []
        if api_operator in used:
            return [OPERATOR_TOKEN, PLAYER_COOKIE]
        seated = "{game_id}" in self.path and not _WRITES.isdisjoint(self.methods or ())
        needed = 401 in self.responses or (seated and not self.path.endswith("/seats"))
        return [PLAYER_COOKIE] if needed else [PLAYER_COOKIE, {}]


def api_router(prefix: str = "", tag: str = "games", dependencies: Sequence[Any] = ()) -> APIRouter:
    """A router for one part of the API. The tag ``engines`` adds the engines' rate limit."""
    limits = [limited("engines")] if tag == "engines" else []
    return APIRouter(prefix=prefix, tags=[tag], route_class=ApiRoute, dependencies=[*limits, *dependencies])


def limit_of_results(usual: int, most: int) -> Any:
    """A route dependency: the query parameter ``limit``, or its old name ``top``."""

    async def chosen(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=most, description="Number of results.")] = usual,
        top: Annotated[
            int | None, Query(ge=1, le=most, deprecated=True, description="Old name of `limit`.")
        ] = None,
    ) -> int:
        if top is None:
            return limit
        if "limit" in request.query_params:
            raise invalid_field("this is the old name of limit: give only one of them", "query", "top")
        return top

    return Depends(chosen)


def _with_dependencies(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for dependency in dependant.dependencies:
        yield from _with_dependencies(dependency)
