"""The pages of a player's cards: reviewing due cards, listing all, export and import."""

from contextlib import suppress
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import RedirectResponse

from app.grammar import format_duration
from app.store.cards import Card, CardKey, StaleCard, UnknownCard
from app.web.guard.limits import CallerDep, charge, limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.card_files import BadCards
from app.web.site.card_texts import ASK_TITLES
from app.web.site.cards import (
    MOST_AT_ONCE,
    answer_card,
    card_statistics,
    check_new,
    exported_cards,
    import_cards_file,
    question_of,
)
from app.web.site.sign_in_methods import guest_days
from app.web.site.words import word_choices
from app.web.table.page import HtmxRequest
from app.web.table.record import streaming_text
from app.web.templating import templates
from app.words.library import Library
from app.words.recall import RecallKind
from app.words.recall import Response as Recalled

PATH: Final = "/cards"
PAGE: Final = 50
"""Cards per page of the list."""

router = APIRouter(prefix=PATH, include_in_schema=False, dependencies=[limited("engines")])

Typed = Annotated[str, Form(max_length=200)]
Lexicon = Annotated[str, Form(max_length=64)]
Word = Annotated[str, Form(min_length=1, max_length=32)]


def _named_answer(
    word: Annotated[str, Form(max_length=32)] = "",
    ask: Annotated[RecallKind, Form()] = "anagram",
    reps: Annotated[int, Form(ge=0)] = 0,
    lexicon: Lexicon = Library.default,
) -> tuple[CardKey | None, int]:
    """The card of an answer and its ``reps`` since; without a word, any latest answer is meant."""
    return CardKey(lexicon, word, ask) if word else None, reps


NamedAnswer = Annotated[tuple[CardKey | None, int], Depends(_named_answer)]


