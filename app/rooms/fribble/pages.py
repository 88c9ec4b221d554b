"""Fribble's front page with the start forms, the preview of a move, and GCG export."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from app.games.fribble import gcg_writer
from app.games.fribble.notation import coordinate, played_text
from app.games.fribble.placement import Placement
from app.games.fribble.presets import DEFAULT_PRESET, MOST_SEATS, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Setup, State
from app.games.game import IllegalMove
from app.store.models import NotYourSeat, Seat, Table, UnknownGame
from app.web.clock_fields import ClockFields
from app.web.guard.limits import CallerDep, charge, limited
from app.web.room import Opponent, TableSettingsFields
from app.web.services import Player, Services, ServicesDep
from app.web.table.opening import StartPage, back_to
from app.web.table.record import StillSecret, check_secret
from app.web.table.seat_views import seat_views

router = APIRouter(include_in_schema=False)


class GameForm(ClockFields, Setup):
    """The form fields for the game's options."""

    model_config = ConfigDict(extra="ignore")

    @field_validator("turn_seconds", mode="before")
    @classmethod
    def _empty_is_none(cls, value: str) -> str | None:
        return value or None

    def setup(self) -> Setup:
        """The game's options."""
        return Setup.model_validate(self.model_dump(include=set(Setup.model_fields)))


class PlayForm(GameForm, TableSettingsFields):
    """The form for starting a game."""

    opponent: Annotated[tuple[Opponent, ...], Field(min_length=1, max_length=3)]
    """The other seats: an invited friend or a bot level each; a single value applies to all seats."""
    players: Annotated[int, Field(ge=2, le=MOST_SEATS)] = 2
    """With more players than the preset allows, a standard board is used, as the form says."""

    @model_validator(mode="before")
    @classmethod
    def _standard_board_for_more(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        preset = presets().get(str(given.get("preset", DEFAULT_PRESET)))
        more = () if preset is None else map(str, range(preset.seats[1] + 1, MOST_SEATS + 1))
        return given | {"preset": "standard"} if str(given.get("players")) in more else given


class SelfForm(GameForm):
    """The form for a game between two bots."""

    first: Annotated[int, Field(ge=1, le=5)]
    """Level of the bot that begins."""
    second: Annotated[int, Field(ge=1, le=5)]


_PAGE = StartPage(Fribble.kind, "fribble/home.html", lambda _services, _player: {"presets": presets()})


@router.get("/fribble")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The front page: start forms and unfinished games."""
    return _PAGE.show(request, services, player)


router.get("/fribble/play")(back_to("/fribble"))


@router.post("/fribble/play", dependencies=[limited("games", "guests")])
def play(
    form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep, player: Player
) -> Response:
    """Open a game and go to its table."""
    others = form.players - 1
    opponents = form.opponent if len(form.opponent) == others else form.opponent[:1] * others
    return _PAGE.open(request, services, player, form, lambda: (form.setup(), opponents, form.settings()))


@router.post("/fribble/self", dependencies=[limited("games")])
def play_itself(form: Annotated[SelfForm, Form()], services: ServicesDep) -> Response:
    """Open a game between two bots and go to its table; they play while the player watches."""
    bots = [Seat(bot_level=form.first), Seat(bot_level=form.second)]
    table = services.games.open(Fribble.kind, form.setup(), bots, services.clock())
    return RedirectResponse(f"/games/{table.id}", status_code=303)


class WordPreview(BaseModel):
    """A word that a placement would form."""

    word: str
    points: int
    valid: bool | None
    """Whether it is in the lexicon; null if players may challenge words in this game."""


class Preview(BaseModel):
    """The words and score of a placement."""

    coordinate: str
    text: str
    words: list[WordPreview]
    bonus: int
    score: int


class NoPlay(BaseModel):
    """An illegal placement, common while a word is still being placed."""

    trouble: str


@router.post("/games/{game_id}/preview")
def preview(game_id: str, body: Placement, services: ServicesDep, player: Player) -> Preview | NoPlay:
    """Score a placement for the player, even if it is not their turn. Raises NotYourSeat (403)."""
    table, game = _fribble(services, game_id)
    state: State = table.state
    seat = table.seat_of(player)
    if seat is None:
        raise NotYourSeat("only the players of this game can place tiles")
    try:
        found, invalid = game.judge(state.model_copy(update={"to_move": seat}), body)
    except IllegalMove as refused:
        return NoPlay(trouble=refused.reason)
    shows_validity = state.options.challenge == "void"
    return Preview(
        coordinate=coordinate(state.board, body),
        text=played_text(state.board, body),
        words=[
            WordPreview(word=word, points=points, valid=word not in invalid if shows_validity else None)
            for word, points in zip(found.words, found.points, strict=True)
        ],
        bonus=found.bonus,
        score=found.total,
    )


@router.get("/games/{game_id}/gcg")
def take_gcg(game_id: str, services: ServicesDep, caller: CallerDep) -> Response:
    """Download a finished game as GCG. Raises StillSecret (409) while the game is in progress.

    Raises it, too, for a game in a challenge that the caller has not finished.
    """
    table, _ = _fribble(services, game_id)
    if table.finished_at is None:
        raise StillSecret("the game is still in progress: its GCG would reveal the racks")
    check_secret(services, table, caller.player)
    charge(services, caller, "engines", 1)
    states = services.pool.run(caller, "fribble replay", services.games.states, table.id)
    text = gcg_writer.write(states, [seat.name for seat in seat_views(table, None)])
    name = f'attachment; filename="fribble-{game_id}.gcg"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


def _fribble(services: Services, game_id: str) -> tuple[Table, Fribble]:
    """The table and its rules. Raises UnknownGame, also if it is another kind of game."""
    table = services.games.load_or_read(game_id, services.clock())
    if not isinstance(table.game, Fribble):
        raise UnknownGame(f"{game_id} is not a game of Fribble")
    return table, table.game
