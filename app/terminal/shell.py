"""Base class of the interactive shells: reads lines, runs commands, help and quit."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from app.grammar import printable
from app.terminal.interrupts import INTERRUPTED, stopped_by_ctrl_c

BARE: Final = frozenset({"/help", "/quit"})
"""Commands that every shell accepts without the slash, too."""


class Command(NamedTuple):
    """A slash command: usage, help text, and the function called with the rest of the line."""

    usage: str
    help: str
    run: Callable[[str], None]


class Leave(Exception):
    """Raised to leave the shell."""


class InvalidInput(ValueError):
    """The input is invalid; the message says why."""


class Shell(ABC):
    """Reads and handles lines. `quit`, `/quit` and Ctrl+D leave; Ctrl+C leaves with exit status 130.

    A line is a command, without its slash if ``bare`` has it, or input for the game: a word, a move or a
    rack. A line that begins with `=` is never a command: `=quit` plays the word QUIT.
    """

    console: Console
    bare: ClassVar[frozenset[str]] = BARE
    """Commands accepted without the slash, too."""
    refusals: ClassVar[tuple[type[Exception], ...]] = (InvalidInput,)
    """Exceptions that a line may raise: the text is shown and the shell continues."""
    interrupted: bool = False
    """Whether Ctrl+C was pressed."""

    @cached_property
    def commands(self) -> dict[str, Command]:
        """All commands by name, in the order of the help."""
        return {
            **self.offered(),
            "/help": Command("", "show this help; also: help", lambda _: self.help()),
            "/quit": Command("", "leave; also: quit, Ctrl+D", lambda _: self.quit()),
        }

    @abstractmethod
    def offered(self) -> Mapping[str, Command]:
        """Return the shell's own commands, other than help and quit."""

    @abstractmethod
    def typed(self, line: str) -> None:
        """Handle a line that is not a command."""

    @property
    def prompt(self) -> str:
        """The prompt."""
        return "> "

    @property
    def introduction(self) -> str:
        """The first lines of the help: input other than commands."""
        return ""

    @abstractmethod
    def begin(self) -> None:
        """Print the introduction. Called once."""

    def ready(self) -> bool:
        """Advance to the next input; return False at the end."""
        return True

    def run(self) -> None:
        """Read and handle lines until the end or until the player leaves."""
        with stopped_by_ctrl_c() as interruption, suppress(Leave):
            self.begin()
            while self.ready():
                try:
                    line = self.console.input(Text(self.prompt))
                except EOFError:
                    self.say("")
                    self.quit()
                self.read(line)
        self.interrupted = interruption.interrupted
        if self.interrupted:
            self.say("")

    def read(self, line: str) -> None:
        """Handle a line; print the reason if it is refused."""
        line = line.strip()
        name, _, rest = line.partition(" ")
        command = name.lower()
        if not command.startswith("/") and not rest and f"/{command}" in self.bare:
            command = f"/{command}"
        try:
            if not line:
                self.blank()
            elif line.startswith("="):
                self.typed(line[1:].strip())
            elif command in self.commands:
                self.commands[command].run(rest.strip())
            elif command.startswith("/"):
                self.say(f"Unknown command {printable(name)}; /help lists the commands.")
            else:
                self.typed(line)
        except self.refusals as error:
            self.say(printable(self.explain(error)))

    def blank(self) -> None:
        """Handle an empty line."""
        self.help()

    def explain(self, error: Exception) -> str:
        """Return the text shown for a refusal."""
        return str(error)

    def help(self) -> None:
        """Print the introduction and the commands."""
        if self.introduction:
            self.say(self.introduction)
        for name, command in self.commands.items():
            self.say(f"  {f'{name} {command.usage}':<18} {command.help}")
        self.say(f"  {'=WORD':<18} play a word that is also a command, such as =quit")

    def quit(self) -> None:
        """Leave the shell."""
        raise Leave

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(Text(text, style), soft_wrap=True)

    def exit_if_interrupted(self) -> None:
        """Exit with status 130 after Ctrl+C. Called after saving."""
        if self.interrupted:
            raise typer.Exit(INTERRUPTED)
