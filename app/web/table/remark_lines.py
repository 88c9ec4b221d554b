"""The fixed list of remarks, from ``data/remarks.toml``."""

import math
import tomllib
from functools import cache

from app.resources import resource
from app.store.models import Table
from app.web.model import Documented
from app.web.services import Services


class RemarkView(Documented):
    """A remark made at a table."""

    seat: int
    line: int
    """Number of the line in ``GET /api/remarks``."""
    text: str
    at: float
    """Seconds since the epoch."""


@cache
def lines() -> tuple[str, ...]:
    """The available remarks, by number."""
    table = tomllib.loads((resource("data") / "remarks.toml").read_text(encoding="utf-8"))
    return tuple(table["lines"])


def remark_views(services: Services, table: Table, player: str | None) -> list[RemarkView]:
    """The remarks made at a table, as shown to a player, in order.

    Leaves out those of players whom a block or a mute hides from the player.
    """
    speakers = [table.seats[remark.seat].player_id for remark in table.remarks]
    others = {each for each in speakers if each is not None and each != player}
    hidden = services.blocks.hidden_remarks(player, others)
    if others:
        hidden |= dict.fromkeys(others & services.sanctions.muted_players(services.clock()), -math.inf)
    return [
        RemarkView(seat=seat, line=line, text=lines()[line], at=at)
        for speaker, (seat, line, at) in zip(speakers, table.remarks, strict=True)
        if line < len(lines()) and at < hidden.get(speaker or "", math.inf)
    ]
