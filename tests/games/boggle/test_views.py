"""The views of the seats in a game of Boggle."""

from app.games.boggle.rules import Boggle
from app.games.boggle.state import Finish, Start
from tests.games.boggle.rounds import CAT, DOGS, RING, ROWS, after
from tests.games.playing import AT


def test_views_hide_what_others_found(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CAT), (0, DOGS), (1, Start()), (1, RING))
    for seat, own in ((0, ["cat", "dogs"]), (1, ["ring"])):
        view = game.view(state, seat)
        words = view.rounds[seat].words
        assert words is not None
        assert [one.word for one in words] == own
        assert (view.rounds[1 - seat].words, view.rounds[1 - seat].score, view.solution) == (None, None, None)
        assert view.to_move == seat

    one_done = game.apply(state, 0, Finish(), AT + 9)
    first, second, watcher = (game.view(one_done, seat) for seat in (0, 1, None))
    assert first.rounds[1].words is second.rounds[0].words is None
    assert second.solution is None
    assert first.solution is not None
    assert {one.word: one.seats for one in first.solution if one.seats} == {"cat": (0,), "dogs": (0,)}
    assert (first.to_move, second.to_move, watcher.solution) == (1, 1, None)
    assert [one.words for one in watcher.rounds] == [None, None]

    over = game.apply(one_done, 1, Finish(), AT + 10)
    for seat_ in (0, 1, None):
        view = game.view(over, seat_)
        assert [one.score for one in view.rounds] == [2, 1]
        assert view.solution is not None
        assert {one.word: one.seats for one in view.solution if one.seats}["ring"] == (1,)
        assert (view.to_move, view.over) == (None, True)


def test_a_revealed_game_shows_everything(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CAT), (1, Start()), (1, RING))
    view = game.reveal(state)
    assert view.board == ROWS
    assert [one.score for one in view.rounds] == [1, 1]
    assert view.solution is not None
    assert {one.word: one.seats for one in view.solution if one.seats} == {"cat": (0,), "ring": (1,)}


def test_only_players_who_have_started_see_the_board(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()))
    waiting = after(game, (1, Start()))
    assert [game.view(waiting, seat).board for seat in (0, 1, None)] == [None, ROWS, None]
    assert game.view(state, None).board == ROWS
    for shown in (game.view(waiting, 0), game.view(state, None)):
        assert "seed" not in shown.model_dump()
