"""Analysis of a finished game of Fribble: each turn compared with the best moves."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from app.games.fribble.advice import Advice, Forecast
from app.games.fribble.adviser import Adviser, Instead, TurnAdvice, outlook_of
from app.games.fribble.bag import without
from app.games.fribble.movegen import Rack
from app.games.fribble.notation import coordinate, played_text
from app.games.fribble.placement import Placement
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.simulate import likely_share
from app.games.fribble.state import State, Turn, TurnKind
from app.games.fribble.tileset import TILES
from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.performance import performance
from app.games.verdict import JudgedTurn, key_moments, mistake_index, verdict_of
from app.words.lexicon import Lexicon
from app.words.vocabulary import suggested_words

LISTED: Final = 5
"""The number of best moves listed for each turn."""
HALVED_BY: Final = 15
"""Accuracy is halved for each loss of this many points of equity."""
_DUEL: Final = 2
ACCURACY: Final = Measure(
    title="Accuracy",
    phrase="accuracy",
    definition=f"Each turn has 100%, halved for every {HALVED_BY} it lost; accuracy is the mean. "
    "Lost is how much more equity the best play had.",
)


class PlayedOn(Frozen):
    """The evaluation of a turn by simulation or endgame search."""

    win_share: float
    """The win probability of the player whose turn it was, 0 to 1; a draw counts half."""
    error: float
    """Half the width of its 95% confidence interval; in an endgame 0 if it is exact, else 0.5."""
    gain: float
    """Points gained on the opponent: over this turn and the next two with the value of the tiles kept, or in
    an endgame to the end of the game."""
    reply: float | None
    """The points of the opponent's next turn on average; None if it was searched, not simulated."""
    exact_share: float | None = None
    """With few tiles in the bag, if every draw was searched: the probability of those with an exact result,
    0 to 1; otherwise None. ``gain`` is then the points with the value of the tiles kept."""


class BestMove(Frozen):
    """A move that was available."""

    placement: Placement
    coordinate: str
    text: str
    """The main word, with ``.`` for each tile already on the board."""
    words: tuple[str, ...]
    score: int
    leave: str
    equity: float
    played_on: PlayedOn | None = None
    """None until the turn is judged by simulation, and for a move that was not simulated."""


class BestExchange(Frozen):
    """An exchange that was better than every placement; a pass if no tiles are exchanged."""

    tiles: str
    leave: str
    equity: float
    played_on: PlayedOn | None = None
    """None until the turn is judged by playing on."""


class TurnAnalysis(JudgedTurn):
    """A turn compared with the best alternatives."""

    number: int
    ply: int
    """The ply of the position before the turn."""
    seat: int
    kind: TurnKind
    rack: str
    coordinate: str
    text: str
    points: int
    equity: float
    """Points plus the value of the tiles kept, which are all tiles if nothing was placed or exchanged."""
    moves: int
    """The number of legal placements."""
    unseen: int | None = None
    """The number of tiles in the bag and on the other racks; null in reviews stored by earlier versions."""
    best: tuple[BestMove, ...]
    """The best placements, best first: by equity, or by win probability once the turn is judged by
    simulation. Empty if there were none."""
    exchange: BestExchange | None
    """The exchange or pass that was better than all of these."""
    lost: float
    """Equity of the best turn minus that of this turn; at least 0."""
    played_on: PlayedOn | None = None
    """None until the turn is judged by simulation, which replaces ``best``, ``exchange``, ``loss``,
    ``verdict`` and ``win_share``."""
    loss_error: float = 0.0
    """Half the width of the 95% confidence interval of ``loss``. A loss within it is not a mistake."""
    win_share: float | None
    """The win probability of the first of two seats after the turn, 0 to 1, estimated from the spread and the
    tiles to come; after the last turn, the result. None with more than two players."""


class Analysis(GameAnalysis):
    """A game compared with the best play.

    A seat's accuracy is the mean of 100 * 2^(-lost / 15) over its turns.
    """

    turns: tuple[TurnAnalysis, ...]


def shown_words(lexicon: Lexicon) -> Callable[[str], bool]:
    """Return a test of whether a word (lower case) may be suggested: not profanity and not a name."""
    allowed = suggested_words(lexicon)

    def shown(word: str) -> bool:
        index = lexicon.index(word)
        return index is not None and bool(allowed[index])

    return shown


def analyse(states: tuple[State, ...], lexicon: Lexicon, adviser: Adviser) -> Analysis:
    """Compare every turn in ``states``, all states of a game in order, with the best moves.

    Suggested moves contain no profanity and no names. A turn that only responds to a play that ended the game
    is skipped.
    """
    shown = shown_words(lexicon)
    turns: list[TurnAnalysis] = []
    for before, after in pairwise(states):
        if len(after.turns) > len(before.turns) and before.out is None:
            # A later challenge may have withdrawn the play: the last state has the final version of the turn.
            turn = states[-1].turns[len(before.turns)]
            advised = adviser.advise(outlook_of(before), LISTED, knows=shown)
            turns.append(_compared(len(turns) + 1, before, after, turn, advised))
    if turns and states[-1].reason is not None:
        turns[-1] = turns[-1].model_copy(update={"win_share": _share(states[-1])})
    return analysis_of(turns, states[-1])


