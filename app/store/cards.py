"""Cards: questions about words that players want to learn, and when each is asked next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from app.store.card_schedule import Schedule, after_answer, new_schedule
from app.store.database import Database
from app.store.models import TooMuch
from app.store.players import lock_player
from app.store.schema import card_reviews, cards, players
from app.words.recall import Grade, RecallKind

MOST_CARDS: Final = 5000
"""Maximum number of cards per player."""
MOST_LETTERS: Final = 30
"""Maximum length of a card's word."""
MOST_REPEATED: Final = 60
"""Number of characters of an answer that are stored."""
REVIEWS_KEPT: Final = 30 * 86_400.0
"""Seconds for which answers are stored and count in ``CardStatistics``."""


class UnknownCard(LookupError):
    """The player has no such card, or no answer to change; the message says which."""


class StaleCard(Exception):
    """The card was answered meanwhile, or the answer cannot be changed this way; the message says which."""


class CardKey(NamedTuple):
    """Identifies a card of a player."""

    lexicon: str
    word: str
    ask: RecallKind

    def __str__(self) -> str:
        return f"{self.word!r} ({self.ask}, {self.lexicon})"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a player. Times are in seconds since the epoch."""

    key: CardKey
    schedule: Schedule
    reps: int = 0
    """How often it was answered."""
    lapses: int = 0
    """How often it was forgotten after it was known."""
    created_at: float = 0.0
    game_id: str | None = None
    """The game in which the word was missed."""


class Review(NamedTuple):
    """The latest answer of a player."""

    key: CardKey
    at: float
    grade: Grade
    answer: str
    """The text of the answer, shortened."""


class CardStatistics(NamedTuple):
    """Numbers of a player's cards and answers."""

    total: int
    due: int
    due_today: int
    """Due by the end of the day, including those due now."""
    learned: int
    """Number of cards in ``review``."""
    reviews: int
    """Number of answers in the last 30 days to cards that were in ``review``."""
    remembered: int
    """Number of these answers that were right."""

    @property
    def retention(self) -> float | None:
        """Share of ``reviews`` that were right, 0 to 1; None without any."""
        return self.remembered / self.reviews if self.reviews else None


