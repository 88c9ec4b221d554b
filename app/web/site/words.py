"""Word study pages: anagrams, hooks, patterns, stems, study lists, statistics, and a page per word."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from threading import Condition
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlencode

from cachetools import LRUCache, cached
from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException

from app.store.word_votes import LONGEST, SHORTEST, WordVote
from app.validation import quote
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.preferences import preferences_of
from app.web.services import Services, ServicesDep
from app.web.site.card_texts import ASK_TITLES
from app.web.site.preferences_page import GAME
from app.web.table.page import HtmxRequest
from app.web.templating import is_name, templates
from app.words.definitions import Definition, Dictionary, wiktionary
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import Library, UnknownLexicon
from app.words.neighbours import neighbours
from app.words.patterns import BadLetters, matching_entries
from app.words.recall import RecallKind
from app.words.studies import (
    Extensions,
    Hooks,
    Statistics,
    Stem,
    anagram_entries,
    anagrams,
    beginnings,
    bingos,
    extensions,
    hooks,
    statistics,
    stems,
)
from app.words.study_lists import STUDY_LISTS, ListName, Order, study_list
from app.words.vocabulary import LEVELS, Level, allowed_words, level_of

PATH: Final = "/words"
PAGE: Final = 50
"""Words per page of a list."""
FEW: Final = 20
"""Words shown per group on pages with several groups."""
MOST_LETTERS: Final = 30
_COMMONEST: Final = 10
"""Four-letter beginnings shown with the statistics."""
_LEXICONS: Final = 4
"""Number of lexicons whose statistics are cached."""

_OWN_FIELDS: Final = {"start": 0, "shortest": None, "list": "two-letters", "length": None, "order": "usual"}
"""The defaults of parameters that belong to one study, and are not passed on to the others."""

R = TypeVar("R")

StudyName: TypeAlias = Literal["anagrams", "hooks", "pattern", "stems", "lists", "statistics"]
TITLES: Final[dict[StudyName, str]] = {
    "anagrams": "Anagrams",
    "hooks": "Hooks",
    "pattern": "Patterns",
    "stems": "Stems",
    "lists": "Lists",
    "statistics": "Statistics",
}

LIST_CHOICES: Final = tuple((name, kept.title) for name, kept in STUDY_LISTS.items())
"""The study lists, for the field of a form."""

router = APIRouter(include_in_schema=False, dependencies=[limited("engines")])

Folded = Annotated[str, BeforeValidator(lambda text: "".join(str(text).lower().split()))]


class WordsQuery(BaseModel):
    """The query parameters of a study."""

    model_config = ConfigDict(extra="ignore")

    study: StudyName = "anagrams"
    letters: Annotated[Folded, Field(max_length=MOST_LETTERS)] = ""
    """Letters, a word or a pattern, depending on the study."""
    shortest: Annotated[int, Field(ge=1, le=MOST_LETTERS)] | None = None
    """For anagrams: also list shorter words, with at least this many of the letters."""
    list: ListName = "two-letters"
    """The study list to show."""
    length: Annotated[int, Field(ge=2, le=MOST_LETTERS)] | None = None
    """For a study list: only words of this many letters."""
    order: Order = "usual"
    """For a study list: the order of its words."""
    level: Level = "everything"
    """List only words known at this level."""
    lexicon: str = Library.default
    start: Annotated[int, Field(ge=0)] = 0
    """Offset of the first word on this page of the list."""

    def address(self, path: str = PATH, /, **changed: Any) -> str:
        """The URL of this query, with ``changed`` parameters, without default values."""
        values = self.model_dump() | changed
        defaults = {name: field.get_default() for name, field in WordsQuery.model_fields.items()}
        given = {name: value for name, value in values.items() if value != defaults[name]}
        return f"{path}?{urlencode(given)}" if given else path

    @property
    def quiz_address(self) -> str:
        """The URL of the form for starting a quiz on this study list."""
        return self.address("/quiz", study="anagrams", start=0, letters="")


class Entry(NamedTuple):
    """A word in a list."""

    word: str
    level: Level
    hooks: Hooks
    meaning: Definition | None
    """The first definition, if known."""


class Listing(NamedTuple):
    """One page of the words found."""

    total: int
    entries: tuple[Entry, ...]


class Beginnings(NamedTuple):
    """The four-letter prefixes of words."""

    number: int
    commonest: tuple[tuple[str, int], ...]
    """The most common beginnings with their number of words, the most first."""


class Answer(NamedTuple):
    """The results of a study; each study sets some of the fields."""

    listing: Listing | None = None
    hooks: Hooks | None = None
    extensions: Extensions | None = None
    valid: bool = False
    stems: tuple[Stem, ...] = ()
    bingos: Mapping[str, tuple[str, ...]] | None = None
    statistics: Statistics | None = None
    beginnings: Beginnings | None = None
    """Set with the statistics."""


@router.get(PATH)
def words_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The study in the query parameters; errors are shown at the form's fields."""
    typed = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
    query, errors = _read(typed)
    answer = None
    if not errors:
        try:
            lexicon = services.library.load(query.lexicon)
            answer = services.pool.run(
                caller,
                "words",
                partial(_answer, query, lexicon, services.dictionary, family=preferences_of(request).family),
            )
        except UnknownLexicon as error:
            errors["lexicon"] = str(error)
        except BadLetters as error:
            errors["letters"] = str(error)
    context = {
        "query": query,
        "typed": typed,
        "errors": errors,
        "answer": answer,
        "tabs": [(name, title, query.address(study=name, **_OWN_FIELDS)) for name, title in TITLES.items()],
        "title": TITLES[query.study],
        "earlier": query.address(start=max(0, query.start - PAGE)) if query.start else None,
        "later": _later(query, answer),
        "few": FEW,
        "study_lists": STUDY_LISTS,
        "list_choices": LIST_CHOICES,
        **word_choices(services),
    }
    return templates.TemplateResponse(request, "site/words.html", context, status_code=422 if errors else 200)


