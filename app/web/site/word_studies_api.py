"""Word studies API: anagrams, hooks, patterns, stems, study lists, statistics and definitions."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Query, Response
from numpy.typing import NDArray
from pydantic import BaseModel

from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.model import rendered
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.web.site.word_studies_answers import (
    BeginningsAnswer,
    BingosAnswer,
    DefinitionAnswer,
    ExtensionsAnswer,
    HookedWord,
    HooksAnswer,
    SenseAnswer,
    SomeWords,
    StatisticsAnswer,
    StemAnswer,
    StemsAnswer,
    StudyListAnswer,
    WordsFound,
)
from app.web.site.words import MOST_LETTERS
from app.web.word_field import Letters
from app.words.definitions import Dictionary, wiktionary
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import Library
from app.words.patterns import BadLetters, matching_entries
from app.words.studies import (
    anagram_entries,
    beginnings,
    bingos,
    extensions,
    hooks,
    statistics,
    stems,
)
from app.words.study_lists import STUDY_LISTS, ListName, Order, study_list
from app.words.vocabulary import Level

router = api_router("/api/words/studies", "words", [limited("engines")])

MOST_LISTED: Final = 1000
"""Most words in an answer, each with its hooks and meaning."""

T = TypeVar("T", bound=BaseModel)

Text = Annotated[str, Query(min_length=1, max_length=MOST_LETTERS)]
LexiconName = Annotated[str, Query(description="The lexicon to search.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="Number of words to list.")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="Number of words to skip.")]


class _Study:
    """Shared parameters of all studies: the caller, the lexicon and the part of the list to return."""

    def __init__(self, services: Services, caller: Caller) -> None:
        self.dictionary: Final[Dictionary] = services.dictionary
        self._services: Final = services
        self._caller: Final = caller

    def run(self, field: str, lexicon: str, compute: Callable[[Lexicon], T]) -> Response:
        """Compute an answer in the engine pool; BadLetters is an error of the query parameter ``field``."""
        loaded = self._services.library.load(lexicon)
        with _refusing(field):
            return self._services.pool.run_long(self._caller, "words", lambda: rendered(compute(loaded)))


async def _study(services: ServicesDep, caller: CallerDep) -> _Study:
    return _Study(services, caller)


Study = Annotated[_Study, Depends(_study)]


@router.get("/anagrams", response_model=WordsFound, summary="Find anagrams")
def find_anagrams(
    study: Study,
    letters: Annotated[Text, Query(description="Letters a to z, and ? for any letter.")],
    min_length: Annotated[
        int | None,
        Query(ge=1, le=MOST_LETTERS, description="Fewest letters of a word; by default all must be used."),
    ] = None,
    lexicon: LexiconName = Library.default,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """The words that can be made from some letters, longest first, with their hooks."""

    def found(loaded: Lexicon) -> WordsFound:
        return _listed(loaded, study, anagram_entries(loaded, letters.lower(), min_length), limit, offset)

    return study.run("letters", lexicon, found)


@router.get("/patterns", response_model=WordsFound, summary="Find words by a pattern")
def find_matches(
    study: Study,
    pattern: Annotated[
        Text, Query(description="? any letter, * any number of letters, [ab] one of these, [^ab] any other.")
    ],
    lexicon: LexiconName = Library.default,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """The words that match a pattern such as ``q[^u]*``, alphabetically, with their hooks."""

    def found(loaded: Lexicon) -> WordsFound:
        return _listed(loaded, study, matching_entries(loaded, pattern.lower()), limit, offset)

    return study.run("pattern", lexicon, found)


@router.get("/hooks", response_model=HooksAnswer, summary="Find the hooks of a word")
def find_hooks(
    study: Study,
    word: Annotated[Text, Query(description="A word, or any letters.")],
    lexicon: LexiconName = Library.default,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Response:
    """The letters that extend a word, and the longer words that contain it."""

    def found(loaded: Lexicon) -> HooksAnswer:
        folded = word.lower()
        longer = {
            end: _some(words, limit, offset) for end, words in extensions(loaded, folded)._asdict().items()
        }
        return HooksAnswer(
            word=folded,
            valid=folded in loaded,
            **hooks(loaded, folded)._asdict(),
            extensions=ExtensionsAnswer(**longer),
        )

    return study.run("word", lexicon, found)


@router.get("/stems", response_model=StemsAnswer, summary="List the bingo stems")
def list_stems(
    study: Study, lexicon: LexiconName = Library.default, limit: Limit = 20, offset: Offset = 0
) -> Response:
    """Six letters that make seven-letter words with another letter: those with most such letters first."""

    def found(loaded: Lexicon) -> StemsAnswer:
        every = stems(loaded)
        shown = every[offset : offset + limit]
        return StemsAnswer(
            stem_count=len(every),
            stems=[
                StemAnswer(
                    letters=each.letters,
                    with_letters=each.with_letters,
                    word_count=each.words,
                    chance=each.chance,
                )
                for each in shown
            ],
        )

    return study.run("lexicon", lexicon, found)


@router.get("/lists", response_model=list[StudyListAnswer], summary="List the study lists")
async def list_study_lists() -> list[StudyListAnswer]:
    """The study lists: words worth learning first. Each list exists for every lexicon."""
    return [StudyListAnswer(name=name, **kept._asdict()) for name, kept in STUDY_LISTS.items()]


@router.get("/lists/{name}", response_model=WordsFound, summary="Get a study list")
def show_study_list(
    study: Study,
    name: ListName,
    length: Annotated[
        int | None, Query(ge=2, le=MOST_LETTERS, description="Only words of this many letters.")
    ] = None,
    level: Annotated[Level, Query(description="Only words known at this level.")] = "everything",
    order: Annotated[
        Order, Query(description="The list's usual order, alphabetical, or by frequency, common words first.")
    ] = "usual",
    lexicon: LexiconName = Library.default,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """The words of a study list, with their hooks; bingo stems are ordered by the chance of drawing them."""

    def found(loaded: Lexicon) -> WordsFound:
        entries = study_list(loaded, name, length=length, level=level, order=order)
        return _listed(loaded, study, entries, limit, offset)

    return study.run("lexicon", lexicon, found)


@router.get("/bingos", response_model=BingosAnswer, summary="Find the bingos of a stem")
def find_bingos(
    study: Study,
    stem: Annotated[Text, Query(description="Any letters, usually six.")],
    lexicon: LexiconName = Library.default,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Response:
    """The words that a stem makes with each letter; limit and offset apply to each letter's words."""

    def found(loaded: Lexicon) -> BingosAnswer:
        folded = stem.lower()
        made = bingos(loaded, folded)
        return BingosAnswer(
            stem=folded,
            with_letters={letter: _some(words, limit, offset) for letter, words in made.items()},
            without="".join(letter for letter in ALPHABET if letter not in made),
        )

    return study.run("stem", lexicon, found)


