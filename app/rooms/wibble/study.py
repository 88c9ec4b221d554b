"""Wibble's study boards: letters, gems and bonuses, and the solver's words and plan."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final, get_args

from app.games.study_tree import (
    BadStudy,
    Played,
    StudyRules,
    StudyTree,
    collecting_faults,
    raise_all,
    read_position,
)
from app.games.wibble.modes import ModeRules, modes
from app.games.wibble.planning import Position as Turn
from app.games.wibble.planning import affordable_swaps, gem_table, plan, plans_ahead
from app.games.wibble.puzzles import Position as PuzzlePosition
from app.games.wibble.rules import Wibble
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import State
from app.games.wibble.study import (
    RESIGN,
    SHUFFLE,
    UNKNOWN,
    StudyMode,
    StudyPosition,
    WibbleStudy,
    swap_text,
    word_text,
)
from app.games.wibble.study_games import known_fields, node_of, tree_of_game
from app.games.wibble.teams import shared_scores
from app.games.wibble.views import View, tile_views
from app.grammar import format_count, format_rounded
from app.validation import quote
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.study_room import EngineAnswer, EngineLine, Fields, StudyRoom
from app.words.vocabulary import Level, allowed_words

_EXAMPLE: Final = "wibbletileschainwordgames"
_LISTED: Final = 12
"""Number of words listed without a swap."""
_LISTS: Final = ("gems", "scores", "held", "left")
"""Form fields with several numbers."""


class WibbleStudyRoom(StudyRoom):
    """A board of 4x4 to 7x7 with gems and bonuses, as far as known."""

    rules: ClassVar[StudyRules[Any]] = WibbleStudy()
    address: ClassVar[str] = "/boards/new/wibble"
    styles: ClassVar[tuple[str, ...]] = ("wibble/wibble.css", "wibble/solver.css", "wibble/study.css")
    script: ClassVar[str] = "wibble/study.js"
    engines: ClassVar[tuple[tuple[str, str], ...]] = (
        ("points", "Most points"),
        ("plan", "Gem plan"),
        ("common", "Common words"),
    )
    move_hint: ClassVar[str] = "drag, tap or type a word"
    most_seats: ClassVar[int] = 6

    def label(self, move: str) -> str:
        """The move without cells, with its swaps after the word."""
        if move.startswith(RESIGN):
            return move
        text = re.sub(r" \d+", "", move)
        swaps, _, word = text.rpartition(" ")
        return f"{word} ({swaps})" if swaps and len(word) > 1 else text

    def opens(self, view: View) -> bool:
        return view.level is None

    def context(self, position: StudyPosition, step: Played, names: Sequence[str]) -> dict[str, Any]:
        rules, fresh = position.rules, step.detail or ()
        teams = shared_scores(rules, position.scores)
        return {
            "size": position.size,
            "tiles": tile_views(position.tiles, position.scoring),
            "bonuses": _bonuses(position),
            "rules": rules,
            "move_hint": _move_hint(rules),
            "fresh_cells": fresh,
            "fresh": "".join(position.board[cell] for cell in fresh),
            "brushes": _brushes(position),
            "modes": [(mode, modes()[mode].title) for mode in get_args(StudyMode)],
            "verdict": _verdict(teams, position, names) if self.rules.ending(position) else None,
        }

    def setup_fields(self, position: StudyPosition) -> dict[str, str]:
        side = position.size
        rows = [position.board[row : row + side] for row in range(0, side**2, side)]
        given = {name: getattr(position, name) for name in (*_LISTS, "dl", "tl", "x2")}
        return {
            "board": " ".join(rows),
            "mode": position.mode,
            "values": position.values or "",
            "round": str(position.round),
            "to_move": str(position.to_move + 1),
            "played": " ".join(position.played),
            "lexicon": position.lexicon,
        } | {name: _written(value) for name, value in given.items()}

    def read_setup(self, fields: Fields, services: Services) -> StudyTree:
        """The fields of ``setup_fields``, which include the URL parameters of the solver page."""
        given = {name: text.strip() for name, text in fields.items() if text.strip()}
        values: dict[str, Any] = {"board": _EXAMPLE}
        for name in ("board", "mode", "values", "round", "lexicon", "dl", "tl", "x2"):
            if name in given:
                values[name] = given[name]
        for name in _LISTS:
            if name in given:
                values[name] = given[name].replace(",", " ").split()
        if "played" in given:
            values["played"] = given["played"].lower().replace(",", " ").split()
        if given.get("to_move", "").isdecimal():
            values["to_move"] = int(given["to_move"][:3]) - 1
        start = read_position(self.rules, values)
        return StudyTree(start=start.model_dump(mode="json"))

    def read_known(self, fields: Fields, position: StudyPosition) -> dict[str, Any]:
        """The letters of new tiles, and the cells of gems and bonuses."""
        faults: list[BadStudy] = []
        known: dict[str, Any] = {}
        with collecting_faults(faults):
            known["board"] = _with_letters(position.board, fields)
        for name in ("gems", "dl", "tl", "x2"):
            if name in fields:
                with collecting_faults(faults):
                    found = _cells(fields[name], name)
                    if name != "gems" and len(found) > 1:
                        raise BadStudy(f"{name}: one cell is accepted, {len(found)} are given", name)
                    known[name] = found if name == "gems" else found[0] if found else None
        raise_all(faults)
        return known

    def best(self, services: Services, caller: Caller, step: Played, engine: str) -> EngineAnswer:
        """The best words, with as many swaps as the gems pay for; for the gem plan, the plan first."""
        position: StudyPosition = step.position
        if position.unknown == len(position.board):
            return EngineAnswer(missing="Enter the letters to see the best words.")
        game = services.rulebook.rules(Wibble, services.rulebook.ref(position.lexicon))
        return services.pool.run(caller, "wibble", _best, game, position, engine)

    def tree_of_game(self, game: Wibble, states: Sequence[State], names: Sequence[str]) -> StudyTree:
        return tree_of_game(game, states, names)

    def node_of(self, states: Sequence[State], ply: int) -> int:
        return node_of(states, ply)

    def start_of_puzzle(self, position: PuzzlePosition, lexicon: str) -> dict[str, Any]:
        fields = known_fields(position.board)
        return fields | {"round": position.round, "held": [position.gems], "lexicon": lexicon}


def _best(game: Wibble, position: StudyPosition, engine: str) -> EngineAnswer:
    rules, board, size, scoring = position.rules, position.tiles, position.size, position.scoring
    held, solver = position.held[position.to_move], game.solver
    level: Level = "common" if engine == "common" else "everything"
    allowed = allowed_words(game.lexicon, level, family_only=False)
    words = solver.words(board, size, scoring, allowed)
    found = words[:_LISTED]
    if swaps := affordable_swaps(rules, held):
        improving = solver.best_by_swaps(board, size, scoring, swaps, allowed)
        found = [*(word for word in reversed(improving) if word.swaps), *found]
    lines = [_line(position, word) for word in found]
    notes = [f"{format_count(len(words), 'word')} without a swap."]
    if position.unknown:
        notes.append(f"{format_count(position.unknown, 'tile')} not entered.")
    if engine != "plan":
        return EngineAnswer(tuple(lines), " ".join(notes))
    if not plans_ahead(rules):
        return EngineAnswer(tuple(lines), " ".join([*notes, f"{rules.title} has no gems to plan with."]))
    seats = len(position.scores)
    planned = plan(Turn(board, size, position.round, held), solver, scoring, rules, gem_table(seats), allowed)
    if planned.shuffle:
        first = EngineLine(SHUFFLE, "", "Shuffle", "", ("better than any word here, for a gem",))
    elif planned.word is None:
        return EngineAnswer((), " ".join(notes))
    else:
        first = _line(position, planned.word)
    others = [line for line in lines if line.move != first.move]
    expected = format_rounded(planned.expected)
    notes.insert(0, f"The plan is first: about {expected} points from here to the end, on average.")
    return EngineAnswer((first, *others), " ".join(notes))


def _line(position: StudyPosition, found: FoundWord) -> EngineLine:
    """The list entry of a word."""
    swaps, details = found.swaps, list[str]()
    if swaps:
        changes = ", ".join(f"{position.board[cell].upper()} to {letter.upper()}" for cell, letter in swaps)
        price = position.rules.costs["swap"] * len(swaps)
        details.append(f"swap {changes} for {format_count(price, 'gem')}")
    if found.gems:
        details.append(f"collects {format_count(found.gems, 'gem')}")
    word = word_text(found.word, found.cells)
    return EngineLine(
        move=f"{swap_text(swaps)} {word}" if swaps else word,
        place="",
        title=found.word.upper(),
        value=str(found.points),
        details=tuple(details),
        cells=found.cells,
        letters=found.word,
    )


def _bonuses(position: StudyPosition) -> list[str]:
    """The marks of each tile, separated by spaces, for the board's script."""
    marks = {"dl": position.dl, "tl": position.tl, "x2": position.x2}
    return [
        " ".join(["gem"] * (cell in position.gems) + [name for name, at in marks.items() if at == cell])
        for cell in range(len(position.board))
    ]


