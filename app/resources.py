"""Locates the shipped folders ``data``, ``templates`` and ``static``.

They are next to the ``app`` package in a checkout, and inside it in an installed wheel.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The path of the folder ``data``, ``templates`` or ``static``.

    Raises FileNotFoundError if it is missing.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"Wibble's {name!r} folder is missing: the installation is incomplete")
