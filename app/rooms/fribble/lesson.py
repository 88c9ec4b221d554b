"""The lesson of Fribble: its goals, and placements that meet them."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

import numpy as np

from app.games.fribble.board import EMPTY
from app.games.fribble.movegen import Rack, placement_of
from app.games.fribble.notation import standard
from app.games.fribble.placement import Placement, lines
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Exchange, Place, State, exchangeable, preset_of
from app.games.game import AnyGame
from app.grammar import format_count
from app.web.lesson import LEARNER, Attempt, Goal, Lesson, Played, Step, known_first, spelled

EASIEST: Final = 4
"""The length of the words suggested first."""
LOOKED_AT: Final = 2000
"""Maximum number of placements considered for a suggestion, those with most points first."""
PLAIN: Final = "."
"""A square of the layout without a premium."""


def laid(_game: AnyGame, played: Played) -> bool:
    """Whether the move was a placement."""
    turns = played.after.turns
    return len(turns) > len(played.before.turns) and turns[-1].kind == "place"


def crossed(game: AnyGame, played: Played) -> bool:
    """Whether the main word uses a tile that was on the board."""
    return laid(game, played) and EMPTY in played.after.turns[-1].text


def covered_premium(game: AnyGame, played: Played) -> bool:
    """Whether a tile was placed on a premium square."""
    return laid(game, played) and _premium(played.before, played.after.turns[-1].placement)


def exchanged(_game: AnyGame, played: Played) -> bool:
    """Whether the move exchanged tiles."""
    return isinstance(played.move, Exchange)


class FribbleLesson(Lesson):
    """The beginning of a game against the weakest bot, with a prepared deal."""

    kind: ClassVar[str] = Fribble.kind
    goals: ClassVar[Mapping[str, Goal]] = {
        "place": laid,
        "cross": crossed,
        "premium": covered_premium,
        "exchange": exchanged,
    }

    def attempts(self, game: Fribble, state: State, step: Step) -> Iterator[Attempt]:
        rack = state.racks[LEARNER]
        if step.goal == "exchange":
            values = preset_of(state).tiles
            worst = sorted(rack, key=lambda tile: -values.total_points(tile))[: min(2, exchangeable(state))]
            tiles = "".join(worst)
            controls = ("more", "open-exchange", "exchange-confirm")
            yield Attempt(Exchange(tiles=tiles), controls=controls, facts={"letters": " and ".join(worst)})
            return
        found = game.movegen(state.options.preset)
        moves = found.moves(found.squares(state.board), Rack(rack))
        best = np.argsort(-moves.scores, kind="stable")[:LOOKED_AT]
        placements: dict[str, Placement] = {}
        for number in moves.numbers[best]:
            placement = placement_of(int(number))
            main = lines(state.board, placement)[0]
            if step.goal == "premium" and not _premium(state, placement):
                continue
            if step.goal == "cross" and len(main.text) == len(placement.cells):
                continue
            placements.setdefault(main.text.lower(), placement)
        for word in (*step.examples, *known_first(game.lexicon, placements, EASIEST)):
            if word in placements:
                yield _attempt(state, word, placements[word])

    def facts(self, state: State) -> dict[str, str]:
        own = [turn for turn in state.turns if turn.seat == LEARNER and turn.words]
        latest = f"{own[-1].words[0]}: {format_count(own[-1].points, 'point')}." if own else ""
        return {"scored": latest}


def _premium(state: State, placement: Placement) -> bool:
    squares = "".join(preset_of(state).layout.rows)
    return any(squares[cell] != PLAIN for cell in placement.cells)


def _attempt(state: State, word: str, placement: Placement) -> Attempt:
    return Attempt(
        Place(cells=placement.cells, tiles=placement.tiles),
        word=word.upper(),
        cells=placement.cells,
        letters=placement.tiles.upper(),
        typed=standard(state.board, placement),
        facts={"letters": spelled(placement.tiles)},
    )
