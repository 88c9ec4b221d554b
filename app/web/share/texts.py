"""The styles in which a player can share the text of a result."""

import re
from typing import Final

_CLEAR: Final = str.maketrans("🟩🟨", "🟦🟧")
_SQUARES: Final = re.compile("[🟩🟨🟦🟧⬜⬛]+ ?")


def styles(text: str, *, clear_first: bool = False) -> dict[str, str]:
    """The text by style, the preferred first: green and yellow squares, blue and orange ones, words only.

    A text without squares has one style.
    """
    plain = "\n".join(line for line in (_SQUARES.sub("", line) for line in text.splitlines()) if line)
    if plain == text:
        return {"Text": text}
    squares, clear = {"Squares": text}, {"Colour-blind": text.translate(_CLEAR)}
    return (clear | squares if clear_first else squares | clear) | {"Text": plain}
