"""``wibble play``: Wibble in the terminal, solo or against bots."""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Final, get_args

import typer
from rich.console import Console

from app.commands import board as shown
from app.commands.wibble_moves import POWERS, typed_move
from app.games import record
from app.games.game import IllegalMove
from app.games.kernel import warm_up
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Mode, Move, Options, Replace, Setup, Start, State
from app.rooms import ROOMS
from app.settings import Settings
from app.terminal import output
from app.terminal.remote.options import given_parameters, refuse_server_options
from app.terminal.shell import Command, Misread, Shell
from app.words.letters import ValuesName
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

YOU: Final = 0
DEFAULT_BOT_LEVEL: Final = 3
"""Default bot level."""
_FREQUENCIES: Final = ("prose", "dictionary", "lexicon")


def play(
    context: typer.Context,
    mode: Annotated[str, typer.Option(help=f"Game mode: {', '.join(get_args(Mode))}.")] = "zen",
    bots: Annotated[
        str | None, typer.Option(help="Bot levels in Versus, 1 to 5, such as 1,3 [default: 3].")
    ] = None,
    size: Annotated[int, typer.Option(min=4, max=7, help="Tiles per side of the board.")] = 5,
    frequencies: Annotated[
        str, typer.Option(help=f"Letter frequencies: {', '.join(_FREQUENCIES)}.")
    ] = "prose",
    minimum_words: Annotated[
        int, typer.Option(min=0, max=100, help="Minimum number of words on the board.")
    ] = 20,
    values: Annotated[
        str | None,
        typer.Option(help=f"Letter values: {' or '.join(get_args(ValuesName))} [default: the mode's]."),
    ] = None,
    replace: Annotated[
        str,
        typer.Option(
            help="In Zen, replace tiles after: words, or releases (any chain, also an invalid word)."
        ),
    ] = "words",
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    seed: Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same tiles.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the record of the game to this new file, for wibble replay.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Disable colours.")] = False,  # noqa: FBT002
    server: Annotated[
        str | None,
        typer.Option(help="Play on this Wibble server, such as https://words.example.", metavar="URL"),
    ] = None,
    game: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(help="With --server: resume this game, or join it by its link.", metavar="ID"),
    ] = None,
    kind: Annotated[  # noqa: ARG001
        str, typer.Option(help="With --server: the game: wibble, letterpress, boggle, fribble or scrabblet.")
    ] = "wibble",
    option: Annotated[  # noqa: ARG001
        list[str] | None,
        typer.Option(
            help="With --server: a game option, such as seconds=60. May be repeated.", metavar="NAME=VALUE"
        ),
    ] = None,
    seats: Annotated[  # noqa: ARG001
        int | None,
        typer.Option(
            help="With --server: number of seats; seats without a bot are free to join.", min=1, max=6
        ),
    ] = None,
    listed: Annotated[  # noqa: ARG001, FBT002
        bool,
        typer.Option("--listed", help="With --server: list the game in the lobby, so that anyone can join."),
    ] = False,
    turn_limit: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(
            help="With --server: time per turn, after which others may claim the game: 10m, 1h, 1d or 3d.",
            metavar="TIME",
        ),
    ] = None,
    cookies: Annotated[  # noqa: ARG001
        Path | None,
        typer.Option(help="With --server: cookie file with your session, in curl format.", metavar="FILE"),
    ] = None,
) -> None:
    """Play Wibble in the terminal, solo or against bots, or any game on a server."""
    given = given_parameters(context)
    if server is not None:
        from app.terminal.remote.play import play_remote  # noqa: PLC0415 - a local game needs no client

        if save is not None:
            _check_savable(save)
        play_remote(given)
        return
    refuse_server_options(given)
    chosen: Mode = _one_of(mode, get_args(Mode), "--mode")
    if values is not None:
        _one_of(values, get_args(ValuesName), "--values")
    _one_of(replace, get_args(Replace), "--replace")
    _one_of(frequencies, _FREQUENCIES, "--frequencies")
    levels = _levels(bots, chosen)
    seed = secrets.token_hex(8) if seed is None else _printable(seed)
    if save is not None:
        _check_savable(save)
    rulebook = ROOMS.rulebook(Settings().library())
    try:
        setup = Setup.model_validate(
            {
                "mode": chosen,
                "size": size,
                "frequencies": frequencies,
                "minimum_words": minimum_words,
                "values": values,
                "replace": replace,
                "lexicon": lexicon,
            }
        )
        options: Options = rulebook.pin(Wibble.kind, setup)
        rules = rulebook.rules(Wibble, options.lexicon)
    except (UnknownLexicon, DamagedLexicon) as error:
        raise typer.BadParameter(str(error), param_hint="--lexicon") from error
    try:
        terminal_game = TerminalGame(rules, options, levels, seed, save, output.console(no_color=no_color))
    except IllegalMove as refused:
        raise typer.BadParameter(str(refused), param_hint="--mode, --replace") from None
    terminal_game.run()
    terminal_game.finish()


