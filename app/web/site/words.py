"""Word studies as pages: their addresses are the questions, and each word listed has a page of its own."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.exceptions import HTTPException

from app.web.guard.limits import CallerDep
from app.web.guard.problems import field_errors
from app.web.services import Services, ServicesDep
from app.web.templating import templates
from app.words.definitions import Definition, Dictionary, wiktionary
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import Library, UnknownLexicon
from app.words.patterns import BadLetters, matching_entries
from app.words.studies import (
    Extensions,
    Hooks,
    Statistics,
    Stem,
    anagrams,
    beginnings,
    bingos,
    extensions,
    hooks,
    statistics,
    stems,
)
from app.words.vocabulary import LEVELS, Level, allowed_words, level_of

PATH: Final = "/words"
PAGE: Final = 50
"""Words on one page of a list."""
FEW: Final = 20
"""Words of a heading that has several."""
MOST_LETTERS: Final = 30

StudyName: TypeAlias = Literal["anagrams", "hooks", "pattern", "stems", "statistics"]
TITLES: Final[dict[StudyName, str]] = {
    "anagrams": "Anagrams",
    "hooks": "Hooks",
    "pattern": "Patterns",
    "stems": "Stems",
    "statistics": "Figures",
}

router = APIRouter(include_in_schema=False)

Folded = Annotated[str, BeforeValidator(lambda text: "".join(str(text).lower().split()))]


class WordsQuery(BaseModel):
    """A question as the address holds it."""

    model_config = ConfigDict(extra="ignore")

    study: StudyName = "anagrams"
    letters: Annotated[Folded, Field(max_length=MOST_LETTERS)] = ""
    """What it is about: letters, a word or a pattern."""
    shortest: Annotated[int, Field(ge=1, le=MOST_LETTERS)] | None = None
    """Of anagrams: also words of at least so many of the letters."""
    level: Level = "everything"
    """No words less known than this."""
    lexicon: str = Library.default
    start: Annotated[int, Field(ge=0)] = 0
    """How many of the words found were on the pages before."""

    def address(self, **changed: Any) -> str:
        """The shortest address of this question, or of one that is ``changed``."""
        values = self.model_dump() | changed
        usual = {name: field.get_default() for name, field in WordsQuery.model_fields.items()}
        told = {name: value for name, value in values.items() if value != usual[name]}
        return f"{PATH}?{urlencode(told)}" if told else PATH


class Entry(NamedTuple):
    """A word of a list."""

    word: str
    level: Level
    hooks: Hooks
    meaning: Definition | None
    """What it means first; None where that is not known here."""


class Listing(NamedTuple):
    """A part of the words found."""

    total: int
    entries: tuple[Entry, ...]


class Answer(NamedTuple):
    """What a study finds; each has its part of it."""

    listing: Listing | None = None
    hooks: Hooks | None = None
    extensions: Extensions | None = None
    valid: bool = False
    stems: tuple[Stem, ...] = ()
    bingos: Mapping[str, tuple[str, ...]] | None = None
    statistics: Statistics | None = None
    beginnings: Mapping[str, int] | None = None
    """How many words begin with each four letters, with the statistics."""


@router.get(PATH)
def words_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The answer to the question of the address; the form's own fields say what is wrong with it."""
    typed = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
    query, errors = _read(typed)
    answer = None
    if not errors:
        try:
            lexicon = services.library.load(query.lexicon)
            answer = services.pool.run(caller, "words", _answer, query, lexicon, services.dictionary)
        except UnknownLexicon as unknown:
            errors["lexicon"] = str(unknown)
        except BadLetters as wrong:
            errors["letters"] = str(wrong)
    context = {
        "query": query,
        "typed": typed,
        "errors": errors,
        "answer": answer,
        "tabs": [
            (name, title, query.address(study=name, start=0, shortest=None)) for name, title in TITLES.items()
        ],
        "title": TITLES[query.study],
        "earlier": query.address(start=max(0, query.start - PAGE)) if query.start else None,
        "later": _later(query, answer),
        "few": FEW,
        **_choices(services),
    }
    return templates.TemplateResponse(request, "words.html", context, status_code=422 if errors else 200)


