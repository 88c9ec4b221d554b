"""`wibble replay` and the display of games on a server say how players left a game."""

from pathlib import Path
from typing import Any

import pytest

from app.games.boggle.rules import Boggle
from app.games.fribble.rules import Fribble
from app.games.game import AnyGame, Forfeit, LexiconRef
from app.games.letterpress.rules import Letterpress
from app.games.record import write
from app.games.wibble.rules import Wibble
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble

pytestmark = pytest.mark.usefixtures("wide")


@pytest.mark.parametrize(
    ("kind", "options", "before", "how", "reason"),
    [
        (Fribble, {}, (), "did not begin in time", "Not begun in time."),
        (Fribble, {}, ((0, "pass"), (1, "pass")), "ran out of time", "Out of time."),
        (Letterpress, {}, (), "did not begin in time", "Not begun in time."),
        (Wibble, {"mode": "versus"}, ((0, "start"),), "did not begin in time", "Not begun in time."),
        (Boggle, {}, (), "not begun in time", "Everyone has finished."),
    ],
    ids=["fribble", "fribble, begun", "letterpress", "wibble", "boggle"],
)
def test_a_claimed_game_was_not_resigned(
    tmp_path: Path,
    lexicon: Lexicon,
    kind: type[AnyGame],
    options: dict[str, str],
    before: tuple[tuple[int, str], ...],
    how: str,
    reason: str,
) -> None:
    game = kind(lexicon)
    chosen = game.options_type.model_validate({"lexicon": LexiconRef.of(lexicon), **options})
    moves = [(seat, game.move_adapter.validate_python({"type": move})) for seat, move in before]
    moves.append((0, Forfeit(began=how == "ran out of time")))
    if kind is Boggle:
        moves.append((1, game.resignation))
    states = [game.start(chosen, 2, "claimed")]
    for seat, move in moves:
        states.append(game.apply(states[-1], seat, move, 1.0))
    file = tmp_path / "game.txt"
    file.write_text(write(game, tuple(states), "claimed", [(seat, move, 1.0) for seat, move in moves]))
    shown = wibble("replay", file)[1]
    assert f"Player 1: {how}" in shown
    assert reason in shown
    views = [game.view(state, 1) for state in states[len(before) : len(before) + 2]]
    display: Any = ROOMS.terminals[kind.kind].display
    [line, *_] = display.changes(*views, ("Ann", "You"))
    assert line.startswith("Ann: ")
    assert how in line
