"""``wibble play``: Wibble in a terminal, alone or against the bots."""

import re
import secrets
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Final, get_args

import typer
from rich.console import Console
from rich.text import Text

from app.commands import board as shown
from app.games import record
from app.games.game import IllegalMove
from app.games.kernel import warm_up
from app.games.rulebook import Rulebook
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import (
    Chain,
    Hint,
    Mode,
    Move,
    Options,
    Pass,
    Power,
    Resign,
    Setup,
    Shuffle,
    Start,
    State,
    Swap,
)
from app.settings import Settings
from app.words.letters import ValuesName
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

YOU: Final = 0
USUAL_BOT: Final = 3
"""The level that sits down where nobody chose one."""
_CELLS: Final = re.compile(r"[a-z][0-9]+")
_SIMPLE: Final[dict[str, type[Shuffle | Hint | Pass | Resign]]] = {
    "/shuffle": Shuffle,
    "/hint": Hint,
    "/pass": Pass,
    "/resign": Resign,
}
_POWERS: Final[dict[Power, str]] = {
    "shuffle": "/shuffle     mix the tiles",
    "swap": "/swap b3 e   make the tile b3 an E",
    "hint": "/hint        show the best word",
}


def play(
    mode: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(Mode))}.")] = "zen",
    bots: Annotated[
        str | None, typer.Option(help="Levels of the bots in Versus, 1 to 5, such as 1,3 [default: 3].")
    ] = None,
    size: Annotated[int, typer.Option(min=4, max=7, help="Tiles along a side of the board.")] = 5,
    values: Annotated[
        str | None,
        typer.Option(help=f"Letter values: {' or '.join(get_args(ValuesName))} [default: the mode's]."),
    ] = None,
    lexicon: Annotated[str, typer.Option(help="The word list; see `wibble words list`.")] = DEFAULT_LEXICON,
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same tiles.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the record of the game in this new file, for `wibble replay`.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Show no colours.")] = False,  # noqa: FBT002
) -> None:
    """Play Wibble in the terminal, alone or, in Versus, against bots."""
    chosen: Mode = _one_of(mode, get_args(Mode), "--mode")
    if values is not None:
        _one_of(values, get_args(ValuesName), "--values")
    levels = _levels(bots, chosen)
    seed = secrets.token_hex(8) if seed is None else _printable(seed)
    if save is not None:
        _check_savable(save)
    rulebook = Rulebook(Settings().library())
    try:
        setup = Setup.model_validate({"mode": chosen, "size": size, "values": values, "lexicon": lexicon})
        options: Options = rulebook.pin(Wibble.kind, setup)
        game = rulebook.rules(Wibble, options.lexicon)
    except (UnknownLexicon, DamagedLexicon) as error:
        raise typer.BadParameter(str(error), param_hint="--lexicon") from error
    Sitting(game, options, levels, seed, save, Console(no_color=no_color or None)).run()


