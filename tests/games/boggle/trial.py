"""Random play of Boggle, with an independent implementation of its rules."""

from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st

from app.games.boggle.finding import hint_rules
from app.games.boggle.rules import Boggle
from app.games.boggle.state import (
    Finish,
    Found,
    HandIn,
    Hint,
    Move,
    Report,
    Round,
    Start,
    State,
    TimeUp,
    Word,
)
from app.words.vocabulary import is_common
from tests.games.brute import touching
from tests.games.trial import Trial

CELLS = st.lists(st.integers(-1, 26), min_size=1, max_size=5).map(tuple)
POINTS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 5}
MOST_POINTS = 11
SIDES = st.integers(2, 5)


class BoggleTrial(Trial):
    kind: ClassVar[type[Boggle]] = Boggle
    game: Boggle

    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        def of_size(size: tuple[int, int]) -> st.SearchStrategy[dict[str, Any]]:
            rows, columns = size
            letters = st.sampled_from(["aeinrstq", "e", "quit"])
            row = letters.flatmap(lambda some: st.text(some, min_size=columns, max_size=columns))
            return st.fixed_dictionaries(
                {
                    "rows": st.just(rows),
                    "columns": st.just(columns),
                    "board": st.none() | st.lists(row, min_size=rows, max_size=rows).map(tuple),
                    "richness": st.sampled_from(["plain", "fair"]),
                    "seconds": st.sampled_from([None, 10, 180]),
                    "min_length": st.integers(2, 5),
                    "qu": st.booleans(),
                    "cancel": st.booleans(),
                    "find_all": st.booleans(),
                }
            ).map(lambda drawn: drawn | {"seconds": None, "cancel": False} if drawn["find_all"] else drawn)

        return st.tuples(SIDES, SIDES).flatmap(of_size)

    def moves(self, state: State, seat: int) -> st.SearchStrategy[Move]:
        solution = [*self.words(state)]
        words = st.sampled_from([*solution[:60], *solution[-20:], "zzz", "", " Ab ", "éa", "x" * 20])
        typed = words.filter(bool).map(lambda word: Word(word=word))
        found = [found.word for one in state.rounds for found in one.found]
        again = [st.sampled_from(found).map(lambda word: Word(word=word))] * bool(found)
        traced = [
            st.sampled_from(sorted(self.words(state).values())).map(lambda path: Word(cells=path))
        ] * bool(solution)
        begun = [st.just(Start())] * 4 * (state.rounds[seat].started_at is None)
        hints = [st.sampled_from([Hint(about="counts"), Hint(about="letter")])] * 2 * state.options.find_all
        return st.one_of(
            *begun,
            *hints,
            *traced,
            typed,
            typed,
            *again,
            st.builds(Word, cells=CELLS),
            st.just(Start()),
            st.just(TimeUp()),
            st.lists(words.filter(bool), max_size=6).map(lambda words: HandIn(words=tuple(words))),
            st.lists(st.sampled_from(solution or ["z"]), unique=True, max_size=9).map(
                lambda words: HandIn(words=tuple(words))
            ),
        )

    def words(self, state: State) -> dict[str, tuple[int, ...]]:
        """The board's words and their paths."""
        return {word.word: word.cells for word in self.game.reveal(state).solution or ()}

    def may_have_bot(self, state: State) -> bool:
        seat = self.game.to_move(state)
        return seat is not None and state.rounds[seat].started_at is None

    def disguised(self, state: State, seat: int | None, random: Random) -> State:
        """With other words found and another board, where these are hidden."""
        viewers = state.rounds if seat is None else (state.rounds[seat],)
        finished = all(one.finished_at is not None for one in viewers)

        def shown(other: int, one: Round) -> bool:
            return len(state.rounds) == 1 or other == seat or (finished and one.finished_at is not None)

        rounds = tuple(
            one if shown(other, one) else one.model_copy(update=self._others(state, random))
            for other, one in enumerate(state.rounds)
        )
        if seat is None:
            rounds = tuple(one.model_copy(update={"report": some_report(random)}) for one in rounds)
        seen = all(one.started_at is not None or one.finished_at is not None for one in viewers)
        other_board = tuple("".join(random.choices("abcxyz", k=len(row))) for row in state.board)
        board = state.board if seen else other_board
        changed: State = super().disguised(state, seat, random)
        return changed.model_copy(update={"rounds": rounds, "board": board})

    def hidden_texts(self, state: State, seat: int | None) -> set[str]:
        """The words of others, except those the seat has also found, until the seat has finished."""
        if (
            state.over
            or len(state.rounds) == 1
            or (seat is not None and state.rounds[seat].finished_at is not None)
        ):
            return set()
        others = {
            found.word for other, one in enumerate(state.rounds) if other != seat for found in one.found
        }
        own = set() if seat is None else {found.word for found in state.rounds[seat].found}
        return others - own - set(state.board)

    def _others(self, state: State, random: Random) -> dict[str, Any]:
        words = random.sample(sorted(self.words(state).items()), min(3, len(self.words(state))))
        found = tuple(Found(word=word, cells=cells, points=7, at=5.0) for word, cells in words)
        return {"found": found, "report": some_report(random)}

    def check(self, before: State, seat: int, move: Any, at: float, after: State) -> None:
        was, now = before.rounds[seat], after.rounds[seat]
        for other, rounds in enumerate(zip(before.rounds, after.rounds, strict=True)):
            assert other == seat or rounds[0] == rounds[1], "a move changes only its seat's round"
        assert was.finished_at is None
        assert after.board == before.board
        match move:
            case Start():
                assert (was.started_at, now.started_at, now.finished_at) == (None, at, None)
            case Word():
                assert was.running
                assert was.found == now.found[: len(was.found)]
                assert (len(now.found) > len(was.found)) == (
                    now.report is not None and now.report.result == "scored"
                )
            case Hint(about=about):
                assert (now.found, was.running) == (was.found, True)
                spent = hint_rules().cost(about)
                assert now.hints.spent - was.hints.spent == spent <= hint_rules().budget - was.hints.spent
            case HandIn(words=words):
                assert was.started_at is None
                assert [found.word for found in now.found] == list(words)
            case TimeUp():
                seconds, started = before.options.seconds, was.started_at
                assert seconds is not None
                assert started is not None
                assert at >= started + seconds
        if isinstance(move, HandIn | Finish | TimeUp):
            assert now.finished_at == at

    def check_whole(self, state: State) -> None:
        options, letters = state.options, "".join(state.board)
        faces = ["qu" if options.qu and letter == "q" else letter for letter in letters]
        scores = []
        for one in state.rounds:
            words = [found.word for found in one.found]
            assert len(set(words)) == len(words)
            for found in one.found:
                assert "".join(faces[cell] for cell in found.cells) == found.word
                assert len(set(found.cells)) == len(found.cells)
                assert all(touching(*step, options.columns) for step in pairwise(found.cells))
                assert len(found.word) >= options.min_length
                assert found.word in self.game.lexicon
                if options.find_all:
                    assert found.points == is_common(self.game.lexicon, self.game.lexicon.index(found.word))
                else:
                    assert found.points == POINTS.get(len(found.word), MOST_POINTS)
            others = {found.word for other in state.rounds if other is not one for found in other.found}
            cancelled = others if options.cancel else set()
            scores.append(sum(found.points for found in one.found if found.word not in cancelled))
        outcome = self.game.outcome(state)
        assert (outcome is not None) == all(one.finished_at is not None for one in state.rounds)
        if outcome is not None:
            assert list(outcome.scores) == scores
            assert [seat for seat, score in enumerate(scores) if score == max(scores)] == list(
                outcome.winners
            )
        for seat in range(len(state.rounds)):
            if state.rounds[seat].finished_at is None:
                assert self.game.view(state, seat).solution is None


def some_report(random: Random) -> Report | None:
    return random.choice(
        [None, Report(result="not_a_word", word="hidden"), Report(result="scored", word="x", points=9)]
    )


TRIAL = BoggleTrial
