"""Who is at a table, however pages come and go."""

from app.web.live.bus import Bus
from app.web.live.presence import Presence

TABLE = "table"


def test_a_watcher_who_leaves_takes_nobody_along() -> None:
    presence = Presence(Bus())
    watcher = presence.attending(TABLE, None)
    watcher.__enter__()
    with presence.attending(TABLE, 0):
        assert presence.seats(TABLE) == [0]
    assert presence.seats(TABLE) == []
    with presence.attending(TABLE, 0):
        watcher.__exit__(None, None, None)
        assert presence.seats(TABLE) == [0]
    assert presence.seats(TABLE) == []


def test_a_seat_with_two_pages_is_there_until_both_are_gone() -> None:
    presence = Presence(Bus())
    with presence.attending(TABLE, 1):
        with presence.attending(TABLE, 1), presence.attending(TABLE, 0):
            assert presence.seats(TABLE) == [0, 1]
        assert presence.seats(TABLE) == [1]