class Sitting:
    """One game from its deal to its analysis, the person on seat 0 and a bot on each other seat."""

    def __init__(
        self,
        game: Wibble,
        options: Options,
        levels: list[int],
        seed: str,
        save: Path | None,
        console: Console,
    ) -> None:
        self.game = game
        self.levels = levels
        self.seed = seed
        self.save = save
        self.console = console
        self.names = ["You", *(game.bots[level - 1] for level in levels)]
        self.states = [game.start(options, 1 + len(levels), seed)]
        self.moves: list[tuple[int, Move, float]] = []
        self.warming = Thread(target=warm_up, name="warm-up", daemon=True)

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[-1]

    def run(self) -> None:
        """Play to the end, or until the player leaves."""
        self.warming.start()
        try:
            self._play()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self._say("You left before the end.")
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            self.console.print()
            self._say(shown.ending(outcome, self.names))
        self._keep()
        if outcome is not None:
            with suppress(KeyboardInterrupt):
                self._analyse()

    def _play(self) -> None:
        mode = modes()[self.state.options.mode]
        self._say(f"Wibble {mode.title}, seed {self.seed}. {mode.blurb}")
        self._help()
        opening = self.game.opening(self.state.options)
        if not opening:
            self.console.input("Press Enter to start the clock. ")
        for move in opening or (Start(),):
            self._make(YOU, move)
        drawn: State | None = None
        while (seat := self.game.to_move(self.state)) is not None:
            if seat != YOU:
                self._bot_moves(seat)
                continue
            if drawn is None or drawn.board != self.state.board or drawn.scores != self.state.scores:
                self._draw()
            drawn = self.state
            self._player_moves()

    def _draw(self) -> None:
        view = self.game.view(self.state, YOU)
        self.console.print()
        self.console.print(shown.board(view.tiles, view.size))
        self.console.print(shown.status(view, self.names), soft_wrap=True)

    def _player_moves(self) -> None:
        ends_at = self.game.view(self.state, YOU).ends_at
        left = "" if ends_at is None else f"{max(ends_at - time.time(), 0):.0f} s "
        typed = self.console.input(f"{left}> ").strip().lower()
        if due := self.game.due(self.state, time.time()):
            self._make(due.seat, due.move, due.at)
            return
        try:
            move = self._understood(typed)
            if move is not None:
                self._make(YOU, move)
        except IllegalMove as refused:
            self._say(shown.with_names(refused.reason, self.state.options.size))
        except ValueError as misread:
            self._say(str(misread))

    def _understood(self, typed: str) -> Move | None:
        """The move that was typed; None where there is none to make. Raises ValueError saying why."""
        size = self.state.options.size
        command, *arguments = typed.split() or [""]
        if command == "/swap":
            if len(arguments) != 2 or not re.fullmatch("[a-z]", arguments[1]):
                raise ValueError("a swap names a tile and its new letter: /swap b3 e")
            return Swap(cell=shown.cell_number(arguments[0], size), letter=arguments[1])
        if command in _SIMPLE and not arguments:
            return _SIMPLE[command]()
        if command in ("", "/help"):
            self._help()
            return None
        if all(map(_CELLS.fullmatch, [command, *arguments])):
            return Chain(cells=tuple(shown.cell_number(name, size) for name in [command, *arguments]))
        if not arguments and re.fullmatch("[a-z]+", command):
            return Chain(cells=self._traced(command))
        raise ValueError(f"{typed!r} is no word, no tiles and no command; /help says what is accepted")

    def _traced(self, word: str) -> tuple[int, ...]:
        """The best path of the word. Raises ValueError where the board has none."""
        board, options = self.state.board, self.state.options
        found = board and self.game.solver.best_path(board, options.size, self.game.scoring(options), word)
        if not found:
            raise ValueError(f"{word.upper()} cannot be traced here: each tile touches the one before")
        return found.cells

    def _bot_moves(self, seat: int) -> None:
        with self.console.status(f"{self.names[seat]} is looking"):
            thought = self.game.bot(self.state, seat, self.levels[seat - 1])
            if self.console.is_terminal and YOU not in self.state.resigned:
                time.sleep(thought.seconds)
        self._make(seat, thought.move)

    def _make(self, seat: int, move: Move, at: float | None = None) -> None:
        """Make the move and say what came of it. Raises IllegalMove."""
        at = time.time() if at is None else at
        after = self.game.apply(self.state, seat, move, at)
        self.states.append(after)
        self.moves.append((seat, move, at))
        report = self.game.view(after, seat).report
        if report and after.board and report.result not in ("started", "finished"):
            self._say(shown.account(report, self.names[seat], after.board, after.options.size))

    def _analyse(self) -> None:
        with self.console.status("Looking for what there was"):
            self.warming.join()
            analysis = self.game.analyse(tuple(self.states))
        self.console.print(shown.analysis(analysis, self.names))

    def _keep(self) -> None:
        """Write the record where the player wants it, or say how to have one."""
        if self.save is None:
            again = f"--seed {self.seed} deals these tiles again"
            self._say(f"Nothing was saved. --save FILE keeps the record; {again}.")
            return
        text = record.write(self.game, tuple(self.states), self.seed, self.moves)
        try:
            with self.save.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise typer.BadParameter(f"{self.save}: {error.strerror}", param_hint="--save") from error
        self._say(f"Saved. Watch it again with: wibble replay {self.save}")

    def _help(self) -> None:
        mode = modes()[self.state.options.mode]
        commands = [_POWERS[power] for power in mode.costs]
        if mode.rounds:
            commands.append("/pass        let the turn go by")
        commands += ["/resign      finish the game", "/help        show this again"]
        self._say("Type a word: the best way to trace it is found. Or name its tiles: a1 b2 b3.")
        for command in commands:
            self._say(f"  {command}")
        self._say("Ctrl+D leaves. Tiles show letter, value, * for a gem, and DL, TL or 2x for a bonus.")

    def _say(self, text: str) -> None:
        self.console.print(Text(text), soft_wrap=True)


def _levels(bots: str | None, mode: Mode) -> list[int]:
    """The levels asked for. Raises BadParameter."""
    fewest, most = modes()[mode].seats
    if most == 1:
        if bots is not None:
            raise typer.BadParameter("bots play in Versus only: add --mode versus", param_hint="--bots")
        return []
    if bots is None:
        return [USUAL_BOT]
    levels: list[int] = []
    with suppress(ValueError):
        levels = [int(level) for level in bots.split(",")]
    if not fewest <= 1 + len(levels) <= most or not all(1 <= level <= len(Wibble.bots) for level in levels):
        raise typer.BadParameter(
            f"{bots!r}: name {fewest - 1} to {most - 1} levels from 1 to {len(Wibble.bots)}, such as 1,3",
            param_hint="--bots",
        )
    return levels


def _one_of(value: str, accepted: tuple[Any, ...], parameter: str) -> Any:
    if value not in accepted:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(accepted)}", param_hint=parameter)
    return value


def _printable(seed: str) -> str:
    """The seed, if a record can hold it. Raises BadParameter."""
    if not seed.isprintable() or not seed or seed != seed.strip():
        raise typer.BadParameter(
            f"{seed!r}: a seed is one line of text without spaces around it", param_hint="--seed"
        )
    return seed


def _check_savable(save: Path) -> None:
    """Refuse before the game what would fail after it."""
    if save.exists():
        raise typer.BadParameter(f"{save} is there already: name a new file", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {save.parent}", param_hint="--save")
