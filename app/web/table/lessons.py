"""Lessons on the site: opening one, the player's progress, and which players are offered one."""

from app.store.models import Seat, Table
from app.web.lesson import Lesson, Progress, Tip
from app.web.room import Room
from app.web.services import Services


def draft_lesson(services: Services, room: Room, lesson: Lesson) -> Table:
    """A lesson's table, not stored yet, with the first seat free."""
    script = lesson.script
    options = services.rulebook.pin(room.kind, room.game.setup_type(**script.options))
    taken = [Seat(), *(Seat(bot_level=level) for level in script.bots)]
    return services.games.deal(room.kind, options, taken, services.clock(), script.seed)


def coach(services: Services, table: Table) -> Progress | None:
    """The player's progress in a lesson; None for any other game."""
    lesson = services.rooms[table.kind].lesson
    if table.skips is None or lesson is None:
        return None
    states = [*services.games.positions(table.id)][: table.state.ply + 1]
    return lesson.progress(table.game, states, services.games.log(table.id), table.skips)


def lesson_mark(kind: str) -> str:
    """The player's mark for having opened or declined the lesson of a kind."""
    return f"lesson:{kind}"


def tip_mark(kind: str, name: str) -> str:
    """The player's mark for having seen a hint."""
    return f"tip:{kind}:{name}"


def tips_at(services: Services, table: Table, player: str | None) -> list[Tip]:
    """The hints that a player at an ordinary table has not seen yet; none after the end of the game."""
    lesson = services.rooms[table.kind].lesson
    playing = table.finished_at is None and table.seat_of(player) is not None
    if lesson is None or table.is_lesson or player is None or not playing:
        return []
    tips = {tip_mark(table.kind, tip.name): tip for tip in lesson.script.tips}
    seen = services.shown.seen(player, tips)
    return [tip for mark, tip in tips.items() if mark not in seen]


def offer_lesson(services: Services, kind: str, player: str | None) -> Room | None:
    """The room of a kind, if its page should offer the player the lesson: before a first game."""
    return _offer(services, services.rooms[kind], player, most=0)


def offer_at(services: Services, table: Table, player: str | None) -> Room | None:
    """The table's room, if the table should offer the lesson: a player's first one, before the game's end."""
    if table.is_lesson or table.finished_at is not None or table.seat_of(player) is None:
        return None
    return _offer(services, services.rooms[table.kind], player, most=1)


def _offer(services: Services, room: Room, player: str | None, most: int) -> Room | None:
    if room.lesson is None:
        return None
    if player is not None:
        if services.shown.seen(player, [lesson_mark(room.kind)]):
            return None
        if services.lessons.played(player, room.kind) > most:
            return None
    return room
