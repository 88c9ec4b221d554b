"""Analysis of a finished game of Boggle: words found and missed."""

from collections.abc import Sequence
from typing import Final

from app.games.boggle.solver import FoundWord
from app.games.boggle.state import Found, Round
from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, allowed_words, is_common, level_of, suggested_words

WELL_KNOWN: Final[Level] = "common"
"""The rarest level of words that most players know."""
WORTH_KNOWING: Final[Level] = "highbrow"
"""The rarest level of words worth suggesting."""
MISSED_WORDS: Final = 12
"""The number of missed words listed."""
ACCURACY: Final = Measure(
    title="Of all points",
    phrase="of all points",
    definition="The points of the words found, cancelled ones too, as a share of the points of all words "
    "on the board that are not offensive.",
)

SHARE_FOUND: Final = Measure(
    title="Of the common words",
    phrase="of the common words",
    definition="The common words found, as a share of all on the board. Other words are a bonus.",
)


class WordAnalysis(Frozen):
    """A word on the board."""

    word: str
    points: int
    cells: tuple[int, ...]
    level: Level
    common: bool | None = None
    """Whether it is a common word (no name is); others are bonus words. None in older analyses."""
    seats: tuple[int, ...]
    """The seats that found it."""


class Analysis(GameAnalysis):
    """The words on a game's board, and which seats found them.

    A seat's accuracy is 100 * the points of its words, cancelled ones included, / those of all words; in Find
    them all, where common words score 1 and others 0, that is the share of the common words found.
    Profanity counts only for the seats that found it.
    """

    words: tuple[WordAnalysis, ...]
    """All words without profanity, and those found; by points, then alphabetically."""
    hints: tuple[int, ...] = ()
    """The cost of each seat's hints, in Find them all."""
    missed: tuple[WordAnalysis, ...]
    """Words not found by any seat: common words first, then by points."""


def analyse(
    words: Sequence[FoundWord],
    rounds: Sequence[Round],
    scores: Sequence[int],
    lexicon: Lexicon,
    *,
    find_all: bool = False,
) -> Analysis:
    """Return the analysis of a board with these ``words``, with final ``scores`` per seat."""
    allowed = allowed_words(lexicon)
    well_known, worth_knowing = (suggested_words(lexicon, level) for level in (WELL_KNOWN, WORTH_KNOWING))
    finders = finders_of(rounds)
    shown = [word for word in words if allowed[word.entry] or word.word in finders]
    missed = [word for word in shown if worth_knowing[word.entry] and word.word not in finders]
    missed.sort(key=lambda word: (-int(well_known[word.entry]), -word.points, word.word))

    def points(word: FoundWord) -> int:
        return int(is_common(lexicon, word.entry)) if find_all else word.points

    def word_analysis(word: FoundWord) -> WordAnalysis:
        return WordAnalysis(
            word=word.word,
            points=points(word),
            cells=word.paths[0],
            level=level_of(lexicon, word.word),
            common=is_common(lexicon, word.entry),
            seats=finders.get(word.word, ()),
        )

    total = sum(points(word) for word in words if allowed[word.entry])
    profane = {word.word for word in words if not allowed[word.entry]}
    return Analysis(
        seats=tuple(
            _seat_analysis(round_.found, score, total, profane)
            for round_, score in zip(rounds, scores, strict=True)
        ),
        words=tuple(map(word_analysis, shown)),
        hints=tuple(round_.hints.spent for round_ in rounds) if find_all else (),
        missed=tuple(map(word_analysis, missed[:MISSED_WORDS])),
    )


def finders_of(rounds: Sequence[Round]) -> dict[str, tuple[int, ...]]:
    """Return each word found, with the seats that found it, ascending."""
    finders: dict[str, tuple[int, ...]] = {}
    for seat, round_ in enumerate(rounds):
        for found in round_.found:
            finders[found.word] = (*finders.get(found.word, ()), seat)
    return finders


def _seat_analysis(found: Sequence[Found], score: int, total: int, profane: set[str]) -> SeatAnalysis:
    best = max(found, key=lambda word: word.points, default=None)
    points = sum(word.points for word in found)
    available = total + sum(word.points for word in found if word.word in profane)
    return SeatAnalysis(
        accuracy=100 * points / available if available else None,
        score=score,
        best_score=available,
        best_word=best.word if best else "",
        best_points=best.points if best else 0,
    )
