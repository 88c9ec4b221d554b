"""Random play of Wibble, with an independent implementation of its rules."""

import re
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st

from app.games.wibble.adventure import open_board
from app.games.wibble.levels import levels
from app.games.wibble.modes import ModeRules, modes, rules_of
from app.games.wibble.moves import (
    Add,
    Back,
    Chain,
    Hint,
    Move,
    Pass,
    Release,
    Resign,
    Shuffle,
    Start,
    Suggest,
    Swap,
    TimeUp,
)
from app.games.wibble.options import Mode
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, Phase, State, Suggestion, Turn
from app.words.letters import letter_values
from tests.games.brute import touching
from tests.games.trial import CLOCKS, Trial, check_clocks

PLAIN = st.sampled_from([Start(), Back(), Release(), Shuffle(), Hint(), Pass(), TimeUp()])
CELLS = st.integers(-1, 50)


class WibbleTrial(Trial):
    kind: ClassVar[type[Wibble]] = Wibble
    game: Wibble

    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        def of_mode(mode: Mode) -> st.SearchStrategy[dict[str, Any]]:
            if mode == "adventure":
                named = st.sampled_from([*levels(), "1", str(len(levels()))])
                return st.builds(lambda level: {"mode": mode, "level": level}, named)
            rules = modes()[mode]
            limits = st.sampled_from([{"turn_seconds": 30}, {"turn_seconds": 300}] if rules.rounds else [{}])
            clock = limits | CLOCKS if rules.seats[1] > 1 else limits
            settings = st.fixed_dictionaries(
                {
                    "mode": st.just(mode),
                    "size": st.integers(4, 7),
                    "values": st.sampled_from([None, "scrabble", "spellcast"]),
                    "frequencies": st.sampled_from(["prose", "dictionary", "lexicon"]),
                    "min_words": st.sampled_from([0, 20, 100]),
                    "replace": st.sampled_from(["words", "releases"] if mode == "zen" else ["words"]),
                }
            )
            return st.builds(lambda chosen, timed: chosen | timed, settings, clock)

        return st.sampled_from([*modes(), "versus", "teams"]).flatmap(of_mode)

    def moves(self, state: State, seat: int) -> st.SearchStrategy[Move]:
        anything = [
            PLAIN,
            st.builds(Add, cell=CELLS),
            st.builds(Chain, cells=st.lists(CELLS, min_size=1, max_size=6).map(tuple)),
            st.builds(Suggest, cells=st.lists(CELLS, min_size=1, max_size=6).map(tuple)),
            st.builds(Swap, cell=CELLS, letter=st.sampled_from("aeinrstz")),
        ]
        if state.board is None:
            return st.one_of(st.just(Start()), *anything)
        words = self.paths(state)
        shown = [st.sampled_from(words).map(lambda cells: Suggest(cells=cells))] * bool(words)
        chains = [st.sampled_from(words).map(lambda cells: Chain(cells=cells))] * bool(words)
        made = len(state.chain)
        following = sorted(
            {cells[made] for cells in words if len(cells) > made and cells[:made] == state.chain}
        )
        steps = [st.sampled_from(following).map(lambda cell: Add(cell=cell))] * bool(following)
        finished = [st.just(Release())] * bool(state.chain)
        powers = st.sampled_from([Hint(), Shuffle()])
        if state.options.mode == "teams" and seat != state.to_move:
            return st.one_of(*shown, *shown, *chains, powers, *anything)
        return st.one_of(*chains, *chains, *steps, *steps, *finished, powers, *shown, *anything)

    def paths(self, state: State) -> list[tuple[int, ...]]:
        """Some words of the board, including the best; only those that continue a started chain."""
        assert state.board is not None
        scoring = self.game.scoring(state.options)
        words = self.game.solver.words(open_board(state), state.options.size, scoring)
        paths = [word.cells for word in words if word.cells[: len(state.chain)] == state.chain]
        return [*paths[:20], *paths[:: 1 + len(paths) // 20]]

    def may_have_bot(self, state: State) -> bool:
        mode = state.options.mode
        return state.phase is Phase.IDLE and (modes()[mode].seats[1] > 1 or mode == "adventure")

    def disguised(self, state: State, seat: int | None, random: Random) -> State:
        changed: State = super().disguised(state, seat, random)
        hidden: dict[str, Any] = {}
        mode = modes()[state.options.mode]
        informed = seat is not None and (seat == state.to_move or partners(mode, seat, state.to_move))
        if state.hint is not None and not informed:
            hidden["hint"] = random.choice([None, (0, 1), state.hint[1:]])
        if not informed:
            other = Suggestion(seat=state.to_move, word="dog", cells=(1, 2), points=random.randrange(9))
            hidden["suggestions"] = random.choice([(), (other,)])
        report = state.report
        if report is not None and report.result == "hinted" and not informed:
            hidden["report"] = report.model_copy(update={"cells": (3, 2, 1)})
        return changed.model_copy(update=hidden)

    def check(self, before: State, seat: int, move: Any, at: float, after: State) -> None:
        mode = rules_of(after.options)
        check_clocks(self.game, before, after, at)
        assert seat not in before.resigned
        if isinstance(move, Suggest):
            self._check_suggestion(before, seat, move, after)
            return
        assert seat == before.to_move or isinstance(move, Resign), "only a resignation is out of turn"
        same = (after.to_move, after.round, after.board) == (before.to_move, before.round, before.board)
        if after.phase is not Phase.FINISHED:
            assert after.suggestions == (before.suggestions if same else ()), "shown on another board"
        played = after.turns[len(before.turns) :]
        assert after.turns[: len(before.turns)] == before.turns
        scored = [turn for turn in played if turn.word]
        assert len(played) <= 1
        for turn in scored:
            self._check_word(before, turn.cells, turn.word, turn.points)
            assert turn.seat == seat
            assert isinstance(move, Chain | Release)
        gathered = sum(turn.gems for turn in scored)
        paid = mode.costs.get(move.type, 0) if isinstance(move, Shuffle | Swap | Hint) else 0
        for other, (had, has) in enumerate(zip(before.gems, after.gems, strict=True)):
            most = mode.gems.most if mode.gems else 10**9
            assert has == (min(had + gathered, most) - paid if other == seat else had)
        if before.board is not None and after.board is not None:
            fallen = self._fallen(before, move, scored, after)
            fixed = after.options.level.at("fixed") if after.options.level else ()
            self._check_tiles(before.board, move, fallen, after.board, fixed)
            if after.options.level is not None:
                self._check_level(before, scored, after, kept=isinstance(move, Shuffle))

    def _check_suggestion(self, before: State, seat: int, move: Suggest, after: State) -> None:
        """Check that it is a word, shown to a partner on turn, and nothing else changes, not even a clock."""
        assert partners(modes()[before.options.mode], seat, before.to_move)
        assert seat != before.to_move
        assert before.suggested.count(seat) < 3
        [shown] = [shown for shown in after.suggestions if shown.seat == seat]
        assert shown.cells == move.cells
        assert shown.word in self.game.lexicon
        self._check_word(before, shown.cells, shown.word, shown.points)
        changes = {"ply", "latest_suggestions", "suggestions", "suggested"}
        assert after.model_dump(exclude=changes) == before.model_dump(exclude=changes)

    def _fallen(self, before: State, move: Any, scored: list[Turn], after: State) -> tuple[int, ...]:
        """The cells whose tiles were replaced: those of a word, or of any chain where all releases count."""
        if scored:
            return scored[0].cells
        released: tuple[int, ...] = ()
        if before.options.replace == "releases" and isinstance(move, Chain | Release):
            chain = move.cells if isinstance(move, Chain) else before.chain
            released = chain if len(chain) > 1 else ()
        report = after.report
        assert (report is not None and report.replaced) == bool(released)
        assert not released or (after.scores, after.turns) == (before.scores, before.turns)
        return released

    def check_whole(self, state: State) -> None:
        mode, seats = rules_of(state.options), range(len(state.scores))
        assert state.phase is not Phase.CLEANUP, "a clean-up runs to its end"
        assert bool(state.chain) == (state.phase is Phase.CHAINING)
        assert state.scores == tuple(
            sum(turn.points for turn in state.turns if turn.seat == seat) for seat in seats
        )
        for turn in state.turns:
            assert turn.word in self.game.lexicon or (turn.word == "" and turn.points == 0 and mode.rounds)
        if mode.once_per_word:
            assert len({turn.word for turn in state.turns}) == len(state.turns)
        if state.board is not None:
            walls = state.options.level.at("wall") if state.options.level else ()
            assert re.fullmatch(f"[a-z.]{{{state.options.size**2}}}", state.board.letters)
            assert walls == tuple(cell for cell, letter in enumerate(state.board.letters) if letter == ".")
            assert len(set(state.board.gems)) == (mode.gems.on_board if mode.gems else 0)
            bonuses = [bonus.cell for bonus in (state.board.letter_bonus, state.board.word_bonus) if bonus]
            assert len(set(bonuses)) == len(bonuses)
        self._check_turn_order(state, mode.rounds)

    def _check_word(self, before: State, cells: tuple[int, ...], word: str, points: int) -> None:
        """Check that the path is valid and its points match the tiles on its cells."""
        board, mode = before.board, rules_of(before.options)
        assert board is not None
        assert len(set(cells)) == len(cells)
        assert all(touching(*step, before.options.size) for step in pairwise(cells))
        assert "".join(board.letters[cell] for cell in cells) == word
        values = letter_values(before.options.values or mode.values)
        expected = 0
        for cell, letter in zip(cells, word, strict=True):
            value = values[ord(letter) - ord("a")]
            bonus = board.letter_bonus
            expected += value * bonus.factor if bonus and bonus.cell == cell else value
        if board.word_bonus and board.word_bonus.cell in cells:
            expected *= board.word_bonus.factor
        if mode.long_word_length and len(word) >= mode.long_word_length:
            expected += mode.long_word_bonus
        assert points == expected

    def _check_level(self, before: State, scored: list[Turn], after: State, *, kept: bool) -> None:
        """Check ice, bombs, marks and the end of a level."""
        level, was, now = after.options.level, before.adventure, after.adventure
        assert level is not None
        assert was is not None
        assert now is not None
        assert before.board is not None
        assert after.board is not None
        words = [turn for turn in after.turns if turn.word]
        assert now.moves == len(words) <= level.moves
        special = {*level.at("fixed"), *dict(was.frozen), *dict(was.bombs), *was.marked}
        if kept:
            assert all(before.board.letters[cell] == after.board.letters[cell] for cell in special)
        if not scored:
            assert now == was
        else:
            used, size = scored[0].cells, level.size
            assert not {*dict(was.frozen), *level.at("wall")} & set(used)
            for cell, layers in was.frozen:
                melts = any(touching(cell, other, size) for other in used)
                assert dict(now.frozen).get(cell, 0) == layers - melts
            assert dict(now.bombs) == {cell: left - 1 for cell, left in was.bombs if cell not in used}
            assert set(now.marked) == set(was.marked) - set(used)
        done = {
            "points": sum(turn.points for turn in words),
            "gems": sum(turn.gems for turn in words),
            "frozen": -sum(layers for _, layers in now.frozen),
            "marked": -len(now.marked),
            "bombs": -len(now.bombs),
        }
        met = all(
            sum(len(turn.word) >= (goal.length or 0) for turn in words) >= (goal.count or 0)
            if goal.type == "words"
            else done[goal.type] >= (goal.count or 0)
            for goal in level.goals
        )
        exploded = any(left == 0 for _, left in now.bombs)
        if after.reason != "finished early":
            over = exploded or met or now.moves == level.moves
            assert over == (after.phase is Phase.FINISHED)
        outcome = self.game.outcome(after)
        if outcome is not None:
            assert outcome.winners == ((0,) if met and not exploded else ())

    def _check_tiles(
        self, before: Board, move: Any, used: tuple[int, ...], after: Board, fixed: tuple[int, ...]
    ) -> None:
        """Check that only used, swapped or shuffled tiles have changed."""
        if isinstance(move, Shuffle):
            assert carried(before) == carried(after)
            return
        changed = {
            cell
            for cell, letters in enumerate(zip(before.letters, after.letters, strict=True))
            if len(set(letters)) > 1
        }
        assert not changed & set(fixed)
        assert changed == {move.cell} if isinstance(move, Swap) else changed <= set(used)
        assert set(before.gems) - set(used) <= set(after.gems)
        assert set(after.gems) - set(before.gems) <= set(used)
        if not used and not isinstance(move, Pass | TimeUp | Resign):
            assert (before.letter_bonus, before.word_bonus) == (after.letter_bonus, after.word_bonus)

    def _check_turn_order(self, state: State, rounds: int | None) -> None:
        """Check the turns and the seat to move by counting the seats round by round."""
        outcome = self.game.outcome(state)
        assert (outcome is not None) == (state.phase is Phase.FINISHED) == (state.reason is not None)
        if outcome is not None:
            stayed = [seat for seat in range(len(state.scores)) if seat not in state.resigned]
            if state.options.level is not None:
                return
            mode = modes()[state.options.mode]
            totals = [
                sum(
                    score
                    for other, score in enumerate(state.scores)
                    if seat == other or partners(mode, seat, other)
                )
                for seat in range(len(state.scores))
            ]
            best = max(totals[seat] for seat in stayed)
            assert list(outcome.winners) == [seat for seat in stayed if totals[seat] == best]
            assert list(outcome.scores) == totals
        else:
            assert state.to_move not in state.resigned
        if rounds is None:
            return
        assert state.round <= rounds
        moments = [(turn.round, turn.seat) for turn in state.turns]
        assert moments == sorted(set(moments)), "no seat has two turns in a round"
        if state.phase in (Phase.IDLE, Phase.CHAINING):
            due = {
                (round_, seat)
                for round_ in range(1, state.round + 1)
                for seat in range(len(state.scores))
                if seat not in state.resigned and (round_, seat) < (state.round, state.to_move)
            }
            assert due <= set(moments), "a seat that stayed missed a turn"


def partners(mode: ModeRules, seat: int, other: int) -> bool:
    """Whether two seats are in one team; with two teams, their parity is the same."""
    return mode.teams == 2 and (seat - other) % 2 == 0


def carried(board: Board) -> list[tuple[str, bool, int, int]]:
    """All tiles with their attributes, regardless of position."""
    return sorted(
        (
            letter,
            cell in board.gems,
            board.letter_bonus.factor if board.letter_bonus and board.letter_bonus.cell == cell else 1,
            board.word_bonus.factor if board.word_bonus and board.word_bonus.cell == cell else 1,
        )
        for cell, letter in enumerate(board.letters)
    )


TRIAL = WibbleTrial
