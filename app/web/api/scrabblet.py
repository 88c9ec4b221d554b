"""The Scrabblet engine over HTTP, without a game: the words of a hand, a deal, and signatures."""

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
"""Words of one answer, about a megabyte: two blanks and a dozen letters make nearly every word there is."""
MOST_DRAWN: Final = 100
"""Hands of one answer of the game setup."""
MinLength = Annotated[int, Field(ge=2, le=15)]


class WordsRequest(Documented):
    """A hand, and which of its words are wanted."""

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
    """1 to 15 tiles: letters a to z, and ? or _ for a blank, of which there may be two."""
    min_length: MinLength = SHORTEST
    """Letters of the shortest word that counts."""
    lexicon: str = Library.default
    centre: Annotated[str, Field(pattern="^[a-zA-Z]$")] | None = None
    """A letter of the hand that every word must have."""
    sort: Order = "letters"
    """letters: words of the same letters together, subset by subset. score and length: the highest first."""
    family: bool = False
    """Leave profanity out."""
    top: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED
    """How many words to list; ``count`` and ``total`` are of all."""

    @model_validator(mode="after")
    def _centre_is_in_the_hand(self) -> "WordsRequest":
        if self.centre and self.centre.lower() not in self.hand:
            raise ValueError(f"the centre {self.centre!r} is not in the hand {self.hand!r}")
        return self


class WordAnswer(Documented):
    """A word of the hand."""

    word: str
    score: int
    letters: str
    """The letters of the hand that it uses, each once, in the order of the hand."""
    blanks: str
    """The letters that blanks stand for in it."""


class WordsAnswer(Documented):
    """The words of a hand."""

    hand: str
    count: int
    total: int
    """What they score together."""
    words: list[WordAnswer]


class DealRequest(Documented):
    """What a hand must be like."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"seed": "a rainy Sunday", "size": 7, "max_vowels": 3, "min_words": 25}]
        },
    )

    seed: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    """The same seed deals the same hand; null takes one at random."""
    mode: Mode = "dealer"
    """daily deals seven different letters with 30 to 120 common words, one of which has them all."""
    size: Annotated[int, Field(ge=2, le=LARGEST)] = 7
    max_vowels: Annotated[int, Field(ge=0, le=LARGEST)] = 3
    """A hand with more vowels than this is drawn again."""
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    """A hand with fewer words than this is drawn again."""
    min_length: MinLength = SHORTEST
    lexicon: str = Library.default


class DealAnswer(Documented):
    """A hand."""

    hand: str
    tiles: list[TileView]
    words: int
    """How many it holds."""
    seed: str
    redraws: list[Redraw]
    """The hands that were drawn before it and put back, each with the reason and the count that was amiss."""


class GameSetupRequest(DealRequest):
    """What a hand must be like, and how many to draw."""

    count: Annotated[int, Field(ge=1, le=MOST_DRAWN)] = 13
    """How many hands to draw."""


class DrawnAnswer(Documented):
    """A hand that was drawn."""

    hand: str
    words: int | None
    """How many it holds; null where it was put back without counting them."""
    redraw: Redraw | None
    """Why the dealer puts it back, and the count that was amiss; null for a hand to play with."""


class GameSetupAnswer(Documented):
    """Hands in the order in which they were drawn."""

    seed: str
    hands: list[DrawnAnswer]


class SignatureAnswer(Documented):
    """A word's letters as a number."""

    word: str
    lexicon: str
    valid: bool
    score: int
    """The sum of its letters."""
    letters: str
    """Each once, by the alphabet."""
    primes: list[int]
    """Of those letters: a is 2, b is 3, and so on."""
    signature: int
    """Their product, exact at any size: it may be more than a 64-bit integer or a double can hold."""
    anagrams: list[str]
    """The words with exactly these letters, each however often."""


@router.post("/words", response_model=WordsAnswer, summary="All words of a hand")
def find_words(body: JsonBody[WordsRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """Every word that the hand makes, each letter used however often, with its score."""
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    hand = Hand(body.hand)

    def search() -> Response:
        found = rules.solver.find(hand, body.min_length, mask_of((body.centre or "").lower()))
        if body.family:
            found = found.where(allowed_words(rules.lexicon)[found.indices] == 1)
        words = [
            WordAnswer(
                word=one.word, score=one.score, letters=hand.used(one.word), blanks=hand.blanked(one.word)
            )
            for one in found.listed(body.sort, body.top)
        ]
        return rendered(WordsAnswer(hand=body.hand, count=len(found), total=found.total, words=words))

    return services.pool.run(caller, "scrabblet", search)


@router.post("/deal", response_model=DealAnswer, summary="Deal a hand")
def deal_hand(body: JsonBody[DealRequest], services: ServicesDep, caller: CallerDep) -> DealAnswer:
    """A hand drawn from the bank of 100 tiles, again and again until it is one to play with."""
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
    """A run of hands, those that the dealer would put back with the reason.

    The first hand without one is the hand that the same seed deals.
    """
    rules = services.rulebook.rules(Scrabblet, services.rulebook.ref(body.lexicon))
    seed = body.seed or token_hex(8)
    drawn = services.pool.run(
        caller, "scrabblet", lambda: list(islice(rules.drawn(_choices(body), seed), body.count))
    )
    return GameSetupAnswer(
        seed=seed,
        hands=[DrawnAnswer(hand=one.hand.tiles, words=one.words, redraw=one.redraw) for one in drawn],
    )


def _choices(body: DealRequest) -> Choices:
    return Choices(**body.model_dump(include=set(Choices.model_fields)))


@router.get(
    "/signature/{word}",
    response_model=SignatureAnswer,
    summary="A word's signature and anagrams",
)
def show_signature(
    word: Letters,
    services: ServicesDep,
    caller: CallerDep,
    lexicon: Annotated[str, Query()] = Library.default,
) -> SignatureAnswer:
    """The product of the primes of a word's letters, and the words that have the same one."""
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
