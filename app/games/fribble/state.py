"""What a game of Fribble consists of: options, state, moves and view, as immutable values."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from app.games.fribble.bag import ordered
from app.games.fribble.board import Board
from app.games.fribble.placement import Placement
from app.games.fribble.presets import DEFAULT_PRESET, Preset, PresetName, presets
from app.games.fribble.tileset import RACK
from app.games.game import Frozen, LexiconRef

Tiles: TypeAlias = Annotated[str, Field(pattern=r"^[A-Z?]+$", min_length=1, max_length=RACK)]


class Choices(Frozen):
    """How a game of Fribble is set up, but for the lexicon."""

    preset: PresetName = DEFAULT_PRESET
    """Board, tiles and the numbers of the rules; see ``data/fribble``."""
    challenge: Literal["void", "double"] = "void"
    """``void``: invalid words are refused. ``double``: they lie until the next player challenges them, and
    who is wrong about it loses a turn."""
    turn_seconds: Annotated[int, Field(ge=10, le=14 * 86_400)] | None = None
    """How long a seat may take for its turn, from the first move on; None is as long as it likes."""


class Setup(Choices):
    """What who opens a game asks for: the lexicon by its name."""

    lexicon: str = ""
    """By default that of the preset."""

    @model_validator(mode="before")
    @classmethod
    def _lexicon_of_the_preset(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("lexicon"):
            return given
        preset = presets().get(str(given.get("preset", DEFAULT_PRESET)))
        return given if preset is None else given | {"lexicon": preset.lexicon}


class Options(Choices):
    """What a game keeps: the lexicon pinned by its content."""

    lexicon: LexiconRef


TurnKind: TypeAlias = Literal["place", "exchange", "pass", "timeup", "challenge", "withdrawn"]


class Turn(Frozen):
    """One turn, as everybody at the table saw it."""

    seat: int
    kind: TurnKind
    """``challenge``: a turn lost by doubting a sound play. ``withdrawn``: a play that was challenged and
    taken back."""
    points: int = 0
    placement: Placement | None = None
    coordinate: str = ""
    """Of a play: where its main word begins, ``8H`` across or ``H8`` down."""
    text: str = ""
    """Of a play: its main word with ``.`` for each tile that lay there."""
    words: tuple[str, ...] = ()
    """Of a play: the words it made, the main word first, in upper case."""
    exchanged: int = 0
    """How many tiles went back to the bag."""
    returned: str = ""
    """Which these were, where one may know."""


class Unsettled(Frozen):
    """What a play that may be challenged has changed."""

    board: Board
    rack: str
    bag: str


class State(Frozen):
    """A game between two moves."""

    options: Options
    seed: str
    ply: int = 0
    board: Board = Board()
    racks: tuple[str, ...]
    """Per seat: its tiles in the order of the alphabet, blanks (``?``) last."""
    bag: str
    """The tiles nobody has drawn, in that order too: which comes next is settled by seed and ply."""
    scores: tuple[int, ...]
    to_move: int = 0
    turns: tuple[Turn, ...] = ()
    unsettled: Unsettled | None = None
    """What was before the latest play, as long as it may be challenged."""
    out: int | None = None
    """The seat that has played its last tile."""
    turn_started_at: float | None = None
    settled: tuple[int, ...] = ()
    """Per seat: what the tiles left on the racks added or took at the end."""
    resigned: tuple[int, ...] = ()
    """The seats that gave up."""
    reason: str | None = None
    """Why the game ended; None while it goes on."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon the game is pinned to."""
        return self.options.lexicon

    @property
    def unseen(self) -> str:
        """The tiles that the seat to move cannot see: the bag and the other racks."""
        return self.unseen_by(self.to_move)

    def unseen_by(self, seat: int | None) -> str:
        """The tiles that ``seat``, or a watcher, cannot see, in the order of the alphabet."""
        others = "".join(rack for owner, rack in enumerate(self.racks) if owner != seat)
        return ordered(self.bag + others)


def preset_of(state: State) -> Preset:
    """The preset that the game is played with."""
    return presets()[state.options.preset]


def exchangeable(state: State) -> int:
    """The most tiles that the seat to move may exchange."""
    if len(state.bag) < preset_of(state).exchange_minimum or state.out is not None:
        return 0
    return min(len(state.bag), len(state.racks[state.to_move]))


class Place(Placement):
    """Lay tiles on the board."""

    type: Literal["place"] = "place"


class Write(Frozen):
    """Lay tiles as a notation tells it."""

    type: Literal["write"] = "write"
    text: Annotated[str, Field(max_length=80, examples=["8H FRIBBLE", "m(r8,8,'FRIBBLE')"])]


class Exchange(Frozen):
    """Put tiles back into the bag and draw as many others; it takes the turn."""

    type: Literal["exchange"] = "exchange"
    tiles: Tiles
    """Capitals, and ``?`` for a blank."""


class Challenge(Frozen):
    """Doubt the words of the latest play."""

    type: Literal["challenge"] = "challenge"


class Pass(Frozen):
    """Let the turn go by; after a play that ended the game, accept it."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """The turn's clock ran out.

    The player on turn may say so once it has; else it happens after some seconds of grace.
    """

    type: Literal["time_up", "timeup"] = "time_up"
    """``timeup`` stands in the logs of earlier games."""


class Resign(Frozen):
    """Give the game up."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[
    Place | Write | Exchange | Challenge | Pass | TimeUp | Resign, Field(discriminator="type")
]
MOVES: TypeAdapter[Move] = TypeAdapter(Move)


class View(Frozen):
    """What a seat, or a watcher, may see of a game."""

    preset: str
    title: str
    """The preset's name for people."""
    layout: tuple[str, ...]
    """The premium squares: ``=`` triple word, ``-`` double word, ``"`` triple letter, ``'`` double letter."""
    values: dict[str, int]
    """What a tile of each letter is worth."""
    bingo: int
    """Points for a full rack played at once."""
    challenge: Literal["void", "double"]
    turn_seconds: int | None
    lexicon: str
    ply: int
    seat: int | None
    """Whose view it is; None for a watcher."""
    to_move: int | None
    """None once the game is over."""
    board: tuple[str, ...]
    """15 rows: ``.`` empty, upper case a tile, lower case a blank."""
    rack: str | None
    """One's own tiles; None for a watcher."""
    racks: tuple[str, ...] | None
    """All racks, once the game is over."""
    held: tuple[int, ...]
    """Per seat: how many tiles it holds."""
    bag: int
    """How many tiles are in the bag."""
    unseen: str
    """The tiles in the bag and on the racks one does not see, in the order of the alphabet."""
    exchange: int
    """The most tiles that may be exchanged now."""
    scores: tuple[int, ...]
    turns: tuple[Turn, ...]
    last: Turn | None
    """The latest play that lies on the board."""
    may_challenge: bool
    """Whether the seat to move may doubt it."""
    settled: tuple[int, ...]
    """Per seat: what the tiles left on the racks added or took at the end; empty until then."""
    resigned: tuple[int, ...]
    ends_at: float | None
    """When the turn's clock runs out, in seconds since the epoch; None without one."""
    reason: str | None