def _brushes(position: StudyPosition) -> list[tuple[str, str]]:
    """The marks that can be placed on the board in this mode: names with titles."""
    rules = position.rules
    brushes = [("gem", "Gem")] if rules.gems else []
    brushes += [
        (name, name.upper())
        for factor, name in ((2, "dl"), (3, "tl"))
        if factor in rules.letter_bonus_factors
    ]
    return brushes + ([("x2", "2\N{MULTIPLICATION SIGN}")] if rules.word_bonus_factor else [])


def _with_letters(board: str, fields: Fields) -> str:
    """The board with the letters of new tiles. Raises BadStudy."""
    cells = _cells(fields.get("cells", ""), "fresh")
    letters = "".join(fields.get("fresh", "").lower().split())
    if letters and (len(letters) != len(cells) or max(cells) >= len(board)):
        given, tiles = format_count(len(letters), "letter"), format_count(len(cells), "new tile")
        raise BadStudy(f"{given} for {tiles}: {UNKNOWN} stands for an unknown one", "fresh")
    if wrong := re.search(f"[^a-z{UNKNOWN}]", letters):
        raise BadStudy(f"{wrong[0]!r} is not a letter; accepted: a to z, and {UNKNOWN} for unknown", "fresh")
    tiles_after = list(board)
    for cell, letter in zip(cells, letters, strict=False):
        tiles_after[cell] = letter
    return "".join(tiles_after)


def _cells(text: str, name: str) -> list[int]:
    """Parse cells. Raises BadStudy."""
    found = text.replace(",", " ").split()
    for cell in found:
        if not cell.isdecimal() or len(cell) > 2:
            raise BadStudy(f"{name}: {quote(cell)} is not a cell: cells are numbered row by row from 0", name)
    return [int(cell) for cell in found]


def _written(value: Any) -> str:
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _move_hint(rules: ModeRules) -> str:
    """The notation of moves in a mode."""
    others = {"swap 10 S": "swap" in rules.costs, "shuffle": "shuffle" in rules.costs, "pass": rules.rounds}
    return "; ".join([WibbleStudyRoom.move_hint, *(move for move, possible in others.items() if possible)])


def _verdict(scores: Sequence[int], position: StudyPosition, names: Sequence[str]) -> str | None:
    """The winner; None in a solo game."""
    if len(scores) == 1:
        return None
    staying = [seat for seat in range(len(scores)) if seat not in position.left]
    best = max(scores[seat] for seat in staying)
    winners = [names[seat] for seat in staying if scores[seat] == best]
    if len(winners) == len(staying) > 1 and not position.rules.teams:
        return "It is a draw."
    return f"{' and '.join(winners)} won."
