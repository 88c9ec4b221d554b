"""The moves of Wibble."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from app.games.game import Forfeit, Frozen

Letter: TypeAlias = Annotated[str, Field(pattern="^[a-z]$")]


class Start(Frozen):
    """Start the game: deal the board and start the clock, if any."""

    type: Literal["start"] = "start"


class Add(Frozen):
    """Add a tile to the chain; adding the second-to-last tile again removes the last."""

    type: Literal["add"] = "add"
    cell: int


class Back(Frozen):
    """Remove the last tile of the chain."""

    type: Literal["back"] = "back"


class Release(Frozen):
    """Release the chain: validate it and clean up the board."""

    type: Literal["release"] = "release"


class Chain(Frozen):
    """A complete chain, as sent by the browser: all tiles in order, then the release."""

    type: Literal["chain"] = "chain"
    cells: Annotated[tuple[int, ...], Field(min_length=1)]


class Shuffle(Frozen):
    """Shuffle the tiles of the board."""

    type: Literal["shuffle"] = "shuffle"


class Swap(Frozen):
    """Change the letter of one tile."""

    type: Literal["swap"] = "swap"
    cell: int
    letter: Letter


class Hint(Frozen):
    """Show the best word."""

    type: Literal["hint"] = "hint"


class Suggest(Frozen):
    """Show a word to the partner whose turn it is, in Teams. Only the team sees it until the game is over."""

    type: Literal["suggest"] = "suggest"
    cells: Annotated[tuple[int, ...], Field(min_length=1)]


class Pass(Frozen):
    """Pass the turn, in modes with rounds."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """A time limit has expired.

    The game's limit ends the game, the turn's limit passes the turn, and a player's clock takes the player
    out of the game. The player to move may submit it once the limit has passed; otherwise it is made after a
    grace period, or with a clock per player at once.
    """

    type: Literal["time_up"] = "time_up"


class Resign(Frozen):
    """Finish the game; if several opponents remain, they continue."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[
    Start | Add | Back | Release | Chain | Shuffle | Swap | Hint | Suggest | Pass | TimeUp | Forfeit | Resign,
    Field(discriminator="type"),
]
