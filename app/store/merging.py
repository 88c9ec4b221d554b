"""Merging two guests into one player. The rules are in docs/operations.md, "Merging two profiles"."""

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    RowMapping,
    Table,
    and_,
    delete,
    insert,
    or_,
    select,
    update,
)

from app.store.blocks import merge_blocks
from app.store.cards import merge_cards
from app.store.channels import merge_channels
from app.store.daily_scores import discount_score
from app.store.database import Database
from app.store.puzzles import merge_puzzles
from app.store.rankings import recount_player
from app.store.rated_games import merge_ratings
from app.store.sanctions import is_in_force
from app.store.schema import (
    attempts,
    challenge_entries,
    challenges,
    devices,
    direct_challenges,
    games,
    imports,
    levels,
    mail_addresses,
    mail_confirmations,
    members,
    operators,
    passkey_challenges,
    passkeys,
    phrases,
    players,
    rankings,
    recoveries,
    reports,
    results,
    sanctions,
    seats,
    shown,
    statistics,
    tokens,
    word_votes,
)
from app.store.statistics import recount_statistics
from app.store.study_boards import merge_boards
from app.store.waiting_players import remove_waits

_SIGN_INS: Final = (
    recoveries,
    phrases,
    devices,
    tokens,
    passkeys,
    passkey_challenges,
    mail_addresses,
    mail_confirmations,
)
"""Tables of what signs a player or their programs in."""


class Merging:
    """Merges players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def merge(self, kept: str, gone: str, at: float) -> None:
        """Move everything of the player ``gone`` to the player ``kept``, in one transaction.

        No effect if they are the same player, or if either is unknown or erased.
        """
        if kept == gone:
            return
        with self._database.writing() as connection:
            remove_waits(connection, kept, gone)  # before the players are locked, as in ``Pairing``
            # Locked in the order of ``keep_results`` and ``erase_player``, with the bot accounts, which get
            # another owner. FOR UPDATE also waits for new references.
            mine = players.c.id.in_([kept, gone]) | (players.c.owner_id == gone)
            these = select(players).where(mine, players.c.erased_at.is_(None))
            rows = connection.execute(these.order_by(players.c.id).with_for_update()).mappings()
            found = {row["id"]: row for row in rows}
            if not {kept, gone} <= found.keys():
                return
            names = {
                name: found[kept][name] if found[kept][name] is not None else found[gone][name]
                for name in ("nickname", "preferences")
            }
            names["rating_hidden"] = found[kept]["rating_hidden"] or found[gone]["rating_hidden"]
            names |= _merge_sanctions(connection, found[kept], found[gone], at)
            connection.execute(update(players).where(players.c.id == kept).values(names))
            _merge_results(connection, kept, gone, at)
            _merge_seats(connection, kept, gone)
            _merge_attempts(connection, kept, gone)
            _merge_challenges(connection, kept, gone)
            _keep_better(
                connection,
                word_votes,
                ("lexicon", "word"),
                lambda theirs, own: theirs.at > own.at,
                kept,
                gone,
            )
            _keep_better(connection, levels, ("kind", "level"), _has_more_stars, kept, gone)
            _merge_shown(connection, kept, gone)
            _merge_circles(connection, kept, gone)
            _merge_reports(connection, kept, gone)
            merge_blocks(connection, kept, gone)
            merge_cards(connection, kept, gone)
            merge_puzzles(connection, kept, gone)
            merge_boards(connection, kept, gone)
            merge_ratings(connection, kept, gone)
            connection.execute(update(players).where(players.c.owner_id == gone).values(owner_id=kept))
            theirs = direct_challenges.c.player_id == gone, direct_challenges.c.opponent_id == gone
            connection.execute(delete(direct_challenges).where(or_(*theirs)))
            merge_channels(connection, kept, gone)
            connection.execute(update(imports).where(imports.c.kept_by == gone).values(kept_by=kept))
            for table in _SIGN_INS:
                connection.execute(delete(table).where(table.c.player_id == gone))
            connection.execute(
                update(players)
                .where(players.c.id == gone)
                .values(nickname=None, preferences=None, erased_at=at, listed_from=at)
            )
            merged = or_(players.c.id == gone, players.c.merged_into == gone)
            connection.execute(update(players).where(merged).values(merged_into=kept))


def _merge_results(connection: Connection, kept: str, gone: str, at: float) -> None:
    """Move the results and recount them. If both played in a game, only ``kept``'s result stays, unranked."""
    row = results.c
    # In the order of ``keep_analysis``, which locks the same rows.
    held = select(row.game_id, row.player_id).where(row.player_id.in_([kept, gone]))
    locked = connection.execute(held.order_by(row.player_id, row.game_id).with_for_update()).all()
    games_of = {
        player: {each.game_id for each in locked if each.player_id == player} for player in (kept, gone)
    }
    for game_id in sorted(games_of[kept] & games_of[gone]):
        connection.execute(delete(results).where(row.game_id == game_id, row.player_id == gone))
        own = row.game_id == game_id, row.player_id == kept
        connection.execute(update(results).where(*own).values(ranked=False))
    connection.execute(update(results).where(row.player_id == gone).values(player_id=kept))
    for table in (statistics, rankings):
        connection.execute(delete(table).where(table.c.player_id.in_([kept, gone])))
    recount_statistics(connection, kept)
    recount_player(connection, kept, at)


