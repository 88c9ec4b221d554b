"""Puzzles on the site: finding them, judging answers, and choosing the next one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Final

from app.games.game import AnyGame
from app.games.glicko import Rating
from app.games.puzzle_sets import BadPuzzleId, NoPuzzle, puzzle_of_day, shipped_puzzles
from app.games.puzzles import Given, Judged, Puzzle, PuzzleRules, position_in
from app.grammar import MINUS, format_count, round_half_up
from app.store.own_puzzles import OWN, OwnPuzzle
from app.store.puzzle_rushes import RUSH_PUZZLES, Rush, RushOver
from app.store.puzzles import Given as StoredAnswer
from app.store.puzzles import PuzzleAttempt, UnknownPuzzle
from app.validation import quote
from app.web.guard.rates import Caller
from app.web.puzzle_board import PuzzleBoard
from app.web.room import Room, Rooms
from app.web.services import Services

_ID: Final = re.compile(r"([a-z][a-z0-9-]{0,31})-([a-z2-7]{8})")
_OWN_ID: Final = re.compile(rf"{OWN}-[A-Za-z0-9_-]{{12}}")
_NEAREST: Final = 12
"""Number of puzzles near the player's rating among which the next is drawn."""


@dataclass(frozen=True, slots=True)
class PosedPuzzle:
    """A puzzle, as shown to a player."""

    id: str
    """The ID in its URL; for a player's own puzzle, not the ID of the position."""
    puzzle: Puzzle
    room: Room
    rules: PuzzleRules
    board: PuzzleBoard
    own: OwnPuzzle | None = None
    """Set if it is from one of the player's own games."""

    @property
    def position(self) -> Any:
        """The position, parsed."""
        return position_in(self.rules, self.puzzle)


def puzzle_rooms(rooms: Rooms) -> Mapping[str, Room]:
    """The rooms with shipped puzzles, by kind of game."""
    return {kind: room for kind, room in rooms.items() if room.puzzles and shipped_puzzles(kind)}


def puzzle_room(services: Services, kind: str) -> Room:
    """The room of a kind of game. Raises NoPuzzle if it has no puzzles."""
    found = puzzle_rooms(services.rooms)
    if kind not in found:
        raise NoPuzzle(f"room: there are no puzzles of {kind!r}; there are of {', '.join(found)}")
    return found[kind]


def posed(services: Services, player: str | None, puzzle_id: str) -> PosedPuzzle:
    """A puzzle by its ID. Raises BadPuzzleId, UnknownPuzzle."""
    if _OWN_ID.fullmatch(puzzle_id):
        own = services.own_puzzles.find(player, puzzle_id)
        return _posed(services.rooms[own.kind], puzzle_id, own.puzzle, own)
    match = _ID.fullmatch(puzzle_id)
    if match is None:
        raise BadPuzzleId(_fault(puzzle_id))
    kind = match[1]
    puzzle = shipped_puzzles(kind).get(puzzle_id) if kind in services.rooms else None
    if puzzle is None:
        raise UnknownPuzzle(f"there is no puzzle {puzzle_id!r}")
    return _posed(services.rooms[kind], puzzle_id, puzzle)


def todays(services: Services, kind: str, day: date) -> PosedPuzzle:
    """The puzzle of a day. Raises NoPuzzle."""
    room, puzzle = puzzle_room(services, kind), puzzle_of_day(kind, day.toordinal())
    if puzzle is None:
        raise NoPuzzle(f"room: there are no puzzles of {kind!r}")
    return _posed(room, puzzle.id, puzzle)


def next_puzzle(services: Services, player: str | None, kind: str) -> PosedPuzzle:
    """A puzzle near the player's rating that they have not answered. Raises NoPuzzle."""
    room = puzzle_room(services, kind)
    answered = {attempt.puzzle_id for attempt in services.puzzles.attempts(player, kind)}
    today = puzzle_of_day(kind, services.today().toordinal())
    left = [
        puzzle
        for puzzle in shipped_puzzles(kind).values()
        if puzzle.id not in answered and puzzle is not today
    ]
    if not left:
        raise NoPuzzle(f"you have answered all puzzles of {room.title}")
    standing = services.puzzles.standings(player).get(kind)
    own = standing.rating.value if standing else Rating().value
    ratings = services.puzzles.puzzle_ratings(puzzle.id for puzzle in left)
    left.sort(key=lambda puzzle: (abs(ratings.get(puzzle.id, puzzle.first_rating).value - own), puzzle.id))
    drawn = Random(f"{player} {len(answered)}").choice(left[:_NEAREST])
    return _posed(room, drawn.id, drawn)


def rush_puzzles(services: Services, kind: str, seed: str) -> list[str]:
    """The puzzles of a rush, easier ones first. Raises NoPuzzle."""
    puzzle_room(services, kind)
    puzzles = list(shipped_puzzles(kind).values())
    drawn = Random(seed).sample(puzzles, min(RUSH_PUZZLES, len(puzzles)))
    ratings = services.puzzles.puzzle_ratings(puzzle.id for puzzle in drawn)
    drawn.sort(key=lambda puzzle: ratings.get(puzzle.id, puzzle.first_rating).value)
    return [puzzle.id for puzzle in drawn]


def rating_of(services: Services, asked: PosedPuzzle) -> Rating:
    """The rating of a puzzle."""
    return services.puzzles.puzzle_ratings([asked.id]).get(asked.id, asked.puzzle.first_rating)


def judge(services: Services, caller: Caller, asked: PosedPuzzle, given: Given) -> Judged:
    """The answer with its value. Raises IllegalMove if it is not possible, PoolFull."""
    game: AnyGame = services.rulebook.game(asked.puzzle.kind, asked.puzzle.lexicon)
    judged = services.pool.run(
        caller, f"{asked.puzzle.kind} puzzle", asked.rules.judge, game, asked.position, given
    )
    return asked.puzzle.settled(judged)


