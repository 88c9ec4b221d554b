"""Study boards of Fribble from games and GCG, and a line of a study board as GCG."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from app.games.fribble import gcg
from app.games.fribble.bag import ordered
from app.games.fribble.board import Board
from app.games.fribble.notation import marked
from app.games.fribble.presets import DEFAULT_PRESET, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State, Turn
from app.games.fribble.study import SEATS, FribbleStudy, StudyPosition
from app.games.game import LexiconRef
from app.games.study_tree import MOST_NODES, BadStudy, Played, StudyNode, StudyTree, names_of
from app.grammar import format_count

_RULES: Final = FribbleStudy()


class Reported(NamedTuple):
    """A turn of a game, and the known tiles of the racks before it."""

    move: str
    racks: tuple[str, str]
    """Empty if no more is known than the tiles left over from earlier turns."""
    comment: str = ""


def tree_of_turns(
    game: Fribble, start: StudyPosition, turns: Sequence[Reported], names: Sequence[str]
) -> StudyTree:
    """Return the tree of a game's turns. Raises BadStudy naming the turn."""
    if len(turns) > MOST_NODES:
        raise BadStudy(f"the game has {len(turns)} turns; accepted: up to {MOST_NODES}")
    position, nodes = start, list[StudyNode]()
    for number, turn in enumerate(turns, start=1):
        racks = tuple(
            given if len(given) >= len(known) else known
            for given, known in zip(turn.racks, position.racks, strict=True)
        )
        try:
            informed = _RULES.checked(game, position.model_copy(update={"racks": racks}))
            step = _RULES.play(game, informed, turn.move)
        except BadStudy as error:
            raise error.at(f"turn {number} ({turn.move})") from None
        if informed.racks != position.racks:
            if nodes:
                nodes[-1] = nodes[-1].model_copy(update={"known": {"racks": list(informed.racks)}})
            else:
                start = informed
        nodes.append(StudyNode(parent=number - 1, move=step.move, comment=turn.comment[:1000]))
        position = step.position
        if position.is_over:
            break
    return StudyTree(start=start.model_dump(mode="json"), names=tuple(names), nodes=tuple(nodes))


def tree_of_game(game: Fribble, states: Sequence[State], names: Sequence[str]) -> StudyTree:
    """Return the tree of a game of two with both racks known. Raises BadStudy."""
    first = states[0]
    if len(first.racks) != SEATS:
        raise BadStudy(f"the game has {format_count(len(first.racks), 'player')}: a study board is for two")
    last_with = {len(state.turns): state for state in states}
    racks = [_two(last_with[number].racks) for number in range(len(states[-1].turns))]
    turns = [
        Reported(_text(turn), held, _remark(turn)) for turn, held in zip(states[-1].turns, racks, strict=True)
    ]
    start = StudyPosition(
        preset=first.options.preset,
        lexicon=first.lexicon.name,
        rows=first.board.rows,
        racks=_two(first.racks),
    )
    return tree_of_turns(game, _RULES.checked(game, start), turns, names)


def tree_of_gcg(text: str, game: Fribble, lexicon: LexiconRef, preset: str = DEFAULT_PRESET) -> StudyTree:
    """Return the tree of a game as GCG, its notes as comments. Raises BadStudy naming the line."""
    try:
        read = gcg.read(text)
        if len(read.players) != SEATS:
            raise BadStudy(
                f"the game has {format_count(len(read.players), 'player')}: a study board is for two"
            )
        options = Options(
            preset=read.preset if read.preset in presets() else preset, lexicon=lexicon, challenge="double"
        )
        played = gcg.replay(read, game, options)[-1].turns
    except gcg.BrokenGcg as error:
        raise BadStudy(f"GCG, {error}") from None
    events = [event for event in read.events if event.kind in ("place", "exchange", "pass")]
    turns = []
    for event, turn in zip(events, played, strict=False):
        rack = ("", event.rack) if event.seat else (event.rack, "")
        count = event.kind == "exchange" and event.text.isdigit()
        move = f"exchange {event.text}" if count else _text(turn)
        turns.append(Reported(move, rack, event.note or _remark(turn)))
    start = _RULES.checked(game, StudyPosition(preset=options.preset, lexicon=lexicon.name))
    tree = tree_of_turns(game, start, turns, [name[:40] for _, name in read.players])
    return _with_last_racks(tree, read.racks)


