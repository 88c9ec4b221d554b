"""Lists all commands, for tests that check each of them."""

from collections.abc import Iterator
from typing import Any

from app.commands.root import commands
from app.rooms import ROOMS


def all_commands() -> dict[str, Any]:
    """Return every command and group of ``wibble`` by its full name, such as ``boggle solve``."""
    return dict(_below(()))


def leaves() -> dict[str, Any]:
    """Return the commands without the groups."""
    return {name: command for name, command in all_commands().items() if not hasattr(command, "commands")}


def _below(path: tuple[str, ...], group: Any = None) -> Iterator[tuple[str, Any]]:
    found = group.commands if group else {name: lazy.load(name) for name, lazy in commands(ROOMS).items()}
    for name, command in found.items():
        yield " ".join((*path, name)), command
        if hasattr(command, "commands"):
            yield from _below((*path, name), command)