def _merge_seats(connection: Connection, kept: str, gone: str) -> None:
    """Move the seats. If both played in a game, ``gone``'s is cleared: now, or by ``keep_results`` later."""
    shared = select(seats.c.game_id).where(seats.c.player_id == kept).scalar_subquery()
    mine = seats.c.player_id == gone
    over = select(games.c.id).where(games.c.status == "finished")
    clear = update(seats).where(mine, seats.c.game_id.in_(shared), seats.c.game_id.in_(over))
    connection.execute(clear.values(player_id=None))
    connection.execute(update(seats).where(mine, seats.c.game_id.not_in(shared)).values(player_id=kept))


def _merge_attempts(connection: Connection, kept: str, gone: str) -> None:
    """Move the daily attempts. If both attempted a daily, the one finished first stays."""
    own, theirs = attempts.alias(), attempts.alias()
    twice = (
        select(own.c.day, own.c.kind, own.c.score, own.c.finished_at)
        .add_columns(theirs.c.score.label("other_score"), theirs.c.finished_at.label("other_finished_at"))
        .join(theirs, and_(theirs.c.day == own.c.day, theirs.c.kind == own.c.kind))
        .where(own.c.player_id == kept, theirs.c.player_id == gone)
        .order_by(own.c.day, own.c.kind)
    )
    for each in connection.execute(twice).all():
        replaced = _is_earlier(each.other_finished_at, each.finished_at)
        player, score = (kept, each.score) if replaced else (gone, each.other_score)
        this = attempts.c.day == each.day, attempts.c.kind == each.kind, attempts.c.player_id == player
        if score is not None:
            discount_score(connection, each.day, each.kind, score)
        connection.execute(delete(attempts).where(*this))
    connection.execute(update(attempts).where(attempts.c.player_id == gone).values(player_id=kept))


def _merge_challenges(connection: Connection, kept: str, gone: str) -> None:
    """Move challenges and entries. If both have one, the challenger's stays, else the one finished first."""
    connection.execute(update(challenges).where(challenges.c.player_id == gone).values(player_id=kept))
    entry = challenge_entries.c
    query = (
        select(entry.challenge_id, entry.player_id, entry.game_id, games.c.finished_at)
        .add_columns((challenges.c.game_id == entry.game_id).label("challenged"))
        .join(challenges, challenges.c.id == entry.challenge_id)
        .join(games, games.c.id == entry.game_id)
        .where(entry.player_id.in_([kept, gone]))
    )
    entries = {(each.challenge_id, each.player_id): each for each in connection.execute(query)}
    for challenge_id in sorted({challenge for challenge, player in entries if player == gone}):
        own, theirs = entries.get((challenge_id, kept)), entries[challenge_id, gone]
        if own is None:
            continue
        earlier = _is_earlier(theirs.finished_at, own.finished_at)
        replaced = theirs.challenged or (earlier and not own.challenged)
        dropped = entry.challenge_id == challenge_id, entry.player_id == (kept if replaced else gone)
        connection.execute(delete(challenge_entries).where(*dropped))
    connection.execute(update(challenge_entries).where(entry.player_id == gone).values(player_id=kept))


