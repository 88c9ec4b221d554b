"""Boggle in the terminal: display, and renderer of recorded games."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.games.boggle.analysis import ACCURACY
from app.games.boggle.finding import Progress, hint_rules
from app.games.boggle.rounds import scores_of
from app.games.boggle.rules import Boggle
from app.games.boggle.state import (
    Finish,
    HandIn,
    Hint,
    Move,
    Report,
    Round,
    RoundView,
    Start,
    State,
    View,
    Word,
)
from app.games.game import AnyGame
from app.grammar import format_count
from app.terminal import Terminal
from app.terminal.cells import cell_name, named_cells, path, with_names
from app.terminal.clocks import seconds_left
from app.terminal.display import Display, a_word, not_understood
from app.terminal.record_renderer import RecordRenderer, measured, missed_words

MOST_MISSED = 10
"""Number of missed words listed at the end of a round."""


class BoggleDisplay(Display):
    """Displays Boggle."""

    simultaneous: ClassVar[bool] = True
    game: ClassVar[type[AnyGame]] = Boggle

    def title(self, view: View) -> str:
        clock = f"{view.seconds} seconds" if view.seconds else "no clock"
        letters = f"words of {view.min_length} letters or more"
        return f"Boggle, {view.rows}x{view.columns}, {clock}, {letters}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        scores = Text(_describe_scores(view, names), style="bold")
        return Group(_picture(view), scores) if view.board else scores

    def position(self, view: View) -> object:
        return view.board, tuple(round_.finished_at is None for round_ in view.rounds)

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        lines = []
        if after.report and (after.report != before.report or _found(after) != _found(before)):
            lines.append(_format_report(after.report, after))
        for name, then, now in zip(names, before.rounds, after.rounds, strict=True):
            if now.finished_at is not None and then.finished_at is None:
                score = "" if now.score is None else f" {now.score}"
                lines.append(f"{name}: round over, {now.reason}.{score and f' Score{score}.'}")
        if after.solution is not None and before.solution is None:
            missed = [word.word.upper() for word in after.solution if not word.seats][:MOST_MISSED]
            if missed:
                lines.append(f"Not found: {', '.join(missed)}")
        return lines

    def move(self, typed: str, view: View) -> Move | None:
        if typed == "/finish":
            return Finish()
        if typed == "/words":
            return None
        if view.find_all and typed in ("/counts", "/letter"):
            return Hint(about="counts" if typed == "/counts" else "letter")
        if cells := named_cells(typed, view.rows, view.columns):
            return Word(cells=cells)
        if word := a_word(typed):
            return Word(word=word)
        raise not_understood(typed)

    def answer(self, typed: str, view: View) -> RenderableType | None:
        if typed != "/words":
            return None
        words = view.rounds[view.seat].words if view.seat is not None else None
        found = [f"{word.word.upper()} {word.points}" for word in words or ()]
        return Text(", ".join(found) or "no words yet")

    def introduction(self, view: View) -> str:
        return "Type a word, or its tiles: a1 b2 b3."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        hints = {
            "/counts": ("", f"a hint for {hint_rules().counts}: words left by length and first letter"),
            "/letter": ("", f"a hint for {hint_rules().letter}: the next letter of a word"),
        }
        return {
            "/words": ("", "show the words you have found"),
            **(hints if view.find_all else {}),
            "/finish": ("", "end your round"),
        }

    def explain(self, refusal: str, view: View) -> str:
        return with_names(refusal, view.columns)

    def start(self, view: View) -> Start | None:
        own = _own(view)
        return Start() if own is not None and own.started_at is None and own.finished_at is None else None

    def may_move(self, view: View) -> bool:
        """Return whether the player's round is still open; there are no turns."""
        own = _own(view)
        return own is not None and own.finished_at is None

    def ends_at(self, view: View) -> float | None:
        own = _own(view)
        return own.ends_at if own is not None and own.finished_at is None else None


def _own(view: View) -> RoundView | None:
    return None if view.seat is None else view.rounds[view.seat]


def _found(view: View) -> int:
    own = _own(view)
    return len(own.words or ()) if own else 0


def _picture(view: View) -> Text:
    """Render the letters with the names of columns and rows."""
    columns = "  ".join(cell_name(column, view.columns)[:-1] for column in range(view.columns))
    picture = Text(f"   {columns}\n", style="dim")
    for number, row in enumerate(view.board or (), start=1):
        faces = ("Qu" if view.qu and letter == "q" else letter.upper() for letter in row)
        picture.append(f"{number}  ")
        picture.append(" ".join(f"{face:<2}" for face in faces) + "\n", "bold not dim")
    return picture


