"""Where the files that ship with Wibble are: data, templates and static.

In a checkout they stand beside the ``app`` package; in an installed wheel they stand inside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The folder ``name`` (``data``, ``templates`` or ``static``).

    Raises FileNotFoundError if the installation lacks it.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"Wibble's {name!r} folder is missing: the installation is incomplete")
