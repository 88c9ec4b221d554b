"""The API of cards: words to remember."""

from typing import Annotated, Literal

from fastapi import Body, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import ConfigDict, Field

from app.store.card_schedule import CardState
from app.store.cards import MOST_LETTERS, Card, CardKey
from app.web.guard.limits import CallerDep, charge, limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.cards import (
    MOST_AT_ONCE,
    FileForm,
    answer_card,
    card_statistics,
    check_new,
    exported_cards,
    import_cards_file,
    question_of,
)
from app.web.table.record import streaming_text
from app.words.library import Library
from app.words.recall import Grade, Question, RecallKind
from app.words.recall import Response as Recalled

router = api_router("/api/cards", "profile", dependencies=[limited("engines")])

CardWord = Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
CardLexicon = Annotated[str, Field(max_length=64)]


class CardAnswer(Documented):
    """One of your cards."""

    lexicon: str
    word: str
    ask: RecallKind
    """What is asked: the ``anagram`` of the letters, the ``hooks`` of the word, whether it is valid
    (``validity``), or the word with a meaning (``definition``)."""
    prompt: str | None
    """The question: letters, the word, or a meaning. Null if the list or the dictionary has been removed."""
    state: CardState
    """``review`` once it is learned; in other states, it is asked again after minutes."""
    due: float
    """When it is asked next, in seconds since the epoch."""
    reps: int
    """How often you have answered it."""
    lapses: int
    """How often you have forgotten it."""
    game_id: str | None
    """The game in which you missed the word."""


class CardDeck(Documented):
    """Your cards in numbers, and some of them."""

    total: int
    due: int
    """The number of cards due now."""
    due_today: int
    """The number of cards due until midnight UTC, including those due now."""
    learned: int
    """The number of learned cards, which are asked at intervals of days."""
    retention: float | None
    """The share of learned cards that you remembered in the last 30 days, 0 to 1."""
    cards: list[CardAnswer]


class NewCards(Documented):
    """Words to remember."""

    model_config = ConfigDict(extra="forbid")

    lexicon: CardLexicon = Library.default
    ask: RecallKind = "anagram"
    words: list[CardWord] = Field(min_length=1, max_length=MOST_AT_ONCE)


class AddedCards(Documented):
    """What was added."""

    added: int
    """The number of cards that are new, or were replaced by imported ones."""


class CardResponse(Documented):
    """Your answer to a card."""

    model_config = ConfigDict(extra="forbid")

    reps: int = Field(ge=0)
    """The card's ``reps`` when you were asked, so that an answer sent twice counts once."""
    lexicon: CardLexicon = Library.default
    word: CardWord
    ask: RecallKind
    answer: Annotated[str, Field(max_length=200)] = ""
    """The words, or ``yes`` or ``no`` for ``validity``."""
    front: Annotated[str, Field(max_length=60)] = ""
    """Letters before the word, for ``hooks``."""
    back: Annotated[str, Field(max_length=60)] = ""
    """Letters after the word, for ``hooks``."""


class GradedCard(Documented):
    """The grade of an answer."""

    grade: Grade
    """``again`` is wrong, ``hard`` incomplete, ``good`` right."""
    solution: str
    """The right answer."""
    card: CardAnswer


class LatestAnswer(Documented):
    """The answer that you mean, which must be your latest."""

    model_config = ConfigDict(extra="forbid")

    reps: int = Field(ge=1)
    """The card's ``reps`` since the answer; after an earlier answer they were fewer."""
    lexicon: CardLexicon = Library.default
    word: CardWord
    ask: RecallKind


class NewGrade(Documented):
    """Another grade for your latest answer."""

    model_config = ConfigDict(extra="forbid")

    grade: Literal["hard", "good", "easy"]
    answer: LatestAnswer | None = None
    """The answer to grade. Without it, any latest answer is."""


@router.get("", response_model=CardDeck, summary="List your cards")
def list_cards(
    services: ServicesDep,
    player: Player,
    due: Annotated[bool, Query(description="Only the cards that are due, the longest due first.")] = True,  # noqa: FBT002 - a query parameter
    limit: Annotated[int, Query(ge=1, le=100, description="Number of cards.")] = 20,
) -> CardDeck:
    """Your cards in numbers, and the cards that are due, or with ``due=false`` all by due date."""
    numbers = card_statistics(services, player)
    found = services.cards.due(player, services.clock() if due else float("inf"), limit)
    return CardDeck(
        **{name: getattr(numbers, name) for name in ("total", "due", "due_today", "learned", "retention")},
        cards=[_answer(card, question_of(services, card.key)) for card in found],
    )


