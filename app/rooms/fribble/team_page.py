"""Fribble's team mode page: advice for a game played elsewhere.

The URL holds the game, and each listed move links to the game after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from pydantic import ConfigDict, Field

from app.games.fribble import gcg
from app.games.fribble.adviser import Laid
from app.games.fribble.bag import missing, without
from app.games.fribble.board import Board
from app.games.fribble.external_result import ending_of, is_over, rack_sizes, reason, verdict
from app.games.fribble.layout import CENTRE
from app.games.fribble.notation import BadNotation, parse, shortage
from app.games.fribble.position import BadPosition, check_position, parse_board, parse_rack
from app.games.fribble.presets import presets
from app.games.fribble.reported_turns import BadTurn, Sides, texts_of
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options
from app.games.fribble.tileset import TILES
from app.games.game import LexiconRef
from app.grammar import format_count
from app.rooms.fribble.api import Position, refusal
from app.rooms.fribble.moves_api import MoveAnswer, MovesAnswer, MovesRequest, best_moves
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.services import Services, ServicesDep
from app.web.table.page import FormFields
from app.web.templating import templates
from app.words.library import UnknownLexicon

PATH: Final = "/fribble/team"
_SIDES: Final = 2
US: Final = "You"
THEM: Final = "They"
"""Names of the sides in GCG."""

router = APIRouter(prefix=PATH, include_in_schema=False, dependencies=[limited("engines")])

Errors = dict[str, str]
"""Error messages by field."""


class TeamQuery(MovesRequest):
    """The page's query parameters: a game played elsewhere."""

    model_config = ConfigDict(extra="ignore")

    board: Annotated[str, Field(max_length=40_000)] = ""
    """The board before ``turns``, if not empty: 15 rows, or a game as GCG."""
    turns: Annotated[str, Field(max_length=20_000)] = ""
    """One per line, sides alternating: a placement, ``pass`` or ``exchange 3``."""
    first: Literal["ours", "theirs"] = "ours"
    """The side that made the first turn."""
    ours: Annotated[int, Field(ge=-9999, le=9999)] = 0
    """Our score before the first turn."""
    theirs: Annotated[int, Field(ge=-9999, le=9999)] = 0

    @property
    def is_gcg(self) -> bool:
        """Whether ``board`` is a game as GCG."""
        return gcg.is_gcg(self.board)

    @property
    def texts(self) -> list[str]:
        """The turns as a list."""
        return [line.strip() for line in self.turns.splitlines() if line.strip()]

    @property
    def is_whole(self) -> bool:
        """Whether the turns are the whole game, from an empty board."""
        return not (self.board or self.ours or self.theirs)

    def address(self, **changed: Any) -> str:
        """The URL of this game, with ``changed`` fields, without default values."""
        values = self.model_dump(exclude={"lead"}) | changed
        defaults = {name: info.get_default() for name, info in TeamQuery.model_fields.items()}
        given = {name: value for name, value in values.items() if value not in (defaults[name], None)}
        return f"{PATH}?{urlencode(given)}" if given else PATH

    def then(self, text: str, rack: str | None) -> str:
        """The URL after one more turn, with this rack."""
        return self.address(turns="\n".join([*self.texts, text]), rack=rack or None)


@dataclass(slots=True)
class Seen:
    """The page's state, as far as the input could be read."""

    query: TeamQuery | None = None
    errors: Errors = field(default_factory=dict)
    sides: Sides | None = None
    position: Position | None = None
    rack: str = ""
    answer: MovesAnswer | None = None


class _InvalidField(Exception):
    """A form field is invalid; the message says why."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.field = name


@router.get("")
def team_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The team page: the game in the URL and our best moves; errors are shown at the form's fields."""
    return _respond(request, services, caller, dict(request.query_params))


@router.post("")
def post_team(request: Request, services: ServicesDep, caller: CallerDep, fields: FormFields) -> Response:
    """The same for input that is too long for a form's URL; redirects to the game's URL."""
    return _respond(request, services, caller, fields, posted=True)


@router.get("/gcg")
def take_gcg(services: ServicesDep, query: Annotated[TeamQuery, Query()]) -> Response:
    """Download the game in the URL as GCG."""
    seen = Seen(query=query)
    try:
        _follow(seen, query, None, services)
    except _InvalidField as error:
        raise refusal(error.field, str(error)) from error
    if seen.sides is None or not query.is_whole:
        raise refusal("board", "a GCG needs the whole game, from an empty board")
    if "rack" in seen.errors:
        raise refusal("rack", seen.errors["rack"])
    lexicon = query.lexicon_for(None, query.preset, services.library)
    text = gcg.write_reported(seen.sides, seen.rack, (US, THEM), query.preset, lexicon)
    return PlainTextResponse(text, headers={"Content-Disposition": 'attachment; filename="fribble-team.gcg"'})


