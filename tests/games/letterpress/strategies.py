"""Hypothesis strategies for boards, territories and lexicons."""

from hypothesis import strategies as st

from app.games.letterpress.territory import EVERY, Territory
from app.words.lexicon import Lexicon

masks = st.integers(0, EVERY)


@st.composite
def lexicons(draw: st.DrawFn, most: int = 9, longest: int = 6) -> Lexicon:
    """A few words, some of them anagrams or prefixes of others, each with its own frequency or none."""
    words = draw(st.sets(st.text("abcdefg", min_size=2, max_size=longest), min_size=1, max_size=most))
    for word in sorted(words)[:3]:
        words.add(word[: draw(st.integers(2, len(word)))])
        words.add("".join(draw(st.permutations(word))))
    ranked = draw(st.permutations(sorted(words)))
    ranks = {word: rank for rank, word in enumerate(ranked[: len(ranked) // 2], start=1)}
    return Lexicon.from_words(words, "few", ranks=ranks)


boards = st.text("abcdefghij", min_size=25, max_size=25)


@st.composite
def territories(draw: st.DrawFn) -> Territory:
    """Any state of a board that is not full, the last turns of a game as often as the first."""
    ours, theirs = draw(masks) | draw(masks), draw(masks) | draw(masks)
    free = 1 << draw(st.integers(0, 24)) | draw(st.sampled_from([0, 0, 1])) * draw(masks)
    return Territory(ours=ours & ~free, theirs=theirs & ~ours & ~free)
