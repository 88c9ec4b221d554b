"""A player's preferences: appearance, sound, input and defaults of forms.

They are kept in a cookie, so that the server can render every page with them: nothing flashes, and no script
is needed. They are also stored with the player, for other devices.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

from fastapi import Depends, Request, Response
from pydantic import ConfigDict, Field, ValidationError

from app.web.model import Documented
from app.words.library import Library

COOKIE: Final = "wibble_settings"
TWO_YEARS: Final = 2 * 365 * 24 * 3600

Theme = Literal["system", "light", "dark", "contrast"]
Tiles = Literal["cream", "walnut", "slate", "paper", "clear"]
Sound = Literal["auto", "off", "quiet", "full"]
Motion = Literal["system", "reduced"]
Letters = Literal["normal", "large", "largest"]
Pointer = Literal["drag", "tap"]


class Preferences(Documented):
    """What a player has chosen at /settings; every member has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Theme = "system"
    """``system`` follows the device; so does ``contrast``, with high-contrast colours."""
    tiles: Tiles = "cream"
    """Set of tiles and board; ``clear`` is made for colour-blind players."""
    clear_squares: bool = False
    """Whether shared results use blue and orange squares instead of green and yellow ones."""
    sound: Sound = "auto"
    """``auto``: quiet on computers; phones ask once."""
    vibration: bool = True
    """Whether a phone vibrates as a word grows."""
    motion: Motion = "system"
    """``reduced``: only fades, no movement, whatever the device's setting."""
    letters: Letters = "normal"
    """Size of all text: 100%, 115% or 130%."""
    left_handed: bool = False
    """Whether the buttons of a table are mirrored on phones."""
    pointer: Pointer = "drag"
    """``tap``: tiles are tapped one by one; dragging does nothing."""
    confirm: bool = False
    """Whether a dragged word waits for a tap on its last tile, or Enter, before it is played."""
    lexicon: Annotated[str | None, Field(max_length=64, pattern=r"^[a-z0-9_-]+$")] = None
    """Word list of new games; null for each game's usual one."""
    family: bool = False
    """Whether word lists, hints and solvers leave out offensive words."""
    learn_missed: bool = False
    """Whether the words missed in a finished game are added to the cards."""

    def changed(self) -> dict[str, str]:
        """The members that differ from the defaults, as text."""
        return {name: _to_text(value) for name, value in self.model_dump(exclude_defaults=True).items()}

    @property
    def attributes(self) -> dict[str, str]:
        """Data attributes of the page's root element, by name without ``data-``."""
        return {name.replace("_", "-"): value for name, value in self.changed().items() if name in _SHOWN}

    def to_text(self) -> str:
        """The changed members such as ``theme:dark|letters:large``: the value of the cookie."""
        return "|".join(f"{name}:{value}" for name, value in self.changed().items())

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the text of :meth:`to_text`; members that are unknown or invalid keep their defaults."""
        known: dict[str, Any] = {}
        for name, _, value in (part.partition(":") for part in text.split("|")):
            with suppress(ValidationError):  # written by another version, or by hand
                known |= cls.model_validate({name: value}).model_dump(exclude_unset=True)
        return cls(**known)


def _to_text(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


_from_text: Final = lru_cache(1024)(Preferences.from_text)
_LONGEST: Final = 500
"""Most characters of a cookie that are read, a few more than all preferences take: parsing 60,000 separators
would take a second."""
_SHOWN: Final = frozenset(Preferences.model_fields) - {"clear_squares", "lexicon", "family", "learn_missed"}
"""Members that style sheets and scripts use."""


def preferences_of(request: Request) -> Preferences:
    """The preferences in the request's cookie."""
    return _from_text(request.cookies.get(COOKIE, "")[:_LONGEST])


def usable_preferences(request: Request, library: Library) -> Preferences:
    """The preferences in the request's cookie, without a word list that is no longer installed."""
    chosen = preferences_of(request)
    if chosen.lexicon is None or chosen.lexicon in library:
        return chosen
    return chosen.model_copy(update={"lexicon": None})


async def preferences(request: Request) -> Preferences:
    """The preferences of the requesting browser; async, because FastAPI runs sync functions in a thread."""
    return preferences_of(request)


PreferencesDep = Annotated[Preferences, Depends(preferences)]


def remember(response: Response, chosen: Preferences, *, secure: bool) -> None:
    """Set the cookie, or delete it if everything is at its default."""
    if text := chosen.to_text():
        response.set_cookie(COOKIE, text, max_age=TWO_YEARS, httponly=True, samesite="lax", secure=secure)
    else:
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=secure)