class TerminalGame(Shell):
    """A local game from deal to analysis: the player on seat 0, bots on the other seats."""

    refusals = (ValueError,)

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
        self.drawn: State | None = None
        """The state last drawn."""
        self.warming = Thread(target=warm_up, name="warm-up", daemon=True)

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    def offered(self) -> dict[str, Command]:
        """Return the powers of the mode, pass and resign."""
        mode = modes()[self.state.options.mode]
        offered = {f"/{power}": POWERS[power] for power in mode.costs}
        if mode.rounds:
            offered["/pass"] = ("", "pass")
        offered["/resign"] = ("", "finish the game")
        return {name: Command(*about, self._command(name)) for name, about in offered.items()}

    def _command(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._play(f"{name} {rest}")

    @property
    def introduction(self) -> str:
        """Explain input and the marks on the board."""
        return (
            "Type a word to play it on its best path, or its tiles: a1 b2 b3.\n"
            "Tiles show letter and value, * for a gem, and DL, TL or 2x for a bonus."
        )

    @property
    def prompt(self) -> str:
        """The time left, if there is a clock."""
        ends_at = self.game.view(self.state, YOU).ends_at
        left = "" if ends_at is None else f"{max(ends_at - time.time(), 0):.0f} s "
        return f"{left}> "

    def begin(self) -> None:
        """Show the mode and the help, and start the clock when the player is ready."""
        self.warming.start()
        mode = modes()[self.state.options.mode]
        self.say(f"Wibble {mode.title}, seed {self.seed}. {mode.blurb}")
        self.help()
        opening = self.game.opening(self.state.options)
        if not opening:
            with suppress(EOFError):
                self.console.input("Press Enter to start the clock. ")
        for move in opening or (Start(),):
            self._make(YOU, move)

    def ready(self) -> bool:
        """Play the bots' turns; return False once the game is over."""
        while (seat := self.game.to_move(self.state)) not in (None, YOU):
            self._bot_moves(seat)
        if seat is None:
            return False
        drawn = self.drawn
        if drawn is None or drawn.board != self.state.board or drawn.scores != self.state.scores:
            self._draw()
        self.drawn = self.state
        return True

    def read(self, line: str) -> None:
        """Handle a line, unless the clock has run out."""
        if due := self.game.due(self.state, time.time()):
            self._make(due.seat, due.move, due.at)
        else:
            super().read(line)

    def finish(self) -> None:
        """Print the result, save the record and print the analysis; exit with status 130 after Ctrl+C."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            self.say("You left before the game was over.")
        else:
            self.console.print()
            self.say(shown.ending(outcome, self.names))
        self._keep()
        self.exit_if_interrupted()
        if outcome is not None:
            self._analyse()

    def _draw(self) -> None:
        view = self.game.view(self.state, YOU)
        self.console.print()
        self.console.print(shown.board(view.tiles, view.size))
        self.console.print(shown.status(view, self.names), soft_wrap=True)

    def typed(self, line: str) -> None:
        """Play a word or a list of tiles. Raises ValueError."""
        if line.startswith("/"):
            raise Misread(f"{line!r} is not a word")
        self._play(line)

    def _play(self, line: str) -> None:
        """Make the move in a line, which may be a command."""
        move = typed_move(line.lower(), self.state.options.size, self._traced)
        if move is None:
            raise Misread(f"{line!r} is not a word, a list of tiles or a command; see /help")
        self._make(YOU, move)

    def explain(self, error: Exception) -> str:
        """Return the reason with cell names instead of numbers."""
        return shown.with_names(str(error), self.state.options.size)

    def _traced(self, word: str) -> tuple[int, ...] | None:
        """Return the best path of the word; None if there is none."""
        board, options = self.state.board, self.state.options
        found = board and self.game.solver.best_path(board, options.size, self.game.scoring(options), word)
        return found.cells if found else None

    def _bot_moves(self, seat: int) -> None:
        with self.console.status(f"{self.names[seat]} is thinking"):
            thought = self.game.bot(self.state, seat, self.levels[seat - 1])
            if self.console.is_terminal and YOU not in self.state.resigned:
                time.sleep(thought.seconds)
        self._make(seat, thought.move)

    def _make(self, seat: int, move: Move, at: float | None = None) -> None:
        """Make the move and print its result. Raises IllegalMove."""
        at = time.time() if at is None else at
        after = self.game.apply(self.state, seat, move, at)
        self.states.append(after)
        self.moves.append((seat, move, at))
        report = self.game.view(after, seat).report
        if report and after.board and report.result not in ("started", "finished"):
            self.say(shown.account(report, self.names[seat], after.board, after.options.size))

    def _analyse(self) -> None:
        with self.console.status("Analysing the game"):
            self.warming.join()
            analysis = self.game.analyse(tuple(self.states))
        self.console.print(shown.analysis(analysis, self.names))

    def _keep(self) -> None:
        """Save the record, or mention --save."""
        if self.save is None:
            again = f"--seed {self.seed} deals the same tiles"
            self.say(f"The game was not saved: use --save FILE to save the record; {again}.")
            return
        text = record.write(self.game, tuple(self.states), self.seed, self.moves)
        try:
            with self.save.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise typer.BadParameter(f"{self.save}: {error.strerror}", param_hint="--save") from error
        self.say(f"Saved. Replay it with: wibble replay {self.save}")


def _levels(bots: str | None, mode: Mode) -> list[int]:
    """Return the levels of the bots. Raises BadParameter."""
    fewest, most = modes()[mode].seats
    if most == 1:
        if bots is not None:
            raise typer.BadParameter("bots need Versus; add --mode versus", param_hint="--bots")
        return []
    if bots is None:
        return [DEFAULT_BOT_LEVEL]
    levels: list[int] = []
    with suppress(ValueError):
        levels = [int(level) for level in bots.split(",")]
    if not fewest <= 1 + len(levels) <= most or not all(1 <= level <= len(Wibble.bots) for level in levels):
        raise typer.BadParameter(
            f"{bots!r} is invalid; accepted: {fewest - 1} to {most - 1} levels from 1 to {len(Wibble.bots)}, "
            "such as 1,3",
            param_hint="--bots",
        )
    return levels


def _one_of(value: str, accepted: tuple[Any, ...], parameter: str) -> Any:
    if value not in accepted:
        raise typer.BadParameter(
            f"{value!r} is invalid; accepted: {', '.join(accepted)}", param_hint=parameter
        )
    return value


def _printable(seed: str) -> str:
    """Return the seed if it can be stored in a record. Raises BadParameter."""
    if not seed.isprintable() or not seed or seed != seed.strip():
        raise typer.BadParameter(
            f"{seed!r} is invalid; accepted: one line of text without leading or trailing spaces",
            param_hint="--seed",
        )
    return seed


def _check_savable(save: Path) -> None:
    """Check before the game that it can be saved. Raises BadParameter."""
    if save.exists():
        raise typer.BadParameter(f"{save} already exists; name a new file", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise typer.BadParameter(f"the folder {save.parent} does not exist", param_hint="--save")
