"""Opens the engine and the game of a command: a new game, or one from a GCG, CGP or board file."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.console import Console

from app.games.fribble import cgp, gcg
from app.games.fribble.cgp import BrokenCgp, Cgp
from app.games.fribble.gcg import BrokenGcg, Gcg
from app.games.fribble.known_tiles import Impossible, with_board, with_rack
from app.games.fribble.position import BadPosition, check_position, parse_board
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, Pass, State
from app.games.game import IllegalMove, LexiconRef
from app.settings import Settings
from app.terminal.arguments import engine_lexicon, refuse
from app.text_files import Unreadable, read_text

SEATS: Final = 2
"""The number of seats of a new game."""


def open_engine(
    preset: str, lexicon: str | None, challenge: str = "void", file: Path | None = None
) -> tuple[Fribble, Options]:
    """Return the rules and options of a game. ``lexicon`` is by default the file's or the preset's.

    Raises BadParameter.
    """
    if preset not in presets():
        refuse(f"unknown preset {preset!r}; accepted: {', '.join(presets())}", "--preset")
    loaded = engine_lexicon(lexicon or _lexicon_of(file, preset))
    game = Fribble(loaded)
    with Console(stderr=True).status("Loading the engine"):
        game.movegen(preset)
    ref = LexiconRef.of(loaded)
    return game, Options.model_validate({"preset": preset, "lexicon": ref, "challenge": challenge})


def open_game(
    game: Fribble, options: Options, file: Path | None, seed: str | None, parameter: str = "--load"
) -> tuple[list[State], list[str]]:
    """Return the states so far and the players' names of the game in ``file`` or of a new game.

    Raises BadParameter naming ``parameter``, which gives the file.
    """
    names = [f"Player {seat + 1}" for seat in range(SEATS)]
    if file is None:
        return [_start(game, options, seed)], names
    try:
        text = read_text(file)
        if gcg.is_gcg(text):
            record = gcg.read(text)
            return list(replay(record, game, options)), [name for _, name in record.players]
        if cgp.is_cgp(text):
            position = cgp.read(text)
            options = options.model_copy(update={"preset": position.preset or options.preset})
            check_position(position.board, "".join(position.racks), presets()[options.preset], game.lexicon)
            return _at_position(position, game, _start(game, options, seed)), names
        board = parse_board(text.split())
        check_position(board, "", presets()[options.preset], game.lexicon)
        return [with_board(_start(game, options, seed), board)], names
    except (Unreadable, BrokenGcg, BrokenCgp, BadPosition, Impossible) as error:
        refuse(f"{file}: {error}", parameter)


def replay(record: Gcg, game: Fribble, options: Options) -> tuple[State, ...]:
    """Return all states of a recorded game under its own rules. Raises BrokenGcg."""
    changes: dict[str, str] = {}
    if record.preset in presets():
        changes["preset"] = record.preset
    if record.has_challenges:
        changes["challenge"] = "double"
    return gcg.replay(record, game, options.model_copy(update=changes))


def read_position(file: Path | None) -> Cgp | None:
    """Return the position in ``file`` if it is a valid CGP, else None."""
    with suppress(Unreadable, BrokenCgp):
        if file is not None and cgp.is_cgp(text := read_text(file)):
            return cgp.read(text)
    return None


def _start(game: Fribble, options: Options, seed: str | None) -> State:
    try:
        return game.start(options, SEATS, seed or secrets.token_hex(8))
    except IllegalMove as refused:
        refuse(refused.reason, "--preset")


def _at_position(position: Cgp, game: Fribble, first: State) -> list[State]:
    """Return the states up to ``position``, with passes for the scoreless turns before it.

    Raises Impossible, or BrokenCgp if the game was over.
    """
    seat = position.scoreless % SEATS
    scores = position.scores[::-1] if seat else position.scores
    states = [with_board(first, position.board).model_copy(update={"scores": scores})]
    try:
        for _ in range(position.scoreless):
            states.append(game.apply(states[-1], states[-1].to_move, Pass(), 0.0))
    except IllegalMove as refused:
        raise BrokenCgp(f"the number of scoreless turns is {position.scoreless}: {refused.reason}") from None
    held = with_rack(states[-1], seat, position.racks[0])
    states[-1] = with_rack(held, 1 - seat, position.racks[1], known=frozenset({seat}))
    return states


def _lexicon_of(file: Path | None, preset: str) -> str:
    """Return the lexicon of the game or position in ``file``, or of the preset if the file has none."""
    with suppress(Unreadable, BrokenGcg):
        if file is not None:
            text = read_text(file)
            named = gcg.read(text) if gcg.is_gcg(text) else read_position(file)
            if named is not None:
                return gcg.lexicon_of(named, preset, [info.name for info in Settings().library().names()])
    return presets()[preset].lexicon
