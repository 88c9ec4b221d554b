"""What commands print: tables for people, one JSON document for programs."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from pydantic_core import to_json
from rich.console import Console

_UNLIMITED: Final = 100_000
"""Columns where there is no terminal, so that no line is wrapped and no cell is cut."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]


def console(*, no_color: bool = False) -> Console:
    """Standard output, as wide as the terminal; in a pipe or a file, as wide as what is printed."""
    made = Console(no_color=no_color or None)
    if not made.is_terminal:
        made.width = _UNLIMITED
    return made


def print_json(document: Any) -> None:
    """Print dictionaries, lists, texts, numbers, models and data classes as JSON."""
    typer.echo(to_json(document, indent=2))


def listed(words: Sequence[str], most: int) -> dict[str, Any]:
    """How many words there are, and the first ``most`` of them."""
    return {"count": len(words), "words": words[:most]}
