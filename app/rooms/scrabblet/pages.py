"""Scrabblet's front page, player mode (find the words of a hand) and game setup page."""

from itertools import groupby, islice
from secrets import token_hex
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.games.scrabblet.bag import tile_score
from app.games.scrabblet.dealing import Flaw
from app.games.scrabblet.hand import LARGEST, Hand, Tiles, mask_of
from app.games.scrabblet.rules import Scrabblet, penalty_of
from app.games.scrabblet.signatures import signature
from app.games.scrabblet.solver import SHORTEST, HandWord, Order, Words
from app.games.scrabblet.state import Choices, Setup, TileView
from app.rooms.scrabblet.room import ROOM
from app.store.models import NO_TURN_LIMIT
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.preferences import preferences_of
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import daily_state
from app.web.table.opening import Chosen, StartPage, back_to
from app.web.table.page import FormFields
from app.web.templating import templates
from app.web.word_field import Letters
from app.words.library import Library
from app.words.vocabulary import allowed_words

router = APIRouter(prefix="/scrabblet", include_in_schema=False)

PER_PAGE: Final = 500
"""Words per page of player mode."""
HANDS_DRAWN: Final = 13
"""Hands on the game setup page."""
COUNTED: Final[dict[Flaw, str]] = {
    "Vowel Count": "vowel",
    "Letter Count": "different letter",
    "Word Count": "word",
    "Required Count": "common word",
    "Pangram Count": "pangram",
}
ORDER_TITLES: Final[dict[Order, str]] = {
    "letters": "letters used",
    "score": "score",
    "length": "length",
    "alphabet": "alphabet",
}


class PlayerQuery(BaseModel):
    """Query parameters of player mode."""

    hand: Tiles
    sort: Order = "letters"
    min_length: Annotated[int, Field(ge=2, le=15)] = SHORTEST
    lexicon: str = Library.default
    page: Annotated[int, Field(ge=1, le=10_000)] = 1


class SetupQuery(BaseModel):
    """Query parameters of the game setup page."""

    size: Annotated[int, Field(ge=2, le=LARGEST)] = 7
    max_vowels: Annotated[int, Field(ge=0, le=LARGEST)] = 3
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    min_required: Annotated[int, Field(ge=0, le=1_000)] = 20
    min_pangrams: Annotated[int, Field(ge=0, le=100)] = 1
    min_length: Annotated[int, Field(ge=2, le=15)] = SHORTEST
    lexicon: str = Library.default
    seed: Annotated[str, Field(min_length=1, max_length=64)] = Field(default_factory=lambda: token_hex(4))


class WordQuery(BaseModel):
    """Query parameters for the anagrams of a word or other letters."""

    model_config = ConfigDict(str_strip_whitespace=True)

    word: Letters
    lexicon: str = Library.default


def _context(services: Services, player: str | None) -> dict[str, Any]:
    return {
        "room": ROOM,
        "penalty": penalty_of(Setup()),
        "largest": LARGEST,
        "shortest": SHORTEST,
        "daily": daily_state(services, ROOM, player),
    }


_PAGE = StartPage(Scrabblet.kind, "scrabblet/home.html", _context)


@router.get("")
def front(request: Request, services: ServicesDep, player: Player) -> Response:
    """The front page: start form, today's daily and unfinished games."""
    return _PAGE.show(request, services, player, {})


router.get("/play")(back_to("/scrabblet"))


@router.post("/play", dependencies=[limited("games", "guests")])
def play(fields: FormFields, request: Request, services: ServicesDep, player: Player) -> Response:
    """Open a game with a dealt or given hand, and go to its table."""

    def chosen() -> Chosen:
        setup = Setup.model_validate({name: value for name, value in fields.items() if value.strip()})
        return setup, (), NO_TURN_LIMIT

    return _PAGE.open(request, services, player, fields, chosen)


