"""``wibble play``: Wibble in a terminal, alone or against the bots."""

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
from app.commands import output
from app.commands.remote.options import given_parameters, refuse_server_options
from app.commands.shell import Command, Misread, Shell
from app.commands.wibble_moves import POWERS, typed_move
from app.games import record
from app.games.game import IllegalMove
from app.games.kernel import warm_up
from app.games.rulebook import Rulebook
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Mode, Move, Options, Replace, Setup, Start, State
from app.settings import Settings
from app.words.letters import ValuesName
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

YOU: Final = 0
USUAL_BOT: Final = 3
"""The level that sits down where nobody chose one."""
_FREQUENCIES: Final = ("prose", "dictionary", "lexicon")


def play(
    context: typer.Context,
    mode: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(Mode))}.")] = "zen",
    bots: Annotated[
        str | None, typer.Option(help="Levels of the bots in Versus, 1 to 5, such as 1,3 [default: 3].")
    ] = None,
    size: Annotated[int, typer.Option(min=4, max=7, help="Tiles along a side of the board.")] = 5,
    frequencies: Annotated[
        str, typer.Option(help=f"How often letters come up: {', '.join(_FREQUENCIES)}.")
    ] = "prose",
    minimum_words: Annotated[
        int, typer.Option(min=0, max=100, help="The fewest words that a board may hold.")
    ] = 20,
    values: Annotated[
        str | None,
        typer.Option(help=f"Letter values: {' or '.join(get_args(ValuesName))} [default: the mode's]."),
    ] = None,
    replace: Annotated[
        str, typer.Option(help="In Zen, new tiles after: words, or releases (also chains that are no word).")
    ] = "words",
    lexicon: Annotated[str, typer.Option(help="The word list (see: wibble words list).")] = DEFAULT_LEXICON,
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same tiles.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the record of the game in this new file, for: wibble replay.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Show no colours.")] = False,  # noqa: FBT002
    server: Annotated[
        str | None,
        typer.Option(help="Play at this Wibble server, such as https://words.example.", metavar="URL"),
    ] = None,
    game: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(help="With --server: go on with this game, or join it by its link.", metavar="ID"),
    ] = None,
    kind: Annotated[  # noqa: ARG001
        str, typer.Option(help="With --server: wibble, letterpress, boggle, fribble or scrabblet.")
    ] = "wibble",
    option: Annotated[  # noqa: ARG001
        list[str] | None,
        typer.Option(help="With --server: an option of the game, such as seconds=60.", metavar="NAME=VALUE"),
    ] = None,
    seats: Annotated[  # noqa: ARG001
        int | None,
        typer.Option(help="With --server: players in all; free seats are for friends.", min=1, max=6),
    ] = None,
    listed: Annotated[  # noqa: ARG001, FBT002
        bool, typer.Option("--listed", help="With --server: let anybody take a free seat.")
    ] = False,
    turn_limit: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(
            help="With --server: who does not move for 10m, 1h, 1d or 3d can be claimed to have lost.",
            metavar="TIME",
        ),
    ] = None,
    cookies: Annotated[  # noqa: ARG001
        Path | None,
        typer.Option(help="With --server: the file with your session, as curl -c writes it.", metavar="FILE"),
    ] = None,
) -> None:
    """Play Wibble in the terminal, alone or against bots; or any game on a server."""
    given = given_parameters(context)
    if server is not None:
        from app.commands.remote.play import play_remote  # noqa: PLC0415 - a game here needs no client

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
    rulebook = Rulebook(Settings().library())
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
    """One game from its deal to its analysis, the person on seat 0 and a bot on each other seat."""

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
        """What the board on the screen shows."""
        self.warming = Thread(target=warm_up, name="warm-up", daemon=True)

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[-1]

    def offered(self) -> dict[str, Command]:
        """The powers that the mode has, and the moves that are no word."""
        mode = modes()[self.state.options.mode]
        offered = {f"/{power}": POWERS[power] for power in mode.costs}
        if mode.rounds:
            offered["/pass"] = ("", "let the turn go by")
        offered["/resign"] = ("", "finish the game")
        return {name: Command(*about, self._command(name)) for name, about in offered.items()}

    def _command(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._play(f"{name} {rest}")

    @property
    def introduction(self) -> str:
        """What a line may be, and what the board shows."""
        return (
            "Type a word: the best way to trace it is found. Or name its tiles: a1 b2 b3.\n"
            "Tiles show letter, value, * for a gem, and DL, TL or 2x for a bonus."
        )

    @property
    def prompt(self) -> str:
        """The time that is left, where there is a clock."""
        ends_at = self.game.view(self.state, YOU).ends_at
        left = "" if ends_at is None else f"{max(ends_at - time.time(), 0):.0f} s "
        return f"{left}> "

    def begin(self) -> None:
        """Say what is played, and start the clock when the player is ready."""
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
        """Let the bots move until it is the player's turn; False at the end."""
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
        """Do what a line says, unless the clock has run out meanwhile."""
        if due := self.game.due(self.state, time.time()):
            self._make(due.seat, due.move, due.at)
        else:
            super().read(line)

    def finish(self) -> None:
        """Say how the game ended, keep it and judge it; exit with status 130 after Ctrl+C."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            self.say("You left before the end.")
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
        """Play a word, or the tiles that are named. Raises ValueError."""
        if line.startswith("/"):
            raise Misread(f"{line!r} is no word")
        self._play(line)

    def _play(self, line: str) -> None:
        """Make the move that a line says, a command included."""
        move = typed_move(line.lower(), self.state.options.size, self._traced)
        if move is None:
            raise Misread(f"{line!r} is no word, no tiles and no command; /help says what is accepted")
        self._make(YOU, move)

    def explain(self, error: Exception) -> str:
        """The reason, with the names of tiles that the board shows."""
        return shown.with_names(str(error), self.state.options.size)

    def _traced(self, word: str) -> tuple[int, ...] | None:
        """The best path of the word; None where the board has none."""
        board, options = self.state.board, self.state.options
        found = board and self.game.solver.best_path(board, options.size, self.game.scoring(options), word)
        return found.cells if found else None

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
            self.say(shown.account(report, self.names[seat], after.board, after.options.size))

    def _analyse(self) -> None:
        with self.console.status("Looking for what there was"):
            self.warming.join()
            analysis = self.game.analyse(tuple(self.states))
        self.console.print(shown.analysis(analysis, self.names))

    def _keep(self) -> None:
        """Write the record where the player wants it, or say how to have one."""
        if self.save is None:
            again = f"--seed {self.seed} deals these tiles again"
            self.say(f"Nothing was saved. --save FILE keeps the record; {again}.")
            return
        text = record.write(self.game, tuple(self.states), self.seed, self.moves)
        try:
            with self.save.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise typer.BadParameter(f"{self.save}: {error.strerror}", param_hint="--save") from error
        self.say(f"Saved. Watch it again with: wibble replay {self.save}")


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
