"""The entry point of the `wibble` command."""

import sys

from app.commands import interrupts


def main() -> None:
    """Run the command line. Exit with 2 for a bad setting and with 130 after Ctrl+C."""
    interrupts.exit_immediately()
    from app.commands.root import app  # noqa: PLC0415 - Ctrl+C may come while this is imported

    try:
        app()
    except ValueError as error:
        from pydantic import ValidationError  # noqa: PLC0415 - `wibble --version` has no use for it

        if not isinstance(error, ValidationError):
            raise
        for wrong in error.errors():
            name = "_".join(map(str, wrong["loc"])).upper()
            print(f"WIBBLE_{name}: {wrong['msg']}, not {wrong['input']!r}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    finally:
        if interrupts.received():
            interrupts.exit_interrupted()


if __name__ == "__main__":
    main()
