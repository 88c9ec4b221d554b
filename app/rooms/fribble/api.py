"""Fribble API: positions, presets and scoring a move, without a stored game."""

from string import ascii_uppercase
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import ConfigDict, Field

from app.games.fribble import cgp, gcg
from app.games.fribble.adviser import LastPlacement, outlook_of
from app.games.fribble.bag import missing, without
from app.games.fribble.board import Board
from app.games.fribble.cgp import Cgp
from app.games.fribble.layout import SIDE
from app.games.fribble.notation import BadNotation, coordinate, fribble_notation, parse, played_text, shortage
from app.games.fribble.placement import Placement
from app.games.fribble.position import BadPosition, check_position, overdrawn, parse_board, parse_rack
from app.games.fribble.presets import DEFAULT_PRESET, Preset, PresetName, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.scoring import score
from app.games.fribble.state import Options
from app.games.game import IllegalMove
from app.renamed import old_name
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody
from app.web.query import QueryFields
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import Library

router = api_router("/api/fribble", "engines")

_A_ROW: dict[str, Any] = {"pattern": f"^[.a-zA-Z]{{{SIDE}}}$"}
_EMPTY = list(Board().rows)
EXAMPLE_CGP = f"{'15/' * 7}7FRIBBLE1{'/15' * 7} EINDRS?/ 0/69 0 lex enable; bdn wwf;"
_CgpText = Annotated[str, Field(max_length=cgp.LONGEST, examples=[EXAMPLE_CGP])]
_EXAMPLE = [*_EMPTY[:7], ".......FRIBBLE.", *_EMPTY[8:]]


class Position(NamedTuple):
    """A validated position with its rules."""

    board: Board
    rack: str | None
    """In capitals, ``?`` for a blank; None if not given."""
    name: str
    """Name of the preset."""
    preset: Preset
    rules: Fribble
    scores: tuple[int, int] = (0, 0)
    """Our score and the opponent's; 0 if unknown."""
    scoreless: int = 0
    """Number of scoreless turns in a row just before."""
    last: LastPlacement | None = None
    """The opponent's latest placement, if known."""
    their_rack: str = ""
    """The opponent's tiles, as far as given."""

    @property
    def lead(self) -> int:
        """Our score minus the opponent's."""
        return self.scores[0] - self.scores[1]


