"""The API of puzzles."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from app.games.game import IllegalMove
from app.games.glicko import Rating
from app.games.puzzles import Answer, Given, Theme
from app.store.models import BadField
from app.store.puzzle_rushes import Rush
from app.store.puzzles import PuzzleAttempt
from app.web.guard.limits import CallerDep, limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.site.own_puzzles import add_own_puzzles
from app.web.site.puzzles import (
    PosedPuzzle,
    answer_rush,
    judge,
    keep_answer,
    next_puzzle,
    open_rush,
    posed,
    puzzle_rooms,
    rating_of,
    todays,
)
from app.words.vocabulary import Level

router = api_router("/api/puzzles", "puzzles", dependencies=[limited("engines")])


class PuzzleRating(Documented):
    """A rating in puzzles, by Glicko-2."""

    value: float
    deviation: float
    """The true value is within two deviations with a probability of 95%."""
    provisional: bool
    """Whether the rating is based on few answers."""


class PuzzleResult(Documented):
    """The evaluation of an answer, and the solution. Values are in the game's own unit."""

    solved: bool
    """Whether the answer is worth more than every other one."""
    answer: str
    """Your answer, in capitals; empty if you gave up."""
    value: float | None
    """The value of your answer."""
    solution: Answer
    """The best answer."""
    solution_value: float
    """The value of the solution."""
    second: Answer
    """The best other answer."""
    second_value: float
    """The value of the best other answer."""
    margin: float
    """The difference between the values of the solution and the best other answer."""
    themes: list[Theme]
    """The themes of the solution."""
    level: Level
    """The vocabulary level of the solution."""
    engine: str
    """The engine that verified the puzzle."""
    version: str
    """The version of Wibble that verified it."""
    rating: float | None
    """Your rating in puzzles of this game after the answer; null if it was not rated."""
    rating_change: float | None
    """How much your rating changed."""
    day: str | None
    """If it was a puzzle of the day, the day in UTC."""


class PuzzleView(Documented):
    """A puzzle. Its solution is shown once you have answered."""

    id: str
    """The ID; the page of the puzzle is `/puzzles/{id}`."""
    room: str
    """The game."""
    lexicon: str
    """The word list."""
    task: str
    """What to find."""
    position: dict[str, Any]
    """The position, as shown by the game; cells are counted row by row from 0."""
    facts: list[str]
    """Further facts about the position."""
    rating: PuzzleRating
    """The puzzle's rating."""
    result: PuzzleResult | None
    """Your first answer, to a puzzle from your own game the latest; null if none is stored."""


class PuzzleStandingView(Documented):
    """Your puzzle statistics in one game."""

    room: str
    """The game."""
    rating: PuzzleRating
    """Your rating in its puzzles."""
    attempts: int
    """Number of your rated answers."""
    solved: int
    """Number of these that were right."""
    streak: int
    """Number of days in a row on which you solved the puzzle of the day."""
    today: str
    """The ID of today's puzzle."""
    today_solved: bool | None
    """Whether you solved today's puzzle; null before you answer."""


class PuzzleOverview(Documented):
    """Your puzzle statistics by game."""

    rooms: list[PuzzleStandingView]
    """The games with puzzles."""


