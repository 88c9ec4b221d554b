"""Letterpress solver API: the best moves of a position, with replies and evaluation."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field, field_validator

from app.games.letterpress.endings import Outcome
from app.games.letterpress.move_order import sort_choices
from app.games.letterpress.one_ply import OTHERS
from app.games.letterpress.placements import TooManyPlacements
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Advice, Choice, Position, Reply, Solution
from app.games.letterpress.territory import (
    protected,
    vulnerability,
)
from app.rooms.letterpress.solve_request import SolveRequest
from app.web.guard.limits import CallerDep, charge, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody, rendered
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import DamagedLexicon, UnknownLexicon
from app.words.vocabulary import allowed_words

router = api_router("/api/solve", "engines")

MOST_BOARDS: Final = 100
MOST_LISTED: Final = 6_000
"""Maximum number of moves in all answers of a batch, about 1.5 MB; with ``group``, a word counts as six."""


class Sides(Documented):
    """A number for each side."""

    ours: int
    theirs: int


class ReplyAnswer(Documented):
    """The opponent's reply."""

    word: str
    cells: list[int]
    """In word order."""
    mask: int


class PlacedMove(Documented):
    """A placement of a word and its evaluation."""

    word: str
    """Empty for a pass."""
    cells: list[int]
    """In word order."""
    mask: int
    ours: int
    """Our tiles after the move, as a mask."""
    theirs: int
    tiles: Sides
    protected: Sides
    """Number of tiles that cannot be taken."""
    vulnerability: int
    """LetterPwn's measure: the number of adjacent tiles that are not ours, summed over our tiles."""
    outcome: Literal["win", "loss"] | None
    """Forced result after this move, within the search depth; null if undecided."""
    value: int
    """Tiles plus three times protected tiles, ours minus theirs, at the end of the searched line.

    A win in n plies has the value 1000 - n, a loss n - 1000. Two passes in a row end the game: even at two
    plies, the search considers our winning pass after theirs.
    """
    depth: int
    """Plies to which the value is exact; fewer than requested if time ran out.

    Values of different depths are not comparable, so moves searched deeper come first, except that wins come
    before all others and losses after them. If time ran out at two plies, a pass comes after all words that
    are not known to lose.
    """
    reply: ReplyAnswer | None
    """The opponent's best reply; null at one ply, at the end of the game, for a pass, and in a proof."""


class MoveAnswer(PlacedMove):
    """A listed move."""

    others: list[PlacedMove] | None
    """Up to five next best placements of the word, best first; null without `group`.

    There may be fewer if time ran out.
    """
    ways: int | None
    """Number of placements of the word; null without `group`."""


class Stats(Documented):
    """Search statistics."""

    word_count: int
    """Number of words that we may play."""
    words: Annotated[int, Field(deprecated=True)]
    """Number of words on the board, including those we may not play."""
    placements: int
    """Number of placements of all words."""
    positions: int
    """Number of positions evaluated."""
    depth: int
    """Plies to which the answer is exact; at three plies, for the best candidates only."""
    exact: bool
    """Whether the requested depth was reached."""
    milliseconds: float
    """Time taken by the search."""


class SolveAnswer(Documented):
    """The best moves, ordered by `sort`, and the outcome if it is proven."""

    outcome: Outcome | None
    """The proven outcome for the side to move with best play by both sides; null if unproven.

    Each side has the words of its vocabulary. Also null if `must_use` or `min_length` restrict our word. The
    move that keeps the outcome, or delays the loss, is among the moves.
    """
    plies_to_end: int | None
    """Plies to the end of the game if the winner hurries and the loser delays; null if unproven.

    For a draw, the plies within which each side can secure it.
    """
    moves: list[MoveAnswer]
    stats: Stats


class BatchRequest(Documented):
    """Several positions."""

    model_config = ConfigDict(extra="forbid")

    boards: Annotated[list[SolveRequest], Field(min_length=1, max_length=MOST_BOARDS)]
    """They may request up to 6,000 moves in total: the sum of `limit`, times six if `group` is true."""

    @field_validator("boards")
    @classmethod
    def _check_total(cls, boards: list[SolveRequest]) -> list[SolveRequest]:
        moves = sum(board.limit * (1 + OTHERS * board.group) for board in boards)
        if moves > MOST_LISTED:
            raise ValueError(
                f"together they request {moves:,} moves (limit, times six with group): "
                f"one answer lists up to {MOST_LISTED:,}"
            )
        return boards


class BatchAnswer(Documented):
    """An answer per position, in order."""

    answers: list[SolveAnswer]


