"""Analysis of a finished game of Fribble: each turn compared with the best moves."""

from itertools import pairwise
from typing import Final

from app.games.fribble.advice import Advice, Worths
from app.games.fribble.adviser import Advised, Adviser, outlook_of
from app.games.fribble.bag import without
from app.games.fribble.kernels import POINT
from app.games.fribble.movegen import Rack
from app.games.fribble.notation import coordinate, played_text
from app.games.fribble.placement import Placement
from app.games.fribble.simulate import likely_share
from app.games.fribble.state import State, Turn, TurnKind
from app.games.fribble.tileset import TILES
from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
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


class BestExchange(Frozen):
    """An exchange, or a pass if no tiles are put back, that was better than every placement."""

    tiles: str
    leave: str
    equity: float


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
    """Points plus the value of the tiles kept; all tiles if no play remained."""
    moves: int
    """The number of legal placements."""
    best: tuple[BestMove, ...]
    """The best placements, best first; empty if there were none."""
    exchange: BestExchange | None
    """The exchange or pass that was better than all of these."""
    lost: float
    """Equity of the best turn minus that of this turn; at least 0."""
    win_share: float | None
    """The win probability of the first of two seats after the turn, 0 to 1, estimated from the spread and the
    tiles to come; after the last turn, the result. None with more than two players."""


class Analysis(GameAnalysis):
    """A game compared with the best play.

    A seat's accuracy is the mean of 100 * 2^(-lost / 15) over its turns.
    """

    turns: tuple[TurnAnalysis, ...]


def analyse(states: tuple[State, ...], lexicon: Lexicon, adviser: Adviser) -> Analysis:
    """Compare every turn in ``states``, all states of a game in order, with the best moves.

    Suggested moves contain no profanity and no names. A turn that only answers a play that ended the game is
    skipped.
    """
    allowed = suggested_words(lexicon)

    def shown(word: str) -> bool:
        index = lexicon.index(word)
        return index is not None and bool(allowed[index])

    turns: list[TurnAnalysis] = []
    for before, after in pairwise(states):
        if len(after.turns) > len(before.turns) and before.out is None:
            # A later challenge may have withdrawn the play: the last state has the final version of the turn.
            turn = states[-1].turns[len(before.turns)]
            advised = adviser.advise(outlook_of(before), LISTED, knows=shown)
            turns.append(_compared(len(turns) + 1, before, after, turn, advised))
    if turns and states[-1].reason is not None:
        turns[-1] = turns[-1].model_copy(update={"win_share": _share(states[-1])})
    return Analysis(
        seats=tuple(
            _seat_analysis([turn for turn in turns if turn.seat == seat], states[-1])
            for seat in range(len(states[-1].scores))
        ),
        key_moments=key_moments(turns),
        turns=tuple(turns),
    )


def _leave_value(before: State, turn: Turn, worth: Worths) -> float:
    """Return the value of the tiles kept in the turn, in points."""
    tiles = before.racks[turn.seat]
    gone = turn.placement.used if turn.placement and turn.kind == "place" else turn.returned
    strides = Rack(tiles).strides
    kept = sum(int(strides[TILES.index(tile)]) for tile in without(tiles, gone))
    return int(worth[kept]) / POINT


def _compared(number: int, before: State, after: State, turn: Turn, advised: Advised) -> TurnAnalysis:
    equity = turn.points + _leave_value(before, turn, advised.worth)
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
        best=tuple(_best_move(before, advice) for advice in advised.moves),
        exchange=instead
        and BestExchange(tiles=instead.exchanged, leave=instead.leave, equity=instead.equity),
        lost=lost,
        win_share=_share(after),
    )


def _loss(before: State, turn: Turn, lost: float) -> float | None:
    """Return the win probability lost with so many points of equity; None if the clock made the move.

    Of several opponents, against the one with the highest score.
    """
    if turn.kind == "timeup":
        return None
    rival = max(score for seat, score in enumerate(before.scores) if seat != turn.seat)
    lead = before.scores[turn.seat] + turn.points - rival
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


def _best_move(before: State, advice: Advice) -> BestMove:
    return BestMove(
        placement=advice.placement,
        coordinate=coordinate(before.board, advice.placement),
        text=played_text(before.board, advice.placement),
        words=advice.words,
        score=advice.score,
        leave=advice.leave,
        equity=advice.equity,
    )


def _seat_analysis(turns: list[TurnAnalysis], last: State) -> SeatAnalysis:
    top = max((turn for turn in turns if turn.kind == "place"), key=lambda turn: turn.points, default=None)
    word = last.turns[top.number - 1].words[0] if top else ""
    return SeatAnalysis(
        accuracy=sum(100 * 2 ** (-turn.lost / HALVED_BY) for turn in turns) / len(turns) if turns else None,
        score=sum(turn.points for turn in turns),
        best_score=sum(turn.best[0].score if turn.best else 0 for turn in turns),
        best_word=word.lower(),
        best_points=top.points if top else 0,
        mistake_index=mistake_index(turns),
    )
