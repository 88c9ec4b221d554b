"""Puzzles of Fribble: the best play for a rack; with the bag empty, the play that gains most by the end."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from app.games.fribble.advice import counted
from app.games.fribble.adviser import Outlook, outlook_on
from app.games.fribble.board import Board
from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.endgame_kernels import search_endgame
from app.games.fribble.ending import Ending
from app.games.fribble.layout import SIDE
from app.games.fribble.movegen import Rack, number_of, placement_of
from app.games.fribble.notation import BadNotation, parse, shortage, standard
from app.games.fribble.placement import Placement, lines
from app.games.fribble.position import parse_rack, words_of
from app.games.fribble.presets import DEFAULT_PRESET, PresetName, presets
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.rules import Fribble
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import Options, State
from app.games.fribble.tileset import RACK
from app.games.game import AnyGame, Frozen, IllegalMove, LexiconRef, NotAWord
from app.games.puzzles import Answer, Given, Judged, PuzzleRules, Solved, Theme, bot_game, is_shown
from app.grammar import format_count, there_are
from app.validation import first_fault
from app.words.vocabulary import Level

SAMPLES: Final = 150
"""Simulation samples to confirm the best play."""
POSITIONS: Final = 100_000
"""Most positions of an endgame searched for one puzzle."""
LARGEST_ENDING: Final = 9
"""Most tiles on both racks in a puzzle with the bag empty: larger endgames take minutes."""
JUDGED_POSITIONS: Final = 50_000
"""Most positions of an endgame searched to judge an answer, while the player waits."""
UNCOMPILED_POSITIONS: Final = 100
"""The same before the kernels are compiled."""
_LEVELS: Final = (2, 3, 4)
_TURNS: Final = 60


class Position(Frozen):
    """A turn of two players, as the player to move sees it."""

    preset: PresetName = DEFAULT_PRESET
    rows: tuple[str, ...]
    """The board: ``.`` for an empty square, upper case for a tile, lower case for a blank."""
    rack: Annotated[str, AfterValidator(parse_rack)]
    lead: int
    """Own score minus the opponent's."""
    scoreless: int = Field(default=0, ge=0)
    """The number of consecutive scoreless turns so far."""


