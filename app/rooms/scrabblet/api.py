"""Scrabblet engine API: words of a hand, dealing hands, and word signatures."""

from collections.abc import Mapping
from itertools import islice
from secrets import token_hex
from typing import Annotated, Any, ClassVar, Final

from fastapi import Query, Response
from pydantic import ConfigDict, Field, model_validator

from app.games.game import LexiconRef
from app.games.scrabblet.bag import tile_score
from app.games.scrabblet.dealing import NoSuchHand, Redraw
from app.games.scrabblet.hand import LARGEST, Hand, Tiles, mask_of
from app.games.scrabblet.modes import Mode
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.signatures import primes, signature
from app.games.scrabblet.solver import SHORTEST, Order
from app.games.scrabblet.state import Choices, TileView
from app.renamed import Renamed, old_name
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep
from app.web.model import Documented, JsonBody, rendered
from app.web.query import QueryFields
from app.web.router import api_router
from app.web.services import ServicesDep
from app.web.table.opening import LONGEST_DEAL_MS
from app.web.word_field import Letters
from app.words.library import Library
from app.words.vocabulary import allowed_words

router = api_router("/api/scrabblet", "engines")

MOST_LISTED: Final = 20_000
"""Maximum number of words in an answer, about 1 MB: two blanks and a dozen letters make nearly every word."""
MOST_DRAWN: Final = 100
"""Maximum number of hands in an answer of the game setup."""
MinLength = Annotated[int, Field(ge=2, le=15)]


class WordsRequest(Renamed):
    """A hand and search options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"rack": "RUOLFNT", "sort": "score"},
                {"rack": "CRPEI?", "min_length": 6, "centre": "p"},
            ]
        },
    )

    old_names: ClassVar[Mapping[str, str]] = {"hand": "rack", "top": "limit"}

    rack: Tiles
    """1 to 15 tiles: letters a to z, and up to two blanks as ? or _."""
    min_length: MinLength = SHORTEST
    """Minimum word length."""
    lexicon: str = Library.default
    centre: Annotated[str, Field(pattern="^[a-zA-Z]$")] | None = None
    """A letter of the rack that every word must contain."""
    sort: Order = "letters"
    """``letters``: grouped by the letters used. ``score`` and ``length``: highest first."""
    family: bool = False
    """Leave out profanity."""
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED
    """Number of words to list; ``word_count`` and ``points`` include all words."""
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Number of words to skip at the beginning of the list."""

    @model_validator(mode="after")
    def _check_centre(self) -> "WordsRequest":
        if self.centre and self.centre.lower() not in self.rack:
            raise ValueError(f"the centre {self.centre!r} is not in the rack {self.rack!r}")
        return self


class WordAnswer(Documented):
    """A word of the hand."""

    word: str
    points: int
    """Sum of its letter values; a blank counts 0."""
    letters: str
    """The letters of the rack that the word uses, each once, in the order of the rack."""
    blanks: str
    """The letters for which blanks are used."""
    score: Annotated[int | None, Field(deprecated=True)] = None
    """Old name of `points`, for requests that use an old name."""


class WordsAnswer(Documented):
    """The words of a hand."""

    rack: str
    """The tiles in hand."""
    word_count: int
    """Number of words."""
    points: int
    """Sum of the points of all words."""
    words: list[WordAnswer]
    """The words in the order of ``sort``: ``limit`` of them from ``offset``."""
    hand: ClassVar[Any] = old_name("rack", str)
    count: ClassVar[Any] = old_name("word_count", int)
    total: ClassVar[Any] = old_name("points", int)


class DealRequest(Documented):
    """Requirements for a hand."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"seed": "a rainy Sunday", "size": 7, "max_vowels": 3, "min_words": 25}]
        },
    )

    seed: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    """The same seed deals the same hand; null for a random one."""
    mode: Mode = "dealer"
    """``daily`` deals seven different letters with 30 to 120 common words, one of which uses them all."""
    size: Annotated[int, Field(ge=2, le=LARGEST)] = 7
    max_vowels: Annotated[int, Field(ge=0, le=LARGEST)] = 3
    """Maximum number of vowels; a hand with more is redrawn."""
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    """Minimum number of words; a hand with fewer is redrawn."""
    min_required: Annotated[int, Field(ge=0, le=1_000)] = 20
    """Minimum number of common words, which count for the rank; a hand with fewer is redrawn."""
    min_pangrams: Annotated[int, Field(ge=0, le=100)] = 1
    """Minimum number of common words with every letter of the hand; a hand with fewer is redrawn."""
    min_length: MinLength = SHORTEST
    lexicon: str = Library.default


class DealAnswer(Documented):
    """A dealt hand."""

    rack: str
    """The tiles in hand."""
    tiles: list[TileView]
    """The tiles with their values."""
    word_count: int
    """Number of words in the hand."""
    seed: str
    """The same seed and requirements deal the same hand."""
    hand: ClassVar[Any] = old_name("rack", str)
    words: ClassVar[Any] = old_name("word_count", int)
    redraws: list[Redraw]
    """Rejected hands drawn before this one, each with the reason and the offending count."""


class GameSetupRequest(DealRequest):
    """Requirements for a hand, and the number of hands to draw."""

    count: Annotated[int, Field(ge=1, le=MOST_DRAWN)] = 13
    """Number of hands to draw."""


class DrawnAnswer(Documented):
    """A drawn hand."""

    rack: str
    """The tiles in hand."""
    word_count: int | None
    """Number of words in the hand; null if it was rejected without counting them."""
    redraw: Redraw | None
    """Why the dealer rejects it, with the offending count; null for an accepted hand."""
    hand: ClassVar[Any] = old_name("rack", str)
    words: ClassVar[Any] = old_name("word_count", int | None)


class GameSetupAnswer(Documented):
    """Hands in the order drawn."""

    seed: str
    hands: list[DrawnAnswer]


class SignatureAnswer(Documented):
    """A word's prime signature and anagrams."""

    word: str
    lexicon: str
    valid: bool
    points: int
    """Sum of its letter values."""
    letters: str
    """Its different letters in alphabetical order."""
    primes: list[int]
    """The primes of these letters: a is 2, b is 3, and so on."""
    signature: int
    """Product of the primes; exact, so it may exceed a 64-bit integer or a double."""
    signature_text: str
    """The signature in decimal digits, for languages whose numbers are doubles."""
    anagrams: list[str]
    """The words with exactly these letters, each used any number of times."""
    score: ClassVar[Any] = old_name("points", int)