class PuzzleAnswer(Given):
    """Your answer; empty to give up. A word, or cells in order; in Fribble, squares with their tiles."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class RushRequest(PuzzleAnswer):
    """Your answer in a rush; empty to skip the puzzle."""

    puzzle: Annotated[str, Field(max_length=64)] | None = None
    """The ``id`` of the puzzle that you saw. If given and a later puzzle has its turn, the answer changes
    nothing, so a request whose answer was lost can be sent again."""


class NewRush(Documented):
    """A rush to start."""

    model_config = ConfigDict(extra="forbid")

    room: Annotated[str, Field(max_length=32)]
    """The game."""


class RushView(Documented):
    """A rush: as many puzzles as possible in three minutes."""

    id: str
    """ID of the rush."""
    room: str
    """The game."""
    started_at: float
    ends_at: float
    """When the rush ends, in seconds since the epoch."""
    over: bool
    """Whether the time is over or no puzzle is left."""
    solved: int
    """Puzzles solved."""
    wrong: int
    """Puzzles answered wrongly or given up."""
    puzzle: PuzzleView | None
    """The puzzle to answer; null once the rush is over."""
    latest: PuzzleResult | None = None
    """The result of the answer; null if it changed nothing."""


class OwnPuzzleView(Documented):
    """A puzzle from a mistake in one of your games. Only you can see it."""

    id: str
    room: str
    """The game."""
    game_id: str
    ply: int
    """The number of moves before the mistake."""
    solved: bool | None
    """Whether your latest answer was right; null before an answer."""


class OwnPuzzles(Documented):
    """Puzzles from your mistakes."""

    puzzles: list[OwnPuzzleView]
    """The puzzles: those not answered first, then the latest."""
    added: int | None = None
    """The number of new puzzles."""


@router.get("", response_model=PuzzleOverview, summary="Get your puzzles in numbers")
def see_puzzles(services: ServicesDep, player: Player) -> PuzzleOverview:
    """By game: your rating in puzzles, your streak, and today's puzzle."""
    standings, today = services.puzzles.standings(player), services.today()
    streaks = services.puzzles.streaks(player, today)
    found = []
    for kind in puzzle_rooms(services.rooms):
        standing, asked = standings.get(kind), todays(services, kind, today)
        attempt = services.puzzles.attempt(player, asked.id)
        found.append(
            PuzzleStandingView(
                room=kind,
                rating=_rating(standing.rating if standing else Rating()),
                attempts=standing.attempts if standing else 0,
                solved=standing.solved if standing else 0,
                streak=streaks.get(kind, 0),
                today=asked.id,
                today_solved=None if attempt is None else attempt.solved,
            )
        )
    return PuzzleOverview(rooms=found)


@router.get("/mistakes", response_model=OwnPuzzles, summary="List puzzles from your mistakes")
def list_own_puzzles(services: ServicesDep, player: Player) -> OwnPuzzles:
    """Puzzles from mistakes in your games, those not answered first."""
    return _own_puzzles(services, player)


@router.post("/mistakes", response_model=OwnPuzzles, summary="Make puzzles of your mistakes")
async def make_own_puzzles(services: ServicesDep, caller: CallerDep) -> OwnPuzzles:
    """Make puzzles from mistakes in your ten latest finished games where one answer was clearly best.

    Each game counts as an engine request, including games that were looked through before without a result.
    """
    player = caller.player
    added = 0 if player is None else await add_own_puzzles(services, caller, player)
    return _own_puzzles(services, player, added)


@router.post(
    "/rushes",
    response_model=RushView,
    status_code=201,
    responses=describe(404),
    summary="Start a rush",
    dependencies=[limited("guests")],
)
def start_rush(
    body: JsonBody[NewRush], request: Request, response: Response, services: ServicesDep
) -> RushView:
    """Start three minutes of puzzles, easier ones first. The server keeps the time."""
    player = services.guests.welcome(request, response, services.clock())
    return _rush(services, player, open_rush(services, player, body.room))


@router.get("/rushes/{rush_id}", response_model=RushView, summary="Get a rush")
def see_rush(rush_id: str, services: ServicesDep, player: Player) -> RushView:
    """One of your rushes, with the puzzle to answer."""
    return _rush(services, player, services.rushes.find(player, rush_id))


@router.post(
    "/rushes/{rush_id}/answer", response_model=RushView, responses=describe(409), summary="Answer in a rush"
)
def answer_in_rush(
    rush_id: str, body: JsonBody[RushRequest], services: ServicesDep, caller: CallerDep
) -> RushView:
    """Answer the puzzle of a rush and get the next. An empty answer skips it; that counts as wrong.

    An impossible answer is refused and does not count. 409 once the time is over.
    """
    with _naming_field(body):
        rush = services.rushes.find(caller.player, rush_id)
        answered = answer_rush(services, caller, rush, body, body.puzzle)
    view = _rush(services, caller.player, answered.rush if answered else rush)
    return view.model_copy(update={"latest": answered and _result(answered.asked, answered.attempt)})


@router.get("/{room}/today", response_model=PuzzleView, summary="Get the puzzle of the day")
def see_todays_puzzle(room: str, services: ServicesDep, player: Player) -> PuzzleView:
    """Today's puzzle of a game, the same for everyone, by UTC."""
    return _view(services, player, todays(services, room, services.today()))


