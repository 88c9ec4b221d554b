"""Words that a table has just refused: the reason, and the votes offered to the player."""

from typing import Any, NamedTuple

from app.store.models import Table
from app.store.word_votes import LONGEST, SHORTEST, WordVote
from app.web.services import Services
from app.web.templating import why_no_word


class OfferedVote(NamedTuple):
    """The vote that a refused word should be valid."""

    word: str
    lexicon: str
    voted: bool
    """Whether the player has already voted so."""


def describe_refusal(words: tuple[str, ...]) -> str:
    """Say why the words of a move are not accepted."""
    return " and ".join(f"{word.upper()} {why_no_word(word)}" for word in words)


def offered_votes(
    services: Services, table: Table, player: str | None, view: Any, refused: tuple[str, ...] | None
) -> list[OfferedVote]:
    """The votes to offer, by default on the word reported by the player's last move; none in a lesson.

    ``view`` is the table as the player sees it.
    """
    if player is None or view.seat is None or table.skips is not None or table.finished_at is not None:
        return []
    report = getattr(view, "report", None)
    if refused is None and report is not None and report.result == "not_a_word":
        refused = (report.word,) if getattr(report, "seat", view.seat) == view.seat else ()
    return [
        OfferedVote(word, view.lexicon, services.word_votes.has_voted(player, vote))
        for word in refused or ()
        if SHORTEST <= len(word) <= LONGEST
        for vote in [WordVote(view.lexicon, word, valid=True)]
    ]
