"""What all games and tools that read lines in the terminal have in common: help, ways to leave, commands."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from app.commands.board import harmless
from app.commands.interrupts import INTERRUPTED, stopped_by_ctrl_c

BARE: Final = frozenset({"/help", "/quit"})
"""Commands that every shell also takes without the slash."""


class Command(NamedTuple):
    """What a line that begins with a slash does with the rest of it."""

    usage: str
    help: str
    run: Callable[[str], None]


class Leave(Exception):
    """The player leaves the shell."""


class Misread(ValueError):
    """What was typed cannot be done; the message says why."""


class Shell(ABC):
    """Reads lines until the end. `quit`, `/quit` and Ctrl+D leave, and Ctrl+C does with exit status 130.

    A line is a command, with or without its slash as ``bare`` says, or else what the game expects: a word, a
    move or a rack. A line that begins with `=` is never a command: `=quit` plays the word QUIT.
    """

    console: Console
    bare: ClassVar[frozenset[str]] = BARE
    """The commands that are also taken without the slash."""
    refusals: ClassVar[tuple[type[Exception], ...]] = (Misread,)
    """What a line may raise: its text is shown, and the shell goes on."""
    interrupted: bool = False
    """Whether Ctrl+C was pressed."""

    @cached_property
    def commands(self) -> dict[str, Command]:
        """What may be typed behind a slash, in the order in which help lists it."""
        return {
            **self.offered(),
            "/help": Command("", "show this; also: help", lambda _: self.help()),
            "/quit": Command("", "leave; also: quit, Ctrl+D", lambda _: self.quit()),
        }

    @abstractmethod
    def offered(self) -> Mapping[str, Command]:
        """The commands of this kind of shell, besides help and quit."""

    @abstractmethod
    def typed(self, line: str) -> None:
        """Do what a line says that is no command."""

    @property
    def prompt(self) -> str:
        """What stands before what is typed."""
        return "> "

    @property
    def introduction(self) -> str:
        """The first line of the help: what may be typed besides commands."""
        return ""

    @abstractmethod
    def begin(self) -> None:
        """Greet; called once."""

    def ready(self) -> bool:
        """Get to the point where something is to be typed; False where nothing is."""
        return True

    def run(self) -> None:
        """Do what is typed until the end, or until the player leaves."""
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
        """Do what a line says; say why where it cannot be done."""
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
                self.say(f"There is no {harmless(name)}; /help lists the commands.")
            else:
                self.typed(line)
        except self.refusals as error:
            self.say(harmless(self.explain(error)))

    def blank(self) -> None:
        """Do what an empty line says."""
        self.help()

    def explain(self, error: Exception) -> str:
        """The text that is shown for a refusal."""
        return str(error)

    def help(self) -> None:
        """List the commands."""
        if self.introduction:
            self.say(self.introduction)
        for name, command in self.commands.items():
            self.say(f"  {f'{name} {command.usage}':<18} {command.help}")
        self.say(f"  {'=WORD':<18} a word that is also a command, such as =quit")

    def quit(self) -> None:
        """Leave."""
        raise Leave

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(Text(text, style), soft_wrap=True)

    def exit_if_interrupted(self) -> None:
        """Exit with status 130 after Ctrl+C; called when all is saved."""
        if self.interrupted:
            raise typer.Exit(INTERRUPTED)
