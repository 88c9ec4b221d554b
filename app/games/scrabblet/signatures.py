"""Signatures: each set of letters as a product of primes, from "Wordgames" (Srini, 2022).

Words with equal signatures use the same letters, each any number of times. Python integers make a signature
exact: the product of all 26 primes has 121 bits.
"""

from math import prod
from typing import Final

PRIMES: Final = (
    *(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41),
    *(43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101),
)
"""Per letter, a to z: the first 26 primes, as in "Wordgames"."""


def primes(word: str) -> tuple[int, ...]:
    """Return the primes of the word's distinct letters, ascending."""
    return tuple(PRIMES[ord(letter) - ord("a")] for letter in sorted(set(word)))


def signature(word: str) -> int:
    """Return the product of the primes of the word's distinct letters; 1 for no letters."""
    return prod(primes(word))
