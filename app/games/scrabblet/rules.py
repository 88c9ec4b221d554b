"""The rules of Scrabblet as a Game.

A solo game: one hand of tiles from Scrabble's bank, and words made of its letters, each used any number of
times. A blank is any one additional letter, chosen for each word separately. A word scores the sum of
its letters. A guess that is not a word may cost points, down to a score of zero, even if it is too short or
not in the hand. A word that is too short or not in the hand costs points only if the options penalise all
wrong guesses. A word already found changes nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

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
from app.games.randomness import generator
from app.games.scrabblet.analysis import ACCURACY, Analysis, analyse
from app.games.scrabblet.bag import tile_score
from app.games.scrabblet.dealing import Deal, DrawnHand, NoSuchHand, Terms, deal, draw_hands
from app.games.scrabblet.goal import Goal, has_pangram, required_sets
from app.games.scrabblet.hand import Hand, mask_of
from app.games.scrabblet.hints import Hints, hints
from app.games.scrabblet.modes import modes
from app.games.scrabblet.ranks import rank_of, ranks
from app.games.scrabblet.solver import Solver, solver_of
from app.games.scrabblet.state import (
    Choices,
    Counts,
    Found,
    Guess,
    Hint,
    Move,
    Options,
    Phase,
    Quit,
    RankStep,
    RankView,
    Report,
    Setup,
    State,
    TileView,
    View,
)

YOU = 0


class Scrabblet(Game[Options, State, Move, View, Analysis]):
    """Scrabblet over one lexicon."""

    kind: ClassVar[str] = "scrabblet"
    bots: ClassVar[tuple[str, ...]] = ()
    setup_type: ClassVar[type[Setup]] = Setup
    accuracy: ClassVar[Measure] = ACCURACY
    resignation: ClassVar[Move] = Quit()
    secret: ClassVar[tuple[type[Move], ...]] = (Guess,)

    @cached_property
    def solver(self) -> Solver:
        """The solver over the game's lexicon; takes half a second to build."""
        return solver_of(self.lexicon)

    @classmethod
    def seats(cls, options: Choices) -> range:
        return range(1, 2)

    def start(self, options: Options, seats: int, seed: str) -> State:
        return self.start_before(lambda: False, options, seats, seed)

    def start_before(self, stop: Callable[[], bool], options: Options, seats: int, seed: str, /) -> State:
        if seats not in self.seats(options):
            raise IllegalMove(f"Scrabblet is for one, not {seats}")
        try:
            hand = options.rack or self.dealt(options, seed, stop).hand.tiles
        except NoSuchHand as refused:
            raise IllegalMove(str(refused)) from None
        return State(options=options, seed=seed, hand=hand)

    def dealt(self, options: Choices, seed: str, stop: Callable[[], bool] = lambda: False) -> Deal:
        """Return the hand dealt by this seed, and those rejected.

        Raises NoSuchHand if none is found before ``stop`` returns true.
        """
        return deal(generator(seed, 0), *self._dealing(options), stop)

    def drawn(self, options: Choices, seed: str) -> Iterator[DrawnHand]:
        """Yield the hands drawn by this seed, without end; the first accepted one is dealt."""
        return draw_hands(generator(seed, 0), *self._dealing(options))

    def _dealing(self, options: Choices) -> tuple[Terms, Callable[[Hand], Goal], Callable[[Hand], bool]]:
        """Return the terms of a hand, its goal function, and a quick test for a pangram."""
        terms = _terms(options)
        if not required_sets(self.lexicon):  # a user's own word list may have no common words
            terms = replace(terms, min_required=0, min_pangrams=0)
        return (
            terms,
            lambda hand: self._goal(hand, options.min_length),
            lambda hand: has_pangram(self.lexicon, hand),
        )

    def opening(self, options: Options) -> tuple[Move, ...]:
        """Return no moves: the hand is visible from the start."""
        return ()

    def without_deal(self, options: Options) -> Options:
        """Return the options without the hand, so that another is dealt."""
        return options.model_copy(update={"rack": None})

    def apply(self, state: State, seat: int, move: Move, at: float) -> State:
        if seat != YOU:
            raise IllegalMove(f"there is no seat {seat}: Scrabblet is for one")
        if state.reason is not None:
            raise OutOfTurn("the game is over")
        match move:
            case Guess(word=word):
                changes = self._guessed(state, word)
            case Hint():
                if state.hinted:
                    raise IllegalMove("the hints are shown already")
                changes = {"hinted": True, "report": Report(result="hinted")}
            case Quit():
                changes = {"reason": FINISHED_EARLY, "report": Report(result="finished")}
        return state.model_copy(update={**changes, "ply": state.ply + 1})

    def to_move(self, state: State) -> int | None:
        return YOU if state.reason is None else None

    def due(self, state: State, at: float) -> Due[Move] | None:
        return None

    def bot(self, state: State, seat: int, level: int) -> Thought[Move]:
        """Raise ValueError: there are no bots."""
        raise ValueError("Scrabblet is for one: it has no bots")

    def daily(self, seeds: Iterator[str]) -> tuple[Options, str]:
        """Return the hand of the day's first seed: the mode deals only good ones.

        The hand is stored in the options, because whether it is good depends on word frequencies, which are
        not pinned like the lexicon.
        """
        ref = LexiconRef.of(self.lexicon)
        options, seed = Options(mode="daily", penalize="non_words", lexicon=ref), next(seeds)
        hand = self.dealt(options, seed).hand.tiles
        return options.model_copy(update={"rack": hand}), seed

    def summary(self, state: State, seat: int) -> Summary:
        best = max(state.found, key=lambda found: found.points, default=None)
        return Summary(
            mode=state.options.mode,
            score=state.score,
            words=len(state.found),
            best_word=best.word if best else "",
            best_points=best.points if best else 0,
            longest_word=max((found.word for found in state.found), key=len, default=""),
        )

    def turn_words(self, state: State, seat: int) -> tuple[str, ...]:
        return tuple(found.word for found in state.found)

    def view(self, state: State, seat: int | None) -> View:
        """Return everything but the seed and words not found; a spectator sees no words before the end."""
        goal, over = self.goal(state), state.reason is not None
        shown = over or seat == YOU
        report = state.report
        if report and not shown:
            report = report.model_copy(update={"word": ""})
        return View(
            mode=state.options.mode,
            lexicon=state.lexicon.name,
            ply=state.ply,
            phase=Phase.FINISHED if over else Phase.PLAYING,
            seat=seat,
            to_move=self.to_move(state),
            rack=state.hand,
            tiles=tuple(TileView(letter=tile, score=tile_score(tile)) for tile in state.hand),
            min_length=state.options.min_length,
            penalty=penalty_of(state.options),
            penalize=state.options.penalize,
            score=state.score,
            found=state.found if shown else (),
            counts=_counts(state, goal),
            rank=_rank(state, goal),
            hinted=state.hinted,
            hints=_hints(state, goal) if state.hinted and shown else None,
            report=report,
            reason=state.reason,
        )

    def reveal(self, state: State) -> View:
        return self.view(state, YOU)

    def outcome(self, state: State) -> Outcome | None:
        if state.reason is None:
            return None
        return Outcome(scores=(state.score,), winners=(YOU,), reason=state.reason)

    def seat_count(self, state: State) -> int:
        return 1

    def fingerprint(self, state: State) -> str:
        """Return hand, score, words found, number of wrong guesses, hints and end of the game as text."""
        words = " ".join(f"{found.word}:{found.points}" for found in state.found)
        # Records have checksums of an older wording of the reason.
        reason = "finished by the player" if state.reason == FINISHED_EARLY else state.reason
        return f"{state.hand} {state.score} {words} {state.wrong} {state.hinted} {reason}"

    def analyse(self, states: tuple[State, ...]) -> Analysis:
        return analyse(states[-1], self.goal(states[-1]))

    def goal(self, state: State) -> Goal:
        """Return the words of the hand under the game's options."""
        return self._goal(Hand(state.hand), state.options.min_length)

    def _goal(self, hand: Hand, min_length: int) -> Goal:
        return Goal(self.solver.find(hand, min_length))

    def _guessed(self, state: State, word: str) -> dict[str, object]:
        """Return the changes made by a guess."""
        hand = Hand(state.hand)
        if any(found.word == word for found in state.found):
            return {"report": Report(result="duplicate", word=word)}
        is_word = word in self.lexicon
        if len(word) < state.options.min_length:
            return _wrong(state, Report(result="too_short", word=word), is_word=is_word)
        if not hand.makes(word):
            return _wrong(state, Report(result="not_dealt", word=word), is_word=is_word)
        if not is_word:
            return _wrong(state, Report(result="not_a_word", word=word), is_word=is_word)
        goal = self.goal(state)
        found = Found(
            word=word,
            points=hand.score(word),
            required=goal.requires(word),
            pangram=mask_of(word) & hand.mask == hand.mask,
        )
        words = (*state.found, found)
        return {
            "score": state.score + found.points,
            "found": words,
            "report": Report(result="scored", **found.model_dump()),
            "reason": "every word was found" if len(words) == len(goal.words) else None,
        }


