"""The rules of Boggle as a Game.

All seats share a board, and each plays its own round at its own time: from its start, which shows the board,
until its clock runs out or it finishes. A word is a path of adjacent cells, each used once; it counts once,
by its length. The game ends when all seats have finished. Seats see each other's words only after both have
finished.

In Find them all there is no clock and no race: a common word scores 1 point, any other is a bonus.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final

from app.games.boggle.analysis import ACCURACY, SHARE_FOUND, Analysis, analyse, finders_of
from app.games.boggle.board import Board
from app.games.boggle.bot import bots, words_found
from app.games.boggle.deal import deal
from app.games.boggle.finding import DAILY as FIND_ALL_DAILY
from app.games.boggle.finding import MODE as FIND_ALL
from app.games.boggle.finding import progress, take_hint
from app.games.boggle.solved_boards import SolvedBoard, SolvedBoards
from app.games.boggle.solver import FoundWord, solver_of
from app.games.boggle.state import (
    BoardWord,
    Choices,
    Finish,
    Found,
    FoundView,
    HandIn,
    Hint,
    Move,
    Options,
    Report,
    Round,
    RoundView,
    Setup,
    Start,
    State,
    TimeUp,
    View,
    Word,
)
from app.games.game import (
    FINISHED_EARLY,
    Due,
    Game,
    IllegalMove,
    LexiconRef,
    Measure,
    Outcome,
    OutOfTurn,
    Summary,
    Thought,
)
from app.games.quality import Quality, best_seed, quality
from app.words.lexicon import Lexicon
from app.words.vocabulary import common_words, is_common

MOST_SEATS: Final = 6
GRACE: Final = 2.0
"""Seconds after the deadline in which a word found in time may still arrive over the network."""
LOOKING_UP: Final = 2.0
"""Seconds after which a bot hands in its round."""


class Boggle(Game[Options, State, Move, View, Analysis]):
    """Boggle over one lexicon."""

    kind: ClassVar[str] = "boggle"
    bots: ClassVar[tuple[str, ...]] = tuple(bot.name for bot in bots())
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Finish()
    reserved: ClassVar[tuple[type[Any], ...]] = (HandIn,)
    secret: ClassVar[tuple[type[Any], ...]] = (Word, HandIn, Hint)

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.boards: Final = SolvedBoards(lexicon)

    def prepare(self) -> None:
        """Build the solver of the default rules."""
        solver_of(self.lexicon)

    @classmethod
    def seats(cls, options: Choices) -> range:
        return range(1, MOST_SEATS + 1)

    def start(self, options: Options, seats: int, seed: str) -> State:
        """Deal the board, hidden until a seat starts."""
        if seats not in self.seats(options):
            raise IllegalMove(f"Boggle is for 1 to {MOST_SEATS} seats, not {seats}")
        board = options.board or deal(options, seed, self.lexicon).rows
        return State(options=options, seed=seed, board=board, rounds=(Round(),) * seats)

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves with a time limit, since the player starts the clock; else show the board."""
        return () if options.seconds else (Start(),)

    def anew(self, options: Options) -> Options:
        """Return the options without the board, so that another is dealt."""
        return options.model_copy(update={"board": None})

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        if not 0 <= seat < len(state.rounds):
            raise IllegalMove(f"there is no seat {seat}: seats are 0 to {len(state.rounds) - 1}")
        before = state.rounds[seat]
        if before.finished_at is not None:
            raise OutOfTurn("the game is over" if state.over else "your round is over")
        rounds = list(state.rounds)
        rounds[seat] = self._after(state, before, move, at)
        return state.model_copy(update={"rounds": tuple(rounds), "ply": state.ply + 1})

    def to_move(self, state: State) -> int | None:
        """Return the first seat that has not finished. Other unfinished seats may move as well."""
        return next((seat for seat, round_ in enumerate(state.rounds) if round_.finished_at is None), None)

    def movers(self, state: State) -> tuple[int, ...]:
        return tuple(seat for seat, round_ in enumerate(state.rounds) if round_.finished_at is None)

    def due(self, state: State, at: float) -> Due[Move] | None:
        """Return the earliest timeout, once a word found in time can no longer arrive."""
        deadlines = [
            (deadline + GRACE, seat)
            for seat, round_ in enumerate(state.rounds)
            if round_.running and (deadline := _ends_at(round_, state.options)) is not None
        ]
        if not deadlines or min(deadlines)[0] >= at:
            return None
        when, seat = min(deadlines)
        return Due(seat, TimeUp(), when)

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        """Return a complete round; see ``bot.py``."""
        bot, seconds = bots()[level - 1], state.options.seconds
        words = words_found(self._words(state), bot, seconds, f"{state.seed}/{seat}", self.lexicon)
        return Thought(HandIn(words=words), LOOKING_UP)

    more_dailies: ClassVar[tuple[str, ...]] = (FIND_ALL_DAILY,)

    def another_daily(self, name: str, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return the day's board of Find them all, chosen like that of the race."""
        if name != FIND_ALL_DAILY:
            return super().another_daily(name, seeds)
        options, seed = self.daily(seeds)
        return options.model_copy(update={"find_all": True, "seconds": None}), seed

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return a 4x4 board for three minutes, the best of many; see ``quality.py``."""
        lexicon = LexiconRef(name=self.lexicon.name, sha256=self.lexicon.sha256)
        options = Options(counted="common", lexicon=lexicon)
        return options, best_seed(seeds, lambda seed: self.quality(options, seed))

    def quality(self, options: Options, seed: str) -> Quality:
        """Return the quality of the board."""
        solver = solver_of(common_words(self.lexicon), min_length=options.min_length, qu=options.qu)
        board = deal(options, seed, self.lexicon)
        found = ((word.word, chain.from_iterable(word.paths)) for word in solver.solve(board, "all").words)
        return quality(found, board.grid.cells)

    def summary(self, state: State, seat: int) -> Summary:
        """Return the seat's statistics; the mode is Find them all, or the board size."""
        found = state.rounds[seat].found
        best = max(found, key=lambda word: word.points, default=None)
        return Summary(
            mode=FIND_ALL if state.options.find_all else f"{state.options.rows}x{state.options.columns}",
            score=scores_of(state)[seat],
            words=len(found),
            best_word=best.word if best else "",
            best_points=best.points if best else 0,
            longest_word=max((word.word for word in found), key=len, default=""),
        )

    def turn_words(self, state: State, seat: int) -> tuple[str, ...]:
        return tuple(found.word for found in state.rounds[seat].found)

    def view(self, state: State, seat: int | None) -> View:
        """Return the board once the viewer has started, finished rounds and all words once it has finished.

        A spectator sees what all players may see.
        """
        viewers = state.rounds if seat is None else (state.rounds[seat],)
        finished = all(round_.finished_at is not None for round_ in viewers)
        alone = len(state.rounds) == 1
        visible = tuple(
            round_ if alone or other == seat or (finished and round_.finished_at is not None) else None
            for other, round_ in enumerate(state.rounds)
        )
        board = state.board if all(_has_seen(round_) for round_ in viewers) else None
        return self._seen(state, seat, board, visible, solved=finished)

    def reveal(self, state: State) -> View:
        """Return the board with all words found so far, and all words on the board."""
        return self._seen(state, None, state.board, state.rounds, solved=True)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once all seats have finished: the best score wins."""
        if not state.over:
            return None
        scores = scores_of(state)
        reason = state.rounds[0].reason or "" if len(scores) == 1 else "everyone has finished"
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        return Outcome(scores=scores, winners=winners, reason=reason)

    @classmethod
    def measure(cls, mode: str) -> Measure | None:
        return SHARE_FOUND if mode == FIND_ALL else cls.accuracy

    def seat_count(self, state: State) -> int:
        return len(state.rounds)

    def fingerprint(self, state: State) -> str:
        """Return the board, and each round's words, start, end and hints taken, as text."""
        rounds = (
            f"{' '.join(found.word for found in round_.found)} {_has_seen(round_)} "
            f"{round_.finished_at is not None}" + (f" {round_.hints.spent}" if round_.hints.spent else "")
            for round_ in state.rounds
        )
        return f"{' '.join(state.board)} | {' | '.join(rounds)}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        state = states[-1]
        return analyse(
            self._words(state),
            state.rounds,
            scores_of(state),
            self.lexicon,
            find_all=state.options.find_all,
        )

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
            to_move=seat if own is not None and own.finished_at is None else self.to_move(state),
            board=board,
            rounds=tuple(self._round_view(state, visible, other) for other in range(len(state.rounds))),
            report=None if own is None else own.report,
            solution=self._solution(state, visible) if solved else None,
            over=state.over,
        )

    def _after(self, state: State, before: Round, move: Move, at: float) -> Round:
        match move:
            case Start() | HandIn() if before.started_at is not None:
                raise OutOfTurn("your round has started already")
            case Start():
                return before.model_copy(update={"started_at": at})
            case HandIn(words=words):
                found = self._handed_in(state, words, at)
                ended = {"started_at": at, "finished_at": at, "reason": "finished"}
                return before.model_copy(update={"found": found, **ended})
            case Hint():
                return self._with_hint(state, before, move)
            case Finish():
                return before.model_copy(update={"finished_at": at, "reason": FINISHED_EARLY})
            case TimeUp():
                _check_deadline(before, state.options, at)
                return before.model_copy(update={"finished_at": at, "reason": "time’s up"})
            case Word():
                _check_clock(before, state.options, at)
                return self._with_word(before, self._report(state, before, move), at)

    def _with_hint(self, state: State, before: Round, move: Hint) -> Round:
        if not state.options.find_all:
            raise IllegalMove("there are hints only in Find them all")
        if before.started_at is None:
            raise OutOfTurn("your round has not started")
        common = self._solution_of(state).common
        hints = take_hint(before.hints, move.about, common, (found.word for found in before.found))
        clue = hints.clues[-1] if move.about == "letter" else None
        report = Report(result="hinted", word=clue.word[: clue.shown] if clue else "")
        return before.model_copy(update={"hints": hints, "report": report})

    def _with_word(self, before: Round, report: Report, at: float) -> Round:
        found = before.found
        if report.result == "scored":
            word = Found(word=report.word, cells=report.cells, points=report.points, at=at)
            found = (*found, word)
        return before.model_copy(update={"report": report, "found": found})

    def _report(self, state: State, before: Round, move: Word) -> Report:
        cells = move.cells
        if cells is not None:
            word = spelled(Board(state.board), cells, qu=state.options.qu)
        else:
            word = (move.word or "").strip().lower()
            cells = self._places(state).get(word, ())
        if len(word) < state.options.min_length:
            return Report(result="too_short", word=word, cells=cells)
        if word not in self.lexicon:
            return Report(result="not_a_word", word=word, cells=cells)
        if not cells:
            return Report(result="not_on_board", word=word)
        if any(found.word == word for found in before.found):
            return Report(result="repeated", word=word, cells=cells)
        points = self.boards.points(word, find_all=state.options.find_all)
        return Report(result="scored", word=word, cells=cells, points=points)

    def _handed_in(self, state: State, words: Sequence[str], at: float) -> tuple[Found, ...]:
        places = self._places(state)
        for word in words:
            if word not in places:
                raise IllegalMove(f"{word.upper()!r} is not a word on this board")
        if len(set(words)) < len(words):
            raise IllegalMove("each word counts once")
        find_all = state.options.find_all
        return tuple(
            Found(word=word, cells=places[word], points=self.boards.points(word, find_all=find_all), at=at)
            for word in words
        )

    def _solution(self, state: State, visible: Sequence[Round | None]) -> tuple[BoardWord, ...]:
        solution = self._solution_of(state)
        finders = finders_of([round_ or Round() for round_ in visible])
        words = (
            self.boards.board_word(word, finders[word.word], find_all=state.options.find_all)
            if word.word in finders
            else solution.shown.get(word.word)
            for word in solution.words
        )
        return tuple(word for word in words if word is not None)

    def _solution_of(self, state: State) -> SolvedBoard:
        options = state.options
        return self.boards.solve(
            state.board, min_length=options.min_length, qu=options.qu, find_all=options.find_all
        )

    def _words(self, state: State) -> tuple[FoundWord, ...]:
        return self._solution_of(state).words

    def _places(self, state: State) -> dict[str, tuple[int, ...]]:
        return self._solution_of(state).cells

    def _round_view(self, state: State, visible: Sequence[Round | None], seat: int) -> RoundView:
        """Return the view of a seat's round; its words are None unless it is ``visible``."""
        round_, shown, cancelled = state.rounds[seat], visible[seat], _cancelled(visible, state.options)
        words, done = None, None
        if shown is not None:
            words = tuple(
                FoundView(
                    word=found.word,
                    cells=found.cells,
                    points=0 if found.word in cancelled else found.points,
                    cancelled=found.word in cancelled,
                    common=is_common(self.lexicon, self.lexicon.index(found.word)),
                    seconds=found.at - (round_.started_at or found.at),
                )
                for found in shown.found
            )
            if state.options.find_all and _has_seen(shown):
                common = self._solution_of(state).common
                done = progress(shown.hints, common, [found.word for found in shown.found])
        return RoundView(
            started_at=round_.started_at,
            ends_at=_ends_at(round_, state.options),
            finished_at=round_.finished_at,
            reason=round_.reason,
            words=words,
            score=None if words is None else sum(word.points for word in words),
            progress=done,
        )


