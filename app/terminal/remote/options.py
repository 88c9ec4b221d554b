"""Options of ``wibble play`` that require --server."""

from collections.abc import Mapping
from typing import Any, Final, NoReturn

import typer

SERVER_ONLY: Final = ("game", "cookies", "kind", "option", "seats", "listed", "turn_limit")
"""Parameters that require --server."""


def given_parameters(context: typer.Context) -> dict[str, Any]:
    """Return the explicitly given parameters."""
    return {
        name: value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name != "DEFAULT"
    }


def refuse_server_options(given: Mapping[str, Any]) -> None:
    """Raise BadParameter for an option that requires --server."""
    for name in SERVER_ONLY:
        if name in given:
            refuse(name, "requires --server URL")


def refuse(parameter: str, why: str) -> NoReturn:
    """Raise BadParameter, which exits with status 2."""
    raise typer.BadParameter(why, param_hint=f"--{parameter.replace('_', '-')}")
