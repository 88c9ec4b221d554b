"""Properties of Wibble with any words; those of all games are in ``tests/games/test_rules.py``."""

from hypothesis import given
from hypothesis import strategies as st

from app.games.wibble.moves import Shuffle, Start
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Phase
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.wibble.positions import AT, pinned


@examples(40)
@given(
    words=st.sets(st.text("abc", min_size=2, max_size=4), min_size=1, max_size=5), seed=st.text(max_size=5)
)
def test_even_a_lexicon_that_can_never_fill_a_board_can_be_played(words: set[str], seed: str) -> None:
    game = Wibble(Lexicon.from_words(words, "poor"))
    state = game.apply(game.start(pinned(game, "classic"), 1, seed), 0, Start(), AT)
    assert state.phase is Phase.IDLE
    assert game.apply(state, 0, Shuffle(), AT).phase is Phase.IDLE
