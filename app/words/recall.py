"""Questions about words and the grading of answers, for quizzes and cards.

An ``anagram`` asks for the words that some letters make, ``hooks`` for the letters that extend a word,
``validity`` whether letters are a word of the list, and ``definition`` for the word with a meaning.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from app.words.definitions import Dictionary
from app.words.family import has_offensive_word
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.studies import anagrams, hooks
from app.words.vocabulary import suggested_words

RecallKind: TypeAlias = Literal["anagram", "hooks", "validity", "definition"]
Grade: TypeAlias = Literal["again", "hard", "good", "easy"]
"""How well a card was known: ``again`` is wrong, ``hard`` incomplete or slow, ``easy`` fast."""

_SECONDS: Final[dict[RecallKind, tuple[float, float]]] = {
    "anagram": (6.0, 30.0),
    "hooks": (8.0, 40.0),
    "validity": (3.0, 12.0),
    "definition": (6.0, 30.0),
}
"""By kind: the maximum seconds of an easy right answer, and the minimum seconds of a hard one."""
_VOWELS: Final = "aeiou"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answer."""

    kind: RecallKind
    word: str
    """The word to be recalled; in ``validity`` it may be a non-word."""
    prompt: str
    """What the player sees: shuffled letters, the word, or its meaning."""
    words: tuple[str, ...] = ()
    """The words asked for, in ``anagram`` and ``definition``."""
    front: str = ""
    """In ``hooks``: the letters before the word."""
    back: str = ""
    valid: bool = False
    """In ``validity``: whether the word is in the list."""
    clue: str = ""
    """In ``definition``: the first letter and the number of letters, as in ``q, 4 letters``."""

    @property
    def solution(self) -> str:
        """The right answer in a few words."""
        match self.kind:
            case "hooks":
                return f"front {self.front or 'none'}, back {self.back or 'none'}"
            case "validity":
                return "yes" if self.valid else "no"
            case _:
                return " ".join(self.words)


class Response(NamedTuple):
    """A player's answer; parts that do not belong to the kind of question are empty."""

    text: str = ""
    """Words, separated by anything but letters; in ``validity`` ``yes`` or ``no``."""
    front: str = ""
    back: str = ""

    def shown(self, kind: RecallKind) -> str:
        """The answer in a few words, to be repeated on a page."""
        if kind == "hooks":
            front, back = ("".join(sorted(_letters(part))) or "none" for part in (self.front, self.back))
            return f"front {front}, back {back}"
        return " ".join(_words(self.text))


def question_on(
    lexicon: Lexicon, dictionary: Dictionary, word: str, kind: RecallKind, seed: str
) -> Question | None:
    """Return the question of a kind about a word, the same for the same seed; None if there is none.

    There is no question about the letters or hooks of a non-word, the hooks of a word without hooks, or the
    meaning of a word that is not in the dictionary.
    """
    if kind == "validity":
        return Question(kind, word, word, valid=word in lexicon)
    if word not in lexicon:
        return None
    if kind == "anagram":
        asked = tuple(sorted({word, *suggested(lexicon, anagrams(lexicon, word))}))
        return Question(kind, word, shuffled(word, asked, seed), words=asked)
    if kind == "hooks":
        found = hooks(lexicon, word)
        taken = found.front + found.back
        return Question(kind, word, word, front=found.front, back=found.back) if taken else None
    meaning = dictionary.in_one_line(word)
    clue = f"{word[0]}, {len(word)} letters"
    return Question(kind, word, meaning, words=(word,), clue=clue) if meaning else None


def grade(
    question: Question, response: Response, lexicon: Lexicon, dictionary: Dictionary, seconds: float | None
) -> Grade:
    """Return the grade of an answer; ``seconds`` is how long it took, None if unknown."""
    complete = _completeness(question, response, lexicon, dictionary)
    if complete is None:
        return "again"
    easy, hard = _SECONDS[question.kind]
    if not complete or (seconds is not None and seconds > hard):
        return "hard"
    return "easy" if seconds is not None and seconds <= easy else "good"


def suggested(lexicon: Lexicon, words: Sequence[str]) -> tuple[str, ...]:
    """Return those of the words that are in the list and neither offensive nor a name."""
    entries = ((word, lexicon.index(word)) for word in words)
    shown = suggested_words(lexicon)
    return tuple(word for word, entry in entries if entry is not None and shown[entry])


def shuffled(word: str, avoid: Sequence[str], seed: str) -> str:
    """Return the letters of a word in an order not in ``avoid``, if there is one."""
    chance = random.Random(f"{seed} {word}")
    letters = list(word)
    for _ in range(20):
        chance.shuffle(letters)
        if (found := "".join(letters)) not in avoid and not has_offensive_word(found):
            return found
    return "".join(sorted(word))


def no_word_like(lexicon: Lexicon, word: str, seed: str) -> str | None:
    """Return a non-word that looks like a word: ``word`` with a vowel or a consonant exchanged.

    None if every such change makes a valid or an offensive word.
    """
    changed = [
        word[:place] + letter + word[place + 1 :]
        for place, old in enumerate(word)
        for letter in ALPHABET
        if letter != old and (letter in _VOWELS) == (old in _VOWELS)
    ]
    random.Random(f"{seed} {word}").shuffle(changed)
    return next((each for each in changed if each not in lexicon and not has_offensive_word(each)), None)


def _completeness(
    question: Question, response: Response, lexicon: Lexicon, dictionary: Dictionary
) -> bool | None:
    """Whether a right answer is complete; None if it is wrong."""
    match question.kind:
        case "validity":
            said = response.text.strip().lower()
            return True if said == question.solution else None
        case "hooks":
            front, back = _letters(response.front), _letters(response.back)
            asked = [
                *(f"{letter}-" for letter in question.front),
                *(f"-{letter}" for letter in question.back),
            ]
            given = {*(f"{letter}-" for letter in front), *(f"-{letter}" for letter in back)}
            if given - set(asked) or 2 * len(given) < len(asked):
                return None
            return len(given) == len(asked)
        case "definition":
            return (
                True
                if any(_means(word, question, dictionary) for word in _words(response.text)[:1])
                else None
            )
        case _:
            given = set(_words(response.text))
            right = all(sorted(word) == sorted(question.word) and word in lexicon for word in given)
            if question.word not in given or not right:
                return None
            return given >= set(question.words)


def _means(word: str, question: Question, dictionary: Dictionary) -> bool:
    """Whether a word fits the question: the word asked for, or another with its meaning, start and length."""
    alike = word[0] == question.word[0] and len(word) == len(question.word)
    return word == question.word or (alike and dictionary.in_one_line(word) == question.prompt)


def _words(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


def _letters(text: str) -> set[str]:
    return set(re.findall("[a-z]", text.lower()))
