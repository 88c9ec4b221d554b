"""Options of ``wibble play`` that are for games on a server."""

from collections.abc import Mapping
from typing import Any, Final, NoReturn

import typer

SERVER_ONLY: Final = ("game", "cookies", "kind", "option", "seats", "listed", "turn_limit")
"""Parameters that mean nothing without --server."""


def given_parameters(context: typer.Context) -> dict[str, Any]:
    """The parameters that are not left to their defaults."""
    return {
        name: value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name != "DEFAULT"
    }


def refuse_server_options(given: Mapping[str, Any]) -> None:
    """Raise BadParameter for an option that needs --server."""
    for name in SERVER_ONLY:
        if name in given:
            refuse(name, "is for games on a server: add --server URL")


def refuse(parameter: str, why: str) -> NoReturn:
    """Leave with exit status 2 and say what is wrong with an option."""
    raise typer.BadParameter(why, param_hint=f"--{parameter.replace('_', '-')}")
