"""Analyses of finished games, and each player's results."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Update, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.store.channels import forget_channels
from app.store.circles import leave_all
from app.store.daily_scores import count_score, discount_scores
from app.store.database import Database
from app.store.days import open_since
from app.store.levels import keep_level
from app.store.models import Seat, Table
from app.store.rankings import count_result, ranked_players
from app.store.rated_games import all_have_played, forget_ratings, rate
from app.store.schema import (
    analyses,
    attempts,
    blocks,
    card_reviews,
    cards,
    challenge_entries,
    challenges,
    devices,
    direct_challenges,
    games,
    imports,
    levels,
    mail_addresses,
    mail_confirmations,
    operators,
    own_puzzles,
    passkey_challenges,
    passkeys,
    phrases,
    players,
    puzzle_attempts,
    puzzle_players,
    puzzle_rushes,
    rankings,
    recoveries,
    reports,
    results,
    sanctions,
    seats,
    shown,
    statistics,
    study_boards,
    tokens,
    word_votes,
)
from app.store.statistics import ModeStatistics, count_accuracy, count_game, statistics_of
from app.store.waiting_players import remove_waits
from app.store.waiting_tables import LookAgain, ShownTables, change_tables, leave_waiting_tables, show_changes


def keep_results(connection: Connection, table: Table, at: float) -> None:
    """Store the result of each player of a game that has ended. Erased players lose their seats.

    A lesson has no results. ``at`` is the time now, later than the end if a clock ran out unnoticed.
    """
    outcome = table.game.outcome(table.state)
    if outcome is None or table.finished_at is None:
        raise ValueError("only a finished game has results")
    seated, order, erased = _lock_players(connection, table)
    if erased:
        connection.execute(_clear_players(seats.c.game_id == table.id, seats.c.player_id.in_(erased)))
    if table.is_lesson:
        return
    if not erased:
        rate(connection, table, seated, outcome)
    summaries = {
        seat: (taken.player_id, table.game.summary(table.state, seat))
        for seat, taken in enumerate(seated)
        if taken.player_id is not None and taken.player_id not in erased
    }
    level = table.game.level_result(table.state)
    # Only games between people on a board that was dealt count in the rankings.
    words = {player: each.words for seat, (player, each) in summaries.items() if not seated[seat].is_bot}
    is_dealt = table.game.without_deal(table.state.options) == table.state.options
    ranked = ranked_players(connection, table.kind, words, table.finished_at) if is_dealt else set()
    # Ordered by player, as in ``keep_analysis``: both lock the same rows and must not deadlock.
    for seat, (player, summary) in sorted(summaries.items(), key=lambda each: order.index(each[1][0])):
        won = outcome.won(seat)
        connection.execute(
            insert(results).values(
                game_id=table.id,
                seat=seat,
                player_id=player,
                kind=table.kind,
                seats=len(table.seats),
                won=won,
                finished_at=table.finished_at,
                ranked=player in ranked,
                stored_at=at,
                **summary.model_dump(),
            )
        )
        alone = len(table.seats) == 1
        count_game(connection, player, table.kind, summary, alone=alone, won=won, at=table.finished_at)
        if level is not None:
            keep_level(connection, player, table.kind, level, table.finished_at)
        if player in ranked:
            count_result(connection, table.kind, player, table.finished_at, won=won)
        _finish_attempt(connection, table.id, player, summary.score, table.finished_at)


def _finish_attempt(
    connection: Connection, game_id: str, player: str, score: int, finished_at: float
) -> None:
    """Store and count the score if the game is a player's ranked attempt at a daily that still counts."""
    daily = connection.execute(
        update(attempts)
        .where(
            attempts.c.game_id == game_id,
            attempts.c.player_id == player,
            attempts.c.day >= open_since(finished_at).isoformat(),
        )
        .values(score=score, finished_at=finished_at)
        .returning(attempts.c.day, attempts.c.kind)
    ).one_or_none()
    if daily is not None:
        count_score(connection, daily.day, daily.kind, score)


def _lock_players(connection: Connection, table: Table) -> tuple[tuple[Seat, ...], list[str], set[str]]:
    """Lock the rows of the table's players; return the current seats, the players and the erased ones.

    The players are in the order of the database, whose collation may not be that of Python.

    The lock waits for an erasure in progress, and for other games of these players that are ending: their
    order decides which of them count in the rankings. It also waits for a merge, which moves seats to another
    player: the locks are then released and taken again, in order, for the players seated now.
    """
    before = table.seats
    while True:
        seated = [taken.player_id for taken in before if taken.player_id]
        query = select(players.c.id, players.c.erased_at).where(players.c.id.in_(seated))
        locks = connection.begin_nested()
        locked = connection.execute(query.order_by(players.c.id).with_for_update(key_share=True)).all()
        erased = {row.id for row in locked if row.erased_at is not None}
        now = _seated_now(connection, table.id, before) if erased else before
        if now == before:
            locks.commit()
            return now, [row.id for row in locked], erased
        locks.rollback()
        before = now