@router.get("/player", dependencies=[limited("engines")])
def player_mode(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    hand: Annotated[str, Query(max_length=200)] = "",
    word: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Player mode: the words of a hand, or a word's signature and anagrams."""
    asked = dict(request.query_params)
    context: dict[str, Any] = {
        "room": ROOM,
        "asked": asked,
        "orders": ORDER_TITLES,
        "shortest": SHORTEST,
        "lexicons": [info.name for info in services.library.names()],
        "errors": {},
        "found": None,
        "word": None,
    }
    with collecting_errors(context["errors"]):
        if hand.strip():
            family = preferences_of(request).family
            context["found"] = _words_of(services, caller, PlayerQuery.model_validate(asked), family=family)
        if word.strip():
            context["word"] = _about(services, caller, WordQuery.model_validate(asked))
    status = 422 if context["errors"] else 200
    return templates.TemplateResponse(request, "scrabblet/player.html", context, status_code=status)


@router.get("/gamesetup", dependencies=[limited("engines")])
def game_setup(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The game setup page: hands drawn by the dealer, with the reason for each rejection."""
    asked = {name: value for name, value in request.query_params.items() if value.strip()}
    context: dict[str, Any] = {
        "room": ROOM,
        "asked": SetupQuery().model_dump() | asked,
        "counted": COUNTED,
        "hands": [],
        "largest": LARGEST,
        "lexicons": [info.name for info in services.library.names()],
        "errors": {},
    }
    with collecting_errors(context["errors"]):
        query = SetupQuery.model_validate(asked)
        rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(query.lexicon))
        choices = Choices(**query.model_dump(exclude={"lexicon", "seed"}))
        context["asked"] = query.model_dump()
        context["hands"] = services.pool.run_long(
            caller, "scrabblet", lambda: list(islice(rules.drawn(choices, query.seed), HANDS_DRAWN))
        )
    status = 422 if context["errors"] else 200
    return templates.TemplateResponse(request, "scrabblet/gamesetup.html", context, status_code=status)


def _words_of(services: Services, caller: Caller, query: PlayerQuery, *, family: bool) -> dict[str, Any]:
    """One page of the hand's words, with totals."""
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(query.lexicon))
    hand = Hand(query.hand)

    def search() -> tuple[Words, list[HandWord]]:
        words = rules.solver.find(hand, query.min_length)
        if family:
            words = words.where(allowed_words(rules.lexicon)[words.indices] == 1)
        return words, words.listed(query.sort, query.page * PER_PAGE)

    words, listed = services.pool.run(caller, "scrabblet", search)
    pages = max(1, -(-len(words) // PER_PAGE))
    page = min(query.page, pages)
    shown = [_line(hand, word) for word in listed[(page - 1) * PER_PAGE :]]
    return {
        "query": query,
        "tiles": [TileView(letter=tile, score=tile_score(tile)) for tile in query.hand],
        "count": len(words),
        "total": words.total,
        "pangrams": int(words.pangrams.sum()),
        "first": (page - 1) * PER_PAGE + 1,
        "page": page,
        "pages": pages,
        "words": shown,
        "groups": [
            {
                "letters": letters,
                "blanks": blanks,
                "signature": signature(letters + blanks),
                "words": list(words),
            }
            for (letters, blanks), words in groupby(shown, lambda line: (line["letters"], line["blanks"]))
        ]
        if query.sort == "letters"
        else None,
    }


def _line(hand: Hand, found: HandWord) -> dict[str, Any]:
    return {
        "word": found.word,
        "score": found.score,
        "letters": hand.used(found.word),
        "blanks": hand.blanked(found.word),
        "pangram": mask_of(found.word) & hand.mask == hand.mask,
    }


def _about(services: Services, caller: Caller, query: WordQuery) -> dict[str, Any]:
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(query.lexicon))
    return {
        "word": query.word,
        "valid": query.word in rules.lexicon,
        "score": Hand(query.word).score(query.word),
        "signature": signature(query.word),
        "anagrams": services.pool.run(caller, "scrabblet", lambda: rules.solver.anagrams(query.word)),
    }