@router.post("", response_model=SolveAnswer, summary="Solve a Letterpress board")
def solve_letterpress(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """The best moves of a position, with the opponent's best replies and the evaluation."""
    return rendered(solved(body, services, caller))


@router.get("", response_model=SolveAnswer, summary="Solve a Letterpress board by URL")
def solve_letterpress_by_address(
    query: Annotated[SolveRequest, Query()], services: ServicesDep, caller: CallerDep
) -> Response:
    """Like the POST request, with the fields as query parameters; lists are separated by commas."""
    return rendered(solved(query, services, caller))


@router.post("/batch", response_model=BatchAnswer, summary="Solve up to 100 Letterpress boards")
def solve_letterpress_batch(
    body: JsonBody[BatchRequest], services: ServicesDep, caller: CallerDep
) -> Response:
    """Solve several boards. All are validated before the first is solved."""
    rules = []
    for number, each in enumerate(body.boards):
        with _refusing("boards", number):
            rules.append(_checked(each, services)[1])
    check_budget(services, sum(each.budget_ms for each in body.boards), len(body.boards))
    charge(services, caller, "engines", len(body.boards) - 1)

    def check_placements() -> None:
        for number, each in enumerate(body.boards):
            with _refusing("boards", number):
                rules[number].solver.check(each.board)

    services.pool.run(caller, "letterpress", check_placements)
    return rendered(BatchAnswer(answers=[solved(each, services, caller) for each in body.boards]))


def solved(request: SolveRequest, services: Services, caller: Caller) -> SolveAnswer:
    """Solve a position in the engine pool. Raises RequestValidationError, PoolFull."""
    position, rules = _checked(request, services)

    def search() -> tuple[Solution, float]:
        solver = rules.solver  # built on first use
        began = time.perf_counter()
        is_over = services.pool.deadline(request.budget_ms)

        def proof_stop() -> Callable[[int], bool]:
            proof_over = services.pool.deadline(request.proof_ms)
            return lambda _: is_over() or proof_over()

        solution = solver.solve(
            position,
            top=request.limit,
            plies=request.plies,
            allowed=allowed_words(rules.lexicon, request.vocabulary, family_only=request.family),
            their_allowed=allowed_words(rules.lexicon, request.opponent_vocabulary, family_only=False),
            constraints=request.constraints(),
            grouped=request.group,
            stop=lambda _: is_over(),
            proof_stop=proof_stop,
        )
        return solution, 1000 * (time.perf_counter() - began)

    with _refusing():
        solution, milliseconds = services.pool.run_long(caller, "letterpress", search)
    solution = replace(solution, choices=sort_choices(solution.choices, request.sort))
    return solve_answer(solution, position, request.plies, milliseconds)


def solve_answer(solution: Solution, position: Position, plies: int, milliseconds: float) -> SolveAnswer:
    """Convert a solution to the API's answer."""
    ending = solution.ending
    return SolveAnswer(
        outcome=ending.outcome if ending else None,
        plies_to_end=ending.plies if ending else None,
        moves=[_listed(choice, position.board, grouped=solution.grouped) for choice in solution.choices],
        stats=Stats(
            word_count=solution.playable,
            words=solution.words,
            placements=solution.placements,
            positions=solution.positions,
            depth=solution.depth,
            exact=solution.depth == plies,
            milliseconds=round(milliseconds, 2),
        ),
    )


def _checked(request: SolveRequest, services: Services) -> tuple[Position, Letterpress]:
    """The validated position and the rules. Raises RequestValidationError."""
    check_budget(services, request.budget_ms)
    position = request.position()
    with _refusing():
        return position, services.rulebook.rules(Letterpress, services.rulebook.ref(request.lexicon))


@contextmanager
def _refusing(*inside: str | int) -> Iterator[None]:
    """Convert errors in the block to RequestValidationError, with ``inside`` prepended to the location."""
    try:
        yield
        return
    except RequestValidationError as refused:
        errors = refused.errors()
    except (UnknownLexicon, DamagedLexicon) as missing:
        errors = [{"loc": ("lexicon",), "msg": str(missing)}]
    except TooManyPlacements as refused:
        errors = [{"loc": ("board",), "msg": str(refused)}]
    raise RequestValidationError([each | {"loc": (*inside, *each["loc"])} for each in errors])


def _listed(choice: Choice, board: str, *, grouped: bool) -> MoveAnswer:
    return MoveAnswer(
        **vars(_placed(choice.best, board)),
        others=[_placed(other, board) for other in choice.others] if grouped else None,
        ways=choice.ways if grouped else None,
    )


def _placed(move: Advice, board: str) -> PlacedMove:
    territory = move.territory
    return PlacedMove(
        word=move.word,
        cells=list(move.cells(board)),
        mask=move.mask,
        ours=territory.ours,
        theirs=territory.theirs,
        tiles=Sides(ours=territory.ours.bit_count(), theirs=territory.theirs.bit_count()),
        protected=Sides(
            ours=protected(territory.ours).bit_count(), theirs=protected(territory.theirs).bit_count()
        ),
        vulnerability=vulnerability(territory.ours),
        outcome="win" if move.wins else "loss" if move.loses else None,
        value=move.value,
        depth=move.depth,
        reply=_reply(move.reply, board) if move.reply else None,
    )


def _reply(reply: Reply, board: str) -> ReplyAnswer:
    return ReplyAnswer(word=reply.word, cells=list(reply.cells(board)), mask=reply.mask)
