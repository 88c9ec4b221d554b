"""The quiz: questions from a study list, with accuracy and speed."""

import random
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.services import Services, ServicesDep
from app.web.site.quiz_tokens import BadToken, Quiz
from app.web.site.words import LIST_CHOICES, MOST_LETTERS, word_choices
from app.web.table.page import FormFields
from app.web.templating import templates
from app.words import recall
from app.words.definitions import Dictionary
from app.words.lexicon import Lexicon
from app.words.library import Library
from app.words.recall import Question, RecallKind, grade, no_word_like, question_on
from app.words.study_lists import STUDY_LISTS, ListName, study_list
from app.words.vocabulary import Level

PATH: Final = "/quiz"
KIND_TITLES: Final[dict[RecallKind, str]] = {
    "anagram": "Anagrams",
    "hooks": "Hooks",
    "validity": "Valid or not",
    "definition": "Definitions",
}
NUMBERS: Final = (10, 20, 50)
"""Numbers of questions that the form offers; the last is the maximum."""
MOST_TYPED: Final = 200
"""Most characters of an answer."""
MOST_SHOWN: Final = 60
"""Most characters of an answer that the next page quotes."""
_INVALID: Final = 0.5
"""The chance that a question of the kind "valid or not" is about an invalid word."""
_CONSIDERED: Final = 10
"""Words tried for each question: some have no hooks, or no meaning."""

router = APIRouter(prefix=PATH, include_in_schema=False, dependencies=[limited("engines")])

Typed = Annotated[str, Form(max_length=MOST_TYPED)]


class QuizSettings(BaseModel):
    """The settings of a quiz."""

    model_config = ConfigDict(extra="ignore")

    list: ListName = "two-letters"
    kind: RecallKind = "anagram"
    lexicon: str = Library.default
    length: Annotated[int, Field(ge=2, le=MOST_LETTERS)] | None = None
    level: Level = "everything"
    questions: Annotated[int, Field(ge=1, le=NUMBERS[-1])] = NUMBERS[0]


@router.get("")
def quiz_form(request: Request, services: ServicesDep) -> Response:
    """The form for starting a quiz."""
    typed = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
    return _form(request, services, typed, {})


@router.post("")
def start_quiz(request: Request, fields: FormFields, services: ServicesDep, caller: CallerDep) -> Response:
    """Start a quiz and go to its first question."""
    typed = {name: text.strip() for name, text in fields.items() if text.strip()}
    errors: dict[str, str] = {}
    with collecting_errors(errors):
        chosen = QuizSettings.model_validate(typed)
        lexicon = services.library.load(chosen.lexicon)
        words = services.pool.run(
            caller, "words", lambda: _words(lexicon, services.dictionary, chosen, secrets.token_hex(8))
        )
        if words:
            now = services.clock()
            quiz = Quiz(chosen.list, chosen.kind, lexicon.name, lexicon.sha256, words, now, (), "", now)
            return _to(services, quiz)
        errors["kind"] = "no word of this list has such a question: choose another kind, list or length"
    return _form(request, services, typed, errors)


@router.get("/{token}")
def quiz_page(token: str, request: Request, services: ServicesDep) -> Response:
    """The next question of a quiz, or its result."""
    quiz = _read(services, token)
    lexicon, count = services.library.load(quiz.lexicon, quiz.sha256), len(quiz.right)
    context = {
        "quiz": quiz,
        "token": token,
        "list": STUDY_LISTS[quiz.list],
        "kind_title": KIND_TITLES[quiz.kind],
        "question": _question(services, lexicon, quiz, count) if count < len(quiz.words) else None,
        "answered": _question(services, lexicon, quiz, count - 1) if count else None,
        "again": f"{PATH}?{urlencode({'list': quiz.list, 'kind': quiz.kind, 'lexicon': quiz.lexicon})}",
        **word_choices(services),
    }
    return templates.TemplateResponse(request, "site/quiz.html", context)


@router.post("/{token}")
def answer_question(
    token: str,
    services: ServicesDep,
    answer: Typed = "",
    front: Typed = "",
    back: Typed = "",
) -> Response:
    """Answer the question and go to the next."""
    quiz = _read(services, token)
    if len(quiz.right) == len(quiz.words):
        return _to(services, quiz)
    lexicon = services.library.load(quiz.lexicon, quiz.sha256)
    question = _question(services, lexicon, quiz, len(quiz.right))
    said = recall.Response(answer, front, back)
    right = grade(question, said, lexicon, services.dictionary, None) == "good"
    following = replace(
        quiz,
        right=(*quiz.right, right),
        said=said.shown(quiz.kind)[:MOST_SHOWN],
        answered_at=services.clock(),
    )
    return _to(services, following)


def _to(services: Services, quiz: Quiz) -> RedirectResponse:
    return RedirectResponse(f"{PATH}/{services.quiz_tokens.write(quiz)}", status_code=303)


def _read(services: Services, token: str) -> Quiz:
    try:
        return services.quiz_tokens.read(token)
    except BadToken as error:
        raise HTTPException(404, str(error)) from error


def _question(services: Services, lexicon: Lexicon, quiz: Quiz, number: int) -> Question:
    word, seed = quiz.words[number], f"{quiz.started_at} {number}"
    question = question_on(lexicon, services.dictionary, word, quiz.kind, seed)
    if question is None:  # the dictionary has been removed meanwhile
        raise HTTPException(404, f"there is no question about {word!r} any more")
    return question


def _words(lexicon: Lexicon, dictionary: Dictionary, chosen: QuizSettings, seed: str) -> tuple[str, ...]:
    """The random words that a quiz asks about; for "valid or not", half of them are invalid."""
    chance = random.Random(seed)
    entries = study_list(
        lexicon, chosen.list, length=chosen.length, level=chosen.level, shown="suggested"
    ).tolist()
    found: list[str] = []
    for entry in chance.sample(entries, min(len(entries), _CONSIDERED * chosen.questions)):
        word: str | None = lexicon[entry]
        if chosen.kind == "validity" and chance.random() < _INVALID:
            word = no_word_like(lexicon, lexicon[entry], seed)
        if word and word not in found and question_on(lexicon, dictionary, word, chosen.kind, seed):
            found.append(word)
        if len(found) == chosen.questions:
            break
    return tuple(found)


def _form(
    request: Request, services: Services, typed: Mapping[str, str], errors: Mapping[str, str]
) -> Response:
    kinds = [
        (kind, title)
        for kind, title in KIND_TITLES.items()
        if kind != "definition" or services.dictionary.installed
    ]
    context = {
        "typed": typed,
        "errors": errors,
        "list_choices": LIST_CHOICES,
        "kinds": kinds,
        "numbers": [(str(number), str(number)) for number in NUMBERS],
        **word_choices(services),
    }
    return templates.TemplateResponse(
        request, "site/quiz_form.html", context, status_code=422 if errors else 200
    )
