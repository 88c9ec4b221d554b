"""Puzzles from the mistakes in a player's own finished games, only for that player."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool

from app.games.puzzles import Puzzle, PuzzleRules, puzzle_of
from app.store.models import Table, UnknownGame
from app.web.guard.rates import Caller
from app.web.room import mistakes_of
from app.web.services import Services

LATEST: Final = 10
"""Number of latest finished games that one request looks through."""
MOST_OF_GAME: Final = 5
"""Most puzzles from one game, of its worst mistakes."""


async def add_own_puzzles(services: Services, caller: Caller, player: str) -> int:
    """Make puzzles from the mistakes in the player's latest games; return the number of new ones.

    Each game counts as an engine request; a game without puzzles is looked through again the next time.
    Raises TooOften, PoolFull.
    """
    found = 0
    for game_id in await run_in_threadpool(_games_without_puzzles, services, player):
        try:
            table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
        except UnknownGame:
            continue
        seat, room = table.seat_of(player), services.rooms[table.kind]
        if seat is None or table.finished_at is None or room.puzzles is None:
            continue
        await services.rates.count("engines", caller)
        analysis = json.loads(await services.analyst.analysis(table, caller))
        found += await run_in_threadpool(_keep, services, caller, player, table, room.puzzles, analysis, seat)
    return found


def _games_without_puzzles(services: Services, player: str) -> list[str]:
    games = [result.game_id for result in services.results.of_player(player, LATEST)]
    done = services.own_puzzles.games_with_puzzles(player, games)
    return [game_id for game_id in games if game_id not in done]


def _keep(
    services: Services,
    caller: Caller,
    player: str,
    table: Table,
    rules: PuzzleRules,
    analysis: Mapping[str, Any],
    seat: int,
) -> int:
    made = services.pool.run_long(
        caller,
        f"{table.kind} puzzle",
        lambda: own_puzzles(table.game, rules, services.games.states(table.id), analysis, seat),
    )
    return services.own_puzzles.keep(player, table.id, made, services.clock()) if made else 0


def own_puzzles(
    game: Any, rules: PuzzleRules, states: Sequence[Any], analysis: Mapping[str, Any], seat: int
) -> dict[int, Puzzle]:
    """Return the puzzles from a seat's mistakes by ply, only those with one clearly best answer."""
    made: dict[int, Puzzle] = {}
    for ply in _plies(analysis, seat):
        state = rules.state_before(states, ply)
        if state is None:
            continue
        position = rules.position_of(game, state)
        puzzle = None if position is None else puzzle_of(rules, game, position)
        if puzzle is not None and not _was_found(analysis, seat, puzzle):
            made[state.ply] = puzzle
        if len(made) == MOST_OF_GAME:
            break
    return made


def _plies(analysis: Mapping[str, Any], seat: int) -> Iterator[int]:
    """The plies of the seat's mistakes, the worst first; in games without turns the first."""
    if "turns" not in analysis:
        yield 0
        return
    for turn in mistakes_of(analysis, seat):
        yield turn["ply"]


def _was_found(analysis: Mapping[str, Any], seat: int, puzzle: Puzzle) -> bool:
    """Whether the seat found the word in a game without turns."""
    word = puzzle.solution.word
    if any(found["word"] == word for found in analysis.get("found", ())):
        return True
    return any(each["word"] == word and seat in each["seats"] for each in analysis.get("words", ()))
