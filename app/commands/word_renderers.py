"""Terminal rendering of recorded games of Boggle and Scrabblet."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.games.boggle import state as boggle
from app.games.boggle.analysis import ACCURACY as BOGGLE
from app.games.boggle.rules import Boggle, scores_of
from app.games.game import Measure
from app.games.scrabblet import state as scrabblet
from app.games.scrabblet.analysis import ACCURACY as SCRABBLET
from app.games.scrabblet.modes import modes
from app.games.scrabblet.rules import Scrabblet
from app.grammar import format_count, format_percent
from app.terminal.record_renderer import RecordRenderer


class BoggleRenderer(RecordRenderer[Boggle, boggle.State]):
    """A game of Boggle."""

    def heading(self) -> str:
        """Name the board's size, the rules and the seed."""
        options = self.states[0].options
        time = "no clock" if options.seconds is None else f"{options.seconds} s"
        return (
            f"Boggle, {options.rows}x{options.columns}, {time}, {options.min_length} letters or more, "
            f"{options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: boggle.State) -> tuple[int, ...]:
        """Return the score of each seat."""
        return scores_of(state)

    def account(self, ply: int) -> str:
        """Describe the result of a move."""
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        return f"{self.names[line.seat]}: {_boggle_account(line.move, after.rounds[line.seat])}"

    def position(self, ply: int) -> RenderableType:
        """Render the board, with the path of the next word in reverse, and the words found so far."""
        state = self.states[ply]
        report = self.states[ply + 1].rounds[self.recorded.moves[ply].seat].report if self._has(ply) else None
        found = (
            f"{name}: {', '.join(word.word.upper() for word in round_.found) or 'no words yet'}"
            for name, round_ in zip(self.names, state.rounds, strict=True)
        )
        return Group(_tray(state, report.cells if report else ()), *map(Text, found))

    def analysis(self) -> RenderableType:
        """List the words found and the best missed ones."""
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
            f"{name}: {_measured(seat.accuracy, BOGGLE)}, {format_count(seat.score, 'point')}"
            + (f", best word {seat.best_word.upper()} for {seat.best_points}" if seat.best_word else "")
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        lines = [*seats, BOGGLE.definition]
        if found.missed:
            missed = ", ".join(f"{word.word.upper()} {word.points}" for word in found.missed)
            lines.append(f"Missed words worth knowing: {missed}")
        return Group(*([table] if table.row_count else []), *map(Text, lines))


class ScrabbletRenderer(RecordRenderer[Scrabblet, scrabblet.State]):
    """A game of Scrabblet."""

    def heading(self) -> str:
        """Name the mode, the hand and the seed."""
        first = self.states[0]
        return (
            f"Scrabblet {modes()[first.options.mode].title}, hand {first.hand.upper()}, "
            f"{first.options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: scrabblet.State) -> tuple[int, ...]:
        """Return the score."""
        return (state.score,)

    def account(self, ply: int) -> str:
        """Describe the result of a move."""
        report = self.states[ply + 1].report
        move = self.recorded.moves[ply].move
        return f"{self.names[0]}: {_scrabblet_account(report) if report else move.type}"

    def position(self, ply: int) -> RenderableType:
        """Show the hand and the words found so far."""
        state = self.states[ply]
        hand = Text(" ".join(state.hand.upper()), style="bold")
        found = ", ".join(word.word.upper() for word in state.found)
        return Group(hand, Text(f"{len(state.found)} found, score {state.score}"), Text(found))

    def analysis(self) -> RenderableType:
        """List the words found and the missed words worth knowing."""
        found = self.game.analyse(self.states)
        table = Table("Word", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Points", justify="right")
        table.add_column("Kind")
        for word in found.found:
            table.add_row(word.word.upper(), str(word.points), _kind(word.required, word.pangram))
        seat = found.seats[0]
        lines = [
            f"{_measured(seat.accuracy, SCRABBLET)} "
            f"({format_count(found.required_total, 'point')} in "
            f"{format_count(found.required, 'common word')}); "
            f"the hand has {format_count(found.words, 'word')} in all.",
            SCRABBLET.definition,
        ]
        if found.missed:
            missed = ", ".join(f"{word.word.upper()} {word.points}" for word in found.missed)
            lines.append(f"Missed words worth knowing: {missed}")
        return Group(*([table] if table.row_count else []), *map(Text, lines))


def _boggle_account(move: boggle.Move, after: boggle.Round) -> str:
    if not isinstance(move, boggle.Word):
        words = (
            f"{format_count(len(after.found), 'word')} in one go" if isinstance(move, boggle.HandIn) else ""
        )
        return words or {"start": "started", "finish": "finished", "time_up": "time’s up"}[move.type]
    report = after.report
    word = report.word.upper() if report else ""
    match report and report.result:
        case "scored":
            return f"{word} +{report.points if report else 0}"
        case "too_short":
            return f"{word} is too short"
        case "not_on_board":
            return f"{word} is not on the board"
        case "repeated":
            return f"{word} was already found"
        case _:
            return f"{word} is not in the word list"


def _scrabblet_account(report: scrabblet.Report) -> str:
    word = report.word.upper()
    lost = f" -{report.lost}" if report.lost else ""
    texts = {
        "scored": f"{word} +{report.points} ({_kind(report.required, report.pangram)})",
        "duplicate": f"{word} was already found",
        "too_short": f"{word} is too short",
        "not_a_word": f"{word} is not in the word list",
        "not_dealt": f"{word} needs letters that are not in the hand",
        "hinted": "took the hints",
        "finished": "finished",
    }
    return texts[report.result] + lost


def _kind(required: bool, pangram: bool) -> str:  # noqa: FBT001
    return ("common" if required else "bonus") + (", all letters" if pangram else "")


def _measured(share: float | None, measure: Measure) -> str:
    return f"none {measure.phrase}" if share is None else f"{format_percent(share)} {measure.phrase}"


def _tray(state: boggle.State, marked: tuple[int, ...]) -> Text:
    picture = Text()
    for row, letters in enumerate(state.board):
        for column, letter in enumerate(letters):
            face = "Qu" if state.options.qu and letter == "q" else letter.upper()
            style = "reverse" if row * len(letters) + column in marked else "bold"
            picture.append(face, style)
            picture.append(" " * (3 - len(face)))
        picture.append("\n")
    return picture
