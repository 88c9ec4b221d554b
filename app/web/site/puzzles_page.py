"""The pages of puzzles: all games, one puzzle, and a player's own mistakes."""

from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from app.games.game import IllegalMove
from app.games.puzzles import Given
from app.store.puzzles import PuzzleAttempt
from app.web.guard.limits import CallerDep, limited
from app.web.preferences import preferences_of
from app.web.room import cell_numbers
from app.web.services import Player, Services, ServicesDep
from app.web.share.pages import picture
from app.web.share.texts import styles
from app.web.site.own_puzzles import add_own_puzzles
from app.web.site.puzzles import (
    PosedPuzzle,
    better_by,
    judge,
    keep_answer,
    next_puzzle,
    posed,
    puzzle_rooms,
    rating_of,
    result_share,
    short_by,
    todays,
)
from app.web.templating import templates

router = APIRouter(prefix="/puzzles", include_in_schema=False, dependencies=[limited("engines")])

Word = Annotated[str, Form(max_length=80)]
Cells = Annotated[str, Form(max_length=400)]
Tiles = Annotated[str, Form(max_length=7)]


class Typed(NamedTuple):
    """The fields of a form, shown again if the answer is refused."""

    word: str = ""
    cells: str = ""
    tiles: str = ""


NOTHING_TYPED: Final = Typed()


@router.get("")
def all_puzzles(request: Request, services: ServicesDep, player: Player) -> Response:
    """Today's puzzle of each game, the player's ratings and streaks."""
    standings, today = services.puzzles.standings(player), services.today()
    streaks = services.puzzles.streaks(player, today)
    lines = []
    for kind, room in puzzle_rooms(services.rooms).items():
        asked = todays(services, kind, today)
        lines.append(
            {
                "room": room,
                "today": asked,
                "attempt": services.puzzles.attempt(player, asked.id),
                "standing": standings.get(kind),
                "streak": streaks.get(kind, 0),
                "best_rush": services.rushes.best(player, kind),
            }
        )
    own = services.own_puzzles.of_player(player)
    context = {"lines": lines, "own": own, "open": sum(each.solved is None for each in own)}
    return templates.TemplateResponse(request, "site/puzzles.html", context)


@router.get("/next/{kind}")
def go_to_next(kind: str, services: ServicesDep, player: Player) -> Response:
    """Go to a puzzle near the player's rating."""
    asked = next_puzzle(services, player, kind)
    return RedirectResponse(f"/puzzles/{asked.id}", status_code=303, headers={"Cache-Control": "no-store"})


@router.get("/mistakes")
def own_mistakes(
    request: Request,
    services: ServicesDep,
    player: Player,
    added: Annotated[int | None, Query(ge=0, le=1000)] = None,
) -> Response:
    """Puzzles from the mistakes in the player's own games."""
    own = services.own_puzzles.of_player(player)
    return templates.TemplateResponse(request, "site/own_puzzles.html", {"own": own, "added": added})


@router.post("/mistakes")
async def look_for_mistakes(services: ServicesDep, caller: CallerDep) -> Response:
    """Make puzzles from the mistakes in the player's latest games."""
    added = 0 if caller.player is None else await add_own_puzzles(services, caller, caller.player)
    return RedirectResponse(f"/puzzles/mistakes?added={added}", status_code=303)


@router.get("/{puzzle_id}")
def puzzle_page(
    puzzle_id: str,
    request: Request,
    services: ServicesDep,
    player: Player,
    again: Annotated[bool, Query()] = False,  # noqa: FBT002 - a field of the address
) -> Response:
    """A puzzle, with its solution once it is answered; a puzzle from an own game may be tried again."""
    return show(request, services, player, posed(services, player, puzzle_id), again=again)


