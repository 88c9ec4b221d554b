"""Random play of any kind of game, and what must hold after each attempt.

A ``Trial`` describes one kind of game: its options and moves, an independent implementation of its rules,
and what is hidden from each seat. ``PlayedGame`` is a game as Hypothesis plays it: good and bad moves by
valid and invalid seats, time that passes, timeouts, bots, resignations, and malformed input.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from hypothesis import HealthCheck, reject, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pydantic import BaseModel, ValidationError

from app.games.game import AnyGame, IllegalMove, LexiconRef
from app.games.record import read, replay, write
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.examples import TIMES

T = TypeVar("T", bound=BaseModel)

AT: Final = 1_700_000_000.0
PAUSES: Final = st.one_of(st.floats(0, 5), st.floats(0, 5), st.floats(0, 70), st.floats(-3, 4000))
CLOCKS: Final = st.sampled_from(
    [{}, {}, {"clock_seconds": 10}, {"clock_seconds": 60, "increment_seconds": 3}, {"clock_seconds": 100_000}]
)
"""Settings of clocks per player, including none."""
NOWHERE: Final = (-1, 10**9, -(10**20))
"""Invalid seats."""

RUBBISH: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([-1, 2**31, 2**63, 2**64, 10**40, -(10**40)])
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["", " ", "\0", "\u00df", "\u0130", "\ufb00", "\uff11", "a\n", "a" * 100_000]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


class Trial(ABC):
    """Random play of one kind of game with one lexicon."""

    kind: ClassVar[type[AnyGame]]
    game: Any

    def __init__(self, lexicon: Lexicon) -> None:
        self.game = self.kind(lexicon)

    @abstractmethod
    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        """Options that a caller may choose, except the lexicon."""

    @abstractmethod
    def moves(self, state: Any, seat: int) -> st.SearchStrategy[Any]:
        """Well-formed moves, many of them good ones for ``seat``."""

    @abstractmethod
    def check(self, before: Any, seat: int, move: Any, at: float, after: Any) -> None:
        """Check that the independent rules also give ``after`` for this move."""

    @abstractmethod
    def check_whole(self, state: Any) -> None:
        """Check that the state is consistent."""

    def disguised(self, state: Any, seat: int | None, random: Random) -> Any:
        """Another state that looks the same to ``seat``, with different hidden information."""
        return state.model_copy(update={"seed": f"{random.getrandbits(64):016x}"})

    def hidden_texts(self, state: Any, seat: int | None) -> set[str]:
        """Texts that must not appear in the view or log of ``seat``."""
        return set()

    def may_have_bot(self, state: Any) -> bool:
        """Whether the seat to move could be a bot's."""
        return bool(self.game.bots)


def check_clocks(game: AnyGame, before: Any, after: Any, at: float) -> None:
    """Check that only the clock of the seat to move has run, for as long as its turn took."""
    if before.clocks is None:
        assert after.clocks is None
        return
    then, now = before.clocks, after.clocks
    assert min(now.left) >= 0
    assert now.running in (None, game.to_move(after))
    gone = after.resigned if isinstance(after.resigned, tuple) else (after.resigned,)
    assert set(now.out) <= set(gone)
    moved_on = game.to_move(before) != game.to_move(after)
    for seat, (had, has) in enumerate(zip(then.left, now.left, strict=True)):
        if seat != then.running or not moved_on:
            assert has == had, "a clock ran in another's turn"
            continue
        earned = after.options.increment_seconds if len(after.turns) > len(before.turns) else 0
        left = had - max(0.0, at - then.since)
        assert has == (left + earned if left > 0 else 0) or abs(left) < 1e-6
        assert (seat in now.out) == (left <= 0) or abs(left) < 1e-6


