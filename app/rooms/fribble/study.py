"""Fribble's study boards: CGP and GCG import and export, and the engine's moves with racks and scores."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, ClassVar, Final

from app.games.fribble import cgp, gcg
from app.games.fribble.adviser import LastPlacement
from app.games.fribble.position import BadPosition, parse_rack
from app.games.fribble.presets import DEFAULT_PRESET, presets
from app.games.fribble.puzzles import Position as PuzzlePosition
from app.games.fribble.puzzles import unseen_tiles
from app.games.fribble.rules import Fribble
from app.games.fribble.state import State
from app.games.fribble.study import SEATS, FribbleStudy, StudyPosition
from app.games.fribble.study_lines import Reported, line_as_gcg, tree_of_game, tree_of_gcg, tree_of_turns
from app.games.fribble.tileset import RACK, TILES
from app.games.study_tree import (
    BadStudy,
    Played,
    StudyRules,
    StudyTree,
    collecting_faults,
    raise_all,
    read_position,
)
from app.grammar import format_change, format_count, format_rounded
from app.validation import quote
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.study_room import Download, EngineAnswer, EngineLine, Fields, StudyRoom

if TYPE_CHECKING:
    from app.rooms.fribble.moves_api import InsteadAnswer, MoveAnswer

_LISTED: Final = 10
_BUDGETS: Final = {"simulating": 1000, "simulating-long": 5000}
"""Time budget in milliseconds by strategy."""
_OLD_FIELDS: Final = ("board", "cgp", "turns", "first", "ours", "theirs", "rack")
"""Parameters in URLs of team mode, which study boards have replaced."""


class FribbleStudyRoom(StudyRoom):
    """A board, both racks as far as they are known, and the scores."""

    rules: ClassVar[StudyRules[Any]] = FribbleStudy()
    address: ClassVar[str] = "/fribble/board"
    styles: ClassVar[tuple[str, ...]] = ("fribble/fribble.css", "fribble/study.css")
    script: ClassVar[str] = "fribble/study.js"
    engines: ClassVar[tuple[tuple[str, str], ...]] = (
        ("static", "Score and tiles kept"),
        ("greedy", "Score only"),
        ("simulating", "Simulation, 1 second"),
        ("simulating-long", "Simulation, 5 seconds"),
    )
    move_hint: ClassVar[str] = "8H WORD across, H8 WORD down; pass; exchange ABC"
    seat_fields: ClassVar[dict[str, tuple[str, ...]]] = {
        "racks": ("rack-1", "rack-2"),
        "scores": ("score-1", "score-2"),
    }
    reads_text: ClassVar[bool] = True
    formats: ClassVar[tuple[tuple[str, str], ...]] = (("cgp", "Position (CGP)"), ("gcg", "Line (GCG)"))

    def context(self, position: StudyPosition, step: Played, names: Sequence[str]) -> dict[str, Any]:
        preset = position.rules
        final = position.final_scores
        return {
            "preset": preset,
            "values": {letter: preset.tiles.value(letter) for letter in ascii_uppercase},
            "latest": step.cells,
            "sizes": position.sizes,
            "bag": position.bag,
            "unseen": [(kind, position.unseen.count(kind)) for kind in TILES if kind in position.unseen],
            "final": final,
            "verdict": None if final is None else _verdict(final, names),
            "cgp": cgp.write(position.to_cgp()),
            "presets": [(name, each.title) for name, each in presets().items()],
        }

    def setup_fields(self, position: StudyPosition) -> dict[str, str]:
        return {
            "position": "\n".join(position.rows),
            "rack-1": position.racks[0],
            "rack-2": position.racks[1],
            "score-1": str(position.scores[0]),
            "score-2": str(position.scores[1]),
            "to_move": str(position.to_move + 1),
            "preset": position.preset,
            "lexicon": position.lexicon,
        }

    def read_setup(self, fields: Fields, services: Services) -> StudyTree:
        """Rows, CGP or GCG in ``position`` with the other fields; or the URL parameters of team mode."""
        given = {name: text.strip() for name, text in fields.items() if text.strip()}
        if any(name in given for name in _OLD_FIELDS):
            return _of_team_mode(given, services)
        text = given.get("position", "")
        if gcg.is_gcg(text):
            return _of_gcg(text, given, services)
        if cgp.is_cgp(text):
            return _of_cgp(text, given, services)
        values: dict[str, Any] = {
            "preset": given.get("preset", DEFAULT_PRESET),
            "lexicon": given.get("lexicon", ""),
            "racks": ["", ""],
            "scores": [0, 0],
            "to_move": 1 if given.get("to_move") == "2" else 0,
        }
        if text:
            values["rows"] = text.split()
        faults: list[BadStudy] = []
        for seat in range(SEATS):
            with collecting_faults(faults):
                values["racks"][seat] = _rack(given, seat, f"rack-{seat + 1}")
            with collecting_faults(faults):
                values["scores"][seat] = _score(given, f"score-{seat + 1}")
        return _tree_of(values, faults)

    def read_known(self, fields: Fields, position: StudyPosition) -> dict[str, Any]:
        """The racks."""
        racks, faults = list(position.racks), list[BadStudy]()
        for seat in range(SEATS):
            if (name := f"rack-{seat + 1}") in fields:
                with collecting_faults(faults):
                    racks[seat] = _rack(fields, seat, name)
        raise_all(faults)
        return {"racks": racks}

    def best(self, services: Services, caller: Caller, step: Played, engine: str) -> EngineAnswer:
        """The best placements, or an exchange or pass that is better than all of them."""
        # Rooms are imported by the terminal, too, which needs no web pages.
        from app.rooms.fribble.api import Position  # noqa: PLC0415
        from app.rooms.fribble.moves_api import MovesRequest, best_moves  # noqa: PLC0415

        position: StudyPosition = step.position
        seat = position.to_move
        rack, scores = position.racks[seat], position.scores
        if not rack:
            return EngineAnswer(missing="Enter the rack of the player to move to see the best moves.")
        rules = services.rulebook.rules(Fribble, services.rulebook.ref(position.lexicon))
        last = None if step.detail is None else LastPlacement.by(step.detail)
        asked = Position(
            position.board,
            rack,
            position.preset,
            position.rules,
            rules,
            (scores[seat], scores[1 - seat]),
            position.scoreless,
            last,
            position.racks[1 - seat],
        )
        strategy = "simulating" if engine in _BUDGETS else engine
        budget = min(_BUDGETS.get(engine, 1), services.longest_budget_ms)
        request = MovesRequest(strategy=strategy, budget_ms=budget, limit=_LISTED)
        answer = best_moves(asked, rack, request, services, caller)
        lines = [_line(move, engine) for move in answer.moves]
        if answer.instead is not None:
            turn = answer.instead
            move = f"exchange {turn.tiles}" if turn.tiles else "pass"
            value = "" if engine == "greedy" else format_change(turn.equity, 1)
            kept = (f"keeps {turn.leave or 'nothing'}",) if turn.tiles else ()
            lines.insert(0, EngineLine(move, "", move.capitalize(), value, (*_wins(turn), *kept)))
        return EngineAnswer(tuple(lines), _note(answer.stats.moves, engine, len(rack), position.sizes[seat]))

    def tree_of_game(self, game: Fribble, states: Sequence[State], names: Sequence[str]) -> StudyTree:
        return tree_of_game(game, states, names)

    def start_of_puzzle(self, position: PuzzlePosition, lexicon: str) -> dict[str, Any]:
        unseen = unseen_tiles(position)
        start = {
            "preset": position.preset,
            "lexicon": lexicon,
            "rows": list(position.rows),
            "racks": [position.rack, unseen if len(unseen) <= RACK else ""],
            "scores": [max(position.lead, 0), max(-position.lead, 0)],
        }
        return start | ({"held": [len(position.rack), len(unseen)]} if len(unseen) <= RACK else {})

    def download(self, name: str, tree: StudyTree, steps: Sequence[Played], number: int) -> Download:
        """The position as CGP, or the line through it as GCG."""
        if name == "cgp":
            return Download("position.cgp", cgp.write(steps[number].position.to_cgp()) + "\n")
        if name == "gcg":
            return Download("line.gcg", line_as_gcg(tree, steps, tree.line(number)))
        raise BadStudy(f"there is no format {quote(name)}; accepted: json, cgp and gcg", "download")


def _tree_of(values: Mapping[str, Any], faults: Sequence[BadStudy] = ()) -> StudyTree:
    start = read_position(FribbleStudyRoom.rules, values, faults)
    return StudyTree(start=start.model_dump(mode="json"))


def _rack(given: Fields, seat: int, location: str) -> str:
    try:
        return parse_rack(given.get(f"rack-{seat + 1}", ""))
    except BadPosition as error:
        raise BadStudy(f"rack of player {seat + 1}: {error}", location) from None


def _score(given: Fields, name: str) -> int:
    text = given.get(name, "0")
    if not text.removeprefix("-").isdecimal() or len(text) > 5:
        accepted = f"accepted: -{cgp.MOST_POINTS} to {cgp.MOST_POINTS}"
        raise BadStudy(f"{name}: {quote(text)} is not a score; {accepted}", name)
    return int(text)


def _of_gcg(text: str, given: Fields, services: Services) -> StudyTree:
    preset = given.get("preset", DEFAULT_PRESET)
    try:
        names = [info.name for info in services.library.names()]
        lexicon = given.get("lexicon") or gcg.lexicon_of(gcg.read(text), preset, names)
    except gcg.BrokenGcg as error:
        raise BadStudy(f"GCG, {error}", "position") from None
    ref = services.rulebook.ref(lexicon)
    return tree_of_gcg(text, services.rulebook.rules(Fribble, ref), ref, preset)


def _of_cgp(text: str, given: Fields, services: Services) -> StudyTree:
    try:
        read = cgp.read(text)
    except cgp.BrokenCgp as error:
        raise BadStudy(f"CGP: {error}", "position") from None
    preset = read.preset or given.get("preset", DEFAULT_PRESET)
    names = [info.name for info in services.library.names()]
    return _tree_of(
        {
            "preset": preset,
            "lexicon": given.get("lexicon") or gcg.lexicon_of(read, preset, names),
            "rows": read.board.rows,
            "racks": read.racks,
            "scores": read.scores,
            "scoreless": read.scoreless,
        }
    )


def _of_team_mode(given: Fields, services: Services) -> StudyTree:
    """The board of a team mode game, whose URL parameters were its state."""
    text, names = given.get("board", ""), ("You", "They")
    if gcg.is_gcg(text):
        return _of_gcg(text, given, services)
    if found := given.get("cgp") or (text if cgp.is_cgp(text) else ""):
        return _of_cgp(found, given, services).model_copy(update={"names": names})
    turns = [line.strip() for line in given.get("turns", "").splitlines() if line.strip()]
    ours_first = given.get("first", "ours") != "theirs"
    values = {
        "preset": given.get("preset", DEFAULT_PRESET),
        "lexicon": given.get("lexicon", ""),
        "scores": [_score(given, "ours"), _score(given, "theirs")],
        "to_move": 0 if ours_first else 1,
    } | ({"rows": text.split()} if text else {})
    start = read_position(FribbleStudyRoom.rules, values)
    game = services.rulebook.rules(Fribble, services.rulebook.ref(start.lexicon))
    start = FribbleStudyRoom.rules.checked(game, start)
    tree = tree_of_turns(game, start, [Reported(turn, ("", "")) for turn in turns], names)
    if rack := given.get("rack"):
        known = {"racks": [rack, ""]}
        if tree.nodes:
            last = tree.nodes[-1].model_copy(update={"known": known})
            return tree.model_copy(update={"nodes": (*tree.nodes[:-1], last)})
        return tree.model_copy(update={"start": tree.start | known})
    return tree


def _line(move: "MoveAnswer", engine: str) -> EngineLine:
    """The list entry of a placement."""
    keeps = f"keeps {move.leave or 'nothing'}"
    if engine != "greedy" and move.leave:
        keeps += f" ({format_change(move.leave_value, 1)})"
    crossing = (f"with {', '.join(move.words[1:])}",) if len(move.words) > 1 else ()
    equity = () if engine == "greedy" else (f"equity {format_change(move.equity, 1)}",)
    return EngineLine(
        move=move.standard,
        place=move.coordinate,
        title=move.word.upper(),
        value=str(move.points),
        details=(*_wins(move), *equity, keeps, *crossing),
        cells=tuple(move.cells),
        letters=move.tiles,
    )


def _wins(turn: "MoveAnswer | InsteadAnswer") -> tuple[str, ...]:
    """How often a turn wins, by simulation or over all draws; in an endgame, the margin."""
    if turn.win_share is None or turn.error is None or turn.gain is None:
        return ()
    if turn.exact_share == 1:
        return (f"wins {format_rounded(100 * turn.win_share, 1)}% of the draws, exact",)
    if turn.error == 0 and turn.win_share in (0, 0.5, 1):
        result = {0: "loses", 0.5: "draws", 1: "wins"}[turn.win_share]
        return (f"{result} with best play, {format_change(turn.gain)} from here",)
    return (f"wins {format_rounded(100 * turn.win_share, 1)}% ± {format_rounded(100 * turn.error, 1)}",)


def _note(moves: int, engine: str, known: int, held: int) -> str:
    parts = [f"{format_count(moves, 'move')} in all."]
    if known < held:
        parts.append(f"{format_count(held - known, 'tile')} of the rack not entered.")
    if engine in _BUDGETS:
        parts.append("Wins: the share of games won when both play on with the unseen tiles dealt at random.")
    elif engine == "static":
        parts.append("Equity: the points plus the value of the tiles kept.")
    return " ".join(parts)


def _verdict(final: tuple[int, int], names: Sequence[str]) -> str:
    if final[0] == final[1]:
        return "It is a draw."
    return f"{names[0 if final[0] > final[1] else 1]} won."
