"""A group of commands whose modules are imported when one of them runs, not to list them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup


class HelpfulGroup(TyperGroup):
    """A group that lists its commands with the whole first sentence of their help."""

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
    """Subclasses name the commands and where to import them from."""

    sources: ClassVar[Mapping[str, tuple[str, str]]]
    """Per command the place of its function or Typer group, ``module:name``, and its help in one sentence."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # Stand-ins with the name and the help, which is all that a list shows.
        self.commands = {
            name: TyperCommand(name, help=text, rich_markup_mode=None)
            for name, (_, text) in self.sources.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command that the arguments name."""
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, stand_in and self.load(stand_in.name or ""), rest

    @classmethod
    def load(cls, name: str) -> Any:
        """Import a command. Raises KeyError for a name that there is not."""
        module, attribute = cls.sources[name][0].split(":")
        source = getattr(import_module(module), attribute)
        holder = typer.Typer(rich_markup_mode=None, add_completion=False)
        holder.callback()(_nothing)  # which makes it a group, whatever it holds
        if isinstance(source, typer.Typer):
            holder.add_typer(source, name=name, cls=HelpfulGroup)
        else:
            holder.command(name)(source)
        return typer.main.get_group(holder).commands[name]


def _nothing() -> None:
    """Do nothing."""
