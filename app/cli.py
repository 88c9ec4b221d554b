"""Entry point of the `wibble` command."""

import sys

from app.terminal import interrupts


def main() -> None:
    """Run the command line. Exits with 2 for an invalid setting and 130 after Ctrl+C."""
    interrupts.exit_immediately()
    from app.commands.root import app  # noqa: PLC0415 - after Ctrl+C is handled

    try:
        app()
    except ValueError as error:
        from pydantic import ValidationError  # noqa: PLC0415 - `wibble --version` does not need it

        if not isinstance(error, ValidationError) or error.title != "Settings":
            raise
        for fault in error.errors():
            name = "_".join(map(str, fault["loc"])).upper()
            print(f"WIBBLE_{name}: {fault['msg']}, not {fault['input']!r}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    finally:
        if interrupts.received():
            interrupts.exit_interrupted()


if __name__ == "__main__":
    main()