def _gcg_address(query: TeamQuery) -> str:
    return query.address().replace(PATH, f"{PATH}/gcg", 1)


def _respond(
    request: Request, services: Services, caller: Caller, fields: Mapping[str, str], *, posted: bool = False
) -> Response:
    typed = {name: text.strip() for name, text in fields.items() if text.strip()}
    seen = Seen()
    seen.query, seen.errors = _read(typed)
    if seen.query is not None and not seen.errors:
        try:
            address = _follow(seen, seen.query, typed.get("turn"), services)
            if address and not seen.errors:
                return RedirectResponse(address, status_code=303)
            if posted and not seen.errors:
                return RedirectResponse(seen.query.address(), status_code=303)
        except _InvalidField as error:
            seen.errors[error.field] = str(error)
        if not seen.errors.keys() - {"turn"}:
            _advise(seen, seen.query, services, caller)
    return _page(request, services, typed, seen)


def _read(typed: Mapping[str, str]) -> tuple[TeamQuery | None, Errors]:
    """Parse the fields; invalid ones get their defaults and an error."""
    errors: Errors = {}
    fields = dict(typed)
    while True:
        with collecting_errors(errors):
            return TeamQuery.model_validate(fields), errors
        if errors.keys().isdisjoint(fields):
            return None, errors
        fields = {name: text for name, text in fields.items() if name not in errors}


def _follow(seen: Seen, query: TeamQuery, turn: str | None, services: Services) -> str | None:
    """Replay the query's game into ``seen``. Returns a URL to redirect to, if any. Raises _InvalidField."""
    if query.is_gcg:
        return _from_gcg(query, services)
    rules, _ = _rules(query, None, services)
    preset = presets()[query.preset]
    try:
        seen.rack = rack = parse_rack(query.rack or "")
    except BadPosition as error:
        rack = ""
        seen.errors["rack"] = str(error)
    try:
        board = parse_board(query.board.split()) if query.board else Board()
        seen.sides = sides = Sides(
            board=board, preset=preset, ours=query.ours, theirs=query.theirs, our_turn=query.first == "ours"
        )
        check_position(board, "", preset, rules.lexicon)
        for number, text in enumerate(query.texts, start=1):
            seen.sides = sides = _after(sides, text, rules, "turns", f"turn {number}: ")
    except BadPosition as error:
        raise _InvalidField(error.field, str(error)) from error
    if lacking := missing(sides.unseen(), rack):
        raise _InvalidField(
            "rack", f"{preset.title} has no more {lacking[0]}: all are on the board or in your rack"
        )
    if (size := rack_sizes(sides, rack)[0]) < len(rack):
        raise _InvalidField("rack", f"there are {len(rack)} tiles: you hold {size} now")
    last = Laid.by(sides.turns[-1]) if sides.turns else None
    seen.position = Position(
        sides.board, rack, query.preset, preset, rules, sides.lead, sides.scoreless, last
    )
    return None if turn is None else _play(query, sides, rack, turn, rules)


def _rules(query: TeamQuery, game: gcg.Gcg | None, services: Services) -> tuple[Fribble, LexiconRef]:
    try:
        lexicon = services.rulebook.ref(query.lexicon_for(game, query.preset, services.library))
        return services.rulebook.rules(Fribble, lexicon), lexicon
    except UnknownLexicon as unknown:
        raise _InvalidField("lexicon", str(unknown)) from unknown


def _play(query: TeamQuery, sides: Sides, rack: str, turn: str, rules: Fribble) -> str:
    """The URL of the game after the typed ``turn``. Raises _InvalidField."""
    held = rack if sides.our_turn else ""
    played = _after(sides, turn, rules, "turn", rack=held).turns[-1]
    if held and played.placement and (lacking := shortage(sides.board, played.placement, held)):
        raise _InvalidField("turn", f"your rack has {lacking}")
    if held and (returned := missing(held, played.used)):
        raise _InvalidField("turn", f"your rack has no {returned[0]} to exchange")
    return query.then(played.text, without(held, played.used) if held else rack)


def _after(sides: Sides, text: str, rules: Fribble, name: str, where: str = "", rack: str = "") -> Sides:
    try:
        if is_over(sides):
            raise BadTurn("the game was already over")
        return sides.after(text, rules.lexicon, rack)
    except BadTurn as error:
        raise _InvalidField(name, f"{where}{error}") from error