@router.get(PATH + "/{word}")
def word_page(
    request: Request, word: str, services: ServicesDep, caller: CallerDep, lexicon: str = Library.default
) -> Response:
    """What there is to know of a word."""
    folded = word.lower()
    if not (folded and len(folded) <= MOST_LETTERS and set(folded) <= set(ALPHABET)):
        raise HTTPException(404, f"{word[:40]!r} is no word: words are 1 to {MOST_LETTERS} letters a to z")
    if folded != word:
        again = WordsQuery(lexicon=lexicon).address()
        return RedirectResponse(again.replace(PATH, f"{PATH}/{folded}", 1), status_code=301)
    loaded = services.library.load(lexicon)

    def look_up() -> dict[str, Any]:
        return {
            "valid": folded in loaded,
            "level": level_of(loaded, folded) if folded in loaded else None,
            "hooks": hooks(loaded, folded),
            "anagrams": [other for other in anagrams(loaded, folded) if other != folded],
            "extensions": extensions(loaded, folded),
            "senses": services.dictionary.define(folded),
        }

    context = {
        "word": folded,
        "lexicon": loaded.name,
        "wiktionary": wiktionary(folded),
        "few": FEW,
        **services.pool.run(caller, "words", look_up),
        **_choices(services),
    }
    return templates.TemplateResponse(request, "word.html", context)


def _read(typed: Mapping[str, str]) -> tuple[WordsQuery, dict[str, str]]:
    """The question without the fields that are wrong, and what is wrong with these."""
    errors: dict[str, str] = {}
    fields = dict(typed)
    while True:
        try:
            return WordsQuery.model_validate(fields), errors
        except ValidationError as wrong:
            errors |= {str(error.location[0]): error.message for error in field_errors(wrong.errors())}
            fields = {name: text for name, text in fields.items() if name not in errors}


def _answer(query: WordsQuery, lexicon: Lexicon, dictionary: Dictionary) -> Answer:
    """What the study finds. Raises BadLetters."""
    letters = query.letters
    match query.study:
        case "statistics":
            return Answer(statistics=_statistics(lexicon), beginnings=_beginnings(lexicon))
        case "stems" if not letters:
            return Answer(stems=_stems(lexicon)[: 2 * PAGE])
        case "anagrams" | "pattern" if letters:
            return Answer(listing=_listing(query, lexicon, dictionary))
        case "hooks" if letters:
            return Answer(
                hooks=hooks(lexicon, letters),
                extensions=extensions(lexicon, letters),
                valid=letters in lexicon,
            )
        case "stems":
            return Answer(bingos=bingos(lexicon, letters))
        case _:
            return Answer()


def _listing(query: WordsQuery, lexicon: Lexicon, dictionary: Dictionary) -> Listing:
    part = slice(query.start, query.start + PAGE)
    if query.study == "pattern":
        entries = matching_entries(lexicon, query.letters)
        entries = entries[allowed_words(lexicon, query.level, family_only=False)[entries] == 1]
        total, shown = len(entries), [lexicon[entry] for entry in entries[part].tolist()]
    else:
        rarest = LEVELS.index(query.level)
        found = [
            word
            for word in anagrams(lexicon, query.letters, query.shortest)
            if LEVELS.index(level_of(lexicon, word)) <= rarest
        ]
        total, shown = len(found), found[part]
    return Listing(total, tuple(_entry(lexicon, dictionary, word) for word in shown))


def _entry(lexicon: Lexicon, dictionary: Dictionary, word: str) -> Entry:
    senses = dictionary.define(word)
    return Entry(word, level_of(lexicon, word), hooks(lexicon, word), senses[0] if senses else None)


def _later(query: WordsQuery, answer: Answer | None) -> str | None:
    following = query.start + PAGE
    if answer is None or answer.listing is None or answer.listing.total <= following:
        return None
    return query.address(start=following)


def _choices(services: Services) -> dict[str, Any]:
    return {
        "levels": [(level, level.capitalize()) for level in LEVELS],
        "lexicons": [(info.name, info.name.capitalize()) for info in services.library.names()],
        "default_lexicon": services.library.default,
        "wiktionary_of": wiktionary,
    }


_statistics: Callable[[Lexicon], Statistics] = lru_cache(maxsize=4)(statistics)
_beginnings: Callable[[Lexicon], dict[str, int]] = lru_cache(maxsize=4)(beginnings)
_stems: Callable[[Lexicon], tuple[Stem, ...]] = lru_cache(maxsize=4)(stems)
