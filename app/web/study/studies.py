"""Opening study boards, replaying them, and changing them."""

import json
from dataclasses import dataclass
from typing import Any, Final

from fastapi import HTTPException
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from app.games.game import AnyGame
from app.games.puzzles import Puzzle, position_in
from app.games.study_tree import (
    START,
    BadStudy,
    Played,
    StudyTree,
    after,
    changed,
    collecting_faults,
    promoted,
    raise_all,
    read_position,
    replay,
    standard,
    with_move,
    without,
)
from app.store.models import Table
from app.store.study_boards import BoardInfo
from app.validation import quote
from app.web.guard.fields import describe_errors, field_errors
from app.web.guard.rates import Caller
from app.web.room import Room, Rooms
from app.web.services import Services
from app.web.site.puzzles import posed
from app.web.study.study_room import Fields, StudyRoom
from app.web.table.record import check_secret
from app.words.library import DamagedLexicon, UnknownLexicon

_MOST_NAMED: Final = 5
"""The most errors of a file that are named at once."""


@dataclass(frozen=True, slots=True)
class Study:
    """A board, stored or not, with all its positions."""

    room: Room
    board: StudyRoom
    tree: StudyTree
    steps: tuple[Played, ...]
    """The steps by number of their node, the start first."""
    info: BoardInfo | None = None
    """None for a board that is not stored."""
    title: str = ""
    """The title of a board that is not stored."""
    first: int = START
    """The node that is shown first."""

    @property
    def name(self) -> str:
        """The title, or what a board without one is called."""
        return (self.info.title if self.info else self.title) or f"{self.room.title} board"

    def number(self, at: int | None) -> int:
        """The node to show; the first one if there is no such node."""
        return self.first if at is None or not 0 <= at < len(self.steps) else at


def study_rooms(rooms: Rooms) -> dict[str, Room]:
    """The rooms with study boards, by kind of game."""
    return {kind: room for kind, room in rooms.items() if room.study is not None}


def study_room(services: Services, kind: str) -> tuple[Room, StudyRoom]:
    """The room of a kind of game and its study room. Raises BadStudy if it has none."""
    room = services.rooms.get(kind)
    if room is None or room.study is None:
        kinds = ", ".join(study_rooms(services.rooms))
        raise BadStudy(f"there are no study boards of {quote(kind)}: choose from {kinds}", "kind")
    return room, room.study


def game_of(services: Services, room: Room, board: StudyRoom, tree: StudyTree) -> AnyGame:
    """The rules of a tree's game over its word list. Raises BadStudy."""
    try:
        position: Any = read_position(board.rules, tree.start)
    except BadStudy as error:
        raise error.at("start", "start") from None
    try:
        return services.rulebook.rules(room.game, services.rulebook.ref(position.lexicon))
    except (UnknownLexicon, DamagedLexicon) as error:
        raise BadStudy(str(error), "start", "lexicon") from None


def checked(services: Services, caller: Caller, kind: str, tree: StudyTree) -> Study:
    """Replay an untrusted tree in the engine pool. Raises BadStudy, PoolFull."""
    return services.pool.run(caller, f"{kind} study", _replayed, services, kind, tree)


def _replayed(services: Services, kind: str, tree: StudyTree) -> Study:
    room, board = study_room(services, kind)
    steps = replay(tree, board.rules, game_of(services, room, board, tree))
    return Study(room, board, standard(tree, steps), steps)


def stored(services: Services, caller: Caller, board_id: str) -> Study:
    """A stored board. Raises UnknownBoard, BadStudy, PoolFull."""
    found = services.study_boards.board(board_id)
    room, board = study_room(services, found.info.kind)
    steps = services.replayed.get(found.info)
    if steps is None:
        game = game_of(services, room, board, found.tree)
        steps = services.pool.run(caller, f"{room.kind} study", replay, found.tree, board.rules, game)
        services.replayed.keep(found.info, steps)
    return Study(room, board, found.tree, steps, found.info)


def of_game(services: Services, caller: Caller, game_id: str, ply: int | None) -> Study:
    """A board with a finished game. Raises UnknownGame, BadStudy, HTTPException, StillSecret, PoolFull."""
    table = services.games.load_or_read(game_id, services.clock())
    room, board = study_room(services, table.kind)
    if table.finished_at is None:
        raise HTTPException(409, "the game is still in progress: it can be studied when it is finished")
    check_secret(services, table, caller.player)

    def opened() -> Study:
        states = services.games.states(game_id)
        tree = board.tree_of_game(table.game, states, _names(table))
        steps = replay(tree, board.rules, table.game)
        last = len(states) - 1 if ply is None else max(0, min(ply, len(states) - 1))
        first = min(board.node_of(states, last), len(tree.nodes))
        return Study(room, board, tree, steps, title=f"{room.title} game", first=first)

    return services.pool.run(caller, f"{room.kind} study", opened)


