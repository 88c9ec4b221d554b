"""Unpack the site's typeface for the preview pictures, whose renderer reads TrueType and finds fonts by name.

Needs ``fonttools[woff]``: ``python data/build/preview_font.py``.
"""

from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont, newTable
from fontTools.varLib import instancer

ROOT: Final = Path(__file__).parents[2]
WEIGHT: Final = 600


def main() -> None:
    """Write data/site/rubik-600.ttf."""
    font = instancer.instantiateVariableFont(
        TTFont(ROOT / "static" / "fonts" / "rubik.woff2"), {"wght": WEIGHT}
    )
    font.flavor = None
    font["name"] = names = newTable("name")
    names.names = []
    for number, text in {1: "Rubik", 2: "Regular", 4: "Rubik SemiBold", 6: "Rubik-SemiBold"}.items():
        names.setName(text, number, 3, 1, 0x409)
    font.save(ROOT / "data" / "site" / "rubik-600.ttf")


if __name__ == "__main__":
    main()
