"""The picture that messengers show with a link: a title, a line of text and tiles, without spoilers.

A template draws it as SVG, which resvg renders. Pictures are cached by content.
"""

from dataclasses import dataclass
from threading import Lock
from typing import Final

import resvg_py
from cachetools import LRUCache, cached

from app.resources import resource
from app.web.share.tiles import Tiles
from app.web.templating import templates

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels; width and height as recommended for Open Graph previews."""
_BOARD: Final = 500
"""Most pixels of a board's side."""
_CACHED_BYTES: Final = 8_000_000
_FONT: Final = str(resource("data") / "site" / "rubik-600.ttf")


@dataclass(frozen=True, slots=True)
class Preview:
    """The content of a picture. Characters that the site's typeface does not have are left out."""

    title: str
    line: str
    tiles: Tiles


_cache: Final[LRUCache[Preview, bytes]] = LRUCache(_CACHED_BYTES, getsizeof=len)


@cached(_cache, lock=Lock())
def render(preview: Preview) -> bytes:
    """Render the picture as PNG."""
    columns, rows = max(map(len, preview.tiles), default=1), len(preview.tiles)
    step = _BOARD / max(columns, rows)
    svg = templates.env.get_template("site/preview.svg").render(
        preview=preview,
        width=WIDTH,
        height=HEIGHT,
        step=step,
        left=WIDTH - 70 - step * columns,
        top=(HEIGHT - step * rows) / 2,
        board_width=step * columns,
        board_height=step * rows,
    )
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, font_files=[_FONT], skip_system_fonts=True, font_family="Rubik", width=WIDTH
        )
    )
