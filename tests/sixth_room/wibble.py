"""The `wibble` command with a sixth room: ``python -m tests.sixth_room.wibble play ...``."""

from app.commands.root import app
from tests.sixth_room import WITH_GHOST

if __name__ == "__main__":
    app(obj=WITH_GHOST)
