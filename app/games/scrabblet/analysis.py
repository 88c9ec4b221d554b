"""Analysis of a finished game of Scrabblet: words found and missed."""

from typing import Final

from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.scrabblet.goal import Goal
from app.games.scrabblet.hand import mask_of
from app.games.scrabblet.solver import HandWord, Words
from app.games.scrabblet.state import Found, State
from app.words.vocabulary import Level, level_of, suggested_words

WORTH_KNOWING: Final[Level] = "highbrow"
"""The rarest level of bonus words worth suggesting."""
MISSED_REQUIRED: Final = 200
"""The maximum number of required words listed; with blanks there may be thousands."""
MISSED_BONUS: Final = 12
ACCURACY: Final = Measure(
    title="Of common words",
    phrase="of the common words’ points",
    definition="The points of the common words found, as a share of the points of all common words in the "
    "hand. It decides the rank.",
)


class MissedWord(Frozen):
    """A word that was not found."""

    word: str
    points: int
    required: bool
    pangram: bool
    level: Level


class Analysis(GameAnalysis):
    """A game compared with all words of the hand.

    Accuracy is 100 * the points of the required words found / those of all required words; it decides the
    rank.
    """

    hand: str
    words: int
    """The number of words in the hand."""
    total: int
    """Their total score."""
    required: int
    required_total: int
    found: tuple[Found, ...]
    """In the order found."""
    missed: tuple[MissedWord, ...]
    """The most useful ones: required words, best first, then the best bonus words."""


def analyse(state: State, goal: Goal) -> Analysis:
    """Compare the words found with all words of the hand.

    Suggested words contain no profanity and no names.
    """
    words, required = goal.words, goal.required
    allowed = suggested_words(words.lexicon, WORTH_KNOWING)[words.indices] == 1
    bonus = words.where(allowed & ~goal.is_required)
    known = {found.word for found in state.found}
    best = max(state.found, key=lambda found: found.points, default=None)
    reached = sum(found.points for found in state.found if found.required)
    seat = SeatAnalysis(
        accuracy=100 * reached / required.total if known and required.total else None,
        score=sum(found.points for found in state.found),
        best_score=words.total,
        best_word=best.word if best else "",
        best_points=best.points if best else 0,
    )
    return Analysis(
        seats=(seat,),
        hand=state.hand,
        words=len(words),
        total=words.total,
        required=len(required),
        required_total=required.total,
        found=state.found,
        missed=(
            *(_missed(word, required, is_required=True) for word in _best(required, known, MISSED_REQUIRED)),
            *(_missed(word, bonus, is_required=False) for word in _best(bonus, known, MISSED_BONUS)),
        ),
    )


def _best(words: Words, known: set[str], most: int) -> list[HandWord]:
    return [found for found in words.listed("score") if found.word not in known][:most]


def _missed(found: HandWord, words: Words, *, is_required: bool) -> MissedWord:
    all_letters = words.hand.mask
    return MissedWord(
        word=found.word,
        points=found.score,
        required=is_required,
        pangram=mask_of(found.word) & all_letters == all_letters,
        level=level_of(words.lexicon, found.word),
    )
