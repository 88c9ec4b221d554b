"""Personal pages, which even the browser must not keep."""

from typing import Final

_PRIVATE: Final = (
    "/me",
    "/api/me",
    "/circles",
    "/api/circles",
    "/cards",
    "/api/cards",
    "/admin",
    "/api/admin",
)


def is_private(path: str) -> bool:
    """Whether the page must not be shown from a cache, for example after its player has signed out."""
    return path.startswith(_PRIVATE)