@router.get("/{room}/next", response_model=PuzzleView, summary="Get the next rated puzzle")
def see_next_puzzle(room: str, services: ServicesDep, player: Player) -> PuzzleView:
    """A puzzle near your rating that you have not answered. 404 once you have answered all."""
    return _view(services, player, next_puzzle(services, player, room))


@router.get("/{puzzle_id}", response_model=PuzzleView, summary="Get a puzzle")
def see_puzzle(puzzle_id: str, services: ServicesDep, player: Player) -> PuzzleView:
    """A puzzle, with the solution once you have answered it."""
    return _view(services, player, posed(services, player, puzzle_id))


@router.post(
    "/{puzzle_id}/answer",
    response_model=PuzzleResult,
    summary="Answer a puzzle",
    dependencies=[limited("guests")],
)
def answer_puzzle(
    puzzle_id: str,
    body: JsonBody[PuzzleAnswer],
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
) -> PuzzleResult:
    """Answer a puzzle. Your first answer is rated; an empty one gives up.

    An impossible answer, such as a word that is not in the list, is refused and does not count.
    """
    asked = posed(services, caller.player, puzzle_id)
    with _naming_field(body):
        judged = None if body.is_empty else judge(services, caller, asked, body)
    player = services.guests.welcome(request, response, services.clock())
    first = keep_answer(services, player, asked, judged)
    result = _result(asked, first)
    if judged is None:
        return result
    solved, answer = asked.puzzle.is_solved_by(judged), asked.board.described(judged.answer)
    return result.model_copy(update={"solved": solved, "answer": answer, "value": round(judged.value, 2)})


@contextmanager
def _naming_field(given: PuzzleAnswer) -> Iterator[None]:
    """Raise BadField instead of the IllegalMove of an answer that is not possible."""
    try:
        yield
    except IllegalMove as refused:
        at = () if refused.index is None else (refused.index,)
        raise BadField(refused.reason, *(("cells", *at) if given.cells else ("word",))) from None


def _rating(rating: Rating) -> PuzzleRating:
    return PuzzleRating(
        value=round(rating.value, 1),
        deviation=round(rating.deviation, 1),
        provisional=rating.is_provisional,
    )


def _view(services: Services, player: str | None, asked: PosedPuzzle) -> PuzzleView:
    first = services.puzzles.attempt(player, asked.id)
    return PuzzleView(
        id=asked.id,
        room=asked.puzzle.kind,
        lexicon=asked.puzzle.lexicon.name,
        task=asked.rules.task,
        position=asked.puzzle.position,
        facts=list(asked.board.facts(asked.position)),
        rating=_rating(rating_of(services, asked)),
        result=_result(asked, first) if first else None,
    )


def _result(asked: PosedPuzzle, first: PuzzleAttempt) -> PuzzleResult:
    puzzle = asked.puzzle
    return PuzzleResult(
        solved=first.solved,
        answer=first.answer,
        value=first.value,
        solution=puzzle.solution,
        solution_value=puzzle.value,
        second=puzzle.second,
        second_value=puzzle.second_value,
        margin=puzzle.margin,
        themes=list(puzzle.themes),
        level=puzzle.level,
        engine=puzzle.engine,
        version=puzzle.version,
        rating=first.rating,
        rating_change=first.change,
        day=first.day,
    )


def _rush(services: Services, player: str | None, rush: Rush) -> RushView:
    over = rush.is_over(services.clock())
    current = None if over else rush.current
    return RushView(
        id=rush.id,
        room=rush.kind,
        started_at=rush.started_at,
        ends_at=rush.ends_at,
        over=over,
        solved=rush.solved,
        wrong=rush.wrong,
        puzzle=None if current is None else _view(services, None, posed(services, player, current)),
    )


def _own_puzzles(services: Services, player: str | None, added: int | None = None) -> OwnPuzzles:
    return OwnPuzzles(
        puzzles=[
            OwnPuzzleView(id=each.id, room=each.kind, game_id=each.game_id, ply=each.ply, solved=each.solved)
            for each in services.own_puzzles.of_player(player)
        ],
        added=added,
    )
