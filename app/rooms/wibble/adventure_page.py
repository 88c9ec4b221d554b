"""Adventure: the levels by chapter with the player's stars, as a page and in the API."""

from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from app.games.wibble.bot import bots
from app.games.wibble.levels import Level, chapters, find_level, levels, measured, number_of
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.store.levels import WonLevel
from app.web.guard.limits import limited
from app.web.model import Documented, rendered
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.table.opening import open_table
from app.web.templating import templates

PATH: Final = "/wibble/adventure"
MOST_STARS: Final = 3

router = APIRouter(prefix=PATH, include_in_schema=False)
api = api_router("/api/wibble/adventure", "games")


class GoalAnswer(Documented):
    """A goal of a level."""

    type: str
    """``points``, ``words``, ``gems``, ``frozen`` (ice), ``marked`` (tiles) or ``bombs``."""
    text: str
    """Short description of the goal."""
    target: int
    """Points, words, gems, layers of ice, marked tiles or bombs."""


class LevelAnswer(Documented):
    """A level of Adventure, and your best result in it."""

    number: int
    """Counted from 1, the easiest level."""
    name: str
    """The name in URLs and requests."""
    title: str
    story: str
    """Description in one sentence."""
    chapter: str
    """The title of its chapter."""
    size: int
    """Tiles per side."""
    moves: int
    """Maximum number of words."""
    goals: list[GoalAnswer]
    """The goals, all of which must be reached."""
    stars_within: tuple[int, int]
    """Maximum number of words for three stars, and for two stars."""
    won_by_bots: list[float]
    """Share of measured games won by each bot, weakest first: 0 to 1."""
    open: bool
    """Whether you can play it from the site's list, because you have won the level before."""
    stars: int
    """Your stars: 1 to 3, or 0 if you have not won it."""
    best_moves: int | None
    """The fewest words it took you; null if you have not won it."""


class AdventureAnswer(Documented):
    """The levels of Adventure."""

    stars: int
    """Total number of your stars."""
    bots: list[str]
    """Names of the bots in ``won_by_bots``."""
    levels: list[LevelAnswer]
    """In order, the easiest first."""


@api.get("", response_model=AdventureAnswer, summary="List Adventure’s levels")
def list_levels(services: ServicesDep, player: Player) -> Response:
    """All levels in order, with your stars.

    Play one with ``POST /api/games``: mode ``adventure``, its name or number as ``level``. Any level can be
    played this way; the site's own list opens a level when the one before it is won.
    """
    found = _answers(services, player)
    answer = AdventureAnswer(
        stars=sum(level.stars for level in found), bots=[bot.name for bot in bots()], levels=found
    )
    return rendered(answer)


@router.get("")
def map_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The levels by chapter, with the player's stars."""
    return _page(request, services, player)


@router.get("/{level}")
def level_page(level: str) -> Response:
    """Redirect to the level in the list of levels. Raises UnknownLevel."""
    return RedirectResponse(f"{PATH}#{find_level(level).name}", status_code=303)


@router.post("/{level}", dependencies=[limited("games", "guests")])
def play_level(level: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """Open a game of the level and go to its table. Raises UnknownLevel, and 409 if it is not open yet."""
    name = find_level(level).name
    if not is_open(name, won_levels(services, player)):
        raise HTTPException(409, f"level {number_of(name)} is locked: win the level before it first")
    return open_table(services, request, Wibble.kind, Setup(mode="adventure", level=name))


def won_levels(services: Services, player: str | None) -> dict[str, WonLevel]:
    """The levels that the player has won, by name."""
    return {each.level: each for each in services.levels.of_player(player, Wibble.kind)}


def is_open(name: str, won: dict[str, WonLevel]) -> bool:
    """Whether a level can be played: the first one, those won, and the level after each of these."""
    order = list(levels())
    place = order.index(name)
    return place == 0 or name in won or order[place - 1] in won


def _page(request: Request, services: Services, player: str | None) -> Response:
    found = _answers(services, player)
    titles = [chapter.title for chapter in chapters()]
    by_chapter = [(title, [level for level in found if level.chapter == title]) for title in titles]
    context: dict[str, Any] = {
        "chapters": by_chapter,
        "stars": sum(level.stars for level in found),
        "most_stars": MOST_STARS * len(found),
        "next": next((level for level in found if level.open and not level.stars), None),
    }
    return templates.TemplateResponse(request, "wibble/adventure.html", context)


def _answers(services: Services, player: str | None) -> list[LevelAnswer]:
    won = won_levels(services, player)
    return [
        _answer(level, number, chapter.title, won)
        for number, (chapter, level) in enumerate(
            ((chapter, level) for chapter in chapters() for level in chapter.levels), start=1
        )
    ]


def _answer(level: Level, number: int, chapter: str, won: dict[str, WonLevel]) -> LevelAnswer:
    best, known = won.get(level.name), measured().get(level.name)
    return LevelAnswer(
        number=number,
        name=level.name,
        title=level.title,
        story=level.story,
        chapter=chapter,
        size=level.size,
        moves=level.moves,
        goals=[
            GoalAnswer(type=goal.type, text=level.describe(goal), target=level.target(goal))
            for goal in level.goals
        ],
        stars_within=level.stars or (0, 0),
        won_by_bots=list(known.won) if known else [],
        open=is_open(level.name, won),
        stars=best.stars if best else 0,
        best_moves=best.moves if best else None,
    )