@router.post("/words", response_model=WordsAnswer, summary="Find the words of a hand")
def find_words(body: JsonBody[WordsRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """Every word of the hand with its score; each letter may be used any number of times."""
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    hand = Hand(body.rack)

    def search() -> Response:
        found = rules.solver.find(hand, body.min_length, mask_of((body.centre or "").lower()))
        if body.family:
            found = found.where(allowed_words(rules.lexicon)[found.indices] == 1)
        words = [
            WordAnswer(
                word=each.word,
                points=each.score,
                letters=hand.used(each.word),
                blanks=hand.blanked(each.word),
                score=each.score if body.old_names_used else None,
            )
            for each in islice(found.listed(body.sort, body.offset + body.limit), body.offset, None)
        ]
        answer = WordsAnswer(rack=body.rack, word_count=len(found), points=found.total, words=words)
        return rendered(answer, without_none=True)

    return services.pool.run(caller, "scrabblet", search)


@router.post("/deal", response_model=DealAnswer, summary="Deal a hand")
def deal_hand(body: JsonBody[DealRequest], services: ServicesDep, caller: CallerDep) -> DealAnswer:
    """Draw hands from the bag of 100 tiles until one meets the requirements."""
    ref: LexiconRef = services.rulebook.ref(body.lexicon)
    rules = services.rulebook.rules(Scrabblet, ref)
    seed = body.seed or token_hex(8)
    try:
        limit, choices = services.pool.computing_limit, _choices(body)
        dealt = services.pool.run_long(
            caller, "scrabblet", lambda: rules.dealt(choices, seed, limit(LONGEST_DEAL_MS))
        )
    except NoSuchHand as refused:
        raise invalid_field(str(refused), "min_words") from refused
    return DealAnswer(
        rack=dealt.hand.tiles,
        tiles=[TileView(letter=tile, score=tile_score(tile)) for tile in dealt.hand.tiles],
        word_count=dealt.words,
        seed=seed,
        redraws=list(dealt.redraws),
    )


@router.post("/gamesetup", response_model=GameSetupAnswer, summary="Draw hands like the dealer")
def set_up_game(
    body: JsonBody[GameSetupRequest], services: ServicesDep, caller: CallerDep
) -> GameSetupAnswer:
    """Draw a number of hands, each with the reason if the dealer would reject it.

    The first accepted hand is the one that ``/deal`` returns for the same seed.
    """
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    seed = body.seed or token_hex(8)
    drawn = services.pool.run_long(
        caller, "scrabblet", lambda: list(islice(rules.drawn(_choices(body), seed), body.count))
    )
    return GameSetupAnswer(
        seed=seed,
        hands=[
            DrawnAnswer(rack=each.hand.tiles, word_count=each.words, redraw=each.redraw) for each in drawn
        ],
    )


@router.get("/words", response_model=WordsAnswer, summary="Find the words of a hand by URL")
def find_words_by_address(
    query: QueryFields[WordsRequest], services: ServicesDep, caller: CallerDep
) -> Response:
    """As the POST request, with the fields as query parameters."""
    return find_words(query, services, caller)


@router.get("/deal", response_model=DealAnswer, summary="Deal a hand by URL")
def deal_hand_by_address(
    query: QueryFields[DealRequest], services: ServicesDep, caller: CallerDep
) -> DealAnswer:
    """As the POST request, with the fields as query parameters."""
    return deal_hand(query, services, caller)


@router.get("/gamesetup", response_model=GameSetupAnswer, summary="Draw hands by URL")
def set_up_game_by_address(
    query: QueryFields[GameSetupRequest], services: ServicesDep, caller: CallerDep
) -> GameSetupAnswer:
    """As the POST request, with the fields as query parameters."""
    return set_up_game(query, services, caller)


def _choices(body: DealRequest) -> Choices:
    return Choices(**body.model_dump(include=set(Choices.model_fields)))


@router.get(
    "/signature/{word}",
    response_model=SignatureAnswer,
    summary="Get a word's signature and anagrams",
)
def show_signature(
    word: Letters,
    services: ServicesDep,
    caller: CallerDep,
    lexicon: Annotated[str, Query()] = Library.default,
) -> SignatureAnswer:
    """The product of the primes of a word's letters, and the words with the same product."""
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(lexicon))
    return SignatureAnswer(
        word=word,
        lexicon=rules.lexicon.name,
        valid=word in rules.lexicon,
        points=Hand(word).score(word),
        letters="".join(sorted(set(word))),
        primes=list(primes(word)),
        signature=signature(word),
        signature_text=str(signature(word)),
        anagrams=services.pool.run(caller, "scrabblet", lambda: rules.solver.anagrams(word)),
    )
