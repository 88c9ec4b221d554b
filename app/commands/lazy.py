"""Command groups that import a command's module only when it runs, not to list it."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup


class HelpfulGroup(TyperGroup):
    """A group that lists its commands with the untruncated first sentence of their help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        rows = [
            (name, command.get_short_help_str(limit=1000))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class LazyGroup(HelpfulGroup):
    """A group whose subclasses declare the commands and where to import them from."""

    sources: ClassVar[Mapping[str, tuple[str, str]]]
    """By command: its function or Typer group as ``module:name``, and its help in one sentence."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # Placeholders with name and help, enough for the list.
        self.commands = {
            name: TyperCommand(name, help=text, rich_markup_mode=None)
            for name, (_, text) in self.sources.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command named in the arguments."""
        name, placeholder, rest = super().resolve_command(ctx, args)
        return name, placeholder and self.load(placeholder.name or ""), rest

    @classmethod
    def load(cls, name: str) -> Any:
        """Import a command. Raises KeyError for an unknown name."""
        module, attribute = cls.sources[name][0].split(":")
        source = getattr(import_module(module), attribute)
        holder = typer.Typer(rich_markup_mode=None, add_completion=False)
        holder.callback()(_nothing)  # a callback makes it a group even with one command
        if isinstance(source, typer.Typer):
            holder.add_typer(source, name=name, cls=HelpfulGroup)
        else:
            holder.command(name)(source)
        return typer.main.get_group(holder).commands[name]


def _nothing() -> None:
    """Callback of a group without options."""