class PositionRequest(Documented):
    """A board, a rack and the rules."""

    model_config = ConfigDict(extra="forbid")

    board: (
        Annotated[list[Annotated[str, Field(json_schema_extra=_A_ROW)]], Field(max_length=100)]
        | Annotated[str, Field(max_length=40_000)]
    ) = _EMPTY
    """15 rows of 15: ``.`` for an empty square, upper case for a tile, lower case for a blank. Or a game as
    GCG; ``simulating`` then infers the opponent's likely tiles from the last move."""
    rack: (
        Annotated[str, Field(max_length=50, json_schema_extra={"pattern": r"^\s*([a-zA-Z?]\s*){0,7}$"})]
        | None
    ) = None
    """Up to seven letters in either case, ``?`` for a blank; by default from the GCG's ``#rack``."""
    cgp: _CgpText = ""
    """The position in CGP, instead of `board` and `rack`, with the scores and the number of scoreless turns
    before. The opponent's rack is only validated."""
    preset: PresetName = DEFAULT_PRESET
    """By default the one named in the GCG or CGP, if any."""
    lexicon: str = ""
    """By default the one named in the GCG or CGP, if it is installed, otherwise the preset's."""

    def position(self, services: ServicesDep) -> Position:
        """Validate the position as a whole. Raises RequestValidationError."""
        if self.cgp:
            return self._position_in_cgp(services)
        preset, gcg_rack, scores, outlook = self.preset, None, (0, 0), None
        try:
            game = gcg.read(self.board) if isinstance(self.board, str) and gcg.is_gcg(self.board) else None
            if game:
                preset = self.preset_for(game)
            lexicon = services.rulebook.ref(self.lexicon_for(game, preset, services.library))
            rules = services.rulebook.rules(Fribble, lexicon)
            if game:
                options = Options(
                    preset=preset,
                    challenge="double" if game.has_challenges else "void",
                    lexicon=lexicon,
                )
                last = gcg.replay(game, rules, options)[-1]
                board, gcg_rack = last.board, game.racks.get(last.to_move)
                outlook, scores = outlook_of(last), (last.scores[last.to_move], last.scores[1 - last.to_move])
            else:
                rows = self.board.split() if isinstance(self.board, str) else self.board
                board = parse_board(rows)
            rack = gcg_rack if self.rack is None else parse_rack(self.rack)
            check_position(board, rack or "", presets()[preset], rules.lexicon)
        except gcg.BrokenGcg as error:
            raise invalid_field(str(error), "board") from error
        except BadPosition as error:
            raise invalid_field(str(error), error.field) from error
        if outlook is None or outlook.opponents > 1:
            return Position(board, rack, preset, presets()[preset], rules)
        history = scores, outlook.scoreless, outlook.last
        return Position(board, rack, preset, presets()[preset], rules, *history)

    def _position_in_cgp(self, services: ServicesDep) -> Position:
        if twice := sorted({"board", "rack"} & self.model_fields_set):
            raise invalid_field(
                f"the position is also given as {' and '.join(twice)}: give only one of both", "cgp"
            )
        try:
            given = cgp.read(self.cgp)
            preset = self.preset_for(given)
            lexicon = services.rulebook.ref(self.lexicon_for(given, preset, services.library))
            rules = services.rulebook.rules(Fribble, lexicon)
            ours, theirs = given.racks
            check_position(given.board, ours + theirs, presets()[preset], rules.lexicon)
        except (cgp.BrokenCgp, BadPosition) as error:
            raise invalid_field(str(error), "cgp") from error
        return Position(
            given.board,
            ours,
            preset,
            presets()[preset],
            rules,
            given.scores,
            given.scoreless,
            their_rack=theirs,
        )

    def preset_for(self, game: gcg.Gcg | Cgp) -> str:
        """The name of the preset for this game or position."""
        named = game.preset if game.preset in presets() else None
        return self.preset if named is None or "preset" in self.model_fields_set else named

    def lexicon_for(self, game: gcg.Gcg | Cgp | None, preset: str, library: Library) -> str:
        """The name of the lexicon for this position."""
        if self.lexicon:
            return self.lexicon
        if game is None:
            return presets()[preset].lexicon
        return gcg.lexicon_of(game, preset, [info.name for info in library.names()])


class PresetAnswer(Documented):
    """A preset: board layout, tile set and rules."""

    name: str
    title: str
    blurb: str
    seats: tuple[int, int]
    """Minimum and maximum number of players."""
    layout: tuple[str, ...]
    """15 rows: ``=`` triple word, ``-`` double word, ``"`` triple letter, ``'`` double letter."""
    counts: dict[str, int]
    """Number of tiles of each letter; ``?`` is the blank."""
    values: dict[str, int]
    """Value of each letter's tile."""
    bingo: int
    """Bonus for playing a full rack at once."""
    lexicon: str
    """The default word list."""


@router.get("/presets", response_model=list[PresetAnswer], summary="List the presets")
def list_presets() -> list[PresetAnswer]:
    """The values of ``preset`` for games and positions, the default first, custom presets last."""
    return [
        PresetAnswer(
            name=name,
            title=preset.title,
            blurb=preset.blurb,
            seats=preset.seats,
            layout=preset.layout.rows,
            counts=preset.tiles.counts,
            values={letter: preset.tiles.value(letter) for letter in ascii_uppercase},
            bingo=preset.bingo,
            lexicon=preset.lexicon,
        )
        for name, preset in presets().items()
    ]


