"""A very long game of Zen."""

from fastapi.testclient import TestClient
from sqlalchemy import update

from app.games.wibble.state import Turn
from app.store.schema import snapshots
from tests.web.browsing import start_wibble


def test_the_table_of_a_long_game_stays_small(client: TestClient) -> None:
    address = start_wibble(client, "zen")
    games = client.app.state.services.games  # type: ignore[attr-defined]
    table = games.load(address.rsplit("/", 1)[1], 0)
    word = Turn(seat=0, round=1, word="cat", cells=(0, 1, 2), points=5)
    state = table.state.model_copy(update={"turns": tuple(replace_round(word, n) for n in range(1, 1001))})
    with games.database.writing() as connection:
        connection.execute(
            update(snapshots).where(snapshots.c.game_id == table.id).values(state=state.model_dump_json())
        )
    page = client.get(address).text
    assert page.count("CAT") <= 110
    assert "and 900 earlier" in page


def replace_round(turn: Turn, number: int) -> Turn:
    return turn.model_copy(update={"round": number})
