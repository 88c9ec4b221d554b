"""What schemathesis has to know of Wibble besides its document."""

from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.core import NOT_SET
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import AllowHeaderMismatch, EnsureResourceAvailability

LEXICON = "letterpress"


@schemathesis.hook
def map_body(context: HookContext, body: Any) -> Any:
    """Name a lexicon that exists, four times of five: with a made-up one nothing is ever searched."""
    return _with_lexicon(body)


@schemathesis.hook
def map_query(context: HookContext, query: Any) -> Any:
    """As in bodies."""
    return _with_lexicon(query)


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Leave out what is meant to be so."""
    path, said = case.operation.path, str(failure)
    return not (
        # An address is text: there a truth may be 1, yes or on, too. Bodies keep to JSON's types.
        (
            isinstance(failure, AcceptedNegativeData)
            and case.body is NOT_SET
            and ("Incorrect type" in said or "violates `type`" in said)
        )
        # The player's cookie is sent with every request, also where a case leaves it out.
        or (isinstance(failure, AcceptedNegativeData) and "in cookie" in said)
        # Who is not invited is not told of a seat.
        or (isinstance(failure, EnsureResourceAvailability) and path.endswith("/seats"))
        # It is the address of the game named "import", too.
        or (isinstance(failure, AllowHeaderMismatch) and path == "/api/games/import")
    )


def _with_lexicon(fields: Any) -> Any:
    if isinstance(fields, dict) and isinstance(fields.get("lexicon"), str) and len(fields["lexicon"]) % 5:
        fields["lexicon"] = LEXICON
    return fields
