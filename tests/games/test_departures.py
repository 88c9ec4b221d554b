"""How players leave a game, as its rules record it."""

import pytest

from app.games.clock import Clocks
from app.games.departures import Departure, all_departures
from app.games.fribble import state as fribble
from app.games.fribble.rules import Fribble
from app.games.game import LexiconRef
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Options, Resign, TimeUp
from app.words.lexicon import Lexicon


@pytest.mark.parametrize(
    ("move", "how"), [(Resign(), "resigned"), (TimeUp(), "ran out of time")], ids=["resigned", "out of time"]
)
def test_a_position_stored_before_departures_were_recorded_has_them(
    lexicon: Lexicon, move: Resign | TimeUp, how: str
) -> None:
    game = Letterpress(lexicon)
    start = game.start(Options(lexicon=LexiconRef.of(lexicon), clock_seconds=10), 2, "seed")
    running = start.model_copy(update={"clocks": Clocks(left=(10, 10), running=0, since=0.0)})
    over = game.apply(running, 0, move, 20.0 if isinstance(move, TimeUp) else 1.0)
    stored = game.state_type.model_validate_json(over.model_dump_json(exclude={"departures"}))
    assert stored.departures == ()
    assert [left.turns for left in game.view(stored, None).departures] == [None]
    assert game.view(stored, None).gone == game.view(over, None).gone == {0: how}


@pytest.mark.parametrize("seats", [2, 3], ids=["the end", "the others go on"])
def test_a_departure_at_an_unknown_time_is_the_latest_event_only_if_it_ended_the_game(
    lexicon: Lexicon, seats: int
) -> None:
    game = Fribble(lexicon)
    pinned = fribble.Options(lexicon=LexiconRef.of(lexicon), preset="standard")
    left = game.apply(game.start(pinned, seats, "seed"), 0, fribble.Resign(), 1.0)
    stored = game.state_type.model_validate_json(left.model_dump_json(exclude={"departures"}))
    assert game.view(left, None).latest_departure
    assert bool(game.view(stored, None).latest_departure) == (seats == 2)


def test_departures_are_in_the_order_in_which_the_players_left(lexicon: Lexicon) -> None:
    state = Letterpress(lexicon).start(Options(lexicon=LexiconRef.of(lexicon)), 2, "seed")
    known = Departure(seat=2, how="did not begin in time", turns=0)
    state = state.model_copy(update={"departures": (known,)})
    assert [each.seat for each in all_departures((3, 2), state)] == [3, 2]
    assert all_departures((3, 2), state)[1] == known
