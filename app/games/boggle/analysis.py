"""A finished game of Boggle against all that the board had."""

from collections.abc import Sequence
from typing import Final

from app.games.boggle.solver import FoundWord
from app.games.boggle.state import Found, Round
from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, allowed_words, level_of

WELL_KNOWN: Final[Level] = "common"
"""The rarest level of words that everybody might have found."""
WORTH_KNOWING: Final[Level] = "highbrow"
"""The rarest level of words that a player may be glad to have met."""
MISSED_WORDS: Final = 12
"""How many missed words an analysis names."""
ACCURACY: Final = Measure(
    title="Of all points",
    phrase="of all points",
    definition="The points of the words found, cancelled ones too, as a share of the points of all the "
    "board’s words that are fit to be shown.",
)


class WordAnalysis(Frozen):
    """A word of the board."""

    word: str
    points: int
    cells: tuple[int, ...]
    level: Level
    seats: tuple[int, ...]
    """Who found it."""


class Analysis(GameAnalysis):
    """What a game's board had, and who found what of it.

    A seat's accuracy is 100 x the points of its words, cancelled ones too, / those of all words; words that
    are not fit to be shown count only for who has found them.
    """

    words: tuple[WordAnalysis, ...]
    """All that are fit to be shown, and those found; most points first, then by the alphabet."""
    missed: tuple[WordAnalysis, ...]
    """Found by nobody and most worth knowing: common words first, by points."""


def analyse(
    words: Sequence[FoundWord], rounds: Sequence[Round], scores: Sequence[int], lexicon: Lexicon
) -> Analysis:
    """The analysis of a game on a board of these ``words`` that ended with these ``scores``, per seat."""
    fit, well_known, worth_knowing = (
        allowed_words(lexicon, level) for level in ("everything", WELL_KNOWN, WORTH_KNOWING)
    )
    finders = finders_of(rounds)
    shown = [word for word in words if fit[word.entry] or word.word in finders]
    missed = [word for word in shown if worth_knowing[word.entry] and word.word not in finders]
    missed.sort(key=lambda word: (-int(well_known[word.entry]), -word.points, word.word))

    def told(word: FoundWord) -> WordAnalysis:
        return WordAnalysis(
            word=word.word,
            points=word.points,
            cells=word.paths[0],
            level=level_of(lexicon, word.word),
            seats=finders.get(word.word, ()),
        )

    offered = sum(word.points for word in words if fit[word.entry])
    unfit = {word.word for word in words if not fit[word.entry]}
    return Analysis(
        seats=tuple(
            _of_seat(one.found, score, offered, unfit) for one, score in zip(rounds, scores, strict=True)
        ),
        words=tuple(map(told, shown)),
        missed=tuple(map(told, missed[:MISSED_WORDS])),
    )


def finders_of(rounds: Sequence[Round]) -> dict[str, tuple[int, ...]]:
    """Each word found with the seats that found it, ascending."""
    finders: dict[str, tuple[int, ...]] = {}
    for seat, one in enumerate(rounds):
        for found in one.found:
            finders[found.word] = (*finders.get(found.word, ()), seat)
    return finders


def _of_seat(found: Sequence[Found], score: int, offered: int, unfit: set[str]) -> SeatAnalysis:
    best = max(found, key=lambda one: one.points, default=None)
    points = sum(one.points for one in found)
    there_were = offered + sum(one.points for one in found if one.word in unfit)
    return SeatAnalysis(
        accuracy=100 * points / there_were if there_were else None,
        score=score,
        best_score=there_were,
        best_word=best.word if best else "",
        best_points=best.points if best else 0,
    )
