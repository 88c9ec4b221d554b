"""Words that differ from a word by one letter."""

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon


def neighbours(lexicon: Lexicon, word: str) -> tuple[str, ...]:
    """Return the words of the list with one letter more, one fewer, another, or two swapped; sorted."""
    cuts = [(word[:cut], word[cut:]) for cut in range(len(word) + 1)]
    near = {before + letter + after for before, after in cuts for letter in ALPHABET}
    near |= {before + letter + after[1:] for before, after in cuts if after for letter in ALPHABET}
    near |= {before + after[1:] for before, after in cuts if after}
    near |= {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    return tuple(sorted(other for other in near - {word, ""} if other in lexicon))
