"""Random play of Fribble, with an independent implementation of its rules."""

from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st

from app.games.fribble.board import EMPTY, Board
from app.games.fribble.layout import SIDE
from app.games.fribble.movegen import Rack, placement_of
from app.games.fribble.notation import standard
from app.games.fribble.placement import Placement
from app.games.fribble.presets import Preset, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import (
    BeforePlay,
    Challenge,
    Exchange,
    Move,
    Pass,
    Place,
    Resign,
    State,
    TimeUp,
    Turn,
    Write,
)
from app.games.fribble.tileset import TILES
from tests.games.trial import CLOCKS, Trial, check_clocks

LETTER = {".": 1, "'": 2, '"': 3, "-": 1, "=": 1}
WORD = {".": 1, "'": 1, '"': 1, "-": 2, "=": 3}
FULL_RACK = 7


class FribbleTrial(Trial):
    kind: ClassVar[type[Fribble]] = Fribble
    game: Fribble

    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        return st.builds(
            lambda preset, challenge, clock: {"preset": preset, "challenge": challenge, **clock},
            st.sampled_from(sorted(presets())),
            st.sampled_from(["void", "double"]),
            st.sampled_from([{"turn_seconds": 10}, {"turn_seconds": 60}]) | CLOCKS,
        )

    def moves(self, state: State, seat: int) -> st.SearchStrategy[Move]:
        rack = state.racks[seat]
        tiles = [st.permutations(list(rack)).map("".join)] * bool(rack)
        some = [
            each.flatmap(lambda text: st.integers(1, len(text)).map(lambda n: text[:n])) for each in tiles
        ]
        texts = st.text(alphabet="mfrc()', 0189AHOabzé?.\n", max_size=20)
        cells = st.lists(st.integers(0, SIDE**2 - 1), min_size=1, max_size=7, unique=True).map(sorted)
        anything = [
            st.just(Pass()),
            st.sampled_from([Challenge(), TimeUp()]),
            st.builds(
                Write, text=texts | st.sampled_from(["8H ZZZ", "H8 qi", "m(r8,8,'aa')", "mf(c8,'7 9','aa')"])
            ),
            st.text(TILES, min_size=1, max_size=FULL_RACK).map(lambda text: Exchange(tiles=text)),
            cells.flatmap(
                lambda chosen: st.text("ABEQabe", min_size=len(chosen), max_size=len(chosen)).map(
                    lambda text: Place(cells=tuple(chosen), tiles=text)
                )
            ),
            *[each.map(lambda text: Exchange(tiles=text)) for each in some],
        ]
        placed = self.placements(state, rack)
        if not placed:
            return st.one_of(*anything)
        chosen = st.sampled_from(placed)
        play = chosen.map(lambda each: Place(cells=each.cells, tiles=each.tiles))
        written = chosen.map(lambda each: Write(text=standard(state.board, each)))
        phony = chosen.flatmap(
            lambda each: st.permutations(list(each.tiles)).map(
                lambda tiles: Place(cells=each.cells, tiles="".join(tiles))
            )
        )
        return st.one_of(*[play] * 8, written, written, phony, phony, *anything)

    def placements(self, state: State, rack: str) -> list[Placement]:
        """Some of the legal placements, including the highest-scoring ones."""
        generator = self.game.movegen(state.options.preset)
        moves = generator.moves(generator.squares(state.board), Rack(rack))
        order = (-moves.scores.astype(int)).argsort(kind="stable")
        chosen = [*order[:10], *order[:: 1 + len(order) // 30]]
        return [placement_of(int(moves.numbers[place])) for place in chosen]

    def disguised(self, state: State, seat: int | None, random: Random) -> State:
        """With the tiles that the seat does not see shuffled among the bag and the other racks."""
        changed: State = super().disguised(state, seat, random)
        if state.reason is not None:
            return changed
        others = [other for other in range(len(state.racks)) if other != seat]
        pool = [*state.bag, *"".join(state.racks[other] for other in others)]
        random.shuffle(pool)
        racks = list(state.racks)
        for other in others:
            racks[other] = "".join(pool.pop() for _ in racks[other])
        turns = tuple(
            turn.model_copy(update={"returned": "Q" * len(turn.returned)}) if turn.seat in others else turn
            for turn in state.turns
        )
        unsettled = state.unsettled
        if unsettled is not None:
            unsettled = BeforePlay(board=unsettled.board, rack="ZZ", bag="XX")
        return changed.model_copy(
            update={"racks": tuple(racks), "bag": "".join(pool), "turns": turns, "unsettled": unsettled}
        )

    def hidden_texts(self, state: State, seat: int | None) -> set[str]:
        """The tiles that others exchanged, unless the same text was played openly."""
        if state.reason is not None:
            return set()
        own = {turn.returned for turn in state.turns if turn.seat == seat}
        laid = {turn.placement.tiles for turn in state.turns if turn.placement}
        shown = {*laid, *(turn.text for turn in state.turns), *state.racks, state.unseen_by(seat)}
        return {turn.returned for turn in state.turns if len(turn.returned) > 1} - own - shown

    def check(self, before: State, seat: int, move: Any, at: float, after: State) -> None:
        assert seat == before.to_move or isinstance(move, Resign)
        assert seat not in before.resigned
        check_clocks(self.game, before, after, at)
        preset = presets()[after.options.preset]
        if isinstance(move, Place | Write):
            turn = after.turns[-1]
            assert (turn.seat, turn.kind, after.turns[:-1]) == (seat, "place", before.turns)
            assert after.racks[seat] == "" or len(after.racks[seat]) == FULL_RACK or not after.bag
            self._check_placed(before, turn, after, preset)
        elif isinstance(move, Exchange):
            turn = after.turns[-1]
            assert len(before.bag) >= preset.exchange_minimum
            assert len(after.bag) == len(before.bag)
            assert len(after.racks[seat]) == len(before.racks[seat])
            assert turn.exchanged == len(move.tiles)
            assert sorted(turn.returned) == sorted(move.tiles)
        elif isinstance(move, Challenge) and after.turns[-1].kind == "withdrawn":
            played = before.turns[-1]
            assert any(word.lower() not in self.game.lexicon for word in played.words)
            assert after.board == taken_off(before.board, played)
            assert after.to_move == seat
            assert after.turns[-1].points == 0
        elif isinstance(move, Challenge):
            assert all(word.lower() in self.game.lexicon for word in before.turns[-1].words)
        if not isinstance(move, Place | Write | Challenge):
            assert after.board == before.board

    def check_whole(self, state: State) -> None:
        preset = presets()[state.options.preset]
        seats = range(len(state.scores))
        everything = state.bag + "".join(state.racks) + state.board.tiles
        assert sorted(everything) == sorted(preset.tiles.full_bag)
        assert all(len(rack) <= FULL_RACK for rack in state.racks)
        settled = state.settled or (0,) * len(seats)
        assert state.scores == tuple(
            sum(turn.points for turn in state.turns if turn.seat == seat) + settled[seat] for seat in seats
        )
        outcome = self.game.outcome(state)
        assert (outcome is not None) == (state.reason is not None)
        if outcome is None:
            assert state.to_move not in state.resigned
            assert len(seats) - len(state.resigned) >= 2
        else:
            assert not set(outcome.winners) & set(state.resigned)
        if state.settled:
            left = [
                0 if seat in state.resigned else total_points(preset, state.racks[seat]) for seat in seats
            ]
            expected = [sum(left) if seat == state.out else -left[seat] for seat in seats]
            assert list(state.settled) == expected

    def _check_placed(self, before: State, turn: Turn, after: State, preset: Preset) -> None:
        assert turn.placement is not None
        fresh = turn.placement.laid
        squares = after.board.squares
        for cell, (had, has) in enumerate(zip(before.board.squares, squares, strict=True)):
            assert has == fresh.get(cell, had)
            assert had == EMPTY or cell not in fresh
        words, points = [], preset.bingo if len(fresh) == FULL_RACK else 0
        for line in every_line():
            for run in runs(line, squares):
                if len(run) > 1 and set(run) & set(fresh):
                    words.append("".join(squares[cell] for cell in run).upper())
                    points += word_points(preset, run, squares, set(fresh))
        assert sorted(turn.words) == sorted(words)
        assert turn.points == points
        if before.options.challenge == "void":
            assert all(word.lower() in self.game.lexicon for word in words)


def every_line() -> list[range]:
    across = [range(SIDE * row, SIDE * row + SIDE) for row in range(SIDE)]
    return across + [range(column, SIDE**2, SIDE) for column in range(SIDE)]


def runs(line: range, squares: str) -> list[list[int]]:
    """The cells of each row of tiles that touch in a line."""
    found: list[list[int]] = [[]]
    for cell in line:
        if squares[cell] == EMPTY:
            found.append([])
        else:
            found[-1].append(cell)
    return [run for run in found if run]


def word_points(preset: Preset, run: list[int], squares: str, fresh: set[int]) -> int:
    signs = "".join(preset.layout.rows)
    points, factor = 0, 1
    for cell in run:
        value = total_points(preset, squares[cell])
        points += value * LETTER[signs[cell]] if cell in fresh else value
        factor *= WORD[signs[cell]] if cell in fresh else 1
    return points * factor


def total_points(preset: Preset, tiles: str) -> int:
    """The total value of tiles: capitals by the preset's table, blanks nothing."""
    return sum(value for value, letters in preset.tiles.values.items() for tile in tiles if tile in letters)


def taken_off(board: Board, turn: Turn) -> Board:
    assert turn.placement is not None
    return board.with_tiles(turn.placement.cells, EMPTY * len(turn.placement.cells))


TRIAL = FribbleTrial
