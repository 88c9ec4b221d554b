"""Two players play whole games on bare arrays: quick enough to learn from, and to compare players by.

The rules are those of :mod:`app.games.fribble.rules` for two, with the bag as one row of tiles: one seat
draws from its front, the other from its back, so that in a game and its return game, with seats changed,
who sits in a seat draws the same tiles for as long as may be.
"""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.kernels import FREE, TILE, refill, spend
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.presets import Preset
from app.games.fribble.tileset import TILES
from app.games.randomness import shuffled

MOST_TURNS: Final = 300


class Choice(NamedTuple):
    """What a player does in a turn."""

    move: int
    """The number of a placement; NO_MOVE to exchange what is not kept, or to pass."""
    score: int
    kept: int
    """What stays on the rack, as the rack numbers it."""


NO_MOVE: Final = -1


class LastMove(NamedTuple):
    """A placement that was just made."""

    squares: Squares
    """The board before it."""
    move: int
    score: int


class Table:
    """A game for two under way. Players may look at all of it; honest ones look at what is theirs to see."""

    def __init__(
        self,
        generator: MoveGenerator,
        preset: Preset,
        random: Random,
        under_way: tuple[Squares, NDArray[np.int32], NDArray[np.int64]] | None = None,
    ) -> None:
        """A new game, its bag mixed by ``random``, which also mixes in what is exchanged.

        Or one ``under_way``, of which are given the board, how many tiles of each kind the player to move and
        the other have (2, 27), and the kinds of the tiles in the bag in their order, to be changed here.
        """
        self.generator: Final = generator
        self.preset: Final = preset
        self.squares, self.counts, self.bag = under_way or _dealt(generator, preset, random)
        self.ends: Final = np.array([0, len(self.bag)], np.int64)
        """Where the bag begins and ends in ``bag``."""
        self.scores: Final = [0, 0]
        self.to_move = 0
        self.turns = 0
        self.scoreless = 0
        self._begun: Final = under_way is not None and bool((self.squares[TILE] != FREE).any())
        """Whether points were made before."""
        self.last: LastMove | None = None
        """What the other player has just laid."""
        self._random = random
        if under_way is None:
            for seat in (0, 1):
                refill(self.bag, self.ends, seat, self.counts[seat])

    @property
    def in_bag(self) -> int:
        """How many tiles are in the bag."""
        return int(self.ends[1] - self.ends[0])

    @property
    def rack(self) -> Rack:
        """What the player to move has."""
        return Rack(self.counts[self.to_move])

    @property
    def unseen(self) -> NDArray[np.int32]:
        """(27,): how many of each kind the player to move does not see."""
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
        """Make the turn of the player to move, who must not choose what the rules forbid."""
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
        """The scores at the end, when what is left on the racks is taken off, or given to who went out."""
        points = np.append(self.generator.values[: len(TILES) - 1], 0)
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
    """A game that has ended."""

    scores: tuple[int, int]
    turns: int


def play(generator: MoveGenerator, preset: Preset, players: tuple[Player, Player], random: Random) -> Played:
    """Let the players play a game to its end; the first begins."""
    table = Table(generator, preset, random)
    while not table.over:
        table.play(players[table.to_move](table))
    return Played(table.settle(), table.turns)
