"""What can be said at a table, from ``data/remarks.toml``."""

import tomllib
from functools import cache

from app.resources import resource
from app.store.models import Table
from app.web.model import Documented


class RemarkView(Documented):
    """A line said at the table."""

    seat: int
    line: int
    """Its number."""
    text: str
    at: float
    """Seconds since the epoch."""


@cache
def lines() -> tuple[str, ...]:
    """Everything there is to say, by number."""
    table = tomllib.loads((resource("data") / "remarks.toml").read_text(encoding="utf-8"))
    return tuple(table["lines"])


def said(table: Table) -> list[RemarkView]:
    """What was said at the table, in order."""
    return [
        RemarkView(seat=seat, line=line, text=lines()[line], at=at)
        for seat, line, at in table.remarks
        if line < len(lines())
    ]