class Cards:
    """All cards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, player_id: str, keys: Iterable[CardKey], at: float, game_id: str | None = None) -> int:
        """Add cards, due at once; return how many are new. Raises TooMuch, UnknownPlayer.

        Words with the same letters share one ``anagram`` card, which asks for all of them.
        """
        new = [Card(key, new_schedule(at), created_at=at, game_id=game_id) for key in dict.fromkeys(keys)]
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            held = _read(connection, player_id)
            known = {_question(card.key) for card in held}
            missing = {_question(card.key): card for card in new if _question(card.key) not in known}
            _insert(connection, player_id, list(missing.values()), len(held))
        return len(missing)

    def missing(self, player_id: str | None, keys: Iterable[CardKey]) -> list[CardKey]:
        """The keys for which the player has no card with the same question."""
        held = {_question(card.key) for card in self.of_player(player_id)}
        return [key for key in keys if _question(key) not in held]

    def number_new(self, player_id: str | None, keys: Iterable[CardKey]) -> int:
        """Number of cards that ``add`` would add."""
        return len({_question(key) for key in self.missing(player_id, keys)})

    def number_to_bring(self, player_id: str | None, imported: Sequence[Card]) -> int:
        """Number of cards that ``bring`` would store."""
        return len(_to_bring(self.of_player(player_id), imported))

    def bring(self, player_id: str, imported: Sequence[Card]) -> int:
        """Import cards; return how many are new or replace an older one. Raises TooMuch, UnknownPlayer.

        A card that the player has already is replaced if the imported one was answered later.
        """
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            held = _read(connection, player_id)
            brought = _to_bring(held, imported)
            replaced = list({card.key for card in brought} & {card.key for card in held})
            _delete(connection, player_id, replaced)
            _insert(connection, player_id, brought, len(held) - len(replaced))
        return len(brought)

    def of_player(self, player_id: str | None) -> list[Card]:
        """All cards of a player, ordered by word list, word and question."""
        with self._database.reading() as connection:
            return _read(connection, player_id)

    def due(self, player_id: str | None, at: float, most: int = 1) -> list[Card]:
        """The cards due at ``at``, the longest due first."""
        with self._database.reading() as connection:
            order = cards.c.due, cards.c.word, cards.c.ask, cards.c.lexicon
            return _read(connection, player_id, cards.c.due <= at, order=order, most=most)

    def next_due(self, player_id: str | None) -> float | None:
        """When the player's next card is due; None without cards."""
        query = select(func.min(cards.c.due)).where(cards.c.player_id == player_id)
        with self._database.reading() as connection:
            found: float | None = connection.scalar(query)
        return found

    def number_due(self, player_id: str | None, at: float) -> int:
        """Number of cards due at ``at``."""
        with self._database.reading() as connection:
            mine = cards.c.player_id == player_id, cards.c.due <= at
            return connection.scalar(select(func.count()).where(*mine)) or 0

    def statistics(self, player_id: str | None, at: float, midnight: float) -> CardStatistics:
        """Numbers of the player's cards and answers; ``midnight`` is the end of the day."""
        row, answer = cards.c, card_reviews.c
        numbers = select(
            func.count(),
            func.count().filter(row.due <= at),
            func.count().filter(row.due < midnight),
            func.count().filter(row.state == "review"),
        ).where(row.player_id == player_id)
        remembered = select(func.count(), func.count().filter(answer.grade != "again")).where(
            answer.player_id == player_id, answer.at > at - REVIEWS_KEPT, answer.state == "review"
        )
        with self._database.reading() as connection:
            return CardStatistics(*connection.execute(numbers).one(), *connection.execute(remembered).one())

    def read(self, player_id: str | None, key: CardKey) -> Card:
        """One card. Raises UnknownCard."""
        with self._database.reading() as connection:
            return _card(connection, player_id, key)

    def asks(self, player_id: str | None, lexicon: str, word: str) -> set[str]:
        """What the player's cards ask about a word; ``anagram`` also for a card on one of its anagrams."""
        row = cards.c
        query = select(row.word, row.ask).where(row.player_id == player_id, row.lexicon == lexicon)
        same = or_(row.word == word, and_(row.ask == "anagram", func.length(row.word) == len(word)))
        letters = sorted(word)
        with self._database.reading() as connection:
            found = connection.execute(query.where(same)).all()
        return {each.ask for each in found if each.word == word or sorted(each.word) == letters}

    def answer(
        self, player_id: str | None, key: CardKey, grade: Grade, at: float, *, reps: int, answer: str = ""
    ) -> Card:
        """Store an answer of this grade and return the card with its new schedule.

        ``reps`` is how often the card had been answered when it was shown, so that an answer sent twice
        counts once. Raises UnknownCard, StaleCard.
        """
        with self._database.writing() as connection:
            _lock(connection, player_id)
            card = _card(connection, player_id, key)
            if card.reps != reps:
                raise StaleCard(f"the card {key} has been answered meanwhile: fetch it again")
            return _answer(connection, str(player_id), card, grade, at, answer)

    def last_review(self, player_id: str | None) -> Review | None:
        """The player's latest stored answer; None if there is none."""
        with self._database.reading() as connection:
            found = _last(connection, player_id)
        return None if found is None else Review(_key(found), found.at, found.grade, found.answer)

    def regrade(self, player_id: str | None, grade: Grade, key: CardKey | None = None, reps: int = 0) -> Card:
        """Change the grade of the player's latest answer. Raises UnknownCard, StaleCard.

        A wrong answer stays wrong, and a right one right. ``key`` and ``reps`` are as for ``undo``.
        """
        with self._database.writing() as connection:
            last, card = self._take_back(connection, player_id, key, reps, "to grade")
            if "again" in {grade, last.grade} and grade != last.grade:
                raise StaleCard("grade: a wrong answer stays “again”; a right one may be hard, good or easy")
            return _answer(connection, str(player_id), card, grade, last.at, last.answer)

    def undo(self, player_id: str | None, key: CardKey | None = None, reps: int = 0) -> Card:
        """Take back the player's latest answer; return the card as it was. Raises UnknownCard, StaleCard.

        With the ``key`` of the card and its ``reps`` since the answer, no other answer is taken back.
        """
        with self._database.writing() as connection:
            return self._take_back(connection, player_id, key, reps, "to take back")[1]

    def remove(self, player_id: str | None, key: CardKey) -> None:
        """Delete a card with its answers. Raises UnknownCard."""
        with self._database.writing() as connection:
            _lock(connection, player_id)
            _card(connection, player_id, key)
            _delete(connection, str(player_id), [key])

    def _take_back(
        self, connection: Connection, player_id: str | None, key: CardKey | None, reps: int, why: str
    ) -> tuple[Row[Any], Card]:
        """Delete the latest answer and restore its card; return both."""
        _lock(connection, player_id)
        last = _last(connection, player_id)
        if last is None:
            raise UnknownCard(f"you have no answer {why}: answer a card first")
        card = _card(connection, player_id, _key(last))
        if key is not None and (key, reps) != (card.key, card.reps):
            raise StaleCard(f"your latest answer is another, to {card.key}: nothing was changed")
        before = Schedule(*(getattr(last, name) for name in Schedule._fields))
        forgotten = before.state == "review" and last.grade == "again"
        restored = replace(card, schedule=before, reps=card.reps - 1, lapses=card.lapses - forgotten)
        _update(connection, str(player_id), restored)
        connection.execute(delete(card_reviews).where(card_reviews.c.number == last.number))
        return last, restored


