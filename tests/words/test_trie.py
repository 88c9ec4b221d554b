"""The trie in flat arrays, compared with sets of prefixes."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from app.words.trie import ALPHABET_SIZE, NO_WORD, ROOT, WORD_END, Trie, build_trie

words = st.sets(st.text("abcz", min_size=1, max_size=6), min_size=1, max_size=40)


def walk(trie: Trie, node: int = ROOT, prefix: str = "") -> Iterator[tuple[int, str]]:
    """Every node with the prefix it stands for, found as the search kernels find it."""
    yield node, prefix
    mask = int(trie.children[node])
    for letter in range(ALPHABET_SIZE):
        if mask >> letter & 1:
            child = int(trie.first[node]) + (mask & ((1 << letter) - 1)).bit_count()
            yield from walk(trie, child, prefix + chr(ord("a") + letter))


@given(words)
def test_the_nodes_of_the_trie_are_the_prefixes_of_the_words(words: set[str]) -> None:
    trie = build_trie(sorted(words))
    nodes = dict(walk(trie))
    assert sorted(nodes) == list(range(len(trie.children)))
    assert sorted(nodes.values()) == sorted(
        {word[:length] for word in words for length in range(len(word) + 1)}
    )


@given(words)
def test_words_end_where_the_list_says(words: set[str]) -> None:
    ordered = sorted(words)
    trie = build_trie(ordered)
    for node, prefix in walk(trie):
        expected = ordered.index(prefix) if prefix in words else NO_WORD
        assert trie.word[node] == expected
        assert bool(trie.children[node] & WORD_END) == (prefix in words)