@router.post(
    "",
    response_model=AddedCards,
    status_code=201,
    summary="Add cards",
    dependencies=[limited("guests")],
)
def add_cards(
    body: JsonBody[NewCards], request: Request, response: Response, services: ServicesDep, caller: CallerDep
) -> AddedCards:
    """Add words to your cards, due at once; existing cards do not change.

    Words with the same letters share one anagram card. A player may have 5,000 cards.
    """
    keys = check_new(services, [CardKey(body.lexicon, word, body.ask) for word in body.words])
    now = services.clock()
    charge(services, caller, "cards", services.cards.number_new(caller.player, keys))
    player = services.guests.welcome(request, response, now)
    return AddedCards(added=services.cards.add(player, keys, now))


@router.post("/answers", response_model=GradedCard, responses=describe(404, 409), summary="Answer a card")
def answer_to_card(body: JsonBody[CardResponse], services: ServicesDep, player: Player) -> GradedCard:
    """Grade your answer, and schedule the card with FSRS. 409 if it was answered meanwhile."""
    said = Recalled(body.answer, body.front, body.back)
    card, question, grade = answer_card(
        services, player, CardKey(body.lexicon, body.word, body.ask), said, body.reps
    )
    return GradedCard(grade=grade, solution=question.solution, card=_answer(card, question))


@router.post("/grade", response_model=CardAnswer, responses=describe(404, 409), summary="Change a grade")
def regrade_card(body: JsonBody[NewGrade], services: ServicesDep, player: Player) -> CardAnswer:
    """Change the grade of your latest answer, if it was right.

    409 if it was wrong, or if the body names an answer that is not the latest.
    """
    card = services.cards.regrade(player, body.grade, *_named(body.answer))
    return _answer(card, question_of(services, card.key))


@router.post("/undo", response_model=CardAnswer, responses=describe(404, 409), summary="Undo an answer")
def undo_answer(
    services: ServicesDep, player: Player, body: JsonBody[LatestAnswer] | None = None
) -> CardAnswer:
    """Take back your latest answer and restore its card. Answers are stored for 30 days.

    If the body names an answer that is not the latest, 409. Without a body, any latest answer is undone.
    """
    card = services.cards.undo(player, *_named(body))
    return _answer(card, question_of(services, card.key))


@router.get("/export", response_class=PlainTextResponse, summary="Export your cards")
def export_cards(
    services: ServicesDep,
    player: Player,
    caller: CallerDep,
    form: Annotated[FileForm, Query(alias="format", description="A table, or notes for Anki.")] = "csv",
) -> StreamingResponse:
    """All your cards: as a table with their schedule, or as notes that Anki imports."""
    return streaming_text(exported_cards(services, caller, player, form))


@router.post(
    "/import",
    response_model=AddedCards,
    summary="Import cards",
    dependencies=[limited("imports", "guests")],
)
def import_cards(
    text: Annotated[
        str, Body(media_type="text/plain", description="A table with a header, or notes from Anki.")
    ],
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
    ask: Annotated[RecallKind, Query(description="For notes without this field.")] = "anagram",
    lexicon: Annotated[
        str, Query(max_length=64, description="For notes without this field.")
    ] = Library.default,
) -> AddedCards:
    """Add the cards of a file, up to 2 MB. If anything in it is wrong, nothing is imported.

    An existing card is replaced if the imported one was answered later. A table needs the columns ``word``
    and ``ask``; the others are optional, as in an export. In notes from Anki, the first field is the word.
    """
    return AddedCards(added=import_cards_file(services, caller, request, response, text, ask, lexicon))


@router.delete("/{lexicon}/{ask}/{word}", status_code=204, response_class=Response, summary="Remove a card")
def remove_card(lexicon: str, ask: RecallKind, word: str, services: ServicesDep, player: Player) -> None:
    """Remove one of your cards, with your stored answers to it."""
    services.cards.remove(player, CardKey(lexicon, word, ask))


def _named(answer: LatestAnswer | None) -> tuple[CardKey | None, int]:
    """The arguments that name an answer in the store."""
    return (None, 0) if answer is None else (CardKey(answer.lexicon, answer.word, answer.ask), answer.reps)


def _answer(card: Card, question: Question | None) -> CardAnswer:
    return CardAnswer(
        **card.key._asdict(),
        prompt=question.prompt if question else None,
        state=card.schedule.state,
        due=card.schedule.due,
        reps=card.reps,
        lapses=card.lapses,
        game_id=card.game_id,
    )