def spelled(board: Board, cells: Sequence[int], *, qu: bool) -> str:
    """Return the word that the cells spell. Raises IllegalMove if they are not a path."""
    grid, letters = board.grid, board.letters
    for index, cell in enumerate(cells):
        if not 0 <= cell < grid.cells:
            raise IllegalMove(f"cell {cell} is not on the board: cells are 0 to {grid.cells - 1}", index)
        if cell in cells[:index]:
            raise IllegalMove(f"cell {cell} is used twice: each counts once in a word", index)
        if index and not grid.touch(cells[index - 1], cell):
            raise IllegalMove(f"cell {cell} does not touch cell {cells[index - 1]}", index)
    return "".join("qu" if qu and letters[cell] == "q" else letters[cell] for cell in cells)


def _has_seen(round_: Round) -> bool:
    return round_.started_at is not None or round_.finished_at is not None


def _ends_at(round_: Round, options: Options) -> float | None:
    if round_.started_at is None or options.seconds is None:
        return None
    return round_.started_at + options.seconds


def _check_deadline(round_: Round, options: Options, at: float) -> None:
    """Raise OutOfTurn unless this round's time limit has expired."""
    ends_at = _ends_at(round_, options)
    if ends_at is None or at < ends_at:
        raise OutOfTurn("no clock is running" if ends_at is None else "there is time left")


def _check_clock(round_: Round, options: Options, at: float) -> None:
    """Raise OutOfTurn unless words count in this round now."""
    if round_.started_at is None:
        raise OutOfTurn("your round has not started")
    ends_at = _ends_at(round_, options)
    if ends_at is not None and at > ends_at + GRACE:
        raise OutOfTurn("time is up")


def _cancelled(rounds: Sequence[Round | None], options: Options) -> set[str]:
    """Return the words that several of these rounds have, if the rules cancel them."""
    finders = finders_of([round_ or Round() for round_ in rounds])
    return {word for word, seats in finders.items() if options.cancel and len(seats) > 1}


def scores_of(state: State) -> tuple[int, ...]:
    """Return each seat's points, without cancelled words."""
    cancelled = _cancelled(state.rounds, state.options)
    return tuple(
        sum(found.points for found in round_.found if found.word not in cancelled) for round_ in state.rounds
    )
