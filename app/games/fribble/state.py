"""Options, state, moves and view of a game of Fribble, as immutable values."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from app.games.clock import ClockChoices, Clocks
from app.games.departures import ENDINGS, Departure, Departures
from app.games.fribble.bag import ordered
from app.games.fribble.board import Board
from app.games.fribble.placement import Placement
from app.games.fribble.presets import DEFAULT_PRESET, Preset, PresetName, presets, with_lexicon
from app.games.fribble.tileset import RACK
from app.games.game import Forfeit, Frozen, LexiconRef

Tiles: TypeAlias = Annotated[str, Field(pattern=r"^[A-Z?]+$", min_length=1, max_length=RACK)]


class Choices(ClockChoices):
    """The options of a game, without the lexicon."""

    preset: PresetName = DEFAULT_PRESET
    """Board, tiles and rule parameters; see ``data/fribble/presets``."""
    challenge: Literal["void", "double"] = "void"
    """``void``: invalid words are rejected. ``double``: invalid words stay unless the next player challenges
    them; a challenge of a valid play loses the turn."""
    turn_seconds: Annotated[int, Field(ge=10, le=14 * 86_400)] | None = None
    """Time limit per turn, from the first move on; None for no limit."""


class Setup(Choices):
    """The options for a new game, with the lexicon's name."""

    lexicon: str = ""
    """By default, the preset's lexicon."""

    _lexicon = model_validator(mode="before")(with_lexicon)


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    lexicon: LexiconRef


TurnKind: TypeAlias = Literal["place", "exchange", "pass", "timeup", "challenge", "withdrawn"]


class Turn(Frozen):
    """One turn, as seen by all players."""

    seat: int
    kind: TurnKind
    """``challenge``: a turn lost by challenging a valid play. ``withdrawn``: a play taken back after a
    challenge."""
    points: int = 0
    placement: Placement | None = None
    coordinate: str = ""
    """For a play: the square where the main word begins, ``8H`` across or ``H8`` down."""
    text: str = ""
    """For a play: the main word, with ``.`` for each tile already on the board."""
    words: tuple[str, ...] = ()
    """For a play: the words formed, main word first, in upper case."""
    exchanged: int = 0
    """The number of tiles put back into the bag."""
    returned: str = ""
    """The tiles put back, if known to the viewer."""


class BeforePlay(Frozen):
    """The position before a play that may still be challenged."""

    board: Board
    rack: str
    bag: str


class State(Frozen):
    """A position of the game."""

    options: Options
    seed: str
    ply: int = 0
    board: Board = Board()
    racks: tuple[str, ...]
    """Per seat: its tiles in alphabetical order, blanks (``?``) last."""
    bag: str
    """The tiles not drawn yet, in the same order; seed and ply determine which is drawn next."""
    scores: tuple[int, ...]
    to_move: int = 0
    turns: tuple[Turn, ...] = ()
    unsettled: BeforePlay | None = None
    """The position before the latest play, while that may be challenged. Stored under this name."""
    out: int | None = None
    """The seat that has played out."""
    turn_started_at: float | None = None
    clocks: Clocks | None = None
    """None without a clock per player. They start after the first turn."""
    settled: tuple[int, ...] = ()
    """Per seat: points added or subtracted at the end for the tiles left on the racks."""
    resigned: tuple[int, ...] = ()
    """The seats that have resigned or run out of time."""
    departures: tuple[Departure, ...] = ()
    reason: str | None = None
    """Why the game ended; None while it is running."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon of the game, pinned by its content."""
        return self.options.lexicon

    @property
    def unseen(self) -> str:
        """The tiles that the seat to move cannot see: the bag and the other racks."""
        return self.unseen_by(self.to_move)

    def unseen_by(self, seat: int | None) -> str:
        """Return the tiles that ``seat`` (None: a spectator) cannot see, in alphabetical order."""
        others = "".join(rack for owner, rack in enumerate(self.racks) if owner != seat)
        return ordered(self.bag + others)

    def lead_of(self, seat: int) -> int:
        """Return the score of ``seat`` minus that of the best other seat that can still win."""
        others = [other for other in range(len(self.scores)) if other != seat]
        rivals = [other for other in others if other not in self.resigned] or others
        return self.scores[seat] - max(self.scores[other] for other in rivals)


