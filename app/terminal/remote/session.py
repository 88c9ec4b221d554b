"""A session in a game on a server: shows it, sends moves and follows its events."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from rich.console import Console, RenderableType
from rich.text import Text

from app.client import ApiClient, EventListener, NotWibble, Problem, RemoteGame, Unreachable
from app.client.events import retry_delay
from app.terminal.clocks import seconds_left
from app.terminal.display import AnalysisDisplay, Display, ending
from app.terminal.interrupts import stopped_by_ctrl_c
from app.terminal.remote.inbox import Changed, Closed, Inbox, Keyboard, Lost, Message, Refused, Typed
from app.terminal.shell import Command, Leave, Shell
from app.validation import first_fault

POLL_SECONDS: Final = 5.0
"""Polling interval without an event stream."""


@dataclass
class SentMove:
    """A move, the ply it is for, and how often sending it has failed."""

    move: dict[str, Any]
    ply: int
    typed: str
    failures: int = 0


class RemoteSession(Shell):
    """The shell of a player or watcher in a game that was opened or fetched."""

    refusals = (Problem, ValueError)

    def __init__(
        self,
        client: ApiClient,
        game: RemoteGame,
        display: Display,
        console: Console,
        inbox: Inbox,
        keyboard: Keyboard,
    ) -> None:
        """Raises NotWibble if the display cannot read the game."""
        self.client = client
        self.game = game
        self.console = console
        self._inbox = inbox
        self._keyboard = keyboard
        self._display = display
        self._view = self._read(game)
        self._unanswered: SentMove | None = None
        """A sent move without an answer: it may or may not have arrived."""
        self._reading = False
        """Whether a line was requested from the keyboard."""
        self._prompt_hidden = False
        """Whether something was printed below the prompt."""
        self._connected = True
        self._gone = False
        """Whether the game no longer exists on the server."""
        self._streaming = True
        """Whether the event stream is open."""
        self._lines: tuple[str, ...] | None = None

    @property
    def page(self) -> str:
        """URL of the game's page."""
        return f"{self.client.url}/games/{self.game.id}"

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        listener = EventListener(self.client, self.game.id, self._inbox)
        try:
            with stopped_by_ctrl_c() as interruption, suppress(Leave):
                self.begin()
                if self.game.finished_at is None:
                    listener.start()
                while self.game.finished_at is None:
                    self._prompt()
                    self._handle(self._inbox.get(self._timeout()))
            self.interrupted = interruption.interrupted
        finally:
            listener.stop()
            if self.game.finished_at is None and not self._gone:
                rejoin = f"wibble play --server {self.client.url} --game={self.game.id}"
                self.say(f"The game continues. Rejoin with: {rejoin}")
        if self.game.finished_at is not None:
            self._finish()

    def say(self, text: str, style: str = "") -> None:
        """Print a line, below the prompt if there is one."""
        self._show(Text(text, style))

    def begin(self) -> None:
        game, names = self.game, self._names()
        self.say(self._display.title(self._view))
        players = f": {', '.join(names)}" if len(names) > 1 else ""
        self.say(f"Game {game.id} on {self.client.url}{players}")
        if game.finished_at is None:
            if game.seat is None:
                self.say("You are watching.")
            else:
                self.help()
            if game.invitation is not None:
                link = f"{self.page}/join/{game.invitation}"
                self.say(f"Invite others: {link}")
                self.say(f"In a terminal: wibble play --server {self.client.url} --game {link}")
            for remark in game.remarks:
                self.say(f"{names[remark.seat]}: {remark.text}")
        self._draw()

    @property
    def introduction(self) -> str:
        return self._display.introduction(self._view)

    def offered(self) -> dict[str, Command]:
        offered = {
            name: Command(usage, meaning, self._command(name))
            for name, (usage, meaning) in self._display.commands(self._view).items()
        }
        if len(self.game.seats) > 1:
            offered["/say"] = Command("[LINE]", "send a remark", self._remark)
        if self.game.turn_limit is not None or self.game.claimable_at is not None:
            offered["/claim"] = Command("", "claim a win from an absent player", self._claim)
        offered["/board"] = Command("", "refresh the board", lambda _: self._look())
        return offered

    def _command(self, name: str) -> Callable[[str], None]:
        return lambda rest: self.typed(f"{name} {rest}".strip())

    def blank(self) -> None:
        """Start the clock if the game waits for it, otherwise show the help."""
        start = self._start()
        if start is None:
            self.help()
        else:
            self._send(start, "")

    def typed(self, line: str) -> None:
        """Make a move or show the output of a command. Raises ValueError for anything else."""
        typed = line if self._display.case_matters else line.lower()
        if self._start() is not None and not typed.startswith("/"):
            raise ValueError("press Enter to start the clock, or type quit")
        if self._unanswered is not None:
            raise ValueError(f"{self._unanswered.typed} is still being sent")
        if (move := self._display.move(typed, self._view)) is not None:
            self._send(move, typed)
        elif (answer := self._display.answer(typed, self._view)) is not None:
            self._show(answer)

    def explain(self, error: Exception) -> str:
        reason = first_fault(error) if isinstance(error, ValidationError) else str(error)
        return self._display.explain(reason, self._view)

    def _start(self) -> BaseModel | None:
        """Return the move that Enter makes, if any."""
        return self._display.start(self._view) if self.game.free_seats == 0 else None

    def _look(self) -> None:
        self._refresh()
        self._draw()

    def _claim(self, _: str) -> None:
        self._update(self.client.claim(self.game.id))

    def _draw(self) -> None:
        self.say("")
        self._show(self._display.board(self._view, self._names()))

    def _finish(self) -> None:
        if self.game.outcome is not None:
            self.say(ending(self.game.outcome, self._names()))
        if isinstance(self._display, AnalysisDisplay) and self.game.outcome is not None:
            found = self.client.analysis(self.game.id, self._display.game.analysis_type)
            self._show(self._display.analysis(found, self._names()))
        self.say(f"Replay and analysis: {self.page}/analysis")

    def _names(self) -> list[str]:
        return ["You" if seat.you else seat.name for seat in self.game.seats]

    def _show(self, shown: RenderableType) -> None:
        if self._reading and not self._prompt_hidden:
            self.console.print()
            self._prompt_hidden = True
        self.console.print(shown, soft_wrap=isinstance(shown, Text))

    def _prompt(self) -> None:
        """Request a line: in a terminal always, from a pipe only when it is our turn."""
        if self._reading:
            if self._prompt_hidden:
                self.console.print(Text(self._prompt_text()), end="")
                self._prompt_hidden = False
            return
        if self._keyboard.is_terminal or (self._my_turn() and self._unanswered is None):
            self.console.print(Text(self._prompt_text()), end="")
            self._keyboard.ask()
            self._reading, self._prompt_hidden = True, False

    def _my_turn(self) -> bool:
        started = self.game.free_seats == 0 and self._display.may_move(self._view)
        return started or self._start() is not None

    def _prompt_text(self) -> str:
        if not self._my_turn():
            return f"{self._waiting_for()} > "
        if self._start() is not None:
            return "Press Enter to start the clock. "
        ends_at = self._display.ends_at(self._view)
        return "> " if ends_at is None else f"{seconds_left(ends_at)} s > "

    def _waiting_for(self) -> str:
        if self.game.free_seats:
            return "waiting for players"
        if self._view.to_move is None:
            return "waiting"
        claim = ""
        if self.game.claimable_at is not None and self.game.seat is not None:
            at = datetime.fromtimestamp(self.game.claimable_at).astimezone()
            claim = f" (/claim from {at:%H:%M})"
        return f"waiting for {self._names()[self._view.to_move]}{claim}"

    def _timeout(self) -> float | None:
        if self._unanswered is not None:
            return retry_delay(self._unanswered.failures)
        return None if self._streaming else POLL_SECONDS

    def _handle(self, message: Message | None) -> None:
        match message:
            case Typed(line):
                self._reading = False
                self._try(lambda: self.read(line))
            case Closed():
                self._reading = False
                self.console.print()
                raise Leave
            case Lost(reason):
                self._streaming = False
                self._lose(reason)
            case Refused(reason):
                self._streaming = False
                self.say(f"{reason}. Polling every {POLL_SECONDS:.0f} seconds instead.")
            case Changed():
                self._streaming = True
                self._try(self._refresh)
            case None:
                self._try(self._refresh)

    def _try(self, action: Callable[[], None]) -> None:
        """Run an action on the server; print why if it fails."""
        try:
            action()
        except Unreachable as error:
            self._lose(str(error))
        except Problem as problem:
            self.say(self.explain(problem))

    def _lose(self, reason: str) -> None:
        if self._connected:
            self._connected = False
            self.say(f"{reason}. Retrying.")

    def _refresh(self) -> None:
        """Fetch the game, or resend an unanswered move."""
        if self._unanswered is not None:
            self._deliver(self._unanswered)
            return
        try:
            self._update(self.client.game(self.game.id))
        except Problem as problem:
            if problem.status != 404:
                raise
            self.say(str(problem))
            self._gone = True
            raise Leave from None

    def _update(self, game: RemoteGame) -> None:
        """Show what has changed since the game was last fetched."""
        if not self._connected:
            self._connected = True
            self.say("Reconnected.")
        before, then, view = self.game, self._view, self._read(game)
        self.game, self._view = game, view
        names = self._names()
        if game.free_seats < before.free_seats:
            for was, now in zip(before.seats, game.seats, strict=True):
                if was.occupant == "free" != now.occupant:
                    self.say(f"{names[now.seat]} joined.")
        if game.ply > before.ply:
            for line in self._display.changes(then, view, names):
                self.say(line)
        for remark in game.remarks[len(before.remarks) :]:
            self.say(f"{names[remark.seat]}: {remark.text}")
        position = self._display.position
        if game.free_seats != before.free_seats or position(view) != position(then):
            self._draw()

    def _send(self, move: BaseModel, typed: str) -> None:
        self._deliver(SentMove(move.model_dump(mode="json", exclude_none=True), self.game.ply, typed))

    def _deliver(self, sent: SentMove) -> None:
        """Send a move. It may be resent: the server accepts one move per ply."""
        self._unanswered = sent
        try:
            game = self.client.move(self.game.id, sent.move, sent.ply)
        except Unreachable:
            sent.failures += 1
            raise
        except Problem as problem:
            if problem.status != 409:
                self._unanswered = None
                raise
            self._resolve_conflict(sent, problem)
        else:
            self._accept(game, sent)

    def _accept(self, game: RemoteGame, sent: SentMove) -> None:
        self._unanswered = None
        self._update(game)
        if sent.typed and (answer := self._display.answer(sent.typed, self._view)) is not None:
            self._show(answer)

    def _resolve_conflict(self, sent: SentMove, problem: Problem) -> None:
        """Handle a 409: the move may have arrived already, or the game has moved on."""
        try:
            game = self.client.game(self.game.id)
            since = self.client.log(self.game.id)[sent.ply :]
        except Unreachable:
            sent.failures += 1
            raise
        own = [line.move or {} for line in since if line.seat == self.game.seat]
        if any(sent.move.items() <= move.items() for move in own):
            self._accept(game, sent)
            return
        self._unanswered = None
        if self._display.simultaneous and since and not own and game.finished_at is None:
            self._update(game)
            self._deliver(SentMove(sent.move, game.ply, sent.typed))
        elif since:
            self.say(f"{sent.typed or 'The move'} was not played: the game has moved on.")
            self._update(game)
        else:
            self._update(game)
            self.say(self.explain(problem))

    def _remark(self, rest: str) -> None:
        if self._lines is None:
            self._lines = self.client.remarks()
        for number, line in enumerate(self._lines):
            if rest.lower() in (str(number + 1), line.lower()):
                self._update(self.client.say(self.game.id, number))
                return
        for number, line in enumerate(self._lines, start=1):
            self.say(f"  /say {number}  {line}")

    def _read(self, game: RemoteGame) -> Any:
        try:
            return self._display.read_view(game.view)
        except ValidationError:
            raise NotWibble(
                f"cannot read the game of {game.kind} from {self.client.url}: "
                "client and server have different versions"
            ) from None
