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


def test_who_was_elsewhere_is_not_remembered_by_a_process_where_nobody_listens() -> None:
    presence = Presence(Bus())
    told = '["another process", [1]]'
    presence.reported(TABLE, told)
    with presence.attending(TABLE, 0):
        assert presence.seats(TABLE) == [0], "what was heard before may be long over"
        presence.reported(TABLE, told)
        assert presence.seats(TABLE) == [0, 1]
    with presence.attending(TABLE, 0):
        assert presence.seats(TABLE) == [0], "nobody told us meanwhile that they left"