def preset_of(state: State) -> Preset:
    """Return the preset of the game."""
    return presets()[state.options.preset]


def exchangeable(state: State) -> int:
    """Return the maximum number of tiles that the seat to move may exchange."""
    if len(state.bag) < preset_of(state).exchange_minimum or state.out is not None:
        return 0
    return min(len(state.bag), len(state.racks[state.to_move]))


class Place(Placement):
    """Lay tiles on the board."""

    type: Literal["place"] = "place"


class Write(Frozen):
    """Lay tiles, given in notation."""

    type: Literal["write"] = "write"
    text: Annotated[str, Field(max_length=80, examples=["8H FRIBBLE", "m(r8,8,'FRIBBLE')"])]


class Exchange(Frozen):
    """Put tiles back into the bag and draw the same number. Uses the turn."""

    type: Literal["exchange"] = "exchange"
    tiles: Tiles
    """Capitals, and ``?`` for a blank."""


class Challenge(Frozen):
    """Challenge the words of the latest play."""

    type: Literal["challenge"] = "challenge"


class Pass(Frozen):
    """Pass the turn. After a play that ended the game: accept it."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """A time limit has expired: that of the turn, or the player's clock.

    The player to move may submit it once the limit has passed; otherwise it is made after a grace period, and
    with a clock per player at once.
    """

    type: Literal["time_up", "timeup"] = "time_up"
    """``timeup`` appears in the logs of older games."""


class Resign(Frozen):
    """Resign the game."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[
    Place | Write | Exchange | Challenge | Pass | TimeUp | Forfeit | Resign, Field(discriminator="type")
]


class View(Departures):
    """The game as seen by a seat or a spectator."""

    preset: str
    title: str
    """The preset's display name."""
    layout: tuple[str, ...]
    """The premium squares: ``=`` triple word, ``-`` double word, ``"`` triple letter, ``'`` double letter."""
    values: dict[str, int]
    """The points of each letter's tile."""
    bingo: int
    """Bonus for playing a full rack at once."""
    challenge: Literal["void", "double"]
    turn_seconds: int | None
    lexicon: str
    ply: int
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int | None
    """None once the game is over."""
    board: tuple[str, ...]
    """15 rows: ``.`` empty, upper case a tile, lower case a blank."""
    rack: str | None
    """The viewer's own tiles; None for a spectator."""
    racks: tuple[str, ...] | None
    """All racks, once the game is over."""
    held: tuple[int, ...]
    """Per seat: the number of tiles on its rack."""
    bag: int
    """The number of tiles in the bag."""
    unseen: str
    """The tiles in the bag and on racks hidden from the viewer, in alphabetical order."""
    exchange: int
    """The maximum number of tiles that may be exchanged now."""
    scores: tuple[int, ...]
    turns: tuple[Turn, ...]
    last: Turn | None
    """The latest play still on the board."""
    may_challenge: bool
    """Whether the seat to move may challenge it."""
    settled: tuple[int, ...]
    """Per seat: points added or subtracted at the end for the tiles left on the racks; empty until then."""
    resigned: tuple[int, ...]
    clock_seconds: int | None = None
    """Each player's time for the whole game; None for no clock per player."""
    increment_seconds: int = 0
    """Seconds a player gains with each completed turn."""
    clocks: Clocks | None = None
    """The players' clocks; None if the game has none."""
    ends_at: float | None
    """When the turn's time limit expires or the clock of the player to move runs out, in seconds since the
    epoch; None if neither runs."""
    reason: str | None

    @property
    def latest_departure(self) -> Departure | None:
        """The player who has left since the latest turn, if any."""
        left = self.departures[-1] if self.departures else None
        if left is None or left.turns == len(self.turns):
            return left
        # Stored before departures were recorded: the last one is known to be the latest if it ended the game.
        return left if left.turns is None and self.reason in ENDINGS.values() else None

    def lists(self, departure: Departure) -> bool:
        """Whether the departure is a line of the list of moves: no turn before it says the same."""
        before = self.turns[departure.turns - 1].kind if departure.turns else ""
        return departure.turns is not None and (departure.how != "ran out of time" or before != "timeup")
