"""The view of a game for a seat or a spectator."""

from typing import Annotated, Final, Literal

from pydantic import Field

from app.games.clock import Clocks
from app.games.departures import Departures
from app.games.game import Frozen
from app.games.wibble.adventure import Obstacles
from app.games.wibble.levels import WALL, LevelView, Obstacle
from app.games.wibble.options import Frequencies, Mode, Power, Replace
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board, Phase, Report, Suggestion, Turn

_NONE: Final[Obstacles] = {}


class TileView(Frozen):
    """A tile as players see it."""

    cell: int
    letter: Annotated[str, Field(pattern="^[a-z.]$")]
    """``.`` for a wall."""
    value: int
    """Points of the letter, without bonuses."""
    gem: bool
    letter_factor: int
    """1, or 2 (DL) or 3 (TL)."""
    word_factor: int
    """1, or 2 (2x)."""
    obstacle: Obstacle | None = None
    """The obstacle or mark of the tile in Adventure; words cannot use a wall or a frozen tile."""
    obstacle_count: int = 0
    """Layers of ice, or words until the bomb goes off."""


class PowerView(Frozen):
    """A power of the mode, its cost, and whether the seat to move can afford it."""

    power: Power
    cost: int
    """In gems; 0 is free."""
    affordable: bool


class View(Departures):
    """The game as seen by a seat or a spectator."""

    mode: Mode
    size: int
    values: Literal["scrabble", "spellcast"]
    frequencies: Frequencies
    replace: Replace
    """Which chains have their tiles replaced: scored words, or all released chains."""
    turn_seconds: int | None
    """The time limit per turn; None for no limit."""
    lexicon: str
    ply: int
    phase: Phase
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int
    tiles: tuple[TileView, ...]
    """Row by row; empty until the game starts."""
    chain: tuple[int, ...]
    round: int
    rounds: int | None
    """The number of rounds; None for no limit."""
    scores: tuple[int, ...]
    """Per seat: the points of its own words."""
    teams: tuple[tuple[int, ...], ...] = ()
    """The seats of each team; empty if everyone plays for themselves."""
    team_scores: tuple[int, ...] = ()
    """Per team; empty without teams."""
    gems: tuple[int, ...] | None
    """Per seat; None if the mode has no gems."""
    powers: tuple[PowerView, ...]
    long_word_length: int | None
    """The minimum length of a word for the bonus; None if the mode has no such bonus."""
    long_word_bonus: int
    turns: tuple[Turn, ...]
    hint: tuple[int, ...] | None
    """The path of the hint, shown only to the seat that asked for it and its partners."""
    suggestions: tuple[Suggestion, ...] = ()
    """The words shown to the partner whose turn it is, visible only to the team; the latest of each seat."""
    suggestions_left: int = 0
    """How many words you may still show to your partner; 0 if it is not a partner's turn."""
    unchanged_since: int = 0
    """The ply since which the only moves were words shown to partners; a move for this or a later ply is not
    stale."""
    report: Report | None
    resigned: tuple[int, ...]
    started_at: float | None
    clock_seconds: int | None = None
    """Each player's time for the whole game; None for no clock per player."""
    increment_seconds: int = 0
    """Seconds a player gains with each completed turn."""
    clocks: Clocks | None = None
    """The players' clocks; None if the game has none."""
    ends_at: float | None
    """When the time limit of the game or the turn expires or the clock of the player to move runs out, in
    seconds since the epoch; None if none runs."""
    level: LevelView | None = None
    """The level in Adventure; None in other modes."""
    reason: str | None


def tile_views(board: Board | None, scoring: Scoring, obstacles: Obstacles = _NONE) -> tuple[TileView, ...]:
    """Return every tile, row by row, with its value, gem, bonus and obstacle; empty before the deal."""
    if board is None:
        return ()
    letter_bonus, word_bonus = board.letter_bonus, board.word_bonus
    return tuple(
        TileView(
            cell=cell,
            letter=letter,
            value=0 if letter == WALL else scoring.values[ord(letter) - ord("a")],
            gem=cell in board.gems,
            letter_factor=letter_bonus.factor if letter_bonus and letter_bonus.cell == cell else 1,
            word_factor=word_bonus.factor if word_bonus and word_bonus.cell == cell else 1,
            obstacle=obstacles.get(cell, (None, 0))[0],
            obstacle_count=obstacles.get(cell, (None, 0))[1],
        )
        for cell, letter in enumerate(board.letters)
    )
