"""Command groups that import a command's module only when it runs, not when it is listed."""

from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption


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


class LazyCommand(NamedTuple):
    """A command or group that is imported when it runs."""

    source: str
    """Where to import its function or Typer group from, as ``module:name``."""
    help: str
    """Its help in one sentence."""
    kinds: str = ""
    """The games, listed where the help of an option has ``{kinds}``."""

    def load(self, name: str) -> Any:
        """Import the command."""
        module, attribute = self.source.split(":")
        source = getattr(import_module(module), attribute)
        holder = typer.Typer(rich_markup_mode=None, add_completion=False)
        holder.callback()(_nothing)  # a callback makes it a group even with one command
        if isinstance(source, typer.Typer):
            holder.add_typer(source, name=name, cls=HelpfulGroup, help=self.help)
        else:
            holder.command(name)(source)
        command = typer.main.get_group(holder).commands[name]
        _capitalise_arguments(command)
        for parameter in command.params:
            if isinstance(parameter, TyperOption) and parameter.help:
                parameter.help = parameter.help.replace("{kinds}", self.kinds)
        return command


class LazyGroup(HelpfulGroup):
    """A group of lazy commands."""

    @abstractmethod
    def lazy_commands(self, ctx: Any) -> Mapping[str, LazyCommand]:
        """Return the commands by name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Fill in placeholders with name and help, enough for listing, and parse the arguments."""
        self.commands = {
            name: TyperCommand(name, help=command.help, rich_markup_mode=None)
            for name, command in self.lazy_commands(ctx).items()
        }
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command named in the arguments."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and self.lazy_commands(ctx)[name].load(name), rest


def _capitalise_arguments(command: Any) -> None:
    """Show the arguments of a command and its subcommands in capitals, as error messages name them."""
    for each in getattr(command, "commands", {}).values():
        _capitalise_arguments(each)
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            parameter.metavar = parameter.metavar or (parameter.name or "").upper()


def _nothing() -> None:
    """Callback of a group without options."""