def keep_answer(
    services: Services, player: str, asked: PosedPuzzle, judged: Judged | None, *, rated: bool = True
) -> PuzzleAttempt:
    """Store an answer, None for giving up. Returns the first, which counts; for an own puzzle, this one."""
    solved = judged is not None and asked.puzzle.is_solved_by(judged)
    word = "" if judged is None else asked.board.described(judged.answer)
    value = None if judged is None else round(judged.value, 2)
    now = services.clock()
    if asked.own is not None:
        attempt = PuzzleAttempt(asked.id, asked.puzzle.kind, now, solved, word, value, None, None, None)
        services.own_puzzles.answer(player, attempt)
        return attempt
    today = services.today()
    is_todays = puzzle_of_day(asked.puzzle.kind, today.toordinal()) == asked.puzzle
    given = StoredAnswer(solved, word, value)
    return services.puzzles.answer(
        player, asked.puzzle, given, now, day=today if is_todays else None, rated=rated
    )


@dataclass(frozen=True, slots=True)
class RushAnswer:
    """An answer in a rush."""

    rush: Rush
    """The rush after the answer."""
    asked: PosedPuzzle
    attempt: PuzzleAttempt
    """The answer as an attempt at the puzzle."""


def open_rush(services: Services, player: str, kind: str) -> Rush:
    """Start a rush. Raises NoPuzzle."""
    now = services.clock()
    return services.rushes.open(player, kind, rush_puzzles(services, kind, f"{player} {now}"), now)


def answer_rush(
    services: Services, caller: Caller, rush: Rush, given: Given, puzzle_id: str | None
) -> RushAnswer | None:
    """Answer the current puzzle of a rush; an empty answer skips it. None if ``puzzle_id`` is another puzzle.

    Raises RushOver, PoolFull, and IllegalMove if the answer is not possible, which does not count.
    """
    if caller.player is None or rush.current is None or rush.is_over(services.clock()):
        raise RushOver("the three minutes are over")
    if puzzle_id is not None and puzzle_id != rush.current:
        return None
    asked = posed(services, caller.player, rush.current)
    judged = None if given.is_empty else judge(services, caller, asked, given)
    solved = judged is not None and asked.puzzle.is_solved_by(judged)
    now = services.clock()
    after = services.rushes.answer(caller.player, rush.id, asked.id, now, solved=solved)
    keep_answer(services, caller.player, asked, judged, rated=False)
    word = "" if judged is None else asked.board.described(judged.answer)
    value = None if judged is None else round(judged.value, 2)
    attempt = PuzzleAttempt(asked.id, rush.kind, now, solved, word, value, None, None, None)
    return RushAnswer(after, asked, attempt)


def format_value(value: float) -> str:
    """A value in points, such as ``24 points`` or ``31.5 points``."""
    value = round_half_up(value, 1)
    counted = format_count(int(value), "point") if value == int(value) else f"{value:.1f} points"
    return counted.replace("-", MINUS)


def describe_value(rules: PuzzleRules, value: float) -> str:
    """The value of an answer as text: ``a win``, ``a loss``, or points."""
    outcome = rules.outcome(value)
    return format_value(value) if outcome is None else f"a {outcome}"


def better_by(rules: PuzzleRules, puzzle: Puzzle, second: str) -> str:
    """The advantage of the solution over the next best answer, as the end of a sentence about it."""
    best, next_best = rules.outcome(puzzle.value), rules.outcome(puzzle.second_value)
    if best == next_best:
        return f"is {format_value(puzzle.margin)} better than the next best, {second}."
    does = "wins" if best == "win" else "is best"
    return f"{does}. The next best, {second}, {'loses' if next_best == 'loss' else 'does not win yet'}."


def short_by(rules: PuzzleRules, puzzle: Puzzle, value: float) -> str:
    """The disadvantage of another answer, such as ``12 points less``."""
    outcome = rules.outcome(value)
    if outcome == "loss":
        return "which loses"
    if outcome != rules.outcome(puzzle.value):
        return "which does not win yet"
    return f"{format_value(puzzle.value - value)} less"


def result_share(asked: PosedPuzzle, attempt: PuzzleAttempt, streak: int, address: str) -> str:
    """The text to share: whether the puzzle was solved, the rating, and the link, without spoilers."""
    title = f"{asked.room.title} puzzle" + (f" of {attempt.day}" if attempt.day else "")
    lines = [title, "🟩 Solved" if attempt.solved else "⬜ Not solved"]
    if attempt.day and streak > 1:
        lines[1] += f", {streak} days in a row"
    return "\n".join([*lines, address])


def _posed(room: Room, puzzle_id: str, puzzle: Puzzle, own: OwnPuzzle | None = None) -> PosedPuzzle:
    if room.puzzles is None or room.puzzle_board is None:
        raise UnknownPuzzle(f"{room.title} has no puzzles")
    return PosedPuzzle(puzzle_id, puzzle, room, room.puzzles, room.puzzle_board, own)


def _fault(text: str) -> str:
    """The error in an ID, and its position."""
    shown = quote(text)
    accepted = "a game, a hyphen, and eight of a to z and 2 to 7, such as boggle-k3fq2abc"
    for place, sign in enumerate(text):
        if not (sign.isascii() and (sign.islower() or sign.isdigit() or sign == "-")):
            return f"the puzzle’s ID {shown} has {sign!r} at character {place + 1}; accepted: {accepted}"
    return f"{shown} is not the ID of a puzzle; accepted: {accepted}"
