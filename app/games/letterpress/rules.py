"""The rules of Letterpress as a Game.

Two seats take turns to spell a word with any of 25 tiles, each tile once. The tiles turn to the player's
colour, except the opponent's protected ones: those whose orthogonal neighbours all had the same owner before
the move. A word may not be played again, nor may any prefix of a played word (HORSERADISH closes HORSE, not
RADISH). The game ends when every tile is owned, or when both pass in a row; more tiles win. With a clock per
player, a player who runs out of time loses.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from app.games.clock import (
    check_run_out,
    check_time,
    clocks_after,
    clocks_text,
    new_clocks,
    pause_in_time,
    start_time_limit,
)
from app.games.departures import ENDINGS, Departure, How, all_departures, how_forfeited
from app.games.game import (
    Due,
    Forfeit,
    Game,
    IllegalMove,
    LexiconRef,
    Measure,
    NotAWord,
    Outcome,
    OutOfTurn,
    Summary,
    Thought,
)
from app.games.letterpress.anagrams import SHORTEST
from app.games.letterpress.analysis import ACCURACY, Analysis, analyse
from app.games.letterpress.boards import draw_board
from app.games.letterpress.bot import bots, choose, pause
from app.games.letterpress.placements import TooManyPlacements
from app.games.letterpress.solver import Solver
from app.games.letterpress.state import (
    Choices,
    Move,
    Options,
    Pass,
    Play,
    Resign,
    Setup,
    State,
    TimeUp,
    Turn,
    View,
)
from app.games.letterpress.territory import CELLS, Territory, mask_of, protected

SEATS = 2


def why_closed(word: str, played: Iterable[str]) -> str:
    """Return why a word can no longer be played, or an empty text.

    A word that was played is closed, and so is every word that it begins with: after CARTS also CART and
    CAR.
    """
    for earlier in played:
        if earlier == word:
            return f"{word.upper()} was played already"
        if earlier.startswith(word):
            return f"{word.upper()} begins {earlier.upper()}, which was played already"
    return ""


class Letterpress(Game[Options, State, Move, View, Analysis]):
    """Letterpress over one lexicon."""

    kind: ClassVar[str] = "letterpress"
    bots: ClassVar[tuple[str, ...]] = tuple(bot.name for bot in bots())
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Resign()
    forfeits: ClassVar[bool] = True

    @cached_property
    def solver(self) -> Solver:
        """The solver over the game's lexicon; takes most of a second to build."""
        return Solver(self.lexicon)

    def prepare(self) -> None:
        _ = self.solver

    @classmethod
    def seats(cls, options: Choices) -> range:
        return range(SEATS, SEATS + 1)

    def start(self, options: Options, seats: int, seed: str) -> State:
        """Return the board with no tile owned."""
        if seats not in self.seats(options):
            raise IllegalMove(f"Letterpress is for 2, not {seats}")
        try:
            board = options.board or draw_board(seed, options.letters, self.solver.count)
            self.solver.check(board)
        except TooManyPlacements as refused:
            raise IllegalMove(str(refused)) from None
        return State(options=options, seed=seed, board=board, clocks=new_clocks(options, seats))

    @classmethod
    def start_time_limit(cls, options: Options) -> int | None:
        return start_time_limit(options.clock_seconds)

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves: the board is visible from the start."""
        return ()

    def without_deal(self, options: Options) -> Options:
        """Return the options without the board, so that another is drawn."""
        return options.model_copy(update={"board": None})

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        if not 0 <= seat < SEATS:
            raise IllegalMove(f"there is no seat {seat}: seats are 0 to {SEATS - 1}")
        if state.reason is not None:
            raise OutOfTurn("the game is over")
        if seat != state.to_move and not isinstance(move, Resign):
            raise OutOfTurn("it is the other player’s turn")
        after = self._after(state, seat, move, at)
        increment = state.options.increment_seconds if len(after.turns) > len(state.turns) else 0
        clocks = clocks_after(state.clocks, self.to_move(state), self.to_move(after), at, increment)
        return after.model_copy(update={"clocks": clocks, "ply": state.ply + 1})

    def _after(self, state: State, seat: int, move: Move, at: float) -> State:
        if isinstance(move, TimeUp):
            check_run_out(state.clocks, at)
            return _without(state, seat, "ran out of time")
        check_time(state.clocks, at)
        if isinstance(move, Resign):
            return _without(state, seat, "resigned")
        if isinstance(move, Forfeit):
            return _without(state, seat, how_forfeited(began=move.began))
        cells = move.cells if isinstance(move, Play) else ()
        word = self._word(state, cells) if isinstance(move, Play) else ""
        before = Territory(ours=state.owned[seat], theirs=state.owned[1 - seat])
        after = before.after(mask_of(cells))
        turn = Turn(seat=seat, word=word, cells=cells, gained=after.lead - before.lead)
        reason = None
        if after.full:
            reason = "every tile is owned"
        elif isinstance(move, Pass) and state.passed:
            reason = "both passed"
        return state.model_copy(
            update={
                "owned": (after.ours, after.theirs) if seat == 0 else (after.theirs, after.ours),
                "turns": (*state.turns, turn),
                "reason": reason,
            }
        )

    def to_move(self, state: State) -> int | None:
        return state.to_move if state.reason is None else None

    def due(self, state: State, at: float) -> Due[Move] | None:
        """Return the loss on time, once the clock of the player to move has run out."""
        ends_at = state.clocks.ends_at if state.clocks else None
        return None if ends_at is None or at < ends_at else Due(state.to_move, TimeUp(), ends_at)

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        move = choose(state, bots()[level - 1], self.solver)
        return Thought(move, pause_in_time(pause(state, move, level), state.clocks))

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return a board drawn from the day's first seed: every drawn board has enough words."""
        return Options(letters="usual", lexicon=LexiconRef.of(self.lexicon)), next(seeds)

    def summary(self, state: State, seat: int) -> Summary:
        """Return the seat's statistics; a word's points are the tiles it gained."""
        own = [turn for turn in state.turns if turn.seat == seat and turn.word]
        best = max(own, key=lambda turn: turn.gained, default=None)
        return Summary(
            mode=self.kind,
            score=state.owned[seat].bit_count(),
            words=len(own),
            best_word=best.word if best else "",
            best_points=best.gained if best else 0,
            longest_word=max((turn.word for turn in own), key=len, default=""),
        )

    def turn_words(self, state: State, seat: int) -> tuple[str, ...]:
        return tuple(turn.word for turn in state.turns if turn.seat == seat)

    def view(self, state: State, seat: int | None) -> View:
        """Return everything but the seed."""
        first, second = state.owned
        return View(
            board=state.board,
            lexicon=state.options.lexicon.name,
            ply=state.ply,
            seat=seat,
            to_move=self.to_move(state),
            owned=state.owned,
            protected=(protected(first), protected(second)),
            tiles=(first.bit_count(), second.bit_count()),
            turns=state.turns,
            resigned=state.resigned,
            departures=all_departures(() if state.resigned is None else (state.resigned,), state),
            clock_seconds=state.options.clock_seconds,
            increment_seconds=state.options.increment_seconds,
            clocks=state.clocks,
            ends_at=state.clocks.ends_at if state.clocks else None,
            reason=state.reason,
        )

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: more tiles win unless the seat left; equal tiles share the win."""
        if state.reason is None:
            return None
        first, second = (tiles.bit_count() for tiles in state.owned)
        winners = tuple(seat for seat, tiles in enumerate((first, second)) if tiles == max(first, second))
        if state.resigned is not None:
            winners = (1 - state.resigned,)
        return Outcome(scores=(first, second), winners=winners, reason=state.reason)

    def seat_count(self, state: State) -> int:
        return SEATS

    def fingerprint(self, state: State) -> str:
        """Return board, owners, words played, seat to move and end of the game as text."""
        words = " ".join(turn.word or "-" for turn in state.turns)
        end = f"{state.to_move} {state.resigned} {state.reason}{clocks_text(state.clocks)}"
        return f"{state.board} {state.owned} {words} {end}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        return analyse(states, self.solver)

    def _word(self, state: State, cells: Sequence[int]) -> str:
        for index, cell in enumerate(cells):
            if not 0 <= cell < CELLS:
                raise IllegalMove(f"cell {cell} is not on the board: cells are 0 to {CELLS - 1}", index)
            if cell in cells[:index]:
                raise IllegalMove(f"cell {cell} is used twice: each tile counts once in a word", index)
        word = "".join(state.board[cell] for cell in cells)
        if len(word) < SHORTEST:
            raise IllegalMove(f"a word has {SHORTEST} letters or more")
        if word not in self.lexicon:
            raise NotAWord(word)
        if reason := why_closed(word, state.played):
            raise IllegalMove(reason)
        return word


def _without(state: State, seat: int, how: How) -> State:
    """Return the game lost by a player who leaves it."""
    departure = Departure(seat=seat, how=how, turns=len(state.turns))
    return state.model_copy(update={"resigned": seat, "departures": (departure,), "reason": ENDINGS[how]})
