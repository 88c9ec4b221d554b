"""A registry of rooms that imports each room only when it is used."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # `wibble --help` needs no games
    from app.games.game import AnyGame
    from app.games.rulebook import Rulebook
    from app.terminal import Terminal
    from app.web.room import Room
    from app.words.library import Library


class CommandGroup(NamedTuple):
    """A room's group of subcommands of ``wibble``."""

    source: str
    """Where to import it from, as ``module:name``."""
    help: str


class Registry(Mapping[str, "Room"]):
    """The rooms in the given packages, by kind of game. A package is named after its kind."""

    def __init__(self, *packages: str) -> None:
        self._packages = {package.rpartition(".")[2]: package for package in packages}

    def __getitem__(self, kind: str) -> "Room":
        """Return the room. Raises KeyError if there is none."""
        room: Room = import_module(f"{self._packages[kind]}.room").ROOM
        return room

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)

    def including(self, *packages: str) -> "Registry":
        """Return a registry with more rooms."""
        return Registry(*self._packages.values(), *packages)

    @property
    def games(self) -> "dict[str, type[AnyGame]]":
        """The rules of every game, by kind."""
        return {kind: room.game for kind, room in self.items()}

    def rulebook(self, library: "Library") -> "Rulebook":
        """Return a rulebook of every game."""
        from app.games.rulebook import Rulebook  # noqa: PLC0415 - `wibble --help` needs no games

        return Rulebook(library, self.games)

    def load_custom(self, data_dir: Path) -> list[str]:
        """Load the user's own files in the data folder. Returns a warning for each ignored file."""
        return [warning for room in self.values() for warning in room.load_custom(data_dir)]

    @property
    def terminals(self) -> "dict[str, Terminal]":
        """The terminal interface of each game that has one."""
        return {
            kind: import_module(f"{package}.terminal").TERMINAL
            for kind, package in self._packages.items()
            if find_spec(f"{package}.terminal")
        }

    @property
    def command_groups(self) -> dict[str, CommandGroup]:
        """The command groups of the rooms that have one, found without importing rooms or groups."""
        groups = {}
        for kind, package in self._packages.items():
            if find_spec(f"{package}.commands"):
                help_text = (import_module(package).__doc__ or "").strip()
                groups[kind] = CommandGroup(f"{package}.commands.group:app", help_text)
        return groups
