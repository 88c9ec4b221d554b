"""The page for retrying a mistake of a review: find a better move in the same position."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.games.game import IllegalMove
from app.games.puzzles import TOLERANCE, Answer, Given, Judged, PuzzleRules
from app.store.models import Table
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.puzzle_board import PuzzleBoard
from app.web.room import Room, mistakes_of
from app.web.services import Services, ServicesDep
from app.web.site.puzzles import describe_value
from app.web.site.puzzles_page import NOTHING_TYPED, Cells, Tiles, Typed, Word, read_answer
from app.web.table.record import check_secret
from app.web.templating import templates

router = APIRouter(include_in_schema=False, dependencies=[limited("engines")])

HINTS: Final = 2
"""Number of hints before the solution."""


@dataclass(frozen=True, slots=True)
class Retry:
    """A mistake to retry."""

    table: Table
    room: Room
    rules: PuzzleRules
    board: PuzzleBoard
    turn: dict[str, Any]
    """The turn in the analysis."""
    position: Any
    best: Judged
    """The best move of the review."""
    played: Judged | None
    """The move that was played; None if it was no valid word."""
    played_value: float | None
    """The value of the turn; None if it is unknown."""


@router.get("/games/{game_id}/turns/{number}/retry")
async def retry_page(
    game_id: str, number: int, request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """The position before a mistake."""
    retry = await _retry(services, caller, game_id, number)
    return await run_in_threadpool(_show, request, retry)


@router.post("/games/{game_id}/turns/{number}/retry")
async def answer(
    game_id: str,
    number: int,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    word: Word = "",
    cells: Cells = "",
    tiles: Tiles = "",
    hints: Annotated[int, Form(ge=0, le=HINTS)] = 0,
    ask: Annotated[str, Form(pattern="^(hint|solution)?$")] = "",
) -> Response:
    """Judge another move, or give a hint or the solution. Nothing is stored."""
    retry = await _retry(services, caller, game_id, number)

    typed = Typed(word, cells, tiles)

    def page() -> Response:
        if ask == "solution":
            return _show(request, retry, hints=hints, gives_solution=True)
        if ask == "hint":
            return _show(request, retry, hints=min(HINTS, hints + 1), typed=typed)
        try:
            given = read_answer(word, cells, tiles)
            if given.is_empty:
                raise IllegalMove("type a word, or tap its tiles")
            game, label = retry.table.game, f"{retry.table.kind} puzzle"
            judged = services.pool.run(caller, label, retry.rules.judge, game, retry.position, given)
        except IllegalMove as refused:
            return _show(request, retry, hints=hints, refused=refused.reason, typed=typed)
        return _show(request, retry, hints=hints, judged=_with_review_value(retry, given, judged))

    return await run_in_threadpool(page)


async def _retry(services: Services, caller: Caller, game_id: str, number: int) -> Retry:
    """The mistake in the turn with this number. Raises UnknownGame, StillSecret, PoolFull, HTTPException."""
    table = await run_in_threadpool(_finished_game, services, caller, game_id)
    analysis = await services.analyst.analysis(table, caller)
    return await run_in_threadpool(_mistake, services, caller, table, number, analysis)


def _finished_game(services: Services, caller: Caller, game_id: str) -> Table:
    table = services.games.load_or_read(game_id, services.clock())
    if table.finished_at is None:
        raise HTTPException(409, "the game is still in progress: retry its turns when it is finished")
    check_secret(services, table, caller.player)
    return table


def _mistake(services: Services, caller: Caller, table: Table, number: int, analysis: str) -> Retry:
    turns = json.loads(analysis).get("turns", ())
    turn = next((each for each in turns if each["number"] == number), None)
    room = services.rooms[table.kind]
    rules = room.puzzles
    if turn is None or rules is None or room.puzzle_board is None:
        raise HTTPException(404, f"there is no turn {number} in this game’s review")
    searches_on = services.analyst.searches_on(table.id)
    better = rules.better_move(turn, is_final=not searches_on)
    found = services.pool.run(
        caller,
        f"{table.kind} puzzle",
        lambda: _position(table.game, rules, services.games.states(table.id), turn, better),
    )
    if found is None or not mistakes_of({"turns": [turn]}, turn["seat"]):
        reason = "is not searched deeply enough yet" if searches_on else "has no better move to find"
        raise HTTPException(404, f"turn {number} {reason}")
    return Retry(table, room, rules, room.puzzle_board, turn, *found)


def _position(
    game: Any,
    rules: PuzzleRules,
    states: Sequence[Any],
    turn: dict[str, Any],
    better: Mapping[str, Any] | None,
) -> tuple[Any, Judged, Judged | None, float | None] | None:
    """The position before a turn, the best move, the played move and its value, as in the review.

    None if there is no better move to find.
    """
    state = rules.state_before(states, turn["ply"])
    position = None if state is None else rules.position_of(game, state)
    if position is None or better is None:
        return None
    best, played = _judged(game, rules, position, better), _judged(game, rules, position, turn)
    if best is None:
        return None
    value, played_value = rules.review_values(position, turn, best.value)
    if played is not None:
        played_value = played.value if played_value is None else played_value
        played = Judged(played.answer, played_value)
    return position, Judged(best.answer, value), played, played_value


def _judged(game: Any, rules: PuzzleRules, position: Any, move: Mapping[str, Any]) -> Judged | None:
    """A move of an analysis with its value; None for a pass or an exchange, or a word no longer valid."""
    if "placement" in move:  # the best play of Fribble names its squares and tiles
        given = Given(**move["placement"])
    else:
        word = move.get("word") or " ".join(filter(None, (move.get("coordinate"), move.get("text"))))
        given = Given(word=word, cells=tuple(move.get("cells") or ()))
    if given.is_empty:
        return None
    with suppress(IllegalMove):
        return rules.judge(game, position, given)
    return None


def _with_review_value(retry: Retry, given: Given, judged: Judged) -> Judged:
    """An answer with its value in the review, if it has one; the best word, if typed, with its best cells.

    What is proven is best, so a higher value than that is an estimate.
    """
    best = retry.best
    cells = judged.answer.cells if given.cells else best.answer.cells
    if judged.answer.model_copy(update={"cells": cells}) == best.answer:
        return best
    if retry.played is not None and judged.answer == retry.played.answer:
        return retry.played
    if retry.rules.is_proven(retry.turn) and judged.value > best.value + TOLERANCE:
        return judged._replace(exact=False)
    return judged


def _show(
    request: Request,
    retry: Retry,
    *,
    judged: Judged | None = None,
    gives_solution: bool = False,
    hints: int = 0,
    refused: str = "",
    typed: Typed = NOTHING_TYPED,
) -> Response:
    best, played = retry.best, retry.played
    found = judged is not None and judged.exact and judged.value > best.value - TOLERANCE
    described = retry.board.described
    context = {
        "asked": retry,
        "room": retry.room,
        "game": retry.table,
        "turn": retry.turn,
        "facts": retry.board.facts(retry.position),
        "board": retry.board.context(retry.position),
        "drawn": best.answer if gives_solution or found else None,
        "answered": None if judged is None else described(judged.answer),
        "verdict": None if judged is None else _verdict(retry, judged),
        "solution": _describe_answer(retry, best),
        "played": played and played.value < best.value and _describe_answer(retry, played),
        "found": found,
        "hints": hints,
        "hint_texts": _hints(best.answer)[:hints],
        "most_hints": HINTS,
        "refused": refused,
        "typed": typed,
    }
    return templates.TemplateResponse(
        request,
        "table/retry.html",
        context,
        status_code=422 if refused else 200,
        # Going back to an answer to a form needs it.
        headers=None if request.method == "POST" else {"Cache-Control": "no-store"},
    )


def _describe_answer(retry: Retry, judged: Judged) -> str:
    """An answer and its value, such as ``TORUS, worth 28 points with gems``."""
    value = f"{describe_value(retry.rules, judged.value)} {retry.rules.included(retry.position)}".rstrip()
    return f"{retry.board.described(judged.answer)}, worth {value}"


def _verdict(retry: Retry, judged: Judged) -> str:
    """The feedback on an answer."""
    value, best = describe_value(retry.rules, judged.value), describe_value(retry.rules, retry.best.value)
    if not judged.exact:
        return f"It would take too long to search this to the end. The best is worth {best}."
    if judged.value > retry.best.value + TOLERANCE:
        return f"Worth {value}, more than the best move of the review."
    if judged.value > retry.best.value - TOLERANCE:
        return "That’s the best move."
    if retry.played_value is None:
        return f"Worth {value}. The best is worth {best}."
    better = "Better" if judged.value > retry.played_value + TOLERANCE else "Not better"
    return f"{better} than what was played: {value}. The best is worth {best}."


def _hints(best: Answer) -> tuple[str, ...]:
    letters = len(best.word)
    return f"The word has {letters} letters.", f"It begins with {best.word[0].upper()}."