def of_puzzle(services: Services, caller: Caller, puzzle_id: str) -> Study:
    """A board with the position of a puzzle. Raises UnknownPuzzle, BadPuzzleId, BadStudy, PoolFull."""
    found = posed(services, caller.player, puzzle_id)
    _, board = study_room(services, found.room.kind)
    puzzle: Puzzle = found.puzzle
    start = board.start_of_puzzle(position_in(found.rules, puzzle), puzzle.lexicon.name)
    study = checked(services, caller, found.room.kind, StudyTree(start=start))
    return Study(study.room, board, study.tree, study.steps, title=f"{found.room.title} puzzle")


def of_fields(services: Services, caller: Caller, kind: str, fields: Fields) -> Study:
    """The board described by form fields. Raises BadStudy, PoolFull."""
    _, board = study_room(services, kind)
    faults: list[BadStudy] = []
    with collecting_faults(faults):
        _check_lexicon(services, fields.get("lexicon", "").strip())
    if faults:  # the other fields are checked with the default list
        fields = {**fields, "lexicon": ""}
    with collecting_faults(faults):
        study = services.pool.run(
            caller,
            f"{kind} study",
            lambda: _replayed(services, kind, board.read_setup(fields, services)),
        )
    raise_all(faults)
    return study


def _check_lexicon(services: Services, name: str) -> None:
    try:
        if name:
            services.rulebook.ref(name)
    except UnknownLexicon as error:
        raise BadStudy(str(error), "start", "lexicon") from None


def file_of(study: Study) -> str:
    """A board as a file: its tree as JSON, with the kind of game."""
    content = {"kind": study.room.kind} | study.tree.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(content, indent=1)


def read_file(text: str, kind: str) -> tuple[str, StudyTree]:
    """Parse a downloaded board; ``kind`` is for files without a game. Raises BadStudy naming the place."""
    try:
        content = from_json(text)
        if isinstance(content, dict):
            kind = str(content.pop("kind", kind))
        return kind, StudyTree.model_validate_json(to_json(content))
    except ValidationError as error:
        faults = field_errors(error.errors(), root="body")
        raise BadStudy(describe_errors(faults[:_MOST_NAMED]), *faults[0].location[1:]) from None
    except ValueError as error:
        raise BadStudy(f"invalid JSON: {error}") from None


def with_played(services: Services, study: Study, at: int, move: str) -> tuple[StudyTree, int]:
    """The tree with a move after a node, and its number. Raises BadStudy."""
    game = game_of(services, study.room, study.board, study.tree)
    position = study.steps[at].position
    if reason := study.board.rules.ending(position):
        raise BadStudy(f"the game is over: {reason}", "move")
    step = study.board.rules.play(game, position, move)
    return with_move(study.tree, at, step.move)


def with_known(
    services: Services, caller: Caller, study: Study, at: int, fields: Fields
) -> tuple[StudyTree, int]:
    """The tree with other known facts after a node, or at the start. Raises BadStudy, PoolFull."""
    known = study.board.read_known(fields, study.steps[at].position)
    tree = study.tree
    if at == START:
        changed_tree = tree.model_copy(update={"start": tree.start | known})
    else:
        changed_tree = changed(tree, at, known=tree.nodes[at - 1].known | known)
    game = game_of(services, study.room, study.board, changed_tree)
    if at:  # the nearest fault first: of the node itself, then of what follows
        after(
            study.board.rules,
            game,
            study.steps[tree.nodes[at - 1].parent].position,
            changed_tree.nodes[at - 1],
        )
    services.pool.run(caller, f"{study.room.kind} study", replay, changed_tree, study.board.rules, game)
    return changed_tree, at


def with_comment(study: Study, at: int, text: str) -> tuple[StudyTree, int]:
    """The tree with another comment on a node. Raises BadStudy."""
    try:
        return changed(study.tree, at, comment=text.strip()), at
    except ValidationError:
        raise BadStudy(f"a comment has up to 1,000 characters, this has {len(text):,}", "comment") from None


def without_node(study: Study, at: int) -> tuple[StudyTree, int]:
    """The tree without a node and those after it. Raises BadStudy for the start."""
    if at == START:
        raise BadStudy("the start cannot be removed: set up another position")
    return without(study.tree, at), study.tree.nodes[at - 1].parent


def as_main_line(study: Study, at: int) -> tuple[StudyTree, int]:
    """The tree with the moves to a node as its main line."""
    return promoted(study.tree, at)


def with_names(study: Study, at: int, fields: Fields) -> tuple[StudyTree, int]:
    """The tree with the players' names from the fields ``name-1`` and so on. Raises BadStudy."""
    try:
        seats = range(1, study.board.rules.seats(study.steps[at].position) + 1)
        given = [fields.get(f"name-{seat}", "").strip() or f"Player {seat}" for seat in seats]
        return StudyTree.model_validate(study.tree.model_dump() | {"names": given}), at
    except ValidationError:
        raise BadStudy("a name has up to 40 characters", "names") from None


def _names(table: Table) -> tuple[str, ...]:
    """The names of a game's seats: only those of bots, as people may be erased later."""
    bots = table.game.bots
    return tuple(
        f"Player {number}" if seat.bot_level is None else bots[seat.bot_level - 1]
        for number, seat in enumerate(table.seats, start=1)
    )