def _with_last_racks(tree: StudyTree, racks: dict[int, str]) -> StudyTree:
    """Return the tree with the racks that a GCG names for the position after its last turn."""
    if not racks:
        return tree
    given = [racks.get(seat, "") for seat in range(SEATS)]
    if not tree.nodes:
        return tree.model_copy(update={"start": tree.start | {"racks": given}})
    last = tree.nodes[-1].model_copy(update={"known": {"racks": given}})
    return tree.model_copy(update={"nodes": (*tree.nodes[:-1], last)})


def _two(racks: Sequence[str]) -> tuple[str, str]:
    first, second = racks
    return first, second


def _text(turn: Turn) -> str:
    """Return a turn in the notation of study boards; a withdrawn play is a pass."""
    if turn.kind == "place":
        return f"{turn.coordinate} {marked(turn.text)}"
    return f"exchange {turn.returned or turn.exchanged}" if turn.kind == "exchange" else "pass"


def _remark(turn: Turn) -> str:
    """Return what kind of turn a pass really was, as a comment; empty for a plain pass."""
    if turn.kind == "withdrawn":
        return f"{turn.coordinate} {turn.text} was challenged and withdrawn."
    return {"challenge": "A challenge was lost.", "timeup": "The time was up."}.get(turn.kind, "")


def line_as_gcg(tree: StudyTree, steps: Sequence[Played], numbers: Sequence[int]) -> str:
    """Return the moves ``numbers`` from the start as GCG, with comments as notes. Raises BadStudy."""
    start: StudyPosition = steps[0].position
    if start.board != Board() or any(start.scores) or start.scoreless:
        raise BadStudy("a GCG is a game from an empty board: this line begins with a position", "start")
    names = names_of(tree)
    order = (1, 0) if start.to_move else (0, 1)
    nicks = [re.sub(r"[\s:]+", "_", name) for name in names]
    if nicks[0] == nicks[1]:
        nicks = [f"{nick}{seat + 1}" for seat, nick in enumerate(nicks)]
    path = [steps[0], *(steps[number] for number in numbers)]
    last: StudyPosition = path[-1].position
    lines = ["#character-encoding UTF-8"]
    lines += [f"#player{place} {nicks[seat]} {names[seat]}" for place, seat in enumerate(order, start=1)]
    lines += [f"#lexicon {start.lexicon}", f"#board-layout {start.preset}"]
    if not last.is_over:
        racks = ((place, last.racks[seat]) for place, seat in enumerate(order, start=1))
        lines += ["#incomplete", *(f"#rack{place} {rack}" for place, rack in racks if rack)]
    for number, (before, after) in zip(numbers, pairwise(path), strict=True):
        lines += _turn_lines(before.position, after, nicks)
        if note := " ".join(tree.nodes[number - 1].comment.split()):
            lines.append(f"#note {note}")
    return "\n".join([*lines, *_settlement(last, nicks)]) + "\n"


def _turn_lines(before: StudyPosition, step: Played, nicks: Sequence[str]) -> Iterator[str]:
    seat, turn = before.to_move, step.detail
    rack = before.racks[seat] if len(before.racks[seat]) == before.sizes[seat] else ordered(turn.used)
    if turn.placement:
        play = f"{step.move.replace('?', '')} +{step.points}"
    else:
        play = "- +0" if step.move == "pass" else f"-{step.move.split()[1]} +0"
    parts = (f">{nicks[seat]}:", rack, play, str(step.position.scores[seat]))
    yield " ".join(filter(None, parts))


def _settlement(last: StudyPosition, nicks: Sequence[str]) -> Iterator[str]:
    """Yield the lines that settle the tiles left, if they are known."""
    final = last.final_scores
    if final is None:
        return
    for seat in range(SEATS):
        rack, other = last.racks[seat], last.racks[1 - seat]
        if rack:
            points = last.rules.tiles.total_points(rack)
            yield f">{nicks[seat]}: {rack} ({rack}) -{points} {final[seat]}"
        elif last.is_out:
            yield f">{nicks[seat]}: ({other}) +{last.rules.tiles.total_points(other)} {final[seat]}"
