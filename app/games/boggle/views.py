"""The view of a game for a seat or a spectator."""

from collections.abc import Sequence
from typing import Final

from app.games.boggle.analysis import finders_of
from app.games.boggle.finding import progress
from app.games.boggle.rounds import cancelled_words, ends_at, has_seen
from app.games.boggle.solved_boards import SolvedBoards
from app.games.boggle.state import BoardWord, FoundView, Round, RoundView, State, View
from app.words.vocabulary import is_common


class Views:
    """The views of games over one lexicon."""

    def __init__(self, boards: SolvedBoards) -> None:
        self.boards: Final = boards

    def of_seat(self, state: State, seat: int | None) -> View:
        """Return the view of a seat; a spectator sees what all players may see.

        The board is shown once the viewer has started; other finished rounds, and all words on the board, are
        shown once the viewer has finished.
        """
        viewers = state.rounds if seat is None else (state.rounds[seat],)
        finished = all(round_.finished_at is not None for round_ in viewers)
        alone = len(state.rounds) == 1
        visible = tuple(
            round_ if alone or other == seat or (finished and round_.finished_at is not None) else None
            for other, round_ in enumerate(state.rounds)
        )
        board = state.board if all(has_seen(round_) for round_ in viewers) else None
        return self._seen(state, seat, board, visible, solved=finished)

    def reveal(self, state: State) -> View:
        """Return the board with all words found so far, and all words on the board."""
        return self._seen(state, None, state.board, state.rounds, solved=True)

    def _seen(
        self,
        state: State,
        seat: int | None,
        board: tuple[str, ...] | None,
        visible: Sequence[Round | None],
        *,
        solved: bool,
    ) -> View:
        """Return the view for ``seat`` with these rounds (None: hidden), and the solution if ``solved``."""
        options = state.options
        own = None if seat is None else state.rounds[seat]
        return View(
            size=f"{options.rows}x{options.columns}",
            rows=options.rows,
            columns=options.columns,
            richness=options.richness,
            seconds=options.seconds,
            min_length=options.min_length,
            qu=options.qu,
            cancel=options.cancel,
            find_all=options.find_all,
            lexicon=options.lexicon.name,
            ply=state.ply,
            seat=seat,
            to_move=seat if own is not None and own.finished_at is None else state.to_move,
            board=board,
            rounds=tuple(self._round_view(state, visible, other) for other in range(len(state.rounds))),
            report=None if own is None else own.report,
            solution=self._solution(state, visible) if solved else None,
            over=state.over,
        )

    def _solution(self, state: State, visible: Sequence[Round | None]) -> tuple[BoardWord, ...]:
        solution = self.boards.of(state)
        finders = finders_of([round_ or Round() for round_ in visible])
        words = (
            self.boards.board_word(word, finders[word.word], find_all=state.options.find_all)
            if word.word in finders
            else solution.shown.get(word.word)
            for word in solution.words
        )
        return tuple(word for word in words if word is not None)

    def _round_view(self, state: State, visible: Sequence[Round | None], seat: int) -> RoundView:
        """Return the view of a seat's round; its words are None unless it is ``visible``."""
        round_, shown, cancelled = state.rounds[seat], visible[seat], cancelled_words(visible, state.options)
        words, done = None, None
        if shown is not None:
            words = tuple(
                FoundView(
                    word=found.word,
                    cells=found.cells,
                    points=0 if found.word in cancelled else found.points,
                    cancelled=found.word in cancelled,
                    common=is_common(self.boards.lexicon, self.boards.lexicon.index(found.word)),
                    seconds=found.at - (round_.started_at or found.at),
                )
                for found in shown.found
            )
            if state.options.find_all and has_seen(shown):
                common = self.boards.of(state).common
                done = progress(shown.hints, common, [found.word for found in shown.found])
        return RoundView(
            started_at=round_.started_at,
            ends_at=ends_at(round_, state.options),
            finished_at=round_.finished_at,
            reason=round_.reason,
            words=words,
            score=None if words is None else sum(word.points for word in words),
            progress=done,
        )
