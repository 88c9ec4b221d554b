"""The rules of Wibble as a Game: moves become events of the state machine."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from app.games.clock import check_time, clocks_after, clocks_text, new_clocks, pause_in_time
from app.games.departures import all_departures, why_gone
from app.games.game import (
    Due,
    Forfeit,
    Game,
    IllegalMove,
    LevelResult,
    LexiconRef,
    Measure,
    Outcome,
    OutOfTurn,
    Summary,
    Thought,
)
from app.games.quality import Quality, best_seed, quality
from app.games.randomness import generator
from app.games.wibble import adventure
from app.games.wibble.analysis import ACCURACY, Analysis, analyse
from app.games.wibble.bot import MOVES_IN_A_TURN, bots, choose, pause
from app.games.wibble.events import Context, Event, Trigger
from app.games.wibble.machine import step
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
from app.games.wibble.options import Choices, Options, Setup
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import solver_of
from app.games.wibble.state import Phase, Report, State
from app.games.wibble.teams import active_seats, are_partners, shared_scores, suggestions_left, teams_of
from app.games.wibble.views import PowerView, View, tile_views
from app.grammar import format_range, numbered
from app.words.draw import LetterDraw
from app.words.letters import frequencies, frequencies_of, letter_values
from app.words.lexicon import Lexicon
from app.words.vocabulary import common_words

GRACE = 2.0
"""Seconds after the deadline in which a chain released in time may still arrive over the network."""


class Wibble(Game[Options, State, Move, View, Analysis]):
    """Wibble over one lexicon."""

    kind: ClassVar[str] = "wibble"
    secret: ClassVar[tuple[type[Any], ...]] = (Suggest,)
    bots: ClassVar[tuple[str, ...]] = tuple(bot.name for bot in bots())
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Resign()
    forfeits: ClassVar[bool] = True

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.solver = solver_of(lexicon)

    @classmethod
    def seats(cls, options: Choices) -> range:
        fewest, most = modes()[options.mode].seats
        return range(fewest, most + 1, modes()[options.mode].teams or 1)

    def start(self, options: Options, seats: int, seed: str) -> State:
        """Return the title state: nothing is dealt yet."""
        mode = rules_of(options)
        if seats not in self.seats(options):
            raise IllegalMove(f"{mode.title} is for {format_range(self.seats(options), 'seat')}, not {seats}")
        if options.turn_seconds is not None and mode.rounds is None:
            raise IllegalMove(f"{mode.title} has no turns, so it takes no turn clock")
        if options.clock_seconds is not None and mode.seats[1] == 1:
            raise IllegalMove(f"clock_seconds is for games of several players, and {mode.title} is for one")
        if options.replace == "releases" and options.mode != "zen":
            raise IllegalMove(f"{mode.title} replaces the tiles of words only; Zen can replace all releases")
        gems = mode.gems
        return State(
            options=options,
            seed=seed,
            scores=(0,) * seats,
            gems=(gems.start if gems else 0,) * seats,
            clocks=new_clocks(options, seats),
        )

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        """Return the state after ``seat`` makes ``move``, event by event."""
        mode = rules_of(state.options)
        _check_moment(state, mode, seat, move, at)
        context = self._context(state, mode, seat, at)
        if isinstance(move, Suggest):
            shown = step(state, Event(Trigger.SUGGEST, cells=move.cells), context)
            later = {"ply": state.ply + 1, "latest_suggestions": state.latest_suggestions + 1}
            return shown.model_copy(update=later)
        reached = state.model_copy(update={"report": None, "latest_suggestions": 0})
        for index, event in _events(state, move):
            try:
                reached = step(reached, event, context)
            except OutOfTurn:
                raise
            except IllegalMove as refused:
                raise IllegalMove(refused.reason, index) from None
        increment = state.options.increment_seconds if len(reached.turns) > len(state.turns) else 0
        clocks = clocks_after(state.clocks, self.to_move(state), self.to_move(reached), at, increment)
        forgotten = _forgotten_suggestions(state, reached)
        return reached.model_copy(update={"ply": state.ply + 1, "clocks": clocks, **forgotten})

    def unchanged_since(self, state: State) -> int:
        return state.ply - state.latest_suggestions

    def due(self, state: State, at: float) -> Due[Move] | None:
        """Return the timeout: at once with a clock per player, else after a grace period for late chains."""
        deadline = _ends_at(state, rules_of(state.options))
        if state.phase is Phase.FINISHED or deadline is None:
            return None
        if state.clocks is not None:
            return Due(state.to_move, TimeUp(), deadline) if at >= deadline else None
        return Due(state.to_move, TimeUp(), deadline + GRACE) if at > deadline + GRACE else None

    def to_move(self, state: State) -> int | None:
        """Return the seat to move; None before the start and after the end."""
        return None if state.phase in (Phase.TITLE, Phase.FINISHED) else state.to_move

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves with a time limit, since the player starts the clock; else deal the board."""
        return () if modes()[options.mode].seconds else (Start(),)

    def without_deal(self, options: Options) -> Options:
        """Return the options without the board, so that another is dealt."""
        return options.model_copy(update={"board": None})

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        move = choose(state, seat, bots()[level - 1], self.lexicon, self.solver, self.scoring(state.options))
        return Thought(move, pause_in_time(pause(state, move, level), state.clocks, MOVES_IN_A_TURN))

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return a Classic game with the best first board; see ``quality.py``."""
        options = Options(
            mode="classic",
            counted="common",
            lexicon=LexiconRef.of(self.lexicon),
        )
        return options, best_seed(seeds, lambda seed: self.quality(options, seed))

    def quality(self, options: Options, seed: str) -> Quality:
        """Return the quality of the first board of a solo game."""
        board = self.apply(self.start(options, 1, seed), 0, Start(), 0.0).board
        solver = solver_of(common_words(self.lexicon))
        found = solver.words(board, options.size, self.scoring(options)) if board else []
        return quality(((word.word, word.cells) for word in found), options.size**2)

    def summary(self, state: State, seat: int) -> Summary:
        own = [turn for turn in state.turns if turn.seat == seat and turn.word]
        best = max(own, key=lambda turn: turn.points, default=None)
        return Summary(
            mode=state.options.mode,
            score=shared_scores(modes()[state.options.mode], state.scores)[seat],
            words=len(own),
            best_word=best.word if best else "",
            best_points=best.points if best else 0,
            longest_word=max((turn.word for turn in own), key=len, default=""),
        )

    def turn_words(self, state: State, seat: int) -> tuple[str, ...]:
        return tuple(turn.word for turn in state.turns if turn.seat == seat)

    def level_result(self, state: State) -> LevelResult | None:
        stars = adventure.stars(state)
        if not stars or state.options.level is None or state.adventure is None:
            return None
        return LevelResult(level=state.options.level.name, stars=stars, moves=state.adventure.moves)

    @classmethod
    def has_levels(cls, options: Options) -> bool:
        return options.level is not None

    @classmethod
    def measure(cls, mode: str) -> Measure | None:
        """Return None for Blitz and Adventure.

        In Blitz there is no time to find every best word, in Adventure the goals count, not the points.
        """
        if mode == "adventure":
            return None
        timed = any(rules.seconds for name, rules in modes().items() if name == mode)
        return None if timed else cls.accuracy

    def view(self, state: State, seat: int | None) -> View:
        """Return everything but the seed; a hint is shown to the seat that paid for it and its partners."""
        mode = rules_of(state.options)
        held = state.gems[state.to_move]
        teams, shared = teams_of(mode, len(state.scores)), shared_scores(mode, state.scores)
        informed = are_partners(mode, seat, state.to_move)
        return View(
            mode=state.options.mode,
            size=state.options.size,
            values=state.options.values or mode.values,
            frequencies=state.options.frequencies,
            replace=state.options.replace,
            turn_seconds=state.options.turn_seconds,
            clock_seconds=state.options.clock_seconds,
            increment_seconds=state.options.increment_seconds,
            clocks=state.clocks,
            lexicon=state.lexicon.name,
            ply=state.ply,
            phase=state.phase,
            seat=seat,
            to_move=state.to_move,
            tiles=tile_views(state.board, self.scoring(state.options), adventure.obstacles_of(state)),
            chain=state.chain,
            round=state.round,
            rounds=mode.rounds,
            scores=state.scores,
            teams=teams,
            team_scores=tuple(shared[team[0]] for team in teams),
            gems=state.gems if mode.gems else None,
            powers=tuple(
                PowerView(power=power, cost=cost, affordable=held >= cost)
                for power, cost in mode.costs.items()
            ),
            long_word_length=mode.long_word_length,
            long_word_bonus=mode.long_word_bonus,
            turns=state.turns,
            hint=state.hint if informed else None,
            suggestions=state.suggestions if informed else (),
            suggestions_left=suggestions_left(state, mode, seat),
            unchanged_since=self.unchanged_since(state),
            report=_report_for(state, informed=informed),
            resigned=state.resigned,
            departures=all_departures(state.resigned, state),
            started_at=state.started_at,
            ends_at=_ends_at(state, mode),
            level=adventure.level_view(state, over=state.phase is Phase.FINISHED),
            reason=state.reason,
        )

    def reveal(self, state: State) -> View:
        """Return a spectator's view with the words that partners showed each other."""
        return self.view(state, None).model_copy(update={"suggestions": state.suggestions})

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: the best score among the seats that have not resigned wins.

        In teams, each seat has its team's score, and seats that have left do not share a win.
        """
        if state.phase is not Phase.FINISHED:
            return None
        if state.options.level is not None:
            won = adventure.ending(state) == adventure.WON
            return Outcome(scores=state.scores, winners=(0,) if won else (), reason=state.reason or "")
        mode = rules_of(state.options)
        scores, stayed = shared_scores(mode, state.scores), active_seats(state)
        best = max(scores[seat] for seat in stayed)
        winners = tuple(seat for seat in stayed if scores[seat] == best)
        teams = teams_of(mode, len(scores))
        return Outcome(scores=scores, winners=winners, teams=teams, reason=state.reason or "")

    def seat_count(self, state: State) -> int:
        return len(state.scores)

    def fingerprint(self, state: State) -> str:
        """Return phase, board, scores, gems, chain, seat to move and round as text."""
        board = state.board
        shown = board.model_dump_json() if board else ""
        return (
            f"{state.phase} {shown} {state.scores} {state.gems} {state.chain} {state.to_move} {state.round}"
            f"{clocks_text(state.clocks)}"
            f"{f' {state.suggestions}' if state.suggestions else ''}"
            f"{f' {state.adventure.model_dump_json()}' if state.adventure else ''}"
        )

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        options = states[-1].options
        return analyse(states, self.lexicon, self.solver, self.scoring(options), rules_of(options))

    def scoring(self, options: Options) -> Scoring:
        """Return the scoring parameters under these options."""
        mode = modes()[options.mode]
        return Scoring(
            values=letter_values(options.values or mode.values),
            long_word_length=mode.long_word_length,
            long_word_bonus=mode.long_word_bonus,
        )

    def _context(self, state: State, mode: ModeRules, seat: int, at: float) -> Context:
        return Context(
            lexicon=self.lexicon,
            solver=self.solver,
            mode=mode,
            scoring=self.scoring(state.options),
            draw=self._draws[state.options.frequencies],
            random=generator(state.seed, state.ply),
            seat=seat,
            at=at,
        )

    @cached_property
    def _draws(self) -> dict[str, LetterDraw]:
        return {
            "prose": LetterDraw(frequencies("prose")),
            "dictionary": LetterDraw(frequencies("dictionary")),
            "lexicon": LetterDraw(frequencies_of(self.lexicon)),
        }


def _events(state: State, move: Move) -> Iterator[tuple[int | None, Event]]:
    """Yield the events of a move, each with its position in the move if it has one."""
    match move:
        case Chain(cells=cells):
            # A complete chain replaces one left unfinished tile by tile.
            for _ in state.chain:
                yield None, Event(Trigger.BACK)
            for index, cell in enumerate(cells):
                if cell in cells[:index]:
                    # As an ADD this would back up; a complete chain has no repeated tiles.
                    raise IllegalMove(f"cell {cell} is in the chain already: each tile is used once", index)
                yield index, Event(Trigger.ADD, cell=cell)
            yield None, Event(Trigger.RELEASE)
        case Add(cell=cell):
            yield None, Event(Trigger.ADD, cell=cell)
        case Swap(cell=cell, letter=letter):
            yield None, Event(Trigger.SWAP, cell=cell, letter=letter)
        case Forfeit(began=began):
            yield None, Event(Trigger.FORFEIT, began=began)
        case Start() | Back() | Release() | Shuffle() | Hint() | Pass() | TimeUp() | Resign():
            yield None, Event(Trigger(move.type))


def _check_moment(state: State, mode: ModeRules, seat: int, move: Move, at: float) -> None:
    """Raise OutOfTurn if it is not this seat's turn or the move is too late.

    Raises IllegalMove if there is no such seat.
    """
    if not 0 <= seat < len(state.scores):
        raise IllegalMove(f"there is no seat {seat}: {numbered(len(state.scores), 'seat')}")
    if state.phase is Phase.FINISHED:
        return  # the machine gives a better error
    if seat in state.resigned:
        raise OutOfTurn(why_gone(seat, state.departures))
    if isinstance(move, Suggest):
        _check_suggester(state, mode, seat)
    elif seat != state.to_move and not isinstance(move, Resign):
        raise OutOfTurn(f"it is the turn of seat {state.to_move}")
    if state.clocks is not None:
        if not isinstance(move, TimeUp):
            check_time(state.clocks, at)
        return
    deadline = _ends_at(state, mode)
    if deadline is not None and at > deadline + GRACE and not isinstance(move, TimeUp | Resign):
        raise OutOfTurn("time is up")


def _check_suggester(state: State, mode: ModeRules, seat: int) -> None:
    """Raise IllegalMove in a mode without teams, OutOfTurn unless it is a partner's turn."""
    if not mode.teams:
        raise IllegalMove(f"{mode.title} has no partners to show a word to: suggest is a move of Teams")
    if seat == state.to_move:
        raise OutOfTurn("it is your turn: play the word instead of showing it")
    if not are_partners(mode, seat, state.to_move):
        raise OutOfTurn(f"show a word when a partner is on turn; it is the turn of seat {state.to_move}")


def _forgotten_suggestions(before: State, after: State) -> dict[str, tuple[()]]:
    """Return the suggestion fields to clear: the words with the board, their counts with the turn."""
    if after.phase is Phase.FINISHED or (after.round, after.to_move) != (before.round, before.to_move):
        return {"suggestions": (), "suggested": ()}
    return {"suggestions": ()} if after.board != before.board else {}


def _ends_at(state: State, mode: ModeRules) -> float | None:
    """Return the deadline of the game, the turn or the player to move, if there is one."""
    if state.clocks is not None:
        return state.clocks.ends_at
    if state.started_at is not None and mode.seconds is not None:
        return state.started_at + mode.seconds
    if state.turn_started_at is not None and state.options.turn_seconds is not None:
        return state.turn_started_at + state.options.turn_seconds
    return None


def _report_for(state: State, *, informed: bool) -> Report | None:
    report = state.report
    if report and report.result == "hinted" and not informed:
        return report.model_copy(update={"cells": ()})
    return report
