"""Random play of Letterpress, with an independent implementation of its rules on sets of cells."""

from typing import Any, ClassVar

from hypothesis import strategies as st

from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Pass, Play, Resign, State, TimeUp
from tests.games.letterpress.brute import beside, cells
from tests.games.trial import CLOCKS, Trial, check_clocks

CELLS = st.lists(st.integers(-1, 25), max_size=5).map(tuple)


class LetterpressTrial(Trial):
    kind: ClassVar[type[Letterpress]] = Letterpress
    game: Letterpress

    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        letters = st.sampled_from(["aeinrst", "e", "bcdfgh", "abcdefghijklmnopqrstuvwxyz"])
        boards = letters.flatmap(lambda some: st.text(some, min_size=25, max_size=25))
        return st.builds(lambda board, clock: {"board": board, **clock}, st.none() | boards, CLOCKS)

    def moves(self, state: State, seat: int) -> st.SearchStrategy[Move]:
        anything = st.one_of(st.builds(Play, cells=CELLS), st.just(Pass()), st.just(TimeUp()))
        words = self.words(state)
        if not words:
            return anything
        again = [st.sampled_from(state.played)] * bool(state.played)
        beginnings = [st.sampled_from(state.played).map(lambda word: word[:-1])] * bool(state.played)
        chosen = st.one_of(st.sampled_from(words), st.sampled_from(words), *again, *beginnings)
        played = chosen.flatmap(lambda word: self._laid(state, word))
        return st.one_of(played, played, played, anything)

    def words(self, state: State) -> list[str]:
        """Some words of the board, including the longest."""
        members = self.game.solver._placements(state.board).members
        return [
            self.game.lexicon[int(member)] for member in [*members[:40], *members[:: 1 + len(members) // 40]]
        ]

    def _laid(self, state: State, word: str) -> st.SearchStrategy[Move]:
        """The word on any of the tiles that show its letters."""
        where = [[cell for cell, letter in enumerate(state.board) if letter == each] for each in word]
        return st.permutations(range(25)).map(
            lambda order: Play(
                cells=tuple(
                    sorted(places, key=order.index)[word[:index].count(word[index]) % len(places)]
                    for index, places in enumerate(where)
                )
            )
        )

    def check(self, before: State, seat: int, move: Any, at: float, after: State) -> None:
        assert seat == before.to_move or isinstance(move, Resign)
        check_clocks(self.game, before, after, at)
        if isinstance(move, Resign | TimeUp):
            assert (after.owned, after.turns) == (before.owned, before.turns)
            return
        *earlier, turn = after.turns
        assert tuple(earlier) == before.turns
        assert turn.seat == seat
        assert turn.cells == (move.cells if isinstance(move, Play) else ())
        assert turn.word == "".join(before.board[cell] for cell in turn.cells)
        assert len(set(turn.cells)) == len(turn.cells)
        if turn.word:
            assert turn.word in self.game.lexicon
            assert not any(word.startswith(turn.word) for word in before.played)

    def check_whole(self, state: State) -> None:
        """Replay all turns on two sets of cells."""
        owned: tuple[set[int], set[int]] = set(), set()
        for turn in state.turns:
            own, other = owned[turn.seat], owned[1 - turn.seat]
            lead = len(own) - len(other)
            safe = {cell for cell in other if set(beside(cell)) <= other}
            taken = set(turn.cells) - safe
            own |= taken
            other -= taken
            assert turn.gained == len(own) - len(other) - lead
        assert (cells(state.owned[0]), cells(state.owned[1])) == owned
        full = len(owned[0] | owned[1]) == 25
        passes = len(state.turns) > 1 and not state.turns[-1].word and not state.turns[-2].word
        assert (state.reason is not None) == (full or passes or state.resigned is not None)
        if (outcome := self.game.outcome(state)) is not None:
            assert outcome.scores == (len(owned[0]), len(owned[1]))
            best = [seat for seat in (0, 1) if len(owned[seat]) == max(outcome.scores)]
            assert list(outcome.winners) == (best if state.resigned is None else [1 - state.resigned])
        view = self.game.view(state, None)
        assert view.tiles == (len(owned[0]), len(owned[1]))
        for seat in (0, 1):
            safe = {cell for cell in owned[seat] if set(beside(cell)) <= owned[seat]}
            assert cells(view.protected[seat]) == safe


TRIAL = LetterpressTrial