class ScoreRequest(PositionRequest):
    """A position and a move."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"board": [*_EXAMPLE], "rack": "EINDRST", "move": "H8 .RIENDS"}]},
    )

    move: Annotated[str, Field(max_length=80)] | Placement
    """``8H FRIBBLE`` across, ``H8 .RIENDS`` down, ``m(c8,9,'riends')``, or squares 0 to 224 and tiles.

    Among capitals, a small letter is a blank. If all letters are small they are tiles, or blanks where the
    rack (without a rack, the tile set) lacks the tile. ``?`` before a letter always means a blank."""


class PlacedAnswer(Documented):
    """A tile placed by a move."""

    row: int
    """1 to 15."""
    column: int
    """1 to 15; column 8 is H."""
    cell: int
    """0 to 224, row by row."""
    letter: str
    """Upper case for a tile, lower case for a blank."""


class WordAnswer(Documented):
    """A word formed by a move."""

    word: str
    points: int
    valid: bool
    """Whether it is in the lexicon."""


class ScoreAnswer(Documented):
    """The words and score of a move."""

    coordinate: str
    """Start of the main word: ``8H`` across, ``H8`` down."""
    notation: str
    """In the Fribble document's notation, such as ``m(c8,9,'RIENDS')``."""
    word: str
    """The main word, with ``.`` for each tile already on the board."""
    cells: list[int]
    """Squares of the tiles placed, 0 to 224, row by row."""
    tiles: str
    """The tiles placed, lower case for blanks."""
    words: list[WordAnswer]
    """The main word, then the cross words."""
    bonus: int
    """Bonus for playing a full rack at once."""
    points: int
    """Points of all words plus the bonus."""
    valid: bool
    """Whether all words are in the lexicon."""
    leave: str | None
    """Tiles left on the rack; null without a rack."""
    placed: Annotated[list[PlacedAnswer], Field(deprecated=True)]
    """Old form of `cells` and `tiles`."""
    score: ClassVar[Any] = old_name("points", int)


def read_position(body: PositionRequest, services: Services, caller: Caller) -> Position:
    """The position of a request; a game is replayed in the engine pool.

    Raises RequestValidationError, PoolFull.
    """
    if isinstance(body.board, str) and gcg.is_gcg(body.board):
        return services.pool.run(caller, "fribble replay", body.position, services)
    return body.position(services)


@router.post("/score", response_model=ScoreAnswer, summary="Score a move")
def score_move(body: JsonBody[ScoreRequest], services: ServicesDep, caller: CallerDep) -> ScoreAnswer:
    """The words that a move forms, whether they are valid, and the score."""
    position = read_position(body, services, caller)
    board = position.board
    rack, unseen = position.rack, missing(board.tiles, position.preset.tiles.full_bag)
    try:
        placement = body.move if isinstance(body.move, Placement) else parse(body.move, board, rack or unseen)
        found = score(board, placement, position.preset)
    except BadNotation as error:
        raise invalid_field(str(error), "move") from error
    except IllegalMove as error:
        inside = () if error.index is None else ("cells", error.index)
        raise invalid_field(error.reason, "move", *inside) from error
    if rack is not None and (lacking := shortage(board, placement, rack)):
        raise invalid_field(f"the rack has {lacking}", "move")
    if fault := overdrawn(placement.used, unseen, position.preset):
        raise invalid_field(fault, "move")
    words = [
        WordAnswer(word=word, points=points, valid=word.lower() in position.rules.lexicon)
        for word, points in zip(found.words, found.points, strict=True)
    ]
    return ScoreAnswer(
        coordinate=coordinate(board, placement),
        notation=fribble_notation(board, placement),
        word=played_text(board, placement),
        cells=list(placement.laid),
        tiles="".join(placement.laid.values()),
        placed=placed(placement),
        words=words,
        bonus=found.bonus,
        points=found.total,
        valid=all(word.valid for word in words),
        leave=None if rack is None else without(rack, placement.used),
    )


@router.get("/score", response_model=ScoreAnswer, summary="Score a move by URL")
def score_move_by_address(
    query: QueryFields[ScoreRequest], services: ServicesDep, caller: CallerDep
) -> ScoreAnswer:
    """Like the POST request, with the fields as query parameters; the board is one text."""
    return score_move(query, services, caller)


def placed(placement: Placement) -> list[PlacedAnswer]:
    """Convert the tiles of a placement."""
    return [
        PlacedAnswer(row=cell // SIDE + 1, column=cell % SIDE + 1, cell=cell, letter=letter)
        for cell, letter in placement.laid.items()
    ]