class FribblePuzzles(PuzzleRules):
    """A play's value is its score plus its leave value; with the bag empty, the points gained by the end."""

    kind: ClassVar[str] = Fribble.kind
    engine: ClassVar[str] = f"Fribble equity, {SAMPLES} samples; exact with the bag empty"
    position_type: ClassVar[type[BaseModel]] = Position
    task: ClassVar[str] = "Find the best play."
    hardest: ClassVar[Level] = "highbrow"
    clear_margin: ClassVar[float] = 5.0
    earliest: ClassVar[int] = 2

    def states(self, game: Fribble, seed: str) -> Iterator[State]:
        ref = LexiconRef.of(game.lexicon)
        random = Random(seed)
        levels = tuple(_LEVELS[int(random.random() * len(_LEVELS))] for _ in range(2))
        found = bot_game(game, Options(lexicon=ref, preset=DEFAULT_PRESET), levels, seed, _TURNS)
        # Sometimes backwards from the end: otherwise there would be no endgames.
        return iter(list(found)[::-1]) if random.random() < 0.3 else found

    def position_of(self, game: Fribble, state: State) -> Position | None:
        if game.to_move(state) is None or len(state.racks) != 2:
            return None
        if state.out is not None:
            return None
        seat, scoreless = state.to_move, 0
        for turn in reversed(state.turns):
            if turn.points:
                break
            scoreless += 1
        return Position(
            preset=state.options.preset,
            rows=state.board.rows,
            rack=state.racks[seat],
            lead=state.scores[seat] - state.scores[1 - seat],
            scoreless=scoreless,
        )

    def better_move(self, turn: Mapping[str, Any], *, is_final: bool = False) -> Mapping[str, Any] | None:
        unseen = turn.get("unseen")
        may_be_ending = unseen is None or _has_empty_bag(unseen)
        will_be_searched = may_be_ending and not is_final and not turn.get("played_on")
        if not turn["best"] or will_be_searched:
            return None  # before it is searched, an ending is reviewed by equity, which is not its value
        best: Mapping[str, Any] = turn["best"][0]
        if (best["coordinate"], best["text"]) == (turn["coordinate"], turn["text"]):
            return None  # only a pass or an exchange would have been better
        better, played = _review_values(turn)
        return best if better > played else None

    def review_values(
        self, position: Position, turn: Mapping[str, Any], better: float
    ) -> tuple[float, float | None]:
        """With the bag empty, a turn not searched yet has no value."""
        if _gain(turn) is None and _is_ending(_outlook(position)):
            return better, None
        return _review_values(turn)

    def included(self, position: Position) -> str:
        return "by the end" if _is_ending(_outlook(position)) else "with the tiles kept"

    def is_fit(self, game: Fribble, position: Position) -> bool:
        return all(is_shown(game.lexicon, line.word.lower()) for line in words_of(_board(position)))

    def solve(self, game: Fribble, position: Position) -> Solved | None:
        outlook = _outlook(position)
        if _is_ending(outlook):
            return _solve_ending(game, position, outlook)
        adviser = game.adviser(position.preset)
        advised = adviser.advise(outlook, 8)
        if len(advised.moves) < 2 or advised.instead is not None:
            return None
        best = advised.moves[0]
        second = next((each for each in advised.moves if not _is_same(each.placement, best.placement)), None)
        if second is None or best.equity - second.equity < self.clear_margin:
            return None
        ahead = LookAhead(lambda samples: samples >= SAMPLES, lambda _: True, Random(0))
        confirmed = adviser.advise(outlook, 2, ahead=ahead)
        if confirmed.instead is not None or confirmed.moves[0].placement != best.placement:
            return None
        board = _board(position)
        return Solved(
            Judged(_answer(board, best.placement), best.equity),
            Judged(_answer(board, second.placement), second.equity),
            _themes(outlook, best.placement),
            tuple(word.lower() for word in best.words),
        )

    def judge(self, game: Fribble, position: Position, given: Given) -> Judged:
        board, rack = _board(position), position.rack
        placement = _placement(board, rack, given)
        formed = lines(board, placement)
        if lacking := shortage(board, placement, rack):
            raise IllegalMove(f"the rack has {lacking}")
        wrong = [line.word.lower() for line in formed if line.word.lower() not in game.lexicon]
        if wrong:
            raise NotAWord(*wrong)
        outlook = _outlook(position)
        advised = game.adviser(position.preset).advise(outlook, 1)
        number, numbers = number_of(board, placement), advised.found.numbers.tolist()
        if number not in numbers:  # down on an empty board, where only words across are listed
            number = number_of(board, _mirrored(placement))
        index = numbers.index(number)
        score, kept = int(advised.found.scores[index]), int(advised.found.kept[index])
        value = score + int(advised.leave_values[kept]) / POINT
        if _is_ending(outlook):
            solver, ending = _ending(game, position, outlook)
            most = JUDGED_POSITIONS if search_endgame.ready else UNCOMPILED_POSITIONS
            choice = Choice(number, score, kept)
            gained, exact = solver.gain(ending, choice, lambda searched: searched > most)
            return Judged(_answer(board, placement), float(gained), exact)
        return Judged(_answer(board, placement), float(value))

    def lexicon(self, game: type[AnyGame]) -> str:
        return presets()[DEFAULT_PRESET].lexicon


def unseen_tiles(position: Position) -> str:
    """Return the tiles in the bag and on the opponent's rack."""
    return _outlook(position).unseen


def _board(position: Position) -> Board:
    return Board(rows=position.rows)


def _outlook(position: Position) -> Outlook:
    return outlook_on(
        _board(position), position.rack, presets()[position.preset], position.lead, position.scoreless
    )


def _is_ending(outlook: Outlook) -> bool:
    return _has_empty_bag(len(outlook.unseen))


def _has_empty_bag(unseen: int) -> bool:
    """Whether the bag is empty if a player does not see this many tiles: then they are the opponent's."""
    return unseen <= RACK