class PlayedGame(RuleBasedStateMachine):
    """One game, from its options to its end."""

    trial: Trial

    def __init__(self) -> None:
        super().__init__()
        self.game: AnyGame = self.trial.game
        self.states: list[Any] = []
        self.log: list[tuple[int, Any, float]] = []
        self.seed = ""
        self.at = AT

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def seats(self) -> range:
        return range(self.game.seat_count(self.state))

    @initialize(data=st.data(), number=st.integers(0, 2**64 - 1))
    def everybody_sits_down(self, data: st.DataObject, number: int) -> None:
        game, self.seed = self.game, f"seed-{number:016x}"
        options = pinned(game, **data.draw(self.trial.choices()))
        allowed = game.seats(options)
        for wrong in (allowed.start - 1, allowed.stop, *NOWHERE):
            check_refused(game.start, options, wrong, self.seed)
        try:
            self.states = [game.start(options, data.draw(st.sampled_from(allowed)), self.seed)]
        except IllegalMove as refusal:  # for example, no hand has that many words
            check_text(refusal)
            reject()
        assert self.state.ply == 0
        for move in game.opening(options):
            self._attempt(0, move)
            assert self.log, "the opening was refused"

    @precondition(lambda self: self.states)
    @rule(data=st.data(), pause=PAUSES, punctual=st.integers(0, 7))
    def somebody_moves(self, data: st.DataObject, pause: float, punctual: int) -> None:
        """With all earlier timeouts applied; sometimes with one still pending."""
        self._wait(pause)
        if punctual:
            self._ring()
        seat = self._somebody(data)
        self._attempt(seat, data.draw(self.trial.moves(self.state, seat if seat in self.seats else 0)))

    @precondition(lambda self: self.states)
    @rule(data=st.data(), rubbish=RUBBISH)
    def somebody_sends_rubbish(self, data: st.DataObject, rubbish: Any) -> None:
        """A well-formed move with one field garbled: refused by validation or by the rules."""
        self._ring()
        seat = self._somebody(data)
        fields = data.draw(self.trial.moves(self.state, seat if seat in self.seats else 0)).model_dump()
        spoiled = data.draw(st.sampled_from([*fields, "extra", ""]))
        garbled = fields | {spoiled: rubbish} if spoiled else rubbish
        try:
            move = self.game.move_adapter.validate_python(garbled)
        except ValidationError:
            return
        self._attempt(seat, move)

    @precondition(lambda self: self.states and self.trial.may_have_bot(self.state))
    @rule(data=st.data())
    def a_bot_moves(self, data: st.DataObject) -> None:
        """A bot's move is always legal, and the same for the same state."""
        self._ring()
        seat = self.game.to_move(self.state)
        if seat is None or not self.trial.may_have_bot(self.state):
            return
        level = data.draw(st.integers(1, len(self.game.bots)))
        thought = self.game.bot(self.state, seat, level)
        assert thought == self.game.bot(reread(self.state), seat, level)
        assert 0 < thought.seconds < 60
        ply = self.state.ply
        self._attempt(seat, thought.move)
        assert self.state.ply == ply + 1, f"the bot's {thought.move} was refused"

    @precondition(lambda self: self.states)
    @rule(data=st.data(), really=st.integers(0, 5))
    def somebody_resigns(self, data: st.DataObject, really: int) -> None:
        if not really:
            self._ring()
            self._attempt(self._somebody(data), self.game.resignation)

    def teardown(self) -> None:
        if self.states:
            self._end()
            self._check_replay()

    def _somebody(self, data: st.DataObject) -> int:
        mover = self.game.to_move(self.state)
        candidates = [*self.seats, *NOWHERE, len(self.seats)]
        seat: int = data.draw(st.sampled_from([mover or 0] * 2 * len(candidates) + candidates))
        return seat

    def _wait(self, pause: float) -> None:
        self.at += pause

    def _ring(self) -> None:
        """Apply the moves that are due."""
        while (due := self.game.due(self.state, self.at)) is not None:
            ply = self.state.ply
            assert due.at <= self.at
            self._attempt(due.seat, due.move, due.at)
            assert self.state.ply == ply + 1, f"the due move {due} was refused"

    def _attempt(self, seat: int, move: Any, at: float | None = None) -> None:
        game, state = self.game, self.state
        at = self.at if at is None else at
        overdue, over = game.due(state, at), game.outcome(state)
        before = state.model_dump_json()
        after = refused = None
        try:
            after = game.apply(state, seat, move, at)
        except IllegalMove as refusal:
            refused = refusal
        assert state.model_dump_json() == before, "the state itself was changed"
        if refused is not None:
            check_text(refused)
            return
        assert after is not None
        assert over is None, "a move after the end"
        assert seat in self.seats, "a move by an invalid seat"
        if overdue is not None and overdue.seat == seat:
            assert isinstance(move, type(overdue.move) | type(game.resignation)), "a move after time was up"
        assert after.ply == state.ply + 1
        assert reread(after) == after
        kept = game.move_adapter.validate_json(move.model_dump_json())
        assert kept == move
        self.trial.check(state, seat, move, at, after)
        self.trial.check_whole(after)
        self.states.append(after)
        self.log.append((seat, move, at))
        self._check_views()

    def _check_views(self) -> None:
        random = Random(self.state.ply)
        for seat in (*self.seats, None):
            seen = self.game.view(self.state, seat).model_dump_json()
            assert self.seed not in seen
            other = self.trial.disguised(self.state, seat, random)
            assert other != self.state
            assert self.game.view(other, seat).model_dump_json() == seen, f"secrets leak to seat {seat}"
            hidden_texts = self.trial.hidden_texts(self.state, seat)
            assert not hidden_texts & set(texts(json.loads(seen))), f"secret texts leak to seat {seat}"
            self._check_log(seat, hidden_texts)
        assert self.seed not in self.game.reveal(self.state).model_dump_json()

    def _check_log(self, seat: int | None, hidden_texts: set[str]) -> None:
        """The log, without the opponents' secret moves, reveals no more than the view."""
        if self.game.outcome(self.state) is None:
            for mover, move, _ in self.log:
                if mover == seat or not isinstance(move, self.game.secret):
                    assert not hidden_texts & set(texts(move.model_dump(mode="json"))), (
                        "the log contains hidden texts"
                    )

    def _end(self) -> None:
        """All seats resign; then no move is possible."""
        game = self.game
        self._ring()
        for seat in self.seats:
            self._attempt(seat, game.resignation)
        outcome = game.outcome(self.state)
        assert outcome is not None
        assert outcome.reason
        assert len(outcome.scores) == len(self.seats)
        assert set(outcome.winners) <= set(self.seats)
        assert outcome.winners or game.has_levels(self.state.options)
        assert game.to_move(self.state) is None
        assert game.due(self.state, self.at + 10**9) is None
        for seat in self.seats:
            check_refused(game.apply, self.state, seat, game.resignation, self.at)
            summary = game.summary(self.state, seat)
            assert summary.score == outcome.scores[seat]

    def _check_replay(self) -> None:
        """The stored log leads to the same states byte by byte, and so does the game's record."""
        first = self.states[0]
        state = self.game.start(reread(first.options), len(self.seats), self.seed)
        assert state.model_dump_json() == first.model_dump_json()
        for (seat, move, at), expected in zip(self.log, self.states[1:], strict=True):
            kept = self.game.move_adapter.validate_json(move.model_dump_json())
            state = self.game.apply(reread(state), seat, kept, at)
            assert state.model_dump_json() == expected.model_dump_json()
        text = write(self.game, tuple(self.states), self.seed, self.log)
        assert replay(read(text, ROOMS.games), self.game) == tuple(self.states)