@router.get(PATH + "/{word}")
def word_page(
    request: Request,
    word: str,
    services: ServicesDep,
    caller: CallerDep,
    lexicon: str = Library.default,
    game: str = "",
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The page of a word, with a link back to ``game``; for a sheet, a short version."""
    folded = word.lower()
    if not (folded and len(folded) <= MOST_LETTERS and set(folded) <= set(ALPHABET)):
        raise HTTPException(404, f"{quote(word)} is not a word: words are 1 to {MOST_LETTERS} letters a to z")
    if folded != word:
        again = WordsQuery(lexicon=lexicon).address()
        return RedirectResponse(again.replace(PATH, f"{PATH}/{folded}", 1), status_code=301)
    loaded = services.library.load(lexicon)
    valid = folded in loaded
    index = loaded.index(folded)
    hidden = index is not None and not loaded.family[index]
    shows_meaning = not (hidden and preferences_of(request).family)
    vote = WordVote(loaded.name, folded, not valid)
    look_up = partial(_facts, loaded, folded, services.dictionary, shows_meaning=shows_meaning)
    context = {
        "word": folded,
        "lexicon": loaded.name,
        "valid": valid,
        "hidden": hidden,
        "name": not valid and is_name(folded),
        "votable": SHORTEST <= len(folded) <= LONGEST,
        "voted": caller.player is not None and services.word_votes.has_voted(caller.player, vote),
        "game_address": game if GAME.fullmatch(game) else None,
        "wiktionary": wiktionary(folded),
        "few": FEW,
        **(found := services.pool.run(caller, "words", look_up)),
        "card_asks": card_asks(services, caller.player, loaded, folded, found) if not is_htmx else [],
        **word_choices(services),
    }
    template = "site/_word_sheet.html" if is_htmx else "site/word.html"
    return templates.TemplateResponse(request, template, context, headers={"Vary": "HX-Request"})


def _facts(loaded: Lexicon, word: str, dictionary: Dictionary, *, shows_meaning: bool) -> dict[str, Any]:
    """What the page of a word says about it."""
    valid = word in loaded
    return {
        "level": level_of(loaded, word) if valid else None,
        "hooks": hooks(loaded, word),
        "anagrams": [other for other in anagrams(loaded, word) if other != word],
        "extensions": extensions(loaded, word),
        "neighbours": () if valid else tuple(_family_friendly(loaded, neighbours(loaded, word))),
        "senses": dictionary.define(word) if shows_meaning else (),
        "meaning": dictionary.in_one_line(word) if valid and shows_meaning else None,
    }


def card_asks(
    services: Services, player: str | None, lexicon: Lexicon, word: str, found: Mapping[str, Any]
) -> list[tuple[RecallKind, str, bool]]:
    """The kinds of card possible for a word, each with its title and whether the player has that card."""
    fit = {
        "anagram": found["level"] is not None,
        "hooks": found["level"] is not None and any((found["hooks"].front, found["hooks"].back)),
        "validity": True,
        "definition": bool(found["meaning"]),
    }
    held = services.cards.asks(player, lexicon.name, word)
    return [(ask, title, ask in held) for ask, title in ASK_TITLES.items() if fit[ask]]


def _family_friendly(lexicon: Lexicon, words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if lexicon.family[lexicon.index(word)])


def _read(typed: Mapping[str, str]) -> tuple[WordsQuery, dict[str, str]]:
    """Parse the query; fields with errors get their defaults and are reported by name."""
    errors: dict[str, str] = {}
    fields = dict(typed)
    while True:
        with collecting_errors(errors):
            return WordsQuery.model_validate(fields), errors
        fields = {name: text for name, text in fields.items() if name not in errors}


def _answer(query: WordsQuery, lexicon: Lexicon, dictionary: Dictionary, *, family: bool) -> Answer:
    """Run the study. Raises BadLetters."""
    letters = query.letters
    match query.study:
        case "statistics":
            return Answer(statistics=_statistics(lexicon), beginnings=_beginnings(lexicon))
        case "stems" if not letters:
            return Answer(stems=_stems(lexicon))
        case "anagrams" | "pattern" | "lists" if letters or query.study == "lists":
            return Answer(listing=_listing(query, lexicon, dictionary, family=family))
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


def _listing(query: WordsQuery, lexicon: Lexicon, dictionary: Dictionary, *, family: bool) -> Listing:
    found: NDArray[Any]
    if query.study == "lists":
        found = study_list(lexicon, query.list, length=query.length, order=query.order)
    elif query.study == "pattern":
        found = matching_entries(lexicon, query.letters)
    else:
        found = anagram_entries(lexicon, query.letters, query.shortest)
    entries = found[allowed_words(lexicon, query.level, family_only=family)[found] == 1]
    shown = entries[query.start : query.start + PAGE].tolist()
    return Listing(len(entries), tuple(_entry(lexicon, dictionary, lexicon[entry]) for entry in shown))


def _entry(lexicon: Lexicon, dictionary: Dictionary, word: str) -> Entry:
    senses = dictionary.define(word)
    return Entry(word, level_of(lexicon, word), hooks(lexicon, word), senses[0] if senses else None)


def _later(query: WordsQuery, answer: Answer | None) -> str | None:
    following = query.start + PAGE
    if answer is None or answer.listing is None or answer.listing.total <= following:
        return None
    return query.address(start=following)


def word_choices(services: Services) -> dict[str, Any]:
    """The choices in the forms of word pages."""
    return {
        "levels": [(level, level.capitalize()) for level in LEVELS],
        "lexicons": [(info.name, info.name.capitalize()) for info in services.library.names()],
        "default_lexicon": services.library.default,
        "wiktionary_of": wiktionary,
    }


def _once(study: Callable[[Lexicon], R]) -> Callable[[Lexicon], R]:
    """Compute a study of a whole lexicon once, even if several requests need it at the same time."""
    return cached(LRUCache[Any, R](_LEXICONS), condition=Condition())(study)


_statistics: Final = _once(statistics)
_stems: Final = _once(lambda lexicon: stems(lexicon)[: 2 * PAGE])


@_once
def _beginnings(lexicon: Lexicon) -> Beginnings:
    number_of = beginnings(lexicon)
    return Beginnings(len(number_of), tuple(Counter(number_of).most_common(_COMMONEST)))
