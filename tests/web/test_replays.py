"""Games that are played again to be looked at."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from app.web.replays import Replays


def test_a_game_is_played_again_once_however_many_look() -> None:
    played: list[str] = []
    go_on = Event()

    def states(game_id: str) -> tuple[int, ...]:
        played.append(game_id)
        assert go_on.wait(10)
        return (1, 2, 3)

    replays = Replays(states, most=100)
    with ThreadPoolExecutor(8) as hands:
        looking = [hands.submit(replays.of, "a") for _ in range(8)]
        go_on.set()
        assert all(each.result() == (1, 2, 3) for each in looking)
    assert played == ["a"]


def test_so_many_states_are_kept_of_the_games_looked_at_last() -> None:
    played: list[str] = []

    def states(game_id: str) -> str:
        played.append(game_id)
        return game_id * 4

    replays = Replays(states, most=10)
    for game_id in "abacab":
        replays.of(game_id)
    assert "".join(played) == "abcb", "of two games there is room, and the one looked at last stays"
    replays = Replays(lambda game_id: game_id * 40, most=10)
    assert len(replays.of("x")) == len(replays.of("x")) == 40, "a game longer than that is shown, too"
