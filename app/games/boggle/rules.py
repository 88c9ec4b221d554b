"""The rules of Boggle as a Game.

All seats share a board, and each plays its own round at its own time: from its start, which shows the board,
until its clock runs out or it finishes. A word is a path of adjacent cells, each used once; it counts once,
by its length. The game ends when all seats have finished. Seats see each other's words only after both have
finished.

In Find them all there is no clock and no race: a common word scores 1 point, any other is a bonus.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar, Final

from app.games.boggle.analysis import ACCURACY, SHARE_FOUND, Analysis, analyse
from app.games.boggle.bot import bots, words_found
from app.games.boggle.deal import deal
from app.games.boggle.finding import DAILY as FIND_ALL_DAILY
from app.games.boggle.finding import MODE as FIND_ALL
from app.games.boggle.finding import take_hint
from app.games.boggle.judging import found_at_once, judge
from app.games.boggle.rounds import GRACE, check_clock, check_deadline, ends_at, has_seen, scores_of
from app.games.boggle.solved_boards import SolvedBoards
from app.games.boggle.solver import solver_of
from app.games.boggle.state import (
    Choices,
    Finish,
    Found,
    HandIn,
    Hint,
    Move,
    Options,
    Report,
    Round,
    Setup,
    Start,
    State,
    TimeUp,
    View,
    Word,
)
from app.games.boggle.views import Views
from app.games.departures import ENDINGS, how_forfeited
from app.games.game import (
    FINISHED_EARLY,
    Due,
    Forfeit,
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
from app.grammar import numbered
from app.words.lexicon import Lexicon
from app.words.vocabulary import common_words

MOST_SEATS: Final = 6
BEGIN_WITHIN: Final = 3 * 86_400
"""Seconds that the others must wait for a player who does not play, if their table has no limit."""
LOOKING_UP: Final = 2.0
"""Seconds after which a bot hands in its round."""


class Boggle(Game[Options, State, Move, View, Analysis]):
    """Boggle over one lexicon."""

    kind: ClassVar[str] = "boggle"
    bots: ClassVar[tuple[str, ...]] = tuple(bot.name for bot in bots())
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Finish()
    forfeits: ClassVar[bool] = True
    reserved: ClassVar[tuple[type[Any], ...]] = (HandIn, Forfeit)
    secret: ClassVar[tuple[type[Any], ...]] = (Word, HandIn, Hint)

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.boards: Final = SolvedBoards(lexicon)
        self._views: Final = Views(self.boards)

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

    @classmethod
    def start_time_limit(cls, options: Options) -> int | None:
        return BEGIN_WITHIN

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves with a time limit, since the player starts the clock; else show the board."""
        return () if options.seconds else (Start(),)

    def without_deal(self, options: Options) -> Options:
        """Return the options without the board, so that another is dealt."""
        return options.model_copy(update={"board": None})

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        if not 0 <= seat < len(state.rounds):
            raise IllegalMove(f"there is no seat {seat}: {numbered(len(state.rounds), 'seat')}")
        before = state.rounds[seat]
        if before.finished_at is not None:
            raise OutOfTurn("the game is over" if state.over else "your round is over")
        rounds = list(state.rounds)
        rounds[seat] = self._after(state, before, move, at)
        return state.model_copy(update={"rounds": tuple(rounds), "ply": state.ply + 1})

    def to_move(self, state: State) -> int | None:
        """Return the first seat that has not finished. Other unfinished seats may move as well."""
        return state.to_move

    def movers(self, state: State) -> tuple[int, ...]:
        return state.unfinished

    def due(self, state: State, at: float) -> Due[Move] | None:
        """Return the earliest timeout, once a word found in time can no longer arrive."""
        deadlines = [
            (deadline + GRACE, seat)
            for seat, round_ in enumerate(state.rounds)
            if round_.running and (deadline := ends_at(round_, state.options)) is not None
        ]
        if not deadlines or min(deadlines)[0] >= at:
            return None
        when, seat = min(deadlines)
        return Due(seat, TimeUp(), when)

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        """Return a complete round; see ``bot.py``."""
        bot, seconds = bots()[level - 1], state.options.seconds
        words = words_found(self.boards.of(state).words, bot, seconds, f"{state.seed}/{seat}", self.lexicon)
        return Thought(HandIn(words=words), LOOKING_UP)

    more_dailies: ClassVar[tuple[str, ...]] = (FIND_ALL_DAILY,)

    def extra_daily(self, name: str, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return the day's board of Find them all, chosen in the same way as that of ``daily``."""
        if name != FIND_ALL_DAILY:
            return super().extra_daily(name, seeds)
        options, seed = self.daily(seeds)
        return options.model_copy(update={"find_all": True, "seconds": None}), seed

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return a 4x4 board for three minutes, the best of many; see ``quality.py``."""
        options = Options(counted="common", lexicon=LexiconRef.of(self.lexicon))
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
        return self._views.of_seat(state, seat)

    def reveal(self, state: State) -> View:
        return self._views.reveal(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once all seats have finished: the best score wins, of those not claimed."""
        if not state.over:
            return None
        scores = scores_of(state)
        claimed = [round_.reason in ENDINGS.values() for round_ in state.rounds]
        seats = range(len(scores))
        last = max(seats, key=lambda seat: (state.rounds[seat].finished_at, not claimed[seat]))
        ended_by_last = len(scores) == 1 or claimed[last]
        reason = (state.rounds[last].reason or "") if ended_by_last else "everyone has finished"
        players = [seat for seat in seats if not claimed[seat]] or list(seats)
        most = max(scores[seat] for seat in players)
        winners = tuple(seat for seat in players if scores[seat] == most)
        return Outcome(scores=scores, winners=winners, reason=reason)

    @classmethod
    def measure(cls, mode: str) -> Measure | None:
        return SHARE_FOUND if mode == FIND_ALL else cls.accuracy

    def seat_count(self, state: State) -> int:
        return len(state.rounds)

    def fingerprint(self, state: State) -> str:
        """Return the board, and each round's words, start, end and hints taken, as text."""
        rounds = (
            f"{' '.join(found.word for found in round_.found)} {has_seen(round_)} "
            f"{round_.finished_at is not None}" + (f" {round_.hints.spent}" if round_.hints.spent else "")
            for round_ in state.rounds
        )
        return f"{' '.join(state.board)} | {' | '.join(rounds)}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        state = states[-1]
        return analyse(
            self.boards.of(state).words,
            state.rounds,
            scores_of(state),
            self.lexicon,
            find_all=state.options.find_all,
        )

    def _after(self, state: State, before: Round, move: Move, at: float) -> Round:
        match move:
            case Start() | HandIn() if before.started_at is not None:
                raise OutOfTurn("your round has started already")
            case Start():
                return before.model_copy(update={"started_at": at})
            case HandIn(words=words):
                found = found_at_once(state, words, at, self.boards)
                ended = {"started_at": at, "finished_at": at, "reason": "finished"}
                return before.model_copy(update={"found": found, **ended})
            case Hint():
                return self._with_hint(state, before, move)
            case Finish() | Forfeit():
                reason = FINISHED_EARLY
                if isinstance(move, Forfeit):
                    reason = ENDINGS[how_forfeited(began=move.began)]
                return before.model_copy(update={"finished_at": at, "reason": reason})
            case TimeUp():
                check_deadline(before, state.options, at)
                return before.model_copy(update={"finished_at": at, "reason": "time’s up"})
            case Word():
                check_clock(before, state.options, at)
                return self._with_word(before, judge(state, before, move, self.boards), at)

    def _with_hint(self, state: State, before: Round, move: Hint) -> Round:
        if not state.options.find_all:
            raise IllegalMove("there are hints only in Find them all")
        if before.started_at is None:
            raise OutOfTurn("your round has not started")
        common = self.boards.of(state).common
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
