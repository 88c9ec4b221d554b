"""Scrabblet engine API: words of a hand, dealing hands, and word signatures."""

from itertools import islice
from secrets import token_hex
from typing import Annotated, Final

from fastapi import Query, Response
from fastapi.exceptions import RequestValidationError
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
from app.web.guard.limits import CallerDep
from app.web.model import Documented, JsonBody, rendered
from app.web.router import api_router
from app.web.services import ServicesDep
from app.web.word_field import Letters
from app.words.library import Library
from app.words.vocabulary import allowed_words

router = api_router("/api/scrabblet", "engines")

MOST_LISTED: Final = 20_000
"""Most words in an answer, about 1 MB: two blanks and a dozen letters make nearly every word."""
MOST_DRAWN: Final = 100
"""Most hands in an answer of the game setup."""
MinLength = Annotated[int, Field(ge=2, le=15)]


class WordsRequest(Documented):
    """A hand and search options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"hand": "RUOLFNT", "sort": "score"},
                {"hand": "CRPEI?", "min_length": 6, "centre": "p"},
            ]
        },
    )

    hand: Tiles
    """1 to 15 tiles: letters a to z, and up to two blanks as ? or _."""
    min_length: MinLength = SHORTEST
    """Fewest letters of a word."""
    lexicon: str = Library.default
    centre: Annotated[str, Field(pattern="^[a-zA-Z]$")] | None = None
    """A letter of the hand that every word must contain."""
    sort: Order = "letters"
    """``letters``: grouped by the letters used. ``score`` and ``length``: highest first."""
    family: bool = False
    """Leave out profanity."""
    top: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED
    """Number of words to list; ``count`` and ``total`` include all words."""

    @model_validator(mode="after")
    def _check_centre(self) -> "WordsRequest":
        if self.centre and self.centre.lower() not in self.hand:
            raise ValueError(f"the centre {self.centre!r} is not in the hand {self.hand!r}")
        return self


class WordAnswer(Documented):
    """A word of the hand."""

    word: str
    score: int
    letters: str
    """The letters of the hand that it uses, each once, in hand order."""
    blanks: str
    """The letters that blanks stand for."""


class WordsAnswer(Documented):
    """The words of a hand."""

    hand: str
    count: int
    total: int
    """Sum of all scores."""
    words: list[WordAnswer]


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
    """Most vowels; a hand with more is redrawn."""
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    """Fewest words; a hand with fewer is redrawn."""
    min_length: MinLength = SHORTEST
    lexicon: str = Library.default


class DealAnswer(Documented):
    """A dealt hand."""

    hand: str
    tiles: list[TileView]
    words: int
    """Number of words in the hand."""
    seed: str
    redraws: list[Redraw]
    """Hands drawn before and rejected, each with the reason and the offending count."""


class GameSetupRequest(DealRequest):
    """Requirements for a hand, and the number of hands to draw."""

    count: Annotated[int, Field(ge=1, le=MOST_DRAWN)] = 13
    """Number of hands to draw."""


class DrawnAnswer(Documented):
    """A drawn hand."""

    hand: str
    words: int | None
    """Number of words in the hand; null if it was rejected without counting them."""
    redraw: Redraw | None
    """Why the dealer rejects it, with the offending count; null for an accepted hand."""


class GameSetupAnswer(Documented):
    """Hands in the order drawn."""

    seed: str
    hands: list[DrawnAnswer]


class SignatureAnswer(Documented):
    """A word's prime signature and anagrams."""

    word: str
    lexicon: str
    valid: bool
    score: int
    """Sum of its letter values."""
    letters: str
    """Its different letters in alphabetical order."""
    primes: list[int]
    """The primes of these letters: a is 2, b is 3, and so on."""
    signature: int
    """Product of the primes; exact, so it may exceed a 64-bit integer or a double."""
    anagrams: list[str]
    """The words with exactly these letters, each used any number of times."""


@router.post("/words", response_model=WordsAnswer, summary="Find the words of a hand")
def find_words(body: JsonBody[WordsRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """Every word of the hand with its score; each letter may be used any number of times."""
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    hand = Hand(body.hand)

    def search() -> Response:
        found = rules.solver.find(hand, body.min_length, mask_of((body.centre or "").lower()))
        if body.family:
            found = found.where(allowed_words(rules.lexicon)[found.indices] == 1)
        words = [
            WordAnswer(
                word=each.word, score=each.score, letters=hand.used(each.word), blanks=hand.blanked(each.word)
            )
            for each in found.listed(body.sort, body.top)
        ]
        return rendered(WordsAnswer(hand=body.hand, count=len(found), total=found.total, words=words))

    return services.pool.run(caller, "scrabblet", search)


@router.post("/deal", response_model=DealAnswer, summary="Deal a hand")
def deal_hand(body: JsonBody[DealRequest], services: ServicesDep, caller: CallerDep) -> DealAnswer:
    """Draw hands from the bag of 100 tiles until one meets the requirements."""
    ref: LexiconRef = services.rulebook.ref(body.lexicon)
    rules = services.rulebook.rules(Scrabblet, ref)
    seed = body.seed or token_hex(8)
    try:
        dealt = services.pool.run(caller, "scrabblet", lambda: rules.dealt(_choices(body), seed))
    except NoSuchHand as refused:
        raise RequestValidationError([{"loc": ("min_words",), "msg": str(refused)}]) from refused
    return DealAnswer(
        hand=dealt.hand.tiles,
        tiles=[TileView(letter=tile, score=tile_score(tile)) for tile in dealt.hand.tiles],
        words=dealt.words,
        seed=seed,
        redraws=list(dealt.redraws),
    )


@router.post("/gamesetup", response_model=GameSetupAnswer, summary="Draw hands as the dealer does")
def set_up_game(
    body: JsonBody[GameSetupRequest], services: ServicesDep, caller: CallerDep
) -> GameSetupAnswer:
    """Draw a number of hands, each with the reason if the dealer would reject it.

    The first accepted hand is the one that ``/deal`` returns for the same seed.
    """
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    seed = body.seed or token_hex(8)
    drawn = services.pool.run(
        caller, "scrabblet", lambda: list(islice(rules.drawn(_choices(body), seed), body.count))
    )
    return GameSetupAnswer(
        seed=seed,
        hands=[DrawnAnswer(hand=each.hand.tiles, words=each.words, redraw=each.redraw) for each in drawn],
    )


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
        score=Hand(word).score(word),
        letters="".join(sorted(set(word))),
        primes=list(primes(word)),
        signature=signature(word),
        anagrams=services.pool.run(caller, "scrabblet", lambda: rules.solver.anagrams(word)),
    )
