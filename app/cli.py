"""Entry point of the `wibble` command."""

import errno
import os
import sys
from typing import Final

from app.terminal import interrupts

_CANNOT_BE_WRITTEN: Final = frozenset({errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EPIPE})
"""Full or broken disk, or closed pipe. Commands handle errors of the files they open themselves."""


def main() -> None:
    """Run the command line. Exits with 2 for an invalid setting and 130 after Ctrl+C.

    Exits with 1 if the output cannot be written, for example because the disk is full.
    """
    if sys.stdin is None:  # closed by the caller: there is nothing to read
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    interrupts.exit_immediately()
    from app.commands.root import app  # noqa: PLC0415 - after Ctrl+C is handled

    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except ValueError as error:
        from pydantic import ValidationError  # noqa: PLC0415 - `wibble --version` does not need it

        if not isinstance(error, ValidationError) or error.title != "Settings":
            raise
        from app.web.guard.fields import field_errors  # noqa: PLC0415

        for fault in field_errors(error.errors()):
            names = [f"WIBBLE_{part}".upper() for part in fault.location]  # empty for several in conflict
            print(": ".join([*names, fault.message]), file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except OSError as error:
        if error.errno not in _CANNOT_BE_WRITTEN:
            raise
        print(f"Error: the output cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes the rest at exit
        sys.exit(1)
    finally:
        if interrupts.received():
            interrupts.exit_interrupted()


if __name__ == "__main__":
    main()