def try_out(trial: Trial, games: int, steps: int) -> None:
    """Let Hypothesis play ``games`` times TIMES games of up to ``steps`` steps."""
    limits = settings(
        max_examples=games * TIMES,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],  # the machine may be busy
    )
    run_state_machine_as_test(type("Played", (PlayedGame,), {"trial": trial}), settings=limits)


def pinned(game: AnyGame, **choices: Any) -> Any:
    """The options of a game over the lexicon of ``game``."""
    return game.options_type.model_validate(choices | {"lexicon": LexiconRef.of(game.lexicon)})


def reread(value: T) -> T:
    """The value after a round trip through JSON, as in the store."""
    text = value.model_dump_json()
    again = type(value).model_validate_json(text)
    assert again.model_dump_json() == text
    return again


def check_refused(attempt: Callable[..., Any], *arguments: Any) -> None:
    try:
        attempt(*arguments)
    except IllegalMove as refusal:
        check_text(refusal)
    else:
        raise AssertionError("that should have been refused")


def check_text(refusal: IllegalMove) -> None:
    """Check that the reason is readable for players."""
    reason = refusal.reason
    assert str(refusal) == reason
    assert 8 <= len(reason) <= 300, reason
    assert reason.isprintable(), repr(reason)
    assert not any(sign in reason for sign in ("Error", "None", "<", "object at")), reason


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, except keys and identifiers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in {
                "mode",
                "phase",
                "lexicon",
                "result",
                "reason",
                "name",
                "letters",
                "letter",
                "hand",
                "rack",
                "size",
                "type",
                "richness",
            }:
                yield from texts(each)
