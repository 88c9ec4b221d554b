"""A player's statistics, counted from their finished games."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.store.results import Result


@dataclass(frozen=True, slots=True)
class ModeStatistics:
    """What one player has done in one mode of one game."""

    kind: str
    mode: str
    games: int
    won: int
    """Of the games against others."""
    against_others: int
    best_score: int
    average_score: float
    words: int
    best_word: str
    best_word_points: int
    longest_word: str
    average_accuracy: float | None
    """0 to 100, over the games that have one."""


def by_mode(results: Sequence[Result]) -> list[ModeStatistics]:
    """One line for each mode the player has finished a game of, the most played first."""
    modes: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        modes.setdefault((result.kind, result.mode), []).append(result)
    lines = [_of_mode(kind, mode, games) for (kind, mode), games in modes.items()]
    return sorted(lines, key=lambda line: (-line.games, line.kind, line.mode))


def _of_mode(kind: str, mode: str, games: list[Result]) -> ModeStatistics:
    best = max(games, key=lambda game: game.best_points)
    accuracies = [game.accuracy for game in games if game.accuracy is not None]
    against_others = [game for game in games if game.seats > 1]
    return ModeStatistics(
        kind=kind,
        mode=mode,
        games=len(games),
        won=sum(game.won for game in against_others),
        against_others=len(against_others),
        best_score=max(game.score for game in games),
        average_score=sum(game.score for game in games) / len(games),
        words=sum(game.words for game in games),
        best_word=best.best_word,
        best_word_points=best.best_points,
        longest_word=max((game.longest_word for game in games), key=len),
        average_accuracy=sum(accuracies) / len(accuracies) if accuracies else None,
    )
