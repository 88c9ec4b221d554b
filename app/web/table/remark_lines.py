"""The fixed list of remarks, from ``data/remarks.toml``."""

import tomllib
from functools import cache

from app.resources import resource
from app.store.models import Table
from app.web.model import Documented


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


def said(table: Table) -> list[RemarkView]:
    """The remarks made at a table, in order."""
    return [
        RemarkView(seat=seat, line=line, text=lines()[line], at=at)
        for seat, line, at in table.remarks
        if line < len(lines())
    ]
