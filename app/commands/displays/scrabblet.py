"""Scrabblet in a terminal."""

import secrets
from collections.abc import Sequence
from typing import ClassVar

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.commands.displays.display import Display, a_word, not_understood
from app.games.randomness import shuffled
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import modes
from app.games.scrabblet.state import Guess, Hint, Move, Phase, Quit, Report, Setup, View
from app.grammar import format_count


class ScrabbletDisplay(Display):
    """The words of a hand."""

    view_type: ClassVar[type[View]] = View
    setup_type: ClassVar[type[Setup]] = Setup

    def title(self, view: View) -> str:
        """The mode and how long words have to be."""
        return (
            f"Scrabblet {modes()[view.mode].title}, words of {view.min_length} letters or more; "
            "letters may be used again"
        )

    def board(self, view: View, names: Sequence[str]) -> RenderableType:  # noqa: ARG002 - a game for one
        """The hand, the score and the rank."""
        counts, rank = view.counts, view.rank
        found = f"{counts.required_found} of {format_count(counts.required, 'common word')}"
        rare = f" and {counts.bonus_found} rarer" if counts.bonus_found else ""
        return Group(
            Text(" ".join(view.hand.upper()), style="bold reverse"),
            Text(f"Score {view.score}, {rank.name}: {found}{rare}", style="bold"),
        )

    def position(self, view: View) -> object:
        """The hand."""
        return view.hand

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:  # noqa: ARG002
        """What came of the latest guess."""
        report = after.report
        line = _account(report, after) if report else None
        return [line] if line and after.ply > before.ply else []

    def move(self, typed: str, view: View) -> Move | None:
        """A guess, the hints, or the end."""
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
        """The words found, the hints, the hand in another order."""
        if typed == "/show":
            return Text(", ".join(f"{one.word.upper()} {one.points}" for one in view.found) or "no words yet")
        if typed == "/shuffle":
            return Text(" ".join(shuffled(secrets.SystemRandom(), view.hand.upper())), style="bold reverse")
        return _hints(view.hints) if typed == "/hint" and view.hints else None

    def introduction(self, view: View) -> str:  # noqa: ARG002 - the same for every game
        """Guesses."""
        return "Type each word that you see; a letter may be used again and again."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:  # noqa: ARG002 - likewise
        """What helps to find words, and the end."""
        return {
            "/show": ("", "the words you have found"),
            "/shuffle": ("", "the hand in another order"),
            "/hint": ("", "how many words there are, by length and by beginning"),
            "/finish": ("", "end the game"),
        }

    def may_move(self, view: View) -> bool:
        """Whether the game goes on."""
        return view.seat is not None and view.phase is Phase.PLAYING


def _account(report: Report, view: View) -> str | None:
    word = report.word.upper()
    lost = f" ({format_count(report.lost, 'point')} off)" if report.lost else ""
    match report.result:
        case "scored":
            every = ", with every letter of your hand" if report.pangram else ""
            points = format_count(report.points, "point")
            return f"{word}, {points}{every}; score {view.score}"
        case "duplicate":
            return f"{word} is a word, but you have guessed it already{lost}"
        case "too_short":
            return f"{word} is too short: words have {view.min_length} letters or more{lost}"
        case "not_a_word":
            return f"{word} is not in the word list{lost}"
        case "not_dealt":
            return f"{word} is a word, but cannot be formed: use only the letters of your hand{lost}"
        case _:
            return None


def _hints(hints: Hints) -> RenderableType:
    table = Table("", box=SIMPLE_HEAD)
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