@router.post("/{puzzle_id}", dependencies=[limited("guests")])
def answer(
    puzzle_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    word: Word = "",
    cells: Cells = "",
    tiles: Tiles = "",
    give_up: Annotated[bool, Form()] = False,  # noqa: FBT002 - a form field
) -> Response:
    """Answer a puzzle and see the solution; an impossible answer shows an error and does not count."""
    asked = posed(services, caller.player, puzzle_id)
    try:
        given = Given() if give_up else read_answer(word, cells, tiles)
        if given.is_empty and not give_up:
            raise IllegalMove("type a word, or tap its tiles")
        judged = None if give_up else judge(services, caller, asked, given)
    except IllegalMove as refused:
        typed = Typed(word, cells, tiles)
        return show(request, services, caller.player, asked, refused=refused.reason, typed=typed, again=True)
    now = services.clock()
    response = RedirectResponse(f"/puzzles/{puzzle_id}", status_code=303)
    player = services.guests.welcome(request, response, now)
    keep_answer(services, player, asked, judged)
    return response


@router.get("/{puzzle_id}/preview.png")
def preview(puzzle_id: str, services: ServicesDep, caller: CallerDep) -> Response:
    """The picture of a puzzle for shared links."""
    asked = posed(services, caller.player, puzzle_id)
    tiles = asked.board.tiles(asked.position)
    return picture(services, caller, asked.room, f"{asked.room.title} puzzle", asked.rules.task, tiles)


def read_answer(word: str, cells: str, tiles: str) -> Given:
    """The answer in a form; with cells, the word only shows which letters are swapped. Raises IllegalMove."""
    if not cells:
        return Given(word=word.strip())
    return Given(word=word.strip(), cells=cell_numbers(cells), tiles=tiles)


def show(
    request: Request,
    services: Services,
    player: str | None,
    asked: PosedPuzzle,
    *,
    refused: str = "",
    typed: Typed = NOTHING_TYPED,
    again: bool = False,
) -> Response:
    """The page of a puzzle; with ``again``, a puzzle from an own game is shown as if it were not answered."""
    first = services.puzzles.attempt(player, asked.id)
    # Older answers to puzzles from own games are not stored, only whether they were right.
    done = first is not None if asked.own is None else asked.own.solved is not None and not again
    share = None
    if first is not None and not asked.own:
        streak = services.puzzles.streaks(player, services.today()).get(asked.puzzle.kind, 0)
        address = f"{str(request.base_url).rstrip('/')}/puzzles/{asked.id}"
        text = result_share(asked, first, streak, address)
        share = styles(text, clear_first=preferences_of(request).clear_squares)
    context = {
        **board_context(asked, solution=done),
        "attempt": first,
        "done": done,
        "solved": first.solved if first else bool(asked.own and asked.own.solved),
        "result": _result(asked) if done else None,
        "better": better_by(asked.rules, asked.puzzle, asked.board.described(asked.puzzle.second)),
        "short": short_by(asked.rules, asked.puzzle, first.value)
        if first and first.value is not None
        else None,
        "rated": _rated(services, player, first),
        "rating": rating_of(services, asked),
        "refused": refused,
        "typed": typed,
        "share": share,
    }
    return templates.TemplateResponse(
        request,
        "site/puzzle.html",
        context,
        status_code=422 if refused else 200,
        headers={"Cache-Control": "no-store"},
    )


def board_context(asked: PosedPuzzle, *, solution: bool = False) -> dict[str, Any]:
    """The variables of the templates for a puzzle, with or without its solution."""
    position = asked.position
    return {
        "asked": asked,
        "room": asked.room,
        "facts": asked.board.facts(position),
        "board": asked.board.context(position),
        "drawn": asked.puzzle.solution if solution else None,
    }


def _result(asked: PosedPuzzle) -> dict[str, Any]:
    puzzle = asked.puzzle
    return {
        "solution": asked.board.described(puzzle.solution),
        "swaps": asked.board.swaps(asked.position, puzzle.solution),
    }


def _rated(services: Services, player: str | None, first: PuzzleAttempt | None) -> dict[str, Any] | None:
    """The rating after the first answer, its change, and whether the rating is still provisional."""
    if first is None or first.rating is None or first.change is None:
        return None
    now = services.puzzles.standings(player).get(first.kind)
    provisional = now is not None and now.rating.is_provisional
    return {"after": first.rating, "change": first.change, "provisional": provisional}
