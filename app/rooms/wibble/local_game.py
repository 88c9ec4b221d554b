"""A game of Wibble in the terminal, solo or against bots."""

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, get_args

from pydantic import ValidationError
from rich.console import Console

from app.games import record
from app.games.game import IllegalMove, UnknownLevel
from app.games.kernel import warm_up
from app.games.rulebook import Rulebook
from app.games.wibble.adventure import open_board
from app.games.wibble.modes import rules_of
from app.games.wibble.moves import Move, Start
from app.games.wibble.options import Choices, Frequencies, Mode, Options, Replace, Setup
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from app.grammar import format_range
from app.rooms.wibble import drawing as shown
from app.rooms.wibble.typed_moves import POWERS, typed_move
from app.settings import Settings
from app.terminal.arguments import check_savable, refuse
from app.terminal.cells import with_names
from app.terminal.clocks import seconds_left, with_times
from app.terminal.display import ending
from app.terminal.shell import Command, InvalidInput, Shell
from app.words.letters import ValuesName
from app.words.library import DamagedLexicon, UnknownLexicon

YOU: Final = 0
DEFAULT_BOT_LEVEL: Final = 3
"""Default bot level."""


def play_local(
    setup: Mapping[str, Any], bots: str | None, seed: str | None, save: Path | None, console: Console
) -> None:
    """Play a game with the options of ``wibble play``. Raises BadParameter."""
    for name, accepted in (
        ("mode", Mode),
        ("values", ValuesName),
        ("replace", Replace),
        ("frequencies", Frequencies),
    ):
        if setup[name] is not None and setup[name] not in get_args(accepted):
            refuse(f"{setup[name]!r} is invalid; accepted: {', '.join(get_args(accepted))}", f"--{name}")
    if setup["increment_seconds"] and setup["clock_seconds"] is None:
        refuse("requires --clock-seconds", "--increment-seconds")
    if (setup["mode"] == "adventure") != (setup["level"] is not None):
        refuse("--mode adventure takes a --level, by number or name; other modes take none", "--level")
    levels = _levels(bots, setup["mode"])
    seed = secrets.token_hex(8) if seed is None else _printable(seed)
    check_savable(save)
    rulebook = Rulebook(Settings().library(), {Wibble.kind: Wibble})
    try:
        options: Options = rulebook.pin(Wibble.kind, Setup.model_validate(setup))
        rules = rulebook.rules(Wibble, options.lexicon)
    except UnknownLevel as error:
        refuse(error, "--level")
    except ValidationError as error:
        from app.web.guard.fields import field_errors  # noqa: PLC0415 - keeps the command fast

        wrong = field_errors(error.errors())[0]
        refuse(wrong.message, f"--{'-'.join(map(str, wrong.location))}".replace("_", "-"))
    except (UnknownLexicon, DamagedLexicon) as error:
        refuse(error, "--lexicon")
    try:
        terminal_game = TerminalGame(rules, options, levels, seed, save, console)
    except IllegalMove as refused:
        refuse(refused, "--mode, --replace, --clock-seconds")
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
        mode = rules_of(self.state.options)
        offered = {f"/{power}": POWERS[power] for power in mode.costs}
        if mode.rounds:
            offered["/pass"] = ("", "pass")
        offered["/resign"] = ("", "finish the game")
        return {name: Command(*about, self._command(name)) for name, about in offered.items()}

    def _command(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._play(f"{name} {rest}")

    @property
    def introduction(self) -> str:
        return (
            "Type a word to play it on its best path, or its tiles: a1 b2 b3.\n"
            "Tiles show letter and value, * for a gem, and DL, TL or 2x for a bonus."
        )

    @property
    def prompt(self) -> str:
        ends_at = self.game.view(self.state, YOU).ends_at
        left = "" if ends_at is None else f"{seconds_left(ends_at)} s "
        return f"{left}> "

    def begin(self) -> None:
        """Show the mode and the help, and start the clock when the player is ready."""
        self.warming.start()
        mode, level = rules_of(self.state.options), self.state.options.level
        about = f"{level.title}. {level.story}" if level else mode.blurb
        self.say(f"Wibble {mode.title}, seed {self.seed}. {about}")
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
            self.say(ending(outcome, self.names))
        self._keep()
        self.exit_if_interrupted()
        if outcome is not None:
            self._analyse()

    def _draw(self) -> None:
        view = self.game.view(self.state, YOU)
        self.console.print()
        self.console.print(shown.board(view.tiles, view.size))
        names = with_times(self.names, view.clocks, time.time())
        self.console.print(shown.status(view, names), soft_wrap=True)
        if view.level:
            self.console.print(shown.goals(view.level), soft_wrap=True)

    def typed(self, line: str) -> None:
        if line.startswith("/"):
            raise InvalidInput(f"{line!r} is not a word")
        self._play(line)

    def _play(self, line: str) -> None:
        """Make the move in a line, which may be a command."""
        move = typed_move(line.lower(), self.state.options.size, self._traced)
        if move is None:
            raise InvalidInput(f"{line!r} is not a word, a list of tiles or a command; see /help")
        self._make(YOU, move)

    def explain(self, error: Exception) -> str:
        return with_names(str(error), self.state.options.size)

    def _traced(self, word: str) -> tuple[int, ...] | None:
        """Return the best path of the word; None if there is none."""
        options = self.state.options
        board, scoring = open_board(self.state), self.game.scoring(options)
        found = self.game.solver.best_path(board, options.size, scoring, word)
        return found.cells if found else None

    def _bot_moves(self, seat: int) -> None:
        with self.console.status(f"{self.names[seat]} is thinking"):
            thought = self.game.bot(self.state, seat, self.levels[seat - 1])
            if self.console.is_terminal and YOU not in self.state.resigned:
                time.sleep(thought.seconds)
        now = time.time()
        # As on a server, a bot's clock does not count how long the computer took.
        late = self.state.clocks is not None and self.state.clocks.has_run_out(now)
        self._make(seat, thought.move, self.moves[-1][2] + thought.seconds if late else now)

    def _make(self, seat: int, move: Move, at: float | None = None) -> None:
        """Make the move and print its result. Raises IllegalMove."""
        at = time.time() if at is None else at
        after = self.game.apply(self.state, seat, move, at)
        self.states.append(after)
        self.moves.append((seat, move, at))
        report = self.game.view(after, seat).report
        if report and after.board and report.result not in ("started", "finished"):
            self.say(shown.format_report(report, self.names[seat], after.board, after.options.size))

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
            refuse(f"{self.save}: {error.strerror}", "--save")
        self.say(f"Saved. Replay it with: wibble replay {self.save}")


def _levels(bots: str | None, mode: Mode) -> list[int]:
    """Return the levels of the bots. Raises BadParameter."""
    seats = Wibble.seats(Choices(mode=mode))
    if seats[-1] == 1:
        if bots is not None:
            refuse("bots need Versus or Teams; add --mode versus", "--bots")
        return []
    if bots is None:
        return [DEFAULT_BOT_LEVEL] * (seats[0] - 1)
    levels: list[int] = []
    with suppress(ValueError):
        levels = [int(level) for level in bots.split(",")]
    if 1 + len(levels) not in seats or not all(1 <= level <= len(Wibble.bots) for level in levels):
        number = format_range(range(seats[0] - 1, seats[-1], seats.step), "level")
        example = ",".join(["3"] * (seats[0] - 1))
        refuse(
            f"{bots!r} is invalid; accepted: {number} from 1 to {len(Wibble.bots)}, such as {example}",
            "--bots",
        )
    return levels


def _printable(seed: str) -> str:
    """Return the seed if it can be stored in a record. Raises BadParameter."""
    if not seed.isprintable() or not seed or seed != seed.strip():
        refuse(
            f"{seed!r} is invalid; accepted: one line of text without leading or trailing spaces", "--seed"
        )
    return seed
