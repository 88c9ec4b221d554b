"""Make the site's typeface from Rubik: one variable face of the weights and signs that pages use.

Needs ``fonttools[woff]`` and the unpacked npm package ``@fontsource-variable/rubik``:
``python data/build/typeface.py PACKAGE [OUTPUT]``.
"""

import sys
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, Final

from fontTools import subset
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib import instancer

ROOT = Path(__file__).parents[2]
LIGHTEST, HEAVIEST = 400, 600
"""The weights of text and of headings."""
PUNCTUATION: Final = " !\"#%&'()*+,-./:;=?@[]_"
TEXTS: Final = {"templates": "*.html", "static": "*.[cj]s*", "data": "*.toml"}
"""Where further signs of the pages come from."""
UNITS: Final = 500
"""Per em: half of the source's, exact to a tenth of a pixel in the largest tiles, and an eighth smaller."""
KERN_STEP: Final = 4
"""In units: kerning is rounded to these, so that letters of like shape share it."""


def signs() -> str:
    """Letters, digits, punctuation and every other sign in the texts of the pages, in order."""
    used = {
        sign
        for folder, names in TEXTS.items()
        for file in (ROOT / folder).rglob(names)
        for sign in file.read_text(encoding="utf-8")
        if not sign.isascii()
    }
    return "".join(sorted({*ascii_letters, *digits, *PUNCTUATION, *used}))


def reduced(file: Path) -> TTFont:
    """The source with these signs only, without hints, and with tabular digits."""
    options = subset.Options()
    options.hinting = False
    options.notdef_outline = False
    options.layout_features = ["kern", "tnum"]
    options.name_IDs = []
    options.drop_tables += ["STAT", "MVAR", "gasp", "meta"]
    font = TTFont(file)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=signs())
    subsetter.subset(font)
    return font


def kerning(font: TTFont) -> dict[tuple[str, str], int]:
    """How pairs of letters move together at the middle weight."""
    static = instancer.instantiateVariableFont(font, {"wght": (LIGHTEST + HEAVIEST) / 2})
    scale_upem(static, UNITS)
    names = {static.getBestCmap()[ord(letter)] for letter in ascii_letters}
    pairs: dict[tuple[str, str], int] = {}
    for lookup in static["GPOS"].table.LookupList.Lookup:
        for table in (getattr(each, "ExtSubTable", each) for each in lookup.SubTable):
            if table.LookupType == 2:
                for left in names & set(table.Coverage.glyphs):
                    for right, move in _moves(table, left, names):
                        pairs.setdefault((left, right), move)
    rounded = {pair: round(move / KERN_STEP) * KERN_STEP for pair, move in sorted(pairs.items())}
    return {pair: move for pair, move in rounded.items() if move}


def kerning_rules(pairs: dict[tuple[str, str], int]) -> str:
    """Kerning in the language of OpenType features, with classes of letters that move alike."""
    lefts = _alike(
        {left: {right: move for (each, right), move in pairs.items() if each == left} for left, _ in pairs}
    )
    rights = _alike(
        {right: {left: move for (left, each), move in pairs.items() if each == right} for _, right in pairs}
    )
    rules = [
        f"pos [{' '.join(left)}] [{' '.join(right)}] {move};"
        for left in lefts
        for right in rights
        if (move := pairs.get((left[0], right[0])))
    ]
    return "feature kern {\n" + "\n".join(rules) + "\n} kern;"


def _alike(moves: dict[str, dict[str, int]]) -> list[list[str]]:
    """Letters in groups of equal moves."""
    groups: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for letter, each in moves.items():
        groups.setdefault(tuple(each.items()), []).append(letter)
    return list(groups.values())


def _moves(table: Any, left: str, names: set[str]) -> list[tuple[str, int]]:
    """The letters that a subtable places after ``left``, with their moves."""
    if table.Format == 1:
        pairs = table.PairSet[table.Coverage.glyphs.index(left)].PairValueRecord
        found = [(pair.SecondGlyph, pair.Value1) for pair in pairs if pair.SecondGlyph in names]
    else:
        records = table.Class1Record[table.ClassDef1.classDefs.get(left, 0)].Class2Record
        found = [(right, records[table.ClassDef2.classDefs.get(right, 0)].Value1) for right in sorted(names)]
    return [(right, getattr(value, "XAdvance", 0)) for right, value in found]


def main(package: Path, output: Path) -> None:
    """Write rubik.woff2 to ``output``."""
    source = package / "files" / "rubik-latin-wght-normal.woff2"
    rules = kerning_rules(kerning(reduced(source)))
    font = instancer.instantiateVariableFont(reduced(source), {"wght": (LIGHTEST, HEAVIEST)})
    scale_upem(font, UNITS)
    del font["GPOS"], font["GDEF"]
    addOpenTypeFeaturesFromString(font, rules, tables={"GPOS"})
    font.flavor = "woff2"
    font.save(output / "rubik.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "static" / "fonts")