def _gain(move: Mapping[str, Any]) -> float | None:
    """The points gained by the end of the game with a move of a review; None if not searched to the end."""
    searched = move.get("played_on") or {"reply": 0}
    return searched["gain"] if searched["reply"] is None and searched.get("exact_share") is None else None


def _review_values(turn: Mapping[str, Any]) -> tuple[float, float]:
    """The values of the best play and of the turn played: equities, or points gained by the end."""
    best, gained = turn["best"][0], _gain(turn)
    if gained is None:
        return best["equity"], turn["equity"]
    better = _gain(best)  # None if only a pass is better
    return gained if better is None else better, gained


def _mirrored(placement: Placement) -> Placement:
    """The same placement with rows and columns exchanged."""
    cells = tuple(cell % SIDE * SIDE + cell // SIDE for cell in placement.cells)
    return Placement(cells=cells, tiles=placement.tiles)


def _answer(board: Board, placement: Placement) -> Answer:
    word = lines(board, placement)[0].word.lower()
    return Answer(
        word=word, cells=placement.cells, tiles=placement.tiles, text=standard(board, placement).upper()
    )


def _is_same(one: Placement, other: Placement) -> bool:
    """Whether two placements show the same letters on the same squares, with blanks in other places."""
    return one.cells == other.cells and one.tiles.upper() == other.tiles.upper()


def _ending(game: Fribble, position: Position, outlook: Outlook) -> tuple[EndgameSolver, Ending]:
    generator = game.movegen(position.preset)
    ending = Ending(
        generator.squares(outlook.board),
        Rack(outlook.tiles).counts,
        counted(outlook.unseen),
        outlook.scoreless,
    )
    return EndgameSolver(generator, presets()[position.preset].scoreless_turns), ending


def _solve_ending(game: Fribble, position: Position, outlook: Outlook) -> Solved | None:
    if not 0 < len(outlook.unseen) <= LARGEST_ENDING - len(outlook.tiles):
        return None
    solver, ending = _ending(game, position, outlook)

    def stop(searched: int) -> bool:
        return searched > POSITIONS

    found = solver.solve(ending, stop)
    if not found.exact or found.choice.move == NO_MOVE:
        return None
    best = placement_of(found.choice.move)
    other = solver.solve_without(
        ending, lambda move: move != NO_MOVE and _is_same(placement_of(move), best), stop
    )
    if other is None or other.choice.move == NO_MOVE:
        return None
    board = outlook.board
    return Solved(
        Judged(_answer(board, best), float(found.value)),
        Judged(_answer(board, placement_of(other.choice.move)), float(other.value)),
        _themes(outlook, best),
        tuple(line.word.lower() for line in lines(board, best)),
    )


def _themes(outlook: Outlook, best: Placement) -> tuple[Theme, ...]:
    formed = lines(outlook.board, best)
    hooked = any(
        sum(cell in best.cells for cell in line.cells) == 1 and _extends(line.cells, best.cells)
        for line in formed[1:]
    )
    held: dict[Theme, bool] = {
        "bingo": len(best.cells) == RACK,
        "hook": hooked,
        "out-play": _is_ending(outlook) and len(best.cells) == len(outlook.tiles),
        "last word": _is_ending(outlook),
        "long word": len(formed[0].cells) >= 8,
    }
    return tuple(theme for theme, holds in held.items() if holds)


def _extends(crossing: range, laid: tuple[int, ...]) -> bool:
    """Whether the crossing word extends a run of two or more tiles on the board at its front or end."""
    return len(crossing) > 2 and (crossing[0] in laid or crossing[-1] in laid)


def _placement(board: Board, rack: str, given: Given) -> Placement:
    if not given.cells:
        try:
            return parse(given.word, board, rack)
        except BadNotation as error:
            raise IllegalMove(str(error)) from None
    if len(given.cells) != len(given.tiles):
        squares = format_count(len(given.cells), "square")
        raise IllegalMove(f"{there_are(len(given.tiles), 'tile')} for {squares}")
    order = sorted(range(len(given.cells)), key=given.cells.__getitem__)
    try:
        return Placement(
            cells=tuple(given.cells[place] for place in order),
            tiles="".join(given.tiles[place] for place in order),
        )
    except ValidationError as error:
        raise IllegalMove(first_fault(error)) from None