def merge_cards(connection: Connection, kept: str, gone: str) -> None:
    """Move the cards of a player to another; duplicates keep the one answered later."""
    own = {card.key: card for card in _read(connection, kept)}
    for card in _read(connection, gone):
        if card.key in own:
            later = _answered(card) > _answered(own[card.key])
            _delete(connection, kept if later else gone, [card.key])
    for table in (cards, card_reviews):
        connection.execute(update(table).where(table.c.player_id == gone).values(player_id=kept))


def forget_reviews(database: Database, at: float) -> None:
    """Delete answers older than REVIEWS_KEPT."""
    with database.writing() as connection:
        connection.execute(delete(card_reviews).where(card_reviews.c.at < at - REVIEWS_KEPT))


def _read(
    connection: Connection,
    player_id: str | None,
    *conditions: ColumnElement[bool],
    order: Sequence[ColumnElement[Any]] = (cards.c.lexicon, cards.c.word, cards.c.ask),
    most: int | None = None,
) -> list[Card]:
    query = select(cards).where(cards.c.player_id == player_id, *conditions).order_by(*order).limit(most)
    return [
        Card(
            _key(row),
            Schedule(*(getattr(row, name) for name in Schedule._fields)),
            row.reps,
            row.lapses,
            row.created_at,
            row.game_id,
        )
        for row in connection.execute(query)
    ]


def _lock(connection: Connection, player_id: str | None) -> None:
    """Lock the player, if any, as ``lock_player`` does: changes of their cards wait for one another."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))


def _card(connection: Connection, player_id: str | None, key: CardKey) -> Card:
    # PostgreSQL fails on a zero character.
    found = _read(connection, player_id, _is(key)) if "".join(key).isprintable() else []
    if not found:
        raise UnknownCard(f"you have no card {key}")
    return found[0]


def _insert(connection: Connection, player_id: str, new: Sequence[Card], held: int) -> None:
    if held + len(new) > MOST_CARDS:
        raise TooMuch(f"you would have {held + len(new):,} cards: at most {MOST_CARDS:,} are allowed")
    if new:
        rows = [{"player_id": player_id, **card.key._asdict(), **_values(card)} for card in new]
        connection.execute(insert(cards), rows)


def _update(connection: Connection, player_id: str, card: Card) -> None:
    connection.execute(
        update(cards).where(cards.c.player_id == player_id, _is(card.key)).values(_values(card))
    )


def _answer(connection: Connection, player_id: str, card: Card, grade: Grade, at: float, answer: str) -> Card:
    forgotten = card.schedule.state == "review" and grade == "again"
    answered = replace(
        card,
        schedule=after_answer(card.schedule, grade, at),
        reps=card.reps + 1,
        lapses=card.lapses + forgotten,
    )
    _update(connection, player_id, answered)
    said = {"at": at, "grade": grade, "answer": answer[:MOST_REPEATED]}
    row = {"player_id": player_id, **card.key._asdict(), **card.schedule._asdict(), **said}
    connection.execute(insert(card_reviews).values(row))
    return answered


def _delete(connection: Connection, player_id: str, keys: Sequence[CardKey]) -> None:
    if not keys:
        return
    for table in (cards, card_reviews):
        these = [table.c[name] == bindparam(f"the_{name}") for name in CardKey._fields]
        rows = [{f"the_{name}": value for name, value in key._asdict().items()} for key in keys]
        connection.execute(delete(table).where(table.c.player_id == player_id, *these), rows)


def _last(connection: Connection, player_id: str | None) -> Row[Any] | None:
    row = card_reviews.c
    query = select(card_reviews).where(row.player_id == player_id)
    return connection.execute(query.order_by(row.at.desc(), row.number.desc()).limit(1)).one_or_none()


def _to_bring(held: Sequence[Card], imported: Sequence[Card]) -> list[Card]:
    """The imported cards that are new, or were answered later than the player's own."""
    answered = {card.key: _answered(card) for card in held}
    return [
        card
        for card in {card.key: card for card in imported}.values()
        if card.key not in answered or _answered(card) > answered[card.key]
    ]


def _question(key: CardKey) -> CardKey:
    """A key that is equal for cards with the same question."""
    return key._replace(word="".join(sorted(key.word))) if key.ask == "anagram" else key


def _is(key: CardKey) -> ColumnElement[bool]:
    row = cards.c
    return and_(row.lexicon == key.lexicon, row.word == key.word, row.ask == key.ask)


def _key(row: Row[Any]) -> CardKey:
    return CardKey(row.lexicon, row.word, row.ask)


def _values(card: Card) -> dict[str, Any]:
    return {
        **card.schedule._asdict(),
        "reps": card.reps,
        "lapses": card.lapses,
        "created_at": card.created_at,
        "game_id": card.game_id,
    }


def _answered(card: Card) -> float:
    """When a card was last answered; before everything if never."""
    return card.schedule.last_review or 0.0