def _describe_scores(view: View, names: Sequence[str]) -> str:
    parts = []
    for name, round_ in zip(names, view.rounds, strict=True):
        phase = "not started" if round_.started_at is None else "playing"
        if round_.finished_at is not None:
            phase = "finished"
        parts.append(f"{name} {phase if round_.score is None else round_.score}")
    own = _own(view)
    left = f"{seconds_left(own.ends_at)} s left" if own and own.ends_at else ""
    running = left if own and own.finished_at is None else ""
    return "  |  ".join(part for part in (", ".join(parts), running) if part)


def _format_report(report: Report, view: View) -> str:
    """Describe the result of a word."""
    word = report.word.upper()
    match report.result:
        case "hinted":
            return _hints(own.progress) if (own := _own(view)) and own.progress else "a hint"
        case "scored":
            own = _own(view)
            total = f"; score {own.score}" if own else ""
            return (
                f"{word}, {format_count(report.points, 'point')}{total}  ({path(report.cells, view.columns)})"
            )
        case _:
            return _rejected(report, view.min_length)


def _hints(progress: Progress) -> str:
    """Describe what the hints have shown, and how many are left."""
    lengths = [one.letters for one in progress.lengths]
    lines = [
        f"{row.letter.upper()}: "
        + ", ".join(
            f"{count} of {length}" for length, count in zip(lengths, row.counts, strict=True) if count
        )
        for row in progress.counts or ()
    ]
    lines += [
        f"{clue.start.upper()}{'.' * (clue.letters - len(clue.start))}"
        for clue in progress.clues
        if not clue.found
    ]
    return "\n".join([*lines, f"{format_count(progress.hints_left, 'hint')} left"])


def _rejected(report: Report, min_length: int) -> str:
    reasons = {
        "too_short": f"is too short: {min_length} letters or more",
        "not_on_board": "is not on this board",
        "not_a_word": "is not in the word list",
        "repeated": "was already found",
        "hinted": "as a hint",
    }
    return f"{report.word.upper()} {reasons[report.result]}"


class BoggleRenderer(RecordRenderer[Boggle, State]):
    """A game of Boggle."""

    def heading(self) -> str:
        options = self.states[0].options
        time = "no clock" if options.seconds is None else f"{options.seconds} s"
        return (
            f"Boggle, {options.rows}x{options.columns}, {time}, {options.min_length} letters or more, "
            f"{options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: State) -> tuple[int, ...]:
        return scores_of(state)

    def format_move(self, ply: int) -> str:
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        result = _move_result(line.move, after.rounds[line.seat], after.options.min_length)
        return f"{self.names[line.seat]}: {result}"

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        report = self.states[ply + 1].rounds[self.recorded.moves[ply].seat].report if self._has(ply) else None
        found = (
            f"{name}: {', '.join(word.word.upper() for word in round_.found) or 'no words yet'}"
            for name, round_ in zip(self.names, state.rounds, strict=True)
        )
        return Group(_marked_board(state, report.cells if report else ()), *map(Text, found))

    def analysis(self) -> RenderableType:
        found = self.game.analyse(self.states)
        table = Table("Word", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Points", justify="right")
        table.add_column("Level")
        table.add_column("Found by")
        for word in found.words:
            if word.seats:
                finders = ", ".join(self.names[seat] for seat in word.seats)
                table.add_row(word.word.upper(), str(word.points), word.level, finders)
        seats = [
            f"{name}: {measured(seat.accuracy, ACCURACY)}, {format_count(seat.score, 'point')}"
            + (f", best word {seat.best_word.upper()} for {seat.best_points}" if seat.best_word else "")
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        lines = [*seats, ACCURACY.definition]
        return Group(*([table] if table.row_count else []), *map(Text, (*lines, *missed_words(found.missed))))


def _move_result(move: Move, after: Round, min_length: int) -> str:
    if not isinstance(move, Word):
        words = f"{format_count(len(after.found), 'word')} in one go" if isinstance(move, HandIn) else ""
        plain = {"start": "started", "hint": "hint", "finish": "finished", "time_up": "time’s up"}
        return words or plain.get(move.type) or after.reason or move.type
    report = after.report
    if report is None:
        return move.type
    if report.result == "scored":
        return f"{report.word.upper()} +{report.points}"
    return _rejected(report, min_length)


def _marked_board(state: State, marked: tuple[int, ...]) -> Text:
    picture = Text()
    for row, letters in enumerate(state.board):
        for column, letter in enumerate(letters):
            face = "Qu" if state.options.qu and letter == "q" else letter.upper()
            style = "reverse" if row * len(letters) + column in marked else "bold"
            picture.append(face, style)
            picture.append(" " * (3 - len(face)))
        picture.append("\n")
    return picture


TERMINAL: Final = Terminal(display=BoggleDisplay(), renderer=BoggleRenderer)
