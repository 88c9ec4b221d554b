"""Recovery phrases: twelve words that sign a player in on any device.

A phrase encodes 128 random bits and a checksum in the 2,048 words of BIP-39 ("Mnemonic code for generating
deterministic keys", bitcoin/bips). Only a digest is stored; 128 random bits need no slow hash.
"""

import re
from functools import cache
from typing import Final

from mnemonic import Mnemonic
from sqlalchemy import delete, insert, select

from app.grammar import format_count
from app.store.database import Database
from app.store.digests import digest_of
from app.store.players import lock_player
from app.store.schema import phrases
from app.validation import shorten

BITS: Final = 128
WORDS: Final = 12


class WrongPhrase(ValueError):
    """The phrase does not sign a player in; the message says why."""


class Phrases:
    """The recovery phrases of all players, at most one per player."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, player_id: str, at: float) -> str:
        """Create a phrase and return it; it cannot be read again. An earlier one stops working."""
        phrase: str = _words().generate(BITS)
        values = {"player_id": player_id, "digest": digest_of(phrase), "made_at": at}
        with self._database.writing() as connection:
            # The lock on the player's row makes concurrent requests replace each other's phrase.
            lock_player(connection, player_id)
            connection.execute(delete(phrases).where(phrases.c.player_id == player_id))
            connection.execute(insert(phrases).values(values))
        return phrase

    def remove(self, player_id: str) -> None:
        """Remove the player's phrase, if any."""
        with self._database.writing() as connection:
            connection.execute(delete(phrases).where(phrases.c.player_id == player_id))

    def made_at(self, player_id: str) -> float | None:
        """When the player's phrase was made; None if there is none."""
        with self._database.reading() as connection:
            found: float | None = connection.scalar(
                select(phrases.c.made_at).where(phrases.c.player_id == player_id)
            )
        return found

    def player_of(self, typed: str) -> str:
        """The player with this phrase, in any letter case and with any separators. Raises WrongPhrase."""
        query = select(phrases.c.player_id).where(phrases.c.digest == digest_of(_checked(typed)))
        with self._database.reading() as connection:
            player_id: str | None = connection.scalar(query)
        if player_id is None:
            raise WrongPhrase("no profile has this recovery phrase: a newer one may have replaced it")
        return player_id


@cache
def _words() -> Mnemonic:
    return Mnemonic("english")


def _checked(typed: str) -> str:
    """The phrase in normal form. Raises WrongPhrase if it is not a valid phrase."""
    given = re.findall(r"[^\W\d_]+", typed.lower())
    known = set(_words().wordlist)
    for word in given:
        if word not in known:
            raise WrongPhrase(f"“{shorten(word)}” is not a word of recovery phrases")
    if len(given) != WORDS:
        raise WrongPhrase(f"a recovery phrase has {WORDS} words, not {format_count(len(given), 'word')}")
    phrase = " ".join(given)
    if not _words().check(phrase):
        raise WrongPhrase("one of these words is wrong, or in the wrong place")
    return phrase