@router.get("/statistics", response_model=StatisticsAnswer, summary="Get statistics of a lexicon")
def show_statistics(study: Study, lexicon: LexiconName = Library.default) -> Response:
    """Lengths, letters, plurals and anagrams of a lexicon."""

    def found(loaded: Lexicon) -> StatisticsAnswer:
        counted = statistics(loaded)._asdict()
        return StatisticsAnswer(lexicon=loaded.name, word_count=counted.pop("words"), **counted)

    return study.run("lexicon", lexicon, found)


@router.get("/beginnings", response_model=BeginningsAnswer, summary="Count the words by their beginning")
def count_beginnings(
    study: Study, lexicon: LexiconName = Library.default, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """The number of words for every beginning of four letters."""

    def found(loaded: Lexicon) -> BeginningsAnswer:
        every = beginnings(loaded)
        shown = dict(islice(every.items(), offset, offset + limit))
        return BeginningsAnswer(beginning_count=len(every), beginnings=shown)

    return study.run("lexicon", lexicon, found)


@router.get("/definitions", response_model=list[DefinitionAnswer], summary="Define words")
def define_words(
    services: ServicesDep,
    word: Annotated[
        list[Letters], Query(min_length=1, max_length=100, description="A word; repeat it for several.")
    ],
) -> list[DefinitionAnswer]:
    """The definitions of words, in order, with a link for each."""
    return [
        DefinitionAnswer(
            word=each,
            senses=[SenseAnswer(**sense._asdict()) for sense in services.dictionary.define(each)],
            definition=wiktionary(each),
        )
        for each in word
    ]


def _listed(lexicon: Lexicon, study: _Study, found: NDArray[Any], limit: int, offset: int) -> WordsFound:
    words = (lexicon[entry] for entry in found[offset : offset + limit].tolist())
    return WordsFound(word_count=len(found), words=[_hooked(lexicon, study, word) for word in words])


def _hooked(lexicon: Lexicon, study: _Study, word: str) -> HookedWord:
    own, senses = hooks(lexicon, word), study.dictionary.define(word)
    meaning = senses[0].meaning if senses else None
    return HookedWord(word=word, front=own.front, back=own.back, meaning=meaning)


def _some(words: Sequence[str], limit: int, offset: int) -> SomeWords:
    return SomeWords(word_count=len(words), words=list(words[offset : offset + limit]))


@contextmanager
def _refusing(field: str) -> Iterator[None]:
    """Convert BadLetters in the block to an error of a query parameter."""
    try:
        yield
    except BadLetters as error:
        raise invalid_field(str(error), "query", field) from error