def _terms(options: Choices) -> Terms:
    return Terms(
        size=options.size,
        max_vowels=options.max_vowels,
        min_words=options.min_words,
        min_required=options.min_required,
        min_pangrams=options.min_pangrams,
        mode=modes()[options.mode],
    )


def penalty_of(options: Choices) -> int:
    """Return the cost of a penalised guess, in points."""
    if options.penalty is not None:
        return options.penalty
    return modes()[options.mode].penalty[options.penalize]


def _wrong(state: State, report: Report, *, is_word: bool) -> dict[str, object]:
    if state.options.penalize == "non_words" and is_word:
        return {"report": report}
    lost = min(penalty_of(state.options), state.score)
    return {
        "score": state.score - lost,
        "wrong": state.wrong + 1,
        "report": report.model_copy(update={"lost": lost}),
    }


def _counts(state: State, goal: Goal) -> Counts:
    required = [found for found in state.found if found.required]
    return Counts(
        words=len(goal.words),
        found=len(state.found),
        required=len(goal.required),
        required_found=len(required),
        bonus_found=len(state.found) - len(required),
        pangrams=goal.pangrams,
        pangrams_found=sum(found.pangram for found in required),
        wrong=state.wrong,
    )


def _rank(state: State, goal: Goal) -> RankView:
    total = goal.required.total
    points = sum(found.points for found in state.found if found.required)
    steps = tuple(
        RankStep(name=rank.name, percent=rank.percent, points=rank.points(total)) for rank in ranks()
    )
    reached = rank_of(points, total)
    return RankView(
        name=steps[reached].name,
        points=points,
        total=total,
        percent=100 * points / total if total else 0.0,
        next=steps[reached + 1] if total and reached + 1 < len(steps) else None,
        steps=steps,
    )


def _hints(state: State, goal: Goal) -> Hints:
    known = {found.word for found in state.found}
    left = [found.word for found in goal.required.listed("alphabet") if found.word not in known]
    everything = Hand(state.hand).mask
    return hints(left, sum(mask_of(word) & everything == everything for word in left))
