"""Fast two-player games on bare arrays, for training and for matches.

The rules are those of :mod:`app.games.fribble.rules` for two. The bag is an array of tiles: one seat draws
from its front, the other from its back, so that in a game and its return game with seats swapped, each seat
draws the same tiles for as long as possible.
"""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.board_kernels import FREE, TILE
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import refill, spend
from app.games.fribble.tileset import TILES
from app.games.randomness import shuffled

MOST_TURNS: Final = 300


class Choice(NamedTuple):
    """A player's turn."""

    move: int
    """The number of a placement; NO_MOVE to exchange the tiles not kept, or to pass."""
    score: int
    kept: int
    """The number of the leave."""


NO_MOVE: Final = -1


class LastMove(NamedTuple):
    """The latest placement."""

    squares: Squares
    """The board before it."""
    move: int
    score: int


class Table:
    """A game in progress. Players can access everything; a fair player uses only what it may see."""

    def __init__(
        self,
        generator: MoveGenerator,
        preset: Preset,
        random: Random,
        under_way: tuple[Squares, NDArray[np.int32], NDArray[np.int64]] | None = None,
    ) -> None:
        """Start a game with the bag shuffled by ``random``, which also shuffles exchanged tiles back in.

        Or continue a game ``under_way``: its board, the count of each kind of tile on the racks of the player
        to move and the opponent (2, 27), and the kinds of the tiles in the bag, in order; modified in place.
        """
        self.generator: Final = generator
        self.preset: Final = preset
        self.squares, self.counts, self.bag = under_way or _dealt(generator, preset, random)
        self.ends: Final = np.array([0, len(self.bag)], np.int64)
        """The start and end of the remaining bag in ``bag``."""
        self.scores: Final = [0, 0]
        self.to_move = 0
        self.turns = 0
        self.scoreless = 0
        self._begun: Final = under_way is not None and bool((self.squares[TILE] != FREE).any())
        """Whether tiles had been played before."""
        self.last: LastMove | None = None
        """The opponent's latest move, if it was a placement."""
        self._random = random
        if under_way is None:
            for seat in (0, 1):
                refill(self.bag, self.ends, seat, self.counts[seat])

    @property
    def in_bag(self) -> int:
        """The number of tiles in the bag."""
        return int(self.ends[1] - self.ends[0])

    @property
    def rack(self) -> Rack:
        """The rack of the player to move."""
        return Rack(self.counts[self.to_move])

    @property
    def unseen(self) -> NDArray[np.int32]:
        """(27,): the count of each kind of tile that the player to move cannot see."""
        hidden = np.bincount(self.bag[self.ends[0] : self.ends[1]], minlength=len(TILES))
        counts: NDArray[np.int32] = (hidden + self.counts[1 - self.to_move]).astype(np.int32)
        return counts

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        stalled = self.scoreless >= self.preset.scoreless_turns
        counts = self.preset.scoreless_from_zero or self._begun or any(self.scores)
        return not self.counts[1 - self.to_move].any() or (stalled and counts) or self.turns >= MOST_TURNS

    def play(self, choice: Choice) -> None:
        """Make the turn of the player to move. Legality is not checked."""
        seat = self.to_move
        counts = self.counts[seat]
        if choice.move == NO_MOVE:
            self._exchange(seat, Rack(counts), choice.kept)
            self.last = None
        else:
            self.last = LastMove(self.squares.copy(), choice.move, choice.score)
            self.generator.lay(self.squares, choice.move)
            spend(choice.move, counts)
            self.scores[seat] += choice.score
        refill(self.bag, self.ends, seat, counts)
        self.scoreless = 0 if choice.score else self.scoreless + 1
        self.turns += 1
        self.to_move = 1 - seat

    def settle(self) -> tuple[int, int]:
        """Return the final scores, with tiles left subtracted, or added for a player who went out."""
        points = self.generator.values[: len(TILES)]
        left = (self.counts @ points).tolist()
        held = [bool(counts.any()) for counts in self.counts]
        return (
            self.scores[0] + (-left[0] if held[0] else left[1]),
            self.scores[1] + (-left[1] if held[1] else left[0]),
        )

    def _exchange(self, seat: int, rack: Rack, kept: int) -> None:
        back = [TILES.index(tile) for tile in rack.tiles]
        for tile in rack.kept(kept):
            back.remove(TILES.index(tile))
        counts = self.counts[seat]
        for kind in back:
            counts[kind] -= 1
        refill(self.bag, self.ends, seat, counts)
        for kind in back:
            place = int(self.ends[0]) - 1 if seat == 0 else int(self.ends[1])
            self.ends[seat] += -1 if seat == 0 else 1
            other = int(self.ends[0]) + int(self._random.random() * self.in_bag)
            self.bag[place] = self.bag[other]
            self.bag[other] = kind


def _dealt(
    generator: MoveGenerator, preset: Preset, random: Random
) -> tuple[Squares, NDArray[np.int32], NDArray[np.int64]]:
    kinds = [kind for kind, tile in enumerate(TILES) for _ in range(preset.tiles.counts.get(tile, 0))]
    bag = np.array(shuffled(random, kinds), np.int64)
    return generator.squares(Board()), np.zeros((2, len(TILES)), np.int32), bag


Player: TypeAlias = Callable[[Table], Choice]


class Played(NamedTuple):
    """A finished game."""

    scores: tuple[int, int]
    turns: int


def play(generator: MoveGenerator, preset: Preset, players: tuple[Player, Player], random: Random) -> Played:
    """Play a game to its end and return the result; the first player begins."""
    table = Table(generator, preset, random)
    while not table.over:
        table.play(players[table.to_move](table))
    return Played(table.settle(), table.turns)
