"""Brute-force Scrabblet."""

from collections.abc import Iterable

SCORES = {
    **dict.fromkeys("aeilnorstu", 1),
    **dict.fromkeys("dg", 2),
    **dict.fromkeys("bcmp", 3),
    **dict.fromkeys("fhvwy", 4),
    "k": 5,
    **dict.fromkeys("jx", 8),
    **dict.fromkeys("qz", 10),
}


def fits(word: str, hand: str) -> bool:
    """Whether at most as many letters are missing from the hand as it has blanks."""
    return len(set(word) - set(hand)) <= hand.count("?")


def score(word: str, hand: str) -> int:
    return sum(SCORES[letter] for letter in word if letter in hand)


def words_of(words: Iterable[str], hand: str, min_length: int, required: str = "") -> dict[str, int]:
    """All words of the hand with their scores."""
    return {
        word: score(word, hand)
        for word in words
        if len(word) >= min_length and fits(word, hand) and all(letter in word for letter in required)
    }
