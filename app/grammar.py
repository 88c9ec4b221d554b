"""English text formatting: counts, plurals, durations, percentages and rounded numbers."""

import math
import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, overload

MINUS: Final = "\u2212"
"""The typographic minus."""
_LONG_WORD: Final = re.compile(r"\S{300,}")
_FLAG_LETTERS: Final = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
"""The letters of which two are a flag."""
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""They colour the emoji before them."""
_SPELLED: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def plural(number: float, one: str, several: str | None = None) -> str:
    """Singular for exactly 1, else the plural, by default the singular with an s."""
    if number == 1:
        return one
    return f"{one}s" if several is None else several


def format_count(number: int, one: str, several: str | None = None) -> str:
    """A count with its noun, such as ``1 gem``, ``0 gems`` or ``1,200 words``."""
    return f"{number:,} {plural(number, one, several)}"


def format_range(numbers: range, one: str) -> str:
    """A range of counts with its noun: ``2 seats``, ``1 to 4 seats``; with gaps, ``4 or 6 seats``."""
    if len(numbers) == 1:
        return format_count(numbers[0], one)
    span = f"{numbers[0]} to {numbers[-1]}" if numbers.step == 1 else " or ".join(map(str, numbers))
    return f"{span} {plural(0, one)}"


def sentence(clause: str) -> str:
    """A clause, such as the message of an error, as a sentence; an empty clause stays empty."""
    end = "." if clause and clause[-1] not in ".!?" else ""
    return clause[:1].upper() + clause[1:] + end


def printable(text: str) -> str:
    """The text with its control characters escaped, so that untrusted text cannot control a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def letters_of(text: str) -> list[str]:
    """The letters of a text as they are seen: with their marks and skin tones; a flag is one."""
    found: list[str] = []
    for char in text:
        is_mark = unicodedata.category(char).startswith("M") or char in _SKIN_TONES
        if found and (is_mark or (char in _FLAG_LETTERS and found[-1] in _FLAG_LETTERS)):
            found[-1] += char
        else:
            found.append(char)
    return found


def shorten(text: str, most: int) -> str:
    """The text if it has at most ``most`` letters; otherwise one fewer and an ellipsis."""
    letters = letters_of(text)
    return text if len(letters) <= most else "".join(letters[: most - 1]) + "…"


def spell_number(number: int) -> str:
    """A number in a sentence: ``no``, ``one`` to ``nine``, digits from 10."""
    return _SPELLED[number] if 0 <= number < len(_SPELLED) else f"{number:,}"


def there_are(number: int, one: str) -> str:
    """A count as a clause: ``there is 1 row``, ``there are 14 rows``."""
    return f"there {plural(number, 'is', 'are')} {format_count(number, one)}"


def numbered(count: int, one: str) -> str:
    """The valid numbers, counted from 0, as a clause: ``seats are 0 to 3``, ``the only seat is 0``."""
    return f"the only {one} is 0" if count == 1 else f"{one}s are 0 to {count - 1}"


def format_duration(seconds: float) -> str:
    """A duration, rounded up to one unit: ``12 seconds``, ``a minute``, ``an hour``, ``7 days``."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            number = math.ceil(seconds / length)
            return format_count(number, unit) if number > 1 else f"{'an' if unit == 'hour' else 'a'} {unit}"
    return format_count(math.ceil(seconds), "second")


@overload
def round_half_up(number: float) -> int: ...
@overload
def round_half_up(number: float, digits: int) -> float: ...
def round_half_up(number: float, digits: int | None = None) -> float:
    """Round as people do: 2.5 to 3 and -2.5 to -3. Python's ``round`` and formats round halves to even.

    As with ``round``, the result is an int unless ``digits`` are given.
    """
    if not math.isfinite(number):
        return number
    rounded = Decimal(str(number)).quantize(Decimal(1).scaleb(-(digits or 0)), ROUND_HALF_UP)
    # Adding 0 makes -0 a plain 0.
    return int(rounded) if digits is None else float(rounded) + 0.0


def format_rounded(number: float, digits: int = 0) -> str:
    """A number rounded half up, without exponent: ``82``, with a digit ``82.5``."""
    return f"{round_half_up(number, digits):.{digits}f}"


def format_percent(share: float) -> str:
    """A percentage, with a decimal if below 10: ``82%``, ``4.2%``, ``< 0.1%``."""
    if 0 < share < 0.05:
        return "< 0.1%"
    digits = 0 if share >= 9.95 or not share else 1
    return f"{format_rounded(share, digits)}%"


def format_change(change: float, digits: int = 0) -> str:
    """A change with its sign, rounded: ``+3``, ``±0``, with a digit ``+2.5``."""
    rounded = round_half_up(change, digits)
    sign = "+" if rounded > 0 else MINUS if rounded < 0 else "±"
    return f"{sign}{abs(rounded):.{digits}f}"


def without_long_words(text: str) -> str:
    """A message with only the beginning of words that are longer than a file's name can be."""
    return _LONG_WORD.sub(lambda word: f"{word[0][:60]}...", text)
