"""Output of commands: tables, one JSON document with ``--json``, warnings."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

import typer
from pydantic_core import to_json
from rich.console import Console

_UNLIMITED: Final = 100_000
"""Width in columns without a terminal, so that nothing is wrapped or cut."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def console(*, no_color: bool = False) -> Console:
    """Return a console on standard output, of unlimited width in a pipe or file."""
    output = Console(no_color=no_color or None)
    if not output.is_terminal:
        output.width = _UNLIMITED
    return output


def print_json(document: Any) -> None:
    """Print a document as JSON; models and data classes are accepted, too."""
    typer.echo(to_json(document, indent=2))


def warn(warnings: Iterable[str]) -> None:
    """Print warnings on standard error."""
    for warning in warnings:
        typer.echo(warning, err=True)


def listed(words: Sequence[str], most: int) -> dict[str, Any]:
    """Return the number of words and the first ``most`` of them."""
    return {"count": len(words), "words": words[:most]}
