"""A player's feats in a finished game: personal bests and long words."""

from collections.abc import Iterator
from typing import Final

from app.games.game import Summary
from app.store.models import Table
from app.store.results import Bests
from app.web.services import Services

LONG_WORD: Final = 10
"""Fewest letters of a word that counts as a feat."""


def feats_at(services: Services, table: Table, player: str | None) -> list[str]:
    """The player's feats in a finished game, best first: each is one line of its result."""
    seat = table.seat_of(player)
    if table.finished_at is None or player is None or seat is None or table.is_lesson:
        return []
    summary = table.game.summary(table.state, seat)
    bests = services.results.bests_before(player, table.kind, summary.mode, table.finished_at)
    if table.game.has_levels(table.state.options):
        bests = None  # points of different levels cannot be compared
    title = services.rooms[table.kind].title_of(table.view(player))
    return list(feats(summary, bests, title))


def feats(summary: Summary, bests: Bests | None, title: str) -> Iterator[str]:
    """The feats of a game, compared with the player's earlier bests; None if there is nothing to compare."""
    letters = len(summary.longest_word)
    if bests is not None and summary.score > max(bests.score, 0):
        yield f"Your best {title} game"
    if bests is not None and letters > bests.longest:
        yield f"Your longest word: {summary.longest_word.upper()}, {letters} letters"
    elif letters >= LONG_WORD:
        yield f"A word of {letters} letters: {summary.longest_word.upper()}"
    if (
        bests is not None
        and summary.best_points > bests.best_points
        and summary.best_word != summary.longest_word
    ):
        yield f"Your best word: {summary.best_word.upper()}, {summary.best_points} points"
