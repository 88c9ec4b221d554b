"""Schemathesis hooks: known exceptions to the OpenAPI document."""

from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.core import NOT_SET
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import AllowHeaderMismatch, EnsureResourceAvailability

LEXICON = "letterpress"


@schemathesis.hook
def map_body(context: HookContext, body: Any) -> Any:
    """Use an existing lexicon four times out of five: with an invented name, nothing is searched."""
    return _with_lexicon(body)


@schemathesis.hook
def map_query(context: HookContext, query: Any) -> Any:
    """Do the same for queries."""
    return _with_lexicon(query)


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Ignore failures that are intended behaviour."""
    path, said = case.operation.path, str(failure)
    return not (
        # URLs are text, so a boolean may also be 1, yes or on there. Bodies use JSON types.
        (
            isinstance(failure, AcceptedNegativeData)
            and case.body is NOT_SET
            and ("Incorrect type" in said or "violates `type`" in said)
        )
        # The player's cookie is sent with every request, even if a case omits it.
        or (isinstance(failure, AcceptedNegativeData) and "in cookie" in said)
        # Seats are not revealed to players without an invitation.
        or (isinstance(failure, EnsureResourceAvailability) and path.endswith("/seats"))
        # This is also the address of the game named "import".
        or (isinstance(failure, AllowHeaderMismatch) and path == "/api/games/import")
    )


def _with_lexicon(fields: Any) -> Any:
    if isinstance(fields, dict) and isinstance(fields.get("lexicon"), str) and len(fields["lexicon"]) % 5:
        fields["lexicon"] = LEXICON
    return fields
