"""Views of a game, and descriptions of the modes."""

from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Hint
from app.games.wibble.rules import Wibble
from tests.games.playing import play
from tests.games.wibble.positions import found, started


def test_a_view_never_shows_the_seed(wibble: Wibble) -> None:
    state = started(wibble, "classic", seed="the-secret-of-this-game")
    for seat in (0, None):
        assert "the-secret-of-this-game" not in wibble.view(state, seat).model_dump_json()


def test_a_player_may_play_a_swear_word_and_no_hint_shows_one(wibble: Wibble) -> None:
    swear = "fuck"
    board = swear.ljust(25, "q")
    state = started(wibble, min_words=0)
    state = state.model_copy(update={"board": state.board.model_copy(update={"letters": board})})  # type: ignore[union-attr]
    hint = play(wibble, state, Hint()).hint or ()
    assert "".join(board[cell] for cell in hint) != swear
    assert found(wibble, state)[0].word == swear
    assert play(wibble, state, Chain(cells=(0, 1, 2, 3))).turns[-1].word == swear


def test_every_mode_has_a_title_and_says_what_it_is() -> None:
    assert list(modes()) == ["zen", "classic", "blitz", "versus", "teams", "adventure"]
    assert all(mode.title and mode.blurb for mode in modes().values())
