"""Scrabblet in the terminal: display, and renderer of recorded games."""

import secrets
from collections.abc import Sequence
from typing import ClassVar, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.games.game import AnyGame
from app.games.randomness import shuffled
from app.games.scrabblet.analysis import ACCURACY
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import modes
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Guess, Hint, Move, Phase, Quit, Report, State, View
from app.grammar import format_count
from app.terminal import Terminal
from app.terminal.display import Display, a_word, not_understood
from app.terminal.record_renderer import RecordRenderer, measured, missed_words


class ScrabbletDisplay(Display):
    """Displays Scrabblet."""

    game: ClassVar[type[AnyGame]] = Scrabblet

    def title(self, view: View) -> str:
        return (
            f"Scrabblet {modes()[view.mode].title}, words of {view.min_length} letters or more; "
            "letters may be reused"
        )

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        counts, rank = view.counts, view.rank
        found = f"{counts.required_found} of {format_count(counts.required, 'common word')}"
        rare = f" and {counts.bonus_found} rarer" if counts.bonus_found else ""
        return Group(
            Text(" ".join(view.rack.upper()), style="bold reverse"),
            Text(f"Score {view.score}, {rank.name}: {found}{rare}", style="bold"),
        )

    def position(self, view: View) -> object:
        return view.rack

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        report = after.report
        line = _format_report(report, after) if report else None
        return [line] if line and after.ply > before.ply else []

    def move(self, typed: str, view: View) -> Move | None:
        if typed in ("/show", "/shuffle", "/hint") and (typed != "/hint" or view.hinted):
            return None
        if typed == "/hint":
            return Hint()
        if typed == "/finish":
            return Quit()
        word = a_word(typed)
        if word is None or len(word) > 64:
            raise not_understood(typed)
        return Guess(word=word)

    def answer(self, typed: str, view: View) -> RenderableType | None:
        if typed == "/show":
            return Text(
                ", ".join(f"{found.word.upper()} {found.points}" for found in view.found) or "no words yet"
            )
        if typed == "/shuffle":
            return Text(" ".join(shuffled(secrets.SystemRandom(), view.rack.upper())), style="bold reverse")
        return format_hints(view.hints) if typed == "/hint" and view.hints else None

    def introduction(self, view: View) -> str:
        return "Type a word; letters may be reused."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        return {
            "/show": ("", "show the words you have found"),
            "/shuffle": ("", "shuffle the hand"),
            "/hint": ("", "show word counts by length and by first letters"),
            "/finish": ("", "end the game"),
        }

    def may_move(self, view: View) -> bool:
        return view.seat is not None and view.phase is Phase.PLAYING


def _format_report(report: Report, view: View) -> str | None:
    word = report.word.upper()
    lost = f" ({format_count(report.lost, 'point')} off)" if report.lost else ""
    match report.result:
        case "scored":
            every = ", with every letter of your hand" if report.pangram else ""
            points = format_count(report.points, "point")
            return f"{word}, {points}{every}; score {view.score}"
        case "hinted" | "finished":
            return None
        case _:
            return _rejected(report, view.min_length) + lost


def _rejected(report: Report, min_length: int) -> str:
    reasons = {
        "duplicate": "was already found",
        "too_short": f"is too short: {min_length} letters or more",
        "not_a_word": "is not in the word list",
        "not_dealt": "cannot be spelled from these tiles",
    }
    return f"{report.word.upper()} {reasons[report.result]}"


def format_hints(hints: Hints) -> RenderableType:
    """Render word counts by first letter and length, and by first two letters."""
    table = Table("", box=box.SIMPLE_HEAD)
    for heading in (*map(str, hints.lengths), "all"):
        table.add_column(heading, justify="right")
    for row in hints.grid:
        counts = (str(number) if number else "-" for number in row.counts)
        table.add_row(row.letter.upper(), *counts, str(row.total))
    starts = "  ".join(f"{start.letters.upper()} {start.words}" for start in hints.starts)
    heading = (
        f"{format_count(hints.words, 'common word')} to find, {hints.pangrams} with every letter of your hand"
    )
    return Group(Text(heading), *([table] if hints.grid else []), Text(starts))


class ScrabbletRenderer(RecordRenderer[Scrabblet, State]):
    """A game of Scrabblet."""

    def heading(self) -> str:
        first = self.states[0]
        return (
            f"Scrabblet {modes()[first.options.mode].title}, hand {first.hand.upper()}, "
            f"{first.options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: State) -> tuple[int, ...]:
        return (state.score,)

    def format_move(self, ply: int) -> str:
        after = self.states[ply + 1]
        made = self.recorded.moves[ply].move.type
        result = _guess_result(after.report, after.options.min_length) if after.report else made
        return f"{self.names[0]}: {result}"

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        hand = Text(" ".join(state.hand.upper()), style="bold")
        found = ", ".join(word.word.upper() for word in state.found)
        return Group(hand, Text(f"{len(state.found)} found, score {state.score}"), Text(found))

    def analysis(self) -> RenderableType:
        found = self.game.analyse(self.states)
        table = Table("Word", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Points", justify="right")
        table.add_column("Kind")
        for word in found.found:
            table.add_row(word.word.upper(), str(word.points), _kind(word.required, word.pangram))
        seat = found.seats[0]
        lines = [
            f"{measured(seat.accuracy, ACCURACY)} "
            f"({format_count(found.required_total, 'point')} in "
            f"{format_count(found.required, 'common word')}); "
            f"the hand has {format_count(found.words, 'word')} in all.",
            ACCURACY.definition,
        ]
        return Group(*([table] if table.row_count else []), *map(Text, (*lines, *missed_words(found.missed))))


def _guess_result(report: Report, min_length: int) -> str:
    match report.result:
        case "scored":
            return f"{report.word.upper()} +{report.points} ({_kind(report.required, report.pangram)})"
        case "hinted":
            return "took the hints"
        case "finished":
            return "finished"
        case _:
            return _rejected(report, min_length) + (f" -{report.lost}" if report.lost else "")


def _kind(required: bool, pangram: bool) -> str:  # noqa: FBT001
    return ("common" if required else "bonus") + (", all letters" if pangram else "")


TERMINAL: Final = Terminal(display=ScrabbletDisplay(), renderer=ScrabbletRenderer)