def analysis_of(turns: Sequence[TurnAnalysis], last: State) -> Analysis:
    """Return the analysis with these turns of a game that ended as ``last``."""
    seats = range(len(last.scores))
    return Analysis(
        seats=tuple(_seat_analysis([turn for turn in turns if turn.seat == seat], last) for seat in seats),
        key_moments=key_moments(turns),
        searched=sum(turn.played_on is not None for turn in turns),
        to_search=sum(turn.verdict is not None for turn in turns) if len(seats) == _DUEL else 0,
        turns=tuple(turns),
    )


def leave_number(before: State, turn: Turn) -> int:
    """Return the number of the leave kept in the turn, see Rack."""
    tiles = before.racks[turn.seat]
    gone = turn.placement.used if turn.placement and turn.kind == "place" else turn.returned
    strides = Rack(tiles).strides
    return sum(int(strides[TILES.index(tile)]) for tile in without(tiles, gone))


def _compared(number: int, before: State, after: State, turn: Turn, advised: TurnAdvice) -> TurnAnalysis:
    values = advised.leave_values if turn.placement and turn.kind == "place" else advised.exchange_values
    equity = turn.points + int(values[leave_number(before, turn)]) / POINT
    instead = advised.instead
    best = max((option.equity for option in (*advised.moves[:1], instead) if option), default=equity)
    lost = max(0.0, best - equity)
    loss = _loss(before, turn, lost)
    return TurnAnalysis(
        loss=loss,
        verdict=None if loss is None else verdict_of(loss, "win_probability"),
        number=number,
        ply=before.ply,
        seat=turn.seat,
        kind=turn.kind,
        rack=before.racks[turn.seat],
        coordinate=turn.coordinate,
        text=turn.text,
        points=turn.points,
        equity=equity,
        moves=advised.found.total,
        unseen=len(before.unseen),
        best=tuple(best_move(before, advice) for advice in advised.moves),
        exchange=best_exchange(instead),
        lost=lost,
        win_share=_share(after),
    )


def _loss(before: State, turn: Turn, lost: float) -> float | None:
    """Return the win probability lost with ``lost`` points of equity; None if the clock made the move.

    With several opponents, against the one with the highest score who has not resigned.
    """
    if turn.kind == "timeup":
        return None
    lead = before.lead_of(turn.seat) + turn.points
    unseen = len(before.unseen)
    best, played = (likely_share(lead + more, unseen, to_move=False) for more in (lost, 0.0))
    return best - played


def _share(state: State) -> float | None:
    """Return the win probability of the first of two seats; 1, 0.5 or 0 once the game is over."""
    if len(state.scores) != _DUEL:
        return None
    lead = state.scores[0] - state.scores[1]
    if state.resigned:
        return float(0 not in state.resigned)
    if state.reason is not None:
        return (1 + (lead > 0) - (lead < 0)) / 2
    return likely_share(lead, len(state.unseen), to_move=state.to_move == 0)


def played_on(forecast: Forecast | None) -> PlayedOn | None:
    """Return a forecast as it is stored."""
    return None if forecast is None else PlayedOn.model_validate(forecast._asdict())


def best_exchange(instead: Instead | None) -> BestExchange | None:
    """Return an exchange or a pass as it is stored."""
    return instead and BestExchange(
        tiles=instead.exchanged,
        leave=instead.leave,
        equity=instead.equity,
        played_on=played_on(instead.forecast),
    )


def best_move(before: State, advice: Advice) -> BestMove:
    """Return a placement as it is stored."""
    return BestMove(
        placement=advice.placement,
        coordinate=coordinate(before.board, advice.placement),
        text=played_text(before.board, advice.placement),
        words=advice.words,
        score=advice.score,
        leave=advice.leave,
        equity=advice.equity,
        played_on=played_on(advice.forecast),
    )


def _seat_analysis(turns: list[TurnAnalysis], last: State) -> SeatAnalysis:
    accuracy = sum(100 * 2 ** (-turn.lost / HALVED_BY) for turn in turns) / len(turns) if turns else None
    top = max((turn for turn in turns if turn.kind == "place"), key=lambda turn: turn.points, default=None)
    word = last.turns[top.number - 1].words[0] if top else ""
    return SeatAnalysis(
        accuracy=accuracy,
        performance=performance("fribble", accuracy),
        score=sum(turn.points for turn in turns),
        best_score=sum(turn.best[0].score if turn.best else 0 for turn in turns),
        best_word=word.lower(),
        best_points=top.points if top else 0,
        mistake_index=mistake_index(turns),
    )
