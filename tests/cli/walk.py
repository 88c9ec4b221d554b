"""Lists all commands, for tests that check each of them."""

from collections.abc import Iterator
from typing import Any

from app.commands.root import Commands


def all_commands() -> dict[str, Any]:
    """Return every command and group of ``wibble`` by its full name, such as ``boggle solve``."""
    return dict(_below(()))


def leaves() -> dict[str, Any]:
    """Return the commands without the groups."""
    return {name: command for name, command in all_commands().items() if not hasattr(command, "commands")}


def _below(path: tuple[str, ...], group: Any = None) -> Iterator[tuple[str, Any]]:
    names = Commands.sources if group is None else group.commands
    for name in names:
        command = Commands.load(name) if group is None else group.commands[name]
        yield " ".join((*path, name)), command
        if hasattr(command, "commands"):
            yield from _below((*path, name), command)