def _seated_now(connection: Connection, game_id: str, before: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats with their current players."""
    query = select(seats.c.seat, seats.c.player_id).where(seats.c.game_id == game_id)
    now = {row.seat: row.player_id for row in connection.execute(query)}
    return tuple(replace(each, player_id=now.get(seat, each.player_id)) for seat, each in enumerate(before))


def _clear_players(*conditions: ColumnElement[bool]) -> Update:
    """An update that removes the players from these seats, as in imported games."""
    return update(seats).where(*conditions).values(player_id=None)


@dataclass(frozen=True, slots=True)
class Result:
    """A player's result in one finished game."""

    game_id: str
    kind: str
    mode: str
    seats: int
    won: bool
    """Outright win; a draw or shared win does not count."""
    score: int
    words: int
    best_word: str
    best_points: int
    longest_word: str
    accuracy: float | None
    """0 to 100, as defined by the game's Analysis; None before the analysis, and always in Blitz."""
    finished_at: float
    ranked: bool
    """Whether it counts in the rankings."""
    kept: bool
    """Whether the game is still stored; the result outlives it."""


@dataclass(frozen=True, slots=True)
class Bests:
    """A player's bests in one mode of one game, over earlier games."""

    score: int
    best_points: int
    longest: int
    """Length of the longest word."""


class ResultStore:
    """Stores analyses and reads results."""

    def __init__(self, database: Database, look_again: LookAgain = lambda _games: None) -> None:
        self._database = database
        self._look_again = look_again

    def analysis(self, game_id: str) -> str | None:
        """The stored analysis of a game as JSON, if there is one."""
        with self._database.reading() as connection:
            query = select(analyses.c.analysis).where(analyses.c.game_id == game_id)
            found: str | None = connection.scalar(query)
        return found

    def keep_analysis(self, game_id: str, analysis: str, accuracies: Sequence[float | None]) -> None:
        """Store an analysis as JSON, and each seat's accuracy with its result; once per game."""
        try:
            with self._database.writing() as connection:
                connection.execute(insert(analyses).values(game_id=game_id, analysis=analysis))
                query = select(results.c.seat).where(results.c.game_id == game_id)
                for seat in connection.scalars(query.order_by(results.c.player_id)).all():
                    count_accuracy(connection, game_id, seat, accuracies[seat])
        except IntegrityError:
            return  # a concurrent request stored it

    def deepen_analysis(self, game_id: str, analysis: str, searched: int) -> None:
        """Replace an analysis by one with ``searched`` turns searched, if the stored one has fewer."""
        this = analyses.c.game_id == game_id
        with self._database.writing() as connection:
            query = select(analyses.c.analysis).where(this).with_for_update()
            stored = connection.scalar(query)
            if stored is not None and json.loads(stored).get("searched", 0) < searched:
                connection.execute(update(analyses).where(this).values(analysis=analysis))

    def of_player(self, player_id: str, most: int | None = None) -> list[Result]:
        """A player's results, latest first; all of them or ``most``."""
        columns = [results.c[name] for name in Result.__slots__ if name != "kept"]
        query = (
            select(*columns, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == results.c.game_id)
            .where(results.c.player_id == player_id)
            .order_by(results.c.finished_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            return [Result(**row) for row in connection.execute(query).mappings()]

    def has_finished(self, player_id: str, number: int) -> bool:
        """Whether the player has finished at least ``number`` games."""
        query = select(results.c.game_id).where(results.c.player_id == player_id).limit(number)
        with self._database.reading() as connection:
            return len(connection.scalars(query).all()) == number

    def finished_since(self, player_id: str, since: float) -> list[float]:
        """The times at which the player finished games, from ``since`` on."""
        query = select(results.c.finished_at).where(
            results.c.player_id == player_id, results.c.finished_at >= since
        )
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def ended_since(self, player_id: str, since: float) -> list[str]:
        """The IDs of the player's games with others whose end was stored from ``since`` on."""
        row = results.c
        query = select(row.game_id).where(row.player_id == player_id, row.stored_at >= since, row.seats > 1)
        with self._database.reading() as connection:
            return list(connection.scalars(query.order_by(row.finished_at)))

    def bests_before(self, player_id: str, kind: str, mode: str, finished_at: float) -> Bests | None:
        """A player's bests in games that ended before ``finished_at``; None without such games."""
        row = results.c
        query = select(
            func.max(row.score), func.max(row.best_points), func.max(func.length(row.longest_word))
        )
        query = query.where(row.player_id == player_id, row.kind == kind, row.mode == mode)
        with self._database.reading() as connection:
            found = connection.execute(query.where(row.finished_at < finished_at)).one()
        return None if found[0] is None else Bests(*found)

    def all_have_played(self, table: Table) -> bool:
        """Whether every player has made a move that counts as playing; without that, no game is rated."""
        with self._database.reading() as connection:
            return all_have_played(connection, table)

    def statistics(self, player_id: str) -> list[ModeStatistics]:
        """A player's statistics per game and mode, most played first."""
        with self._database.reading() as connection:
            return statistics_of(connection, player_id)

    def erase(self, player_id: str, at: float) -> None:
        """Erase a player: see ``erase_player``."""
        with self._database.writing() as connection:
            changed = erase_player(connection, player_id, at)
        show_changes(self._database, self._look_again, changed)


def erase_player(connection: Connection, player_id: str, at: float) -> ShownTables:
    """Delete a player's results, daily attempts, nickname, preferences, device links, hints and votes.

    They are signed out everywhere; their tokens, recovery phrase, passkeys and mail address are deleted.
    Their bot accounts are erased, too.

    They leave their circles and stop waiting for a game, and their ratings are deleted. Also deleted are
    their cards, their puzzles and answers to puzzles, the levels they have won, their challenges and entries
    in others' challenges, blocks by and of them, the reports about them, the author and text of the reports
    by them, and their notification settings.

    Their seats are cleared now in finished games and at tables that have not begun; such tables without other
    people are deleted. In games in progress, which the others may claim at once, they are cleared at the end.

    Return the tables that show it, for ``show_changes``.
    """
    own = players.c.owner_id == player_id, players.c.erased_at.is_(None)
    mine = select(players.c.id).where(*own).order_by(players.c.id)
    bots = connection.scalars(mine).all()
    while True:
        erased = [*bots, player_id]
        locks = connection.begin_nested()
        for erased_id in erased:
            remove_waits(connection, erased_id)  # before the player is locked, as in ``Pairing``
        left = leave_waiting_tables(connection, *erased)  # likewise, as in ``Seating``
        changed = change_tables(connection, erased, at)
        # All at once, in the order of ``_lock_players``.
        rows = select(players.c.id).where(players.c.id.in_(erased)).order_by(players.c.id)
        connection.execute(rows.with_for_update())
        now = connection.scalars(mine).all()
        if now == bots:
            locks.commit()
            break
        # Meanwhile a merge gave them other bot accounts, or theirs another owner.
        locks.rollback()
        bots = now
    for erased_id in erased:
        _erase(connection, erased_id, at)
    return ShownTables(left + changed.changed, changed.busy)


def _erase(connection: Connection, player_id: str, at: float) -> None:
    """Erase one player. The caller has locked the row."""
    mine: Any
    over = select(games.c.id).where(games.c.status == "finished")
    erased = update(players).where(players.c.id == player_id)
    connection.execute(erased.values(nickname=None, preferences=None, rating_hidden=False, erased_at=at))
    discount_scores(connection, player_id)
    leave_all(connection, player_id)
    forget_ratings(connection, player_id)
    forget_channels(connection, player_id)
    for table in (
        results,
        statistics,
        rankings,
        attempts,
        recoveries,
        devices,
        tokens,
        phrases,
        passkeys,
        passkey_challenges,
        mail_addresses,
        mail_confirmations,
        operators,
        reports,
        sanctions,
        shown,
        word_votes,
        cards,
        card_reviews,
        puzzle_attempts,
        puzzle_players,
        puzzle_rushes,
        own_puzzles,
        study_boards,
        levels,
        challenges,
        challenge_entries,
    ):
        mine = table.c.player_id == player_id
        connection.execute(delete(table).where(mine))
    made = update(reports).where(reports.c.reporter_id == player_id)
    connection.execute(made.values(reporter_id=None, comment=None))
    sent_or_received = (
        direct_challenges.c.player_id == player_id,
        direct_challenges.c.opponent_id == player_id,
    )
    connection.execute(delete(direct_challenges).where(or_(*sent_or_received)))
    both = blocks.c.player_id == player_id, blocks.c.blocked_id == player_id
    connection.execute(delete(blocks).where(or_(*both)))
    connection.execute(_clear_players(seats.c.player_id == player_id, seats.c.game_id.in_(over)))
    connection.execute(update(imports).where(imports.c.kept_by == player_id).values(kept_by=None))
