"""Cards on the site: checking whether they can be asked, asking them, grading answers, and adding words."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final, Literal, TypeAlias

from fastapi import Request
from fastapi import Response as WebResponse

from app.store.cards import Card, CardKey, CardStatistics
from app.store.days import begins_at
from app.validation import quote
from app.web.guard.fields import invalid_field
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.site.card_files import read_cards, write_notes, write_table
from app.words.letters import ALPHABET
from app.words.library import DamagedLexicon, UnknownLexicon
from app.words.recall import Grade, Question, RecallKind, Response, grade, question_on

DAY: Final = 86_400.0
MOST_AT_ONCE: Final = 200
"""Most words added by one request."""
_CARDS_A_CHARGE: Final = 20
"""Questions that count as one engine request."""
FileForm: TypeAlias = Literal["csv", "anki"]


def question_of(services: Services, key: CardKey) -> Question | None:
    """The question of a card; None if its word list or the dictionary has been removed or has changed."""
    try:
        lexicon = services.library.load(key.lexicon)
    except (UnknownLexicon, DamagedLexicon):
        return None
    question = question_on(lexicon, services.dictionary, key.word, key.ask, "")
    if question is not None and key.ask == "anagram":
        # Sorted, as players learn them: the same letters always look the same.
        return replace(question, prompt="".join(sorted(key.word)))
    return question


def answer_card(
    services: Services, player: str | None, key: CardKey, response: Response, reps: int
) -> tuple[Card, Question, Grade]:
    """Check an answer, store its grade and return the card, its question and the grade.

    Raises UnknownCard, StaleCard, and RequestValidationError if the card has no question any more.
    """
    services.cards.read(player, key)
    question = question_of(services, key)
    if question is None:
        message = f"there is no question about {key} any more: remove the card"
        raise invalid_field(message, "body", "word")
    graded = grade(question, response, services.library.load(key.lexicon), services.dictionary, None)
    said = response.shown(key.ask)
    at = services.clock()
    return services.cards.answer(player, key, graded, at, reps=reps, answer=said), question, graded


def check_new(services: Services, keys: Iterable[CardKey]) -> list[CardKey]:
    """The cards in lower case. Raises RequestValidationError if one cannot be asked, and UnknownLexicon."""
    checked = []
    for number, given in enumerate(keys):
        key = given._replace(word=given.word.lower())
        services.library.load(key.lexicon)
        is_word = key.word and set(key.word) <= set(ALPHABET)
        if not is_word or question_of(services, key) is None:
            reason = {
                "anagram": f"is not in the list {key.lexicon}",
                "hooks": f"has no hooks in the list {key.lexicon}",
                "validity": "is not letters a to z",
                "definition": "has no meaning in the dictionary",
            }[key.ask]
            message = f"{quote(given.word)} {reason}: there would be nothing to ask"
            raise invalid_field(message, "body", "words", number)
        checked.append(key)
    return checked


def card_statistics(services: Services, player: str | None) -> CardStatistics:
    """The player's cards in numbers; the day ends at midnight, UTC."""
    midnight = begins_at(services.today()) + DAY
    return services.cards.statistics(player, services.clock(), midnight)


def exported_cards(services: Services, caller: Caller, player: str | None, form: FileForm) -> str:
    """The player's cards as a file. Notes for Anki count as engine requests. Raises TooOften, PoolFull."""
    cards = services.cards.of_player(player)
    if form == "csv":
        return write_table(cards)
    charge(services, caller, "engines", len(cards) // _CARDS_A_CHARGE)
    return services.pool.run_long(
        caller,
        "words",
        lambda: write_notes((card.key, question_of(services, card.key)) for card in cards),
    )


def import_cards_file(
    services: Services,
    caller: Caller,
    request: Request,
    response: WebResponse,
    text: str,
    ask: RecallKind,
    lexicon: str,
) -> int:
    """Import a file and return the number of cards added. Raises BadCards, TooMuch, TooOften, PoolFull."""
    now, exists = services.clock(), partial(_word_exists, services)
    cards = services.pool.run_long(caller, "words", lambda: read_cards(text, ask, lexicon, now, exists))
    charge(services, caller, "cards", services.cards.number_to_bring(caller.player, cards))
    player = services.guests.welcome(request, response, now)
    return services.cards.bring(player, cards)


def _word_exists(services: Services, lexicon: str, word: str) -> bool:
    """Whether a list has a word. Raises UnknownLexicon."""
    return word in services.library.load(lexicon)