def _keep_better(
    connection: Connection,
    table: Table,
    key: tuple[str, ...],
    is_better: Callable[[Any, Any], ColumnElement[bool]],
    kept: str,
    gone: str,
) -> None:
    """Move the rows. If both have one with the same key, the better one stays, else ``kept``'s."""
    own, theirs = table.alias().c, table.alias().c
    names = [own[name] for name in key]
    both = (
        select(*names, is_better(theirs, own).label("replaced"))
        .where(own.player_id == kept, theirs.player_id == gone, *(theirs[name] == own[name] for name in key))
        .order_by(*names)
    )
    for *values, replaced in connection.execute(both).all():
        this = [table.c[name] == value for name, value in zip(key, values, strict=True)]
        dropped = table.c.player_id == (kept if replaced else gone)
        connection.execute(delete(table).where(*this, dropped))
    connection.execute(update(table).where(table.c.player_id == gone).values(player_id=kept))


def _has_more_stars(theirs: Any, own: Any) -> ColumnElement[bool]:
    """More stars, or the same in fewer moves."""
    return or_(theirs.stars > own.stars, and_(theirs.stars == own.stars, theirs.moves < own.moves))


def _merge_shown(connection: Connection, kept: str, gone: str) -> None:
    """Move the record of what has been shown."""
    known = select(shown.c.name).where(shown.c.player_id == kept)
    names = set(connection.scalars(known))
    connection.execute(delete(shown).where(shown.c.player_id == gone, shown.c.name.in_(names)))
    connection.execute(update(shown).where(shown.c.player_id == gone).values(player_id=kept))


def _merge_circles(connection: Connection, kept: str, gone: str) -> None:
    """Move memberships. If both are members of a circle, ``kept``'s stays, as owner if either was.

    It counts from the earlier of both dates.
    """
    row, own, theirs = members.c, members.alias(), members.alias()
    twice = (
        select(own.c.circle_id, own.c.number, theirs.c.number.label("other"))
        .add_columns(own.c.joined_at, theirs.c.joined_at.label("other_joined_at"))
        .add_columns(or_(own.c.is_owner, theirs.c.is_owner).label("is_owner"))
        .join(theirs, theirs.c.circle_id == own.c.circle_id)
        .where(own.c.player_id == kept, theirs.c.player_id == gone)
        .order_by(own.c.circle_id)
    )
    for each in connection.execute(twice).all():
        this = row.circle_id == each.circle_id
        connection.execute(delete(members).where(this, row.number == each.other))
        since = min(each.joined_at, each.other_joined_at)
        stays = update(members).where(this, row.number == each.number)
        connection.execute(stays.values(is_owner=each.is_owner, joined_at=since))
    connection.execute(update(members).where(row.player_id == gone).values(player_id=kept))


def _merge_sanctions(
    connection: Connection, kept: RowMapping, gone: RowMapping, at: float
) -> dict[str, str | None]:
    """Move the sanctions; of each kind, the one that ends last stays. Return the nickname to set, if any.

    If either player is muted or may not choose a name, that player's nickname is set, not the other's.
    """
    row, ids = sanctions.c, [kept["id"], gone["id"]]
    connection.execute(delete(sanctions).where(row.player_id.in_(ids), ~is_in_force(at)))
    found = connection.execute(select(sanctions).where(row.player_id.in_(ids))).all()
    last: dict[str, Row[Any]] = {}
    for each in sorted(found, key=lambda each: (each.until is None, each.until or 0.0, each.player_id)):
        last[each.kind] = each
    connection.execute(delete(sanctions).where(row.player_id.in_(ids)))
    for each in last.values():
        connection.execute(insert(sanctions).values({**each._mapping, "player_id": kept["id"]}))
    renamed = {each.player_id for each in found if each.kind in {"mute", "name"}}
    for player in (kept, gone):
        if player["id"] in renamed:
            return {"nickname": player["nickname"]}
    return {}


def _merge_reports(connection: Connection, kept: str, gone: str) -> None:
    """Move the reports by and about ``gone``, and being an operator unless ``kept`` is one already."""
    for column in (reports.c.reporter_id, reports.c.player_id):
        connection.execute(update(reports).where(column == gone).values({column.name: kept}))
    row = operators.c
    if connection.scalar(select(row.name).where(row.player_id == kept)) is None:
        connection.execute(update(operators).where(row.player_id == gone).values(player_id=kept))
    connection.execute(delete(operators).where(row.player_id == gone))


def _is_earlier(first: float | None, second: float | None) -> bool:
    """Whether the first of two games ended before the second, or is the only one that ended."""
    return first is not None and (second is None or first < second)