@router.get("")
def review_page(
    request: Request,
    services: ServicesDep,
    player: Player,
    answered: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    added: Annotated[int | None, Query(ge=0, le=5000)] = None,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The card that has been due longest, or when the next is due, with the grade of the latest answer."""
    now = services.clock()
    due = services.cards.due(player, now)
    first = services.cards.next_due(player) if not due else None
    context = {
        "card": due[0] if due else None,
        "question": question_of(services, due[0].key) if due else None,
        "next_in": None if first is None else format_duration(max(1.0, first - now)),
        "numbers": card_statistics(services, player),
        "answered": _answered(services, player) if answered else None,
        "added": added,
        **_texts(services),
    }
    return templates.TemplateResponse(
        request,
        "site/review.html",
        context,
        headers={"Vary": "HX-Request"},
        block_name="review" if is_htmx else None,
    )


@router.post("", dependencies=[limited("guests")])
def add(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    word: Annotated[list[Word], Form(max_length=MOST_AT_ONCE)],
    ask: Annotated[RecallKind, Form()],
    lexicon: Lexicon = Library.default,
    back: Annotated[str, Form(pattern=r"^/words/[a-z]+(\?lexicon=[\w-]+)?$")] = PATH,
) -> Response:
    """Add words and go to the cards, or back to the page of the word. Skips words that cannot be asked."""
    keys = [CardKey(lexicon, each, ask) for each in word]
    if len(keys) > 1:
        services.library.load(lexicon)
        keys = [key for key in keys if question_of(services, key) is not None] or keys[:1]
    checked, now = check_new(services, keys), services.clock()
    charge(services, caller, "cards", services.cards.number_new(caller.player, checked))
    response = RedirectResponse(back, status_code=303)
    added = services.cards.add(services.guests.welcome(request, response, now), checked, now)
    if back == PATH:
        response.headers["location"] = f"{PATH}?added={added}"
    return response


@router.post("/answer")
def answer(
    services: ServicesDep,
    player: Player,
    word: Word,
    ask: Annotated[RecallKind, Form()],
    reps: Annotated[int, Form(ge=0)],
    lexicon: Lexicon = Library.default,
    answer: Typed = "",
    front: Typed = "",
    back: Typed = "",
) -> Response:
    """Answer a card and go to the next. Ignores an answer sent twice, or to a card that has been removed."""
    try:
        answer_card(services, player, CardKey(lexicon, word, ask), Recalled(answer, front, back), reps)
    except (StaleCard, UnknownCard):
        return RedirectResponse(PATH, status_code=303)
    return RedirectResponse(f"{PATH}?answered=1", status_code=303)


@router.post("/grade")
def change_grade(
    services: ServicesDep,
    player: Player,
    grade: Annotated[Literal["hard", "good", "easy"], Form()],
    named: NamedAnswer,
) -> Response:
    """Change the grade of the latest answer, if it was right. Ignores forms for earlier or wrong answers."""
    with suppress(StaleCard, UnknownCard):
        services.cards.regrade(player, grade, *named)
    return RedirectResponse(f"{PATH}?answered=1", status_code=303)


@router.post("/undo")
def undo(services: ServicesDep, player: Player, named: NamedAnswer) -> Response:
    """Take back the latest answer; its card is due again. Ignores a form sent twice."""
    with suppress(StaleCard, UnknownCard):
        services.cards.undo(player, *named)
    return RedirectResponse(PATH, status_code=303)


@router.post("/remove")
def remove(
    services: ServicesDep,
    player: Player,
    word: Word,
    ask: Annotated[RecallKind, Form()],
    lexicon: Lexicon = Library.default,
    start: Annotated[int | None, Form(ge=0, le=5000)] = None,
) -> Response:
    """Remove a card and go back to the list, at ``start``, or to the next card."""
    services.cards.remove(player, CardKey(lexicon, word, ask))
    return RedirectResponse(PATH if start is None else f"{PATH}/all?start={start}", status_code=303)


@router.get("/all")
def all_cards(
    request: Request,
    services: ServicesDep,
    player: Player,
    start: Annotated[int, Query(ge=0, le=5000)] = 0,
) -> Response:
    """All cards by word list and word, with export and import."""
    return _show_all(request, services, player, start)


@router.get("/export.csv")
def export_table(services: ServicesDep, player: Player, caller: CallerDep) -> Response:
    """Download all cards as a table with their schedule."""
    headers = {"Content-Disposition": 'attachment; filename="wibble-cards.csv"'}
    response = streaming_text(exported_cards(services, caller, player, "csv"), headers)
    response.headers["content-type"] = "text/csv; charset=utf-8; header=present"
    return response


@router.get("/export.txt")
def export_notes(services: ServicesDep, player: Player, caller: CallerDep) -> Response:
    """Download all cards as notes for Anki."""
    headers = {"Content-Disposition": 'attachment; filename="wibble-cards.txt"'}
    return streaming_text(exported_cards(services, caller, player, "anki"), headers)


@router.post("/import", dependencies=[limited("imports", "guests")])
def import_file(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    file: Annotated[UploadFile, File()],
    ask: Annotated[RecallKind, Form()] = "anagram",
    lexicon: Lexicon = Library.default,
) -> Response:
    """Import a file of cards. If anything in it is wrong, show the errors and import nothing."""
    response = RedirectResponse(PATH, status_code=303)
    try:
        text = file.file.read().decode()
        added = import_cards_file(services, caller, request, response, text, ask, lexicon)
    except UnicodeDecodeError:
        return _show_all(request, services, caller.player, 0, ["the file is not text in UTF-8"])
    except BadCards as refused:
        errors = [error.message for error in refused.errors]
        return _show_all(request, services, caller.player, 0, errors)
    response.headers["location"] = f"{PATH}?added={added}"
    return response


def _show_all(
    request: Request, services: Services, player: str | None, start: int, errors: list[str] | None = None
) -> Response:
    cards = services.cards.of_player(player)
    now = services.clock()
    context = {
        "lines": [{"card": card, "due": _due(card, now)} for card in cards[start : start + PAGE]],
        "total": len(cards),
        "guest_days": guest_days(services, player),
        "start": start,
        "earlier": max(0, start - PAGE) if start else None,
        "later": start + PAGE if start + PAGE < len(cards) else None,
        "errors": errors or [],
        **_texts(services),
    }
    return templates.TemplateResponse(request, "site/cards.html", context, status_code=422 if errors else 200)


def _texts(services: Services) -> dict[str, Any]:
    titles = {
        ask: title
        for ask, title in ASK_TITLES.items()
        if ask != "definition" or services.dictionary.installed
    }
    return {"ask_titles": ASK_TITLES, "asks": list(titles.items()), **word_choices(services)}


def _answered(services: Services, player: str | None) -> dict[str, Any] | None:
    """The player's latest answer, its question, and when the card is due again."""
    last = services.cards.last_review(player)
    question = question_of(services, last.key) if last else None
    if last is None or question is None:
        return None
    card = services.cards.read(player, last.key)
    complete = (
        last.answer == question.solution
        if question.kind == "hooks"
        else set(question.words) <= set(last.answer.split())
    )
    verdict = "Wrong" if last.grade == "again" else "Right" if complete else "Right, but not all"
    return {
        "review": last,
        "reps": card.reps,
        "verdict": verdict,
        "question": question,
        "again_in": format_duration(round(card.schedule.due - last.at)),
    }


def _due(card: Card, now: float) -> str:
    seconds = card.schedule.due - now
    return "due now" if seconds <= 0 else f"due in {format_duration(seconds)}"