def _from_gcg(query: TeamQuery, services: Services) -> str:
    """The URL of a game given as GCG. We are the player named "You", or else the player to move."""
    try:
        game = gcg.read(query.board)
        if len(game.players) != _SIDES:
            raise _InvalidField(
                "board", f"the game has {format_count(len(game.players), 'player')}: team mode is for two"
            )
        rules, lexicon = _rules(query, game, services)
        named = game.preset if game.preset in presets() and "preset" not in query.model_fields_set else None
        # With challenges, so that words missing from our lexicon are accepted.
        options = Options(preset=named or query.preset, lexicon=lexicon, challenge="double")
        last = gcg.replay(game, rules, options)[-1]
    except gcg.BrokenGcg as error:
        raise _InvalidField("board", str(error)) from error
    names = [name for _, name in game.players]
    us = names.index(US) if US in names else last.to_move
    over = last.out is not None
    turns = (
        last.turns[:-1] if over and last.turns[-1].kind == "pass" else last.turns
    )  # the opponent did not challenge
    return query.address(
        preset=options.preset,
        lexicon="" if lexicon.name == presets()[options.preset].lexicon else lexicon.name,
        board="",
        turns="\n".join(texts_of(turns)),
        first="ours" if us == 0 else "theirs",
        rack=query.rack or (last.racks[us] if over else game.racks.get(us)) or None,
    )


def _advise(seen: Seen, query: TeamQuery, services: Services, caller: Caller) -> None:
    """Run the engine if it is our turn and our rack is known."""
    if seen.sides is None or seen.position is None or not (seen.sides.our_turn and seen.rack):
        return
    if ending_of(seen.sides, seen.rack) is not None:
        return
    request = query.model_copy(update={"lead": max(-2000, min(2000, seen.sides.lead))})
    seen.answer = best_moves(seen.position, seen.rack, request, services, caller)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move as shown on the page, with its links."""

    move: MoveAnswer
    play: str
    """URL of the game after the move."""
    show: str
    """URL of this page with the move shown on the board."""


def _candidates(seen: Seen) -> list[Candidate]:
    if seen.answer is None or seen.query is None:
        return []
    query = seen.query
    here = query.address()
    return [
        Candidate(
            move,
            play=query.then(move.standard, move.leave),
            show=f"{here}&{urlencode({'show': move.standard})}#board",
        )
        for move in seen.answer.moves
    ]


def _instead(seen: Seen) -> str | None:
    """The URL of the game after an exchange or pass, if one is better than all moves."""
    if seen.query is None or seen.answer is None or seen.answer.instead is None:
        return None
    turn = seen.answer.instead
    return seen.query.then(f"exchange {turn.tiles}" if turn.tiles else "pass", turn.leave)


def _with_move(board: Board, shown: str) -> tuple[Board, tuple[int, ...]]:
    """The board with a move on it and the move's squares; unchanged if the move cannot be parsed."""
    try:
        placement = parse(shown, board)
        return board.with_tiles(placement.cells, placement.tiles), placement.cells
    except BadNotation:
        return board, ()


def _page(request: Request, services: Services, typed: Mapping[str, str], seen: Seen) -> Response:
    query, sides = seen.query or TeamQuery(), seen.sides
    preset = presets()[query.preset]
    shown = sides or Sides(board=Board(), preset=preset)
    unseen, sizes = shown.unseen(seen.rack), rack_sizes(shown, seen.rack)
    last = shown.turns[-1].placement if shown.turns else None
    latest = last.cells if last else ()
    board, looked_at = _with_move(shown.board, typed.get("show", "")) if seen.answer else (shown.board, ())
    ending = None if seen.errors else ending_of(shown, seen.rack)
    caption = f"With {typed['show']}" if looked_at else "The latest move is framed." if latest else ""
    context = {
        "typed": typed,
        "query": query,
        "errors": seen.errors,
        "sides": shown,
        "preset": preset,
        "values": {letter: preset.tiles.value(letter) for letter in ascii_uppercase},
        "board": board,
        "latest": looked_at or latest,
        "standing": latest[0] if latest else CENTRE,
        "caption": caption,
        "rack": seen.rack,
        "unseen": [(kind, unseen.count(kind)) for kind in TILES if unseen.count(kind)],
        "unseen_count": len(unseen),
        "in_bag": len(shown.unseen()) - sum(sizes),
        "rack_short": sizes[0] - len(seen.rack),
        "ending": ending,
        "reason": ending and reason(shown, ending),
        "verdict": ending and verdict(ending),
        "instead": _instead(seen),
        "gcg": _gcg_address(query) if shown.turns and query.is_whole else None,
        "answer": seen.answer,
        "candidates": _candidates(seen),
        "undo": query.address(turns="\n".join(query.texts[:-1])) if query.texts else None,
        "presets": [(name, each.title) for name, each in presets().items()],
        "lexicons": [
            ("", f"{preset.lexicon.capitalize()} (default)"),
            *((info.name, info.name.capitalize()) for info in services.library.names()),
        ],
        "default_lexicon": "",
    }
    return templates.TemplateResponse(
        request, "fribble/team.html", context, status_code=422 if seen.errors else 200
    )
