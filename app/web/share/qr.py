"""QR codes of links, drawn in the page."""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(128)
def qr_code(text: str) -> Markup:
    """The QR code of a text as an SVG element that fills its container, dark on light in any theme."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(border=3, omitsize=True, light="#fff", svgclass="qr-code", lineclass=None)
    return Markup(svg)  # noqa: S704 - the text is only in its modules
