"""Players' votes on words: whether a list should have them."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, insert, select, update

from app.store.database import Database
from app.store.models import TooMuch
from app.store.players import lock_player
from app.store.schema import word_votes

SHORTEST: Final = 2
LONGEST: Final = 25
"""Maximum length of a word that can be voted on."""
MOST_VOTES: Final = 1000
"""Maximum number of votes per player."""


@dataclass(frozen=True, slots=True)
class WordVote:
    """A player's vote on a word."""

    lexicon: str
    word: str
    valid: bool
    """Whether the word should be in the list."""


@dataclass(frozen=True, slots=True)
class WordTally:
    """The votes of all players on one word of one list."""

    lexicon: str
    word: str
    valid: bool
    """Whether these votes say that the word should be in the list."""
    votes: int


class WordVotes:
    """The stored votes; a player has one per word and list."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def vote(self, player_id: str, vote: WordVote, at: float) -> int:
        """Store a vote, replacing the player's earlier one; return how many players agree.

        Raises TooMuch beyond MOST_VOTES, and UnknownPlayer.
        """
        mine = (
            word_votes.c.lexicon == vote.lexicon,
            word_votes.c.word == vote.word,
            word_votes.c.player_id == player_id,
        )
        values = {"valid": vote.valid, "at": at}
        key = {"lexicon": vote.lexicon, "word": vote.word, "player_id": player_id}
        with self._database.writing() as connection:
            lock_player(connection, player_id)  # the same vote may arrive twice at once
            if not connection.execute(update(word_votes).where(*mine).values(values)).rowcount:
                held = select(func.count()).where(word_votes.c.player_id == player_id)
                if (connection.scalar(held) or 0) >= MOST_VOTES:
                    raise TooMuch(f"you have voted on {MOST_VOTES:,} words, the most allowed")
                connection.execute(insert(word_votes).values(key | values))
        return self.count(vote)

    def count(self, vote: WordVote) -> int:
        """Number of players with this vote."""
        query = select(func.count()).where(
            word_votes.c.lexicon == vote.lexicon,
            word_votes.c.word == vote.word,
            word_votes.c.valid == vote.valid,
        )
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def of_player(self, player_id: str) -> list[WordVote]:
        """A player's votes, by list and word."""
        query = (
            select(word_votes.c.lexicon, word_votes.c.word, word_votes.c.valid)
            .where(word_votes.c.player_id == player_id)
            .order_by(word_votes.c.lexicon, word_votes.c.word)
        )
        with self._database.reading() as connection:
            return [WordVote(*row) for row in connection.execute(query)]

    def has_voted(self, player_id: str, vote: WordVote) -> bool:
        """Whether the player has cast this vote."""
        query = select(word_votes.c.valid).where(
            word_votes.c.lexicon == vote.lexicon,
            word_votes.c.word == vote.word,
            word_votes.c.player_id == player_id,
        )
        with self._database.reading() as connection:
            return connection.scalar(query) is vote.valid

    def tallies(self, lexicon: str) -> list[WordTally]:
        """The words of a list that were voted on, those with the most votes first."""
        votes = func.count().label("votes")
        query = (
            select(word_votes.c.lexicon, word_votes.c.word, word_votes.c.valid, votes)
            .where(word_votes.c.lexicon == lexicon)
            .group_by(word_votes.c.lexicon, word_votes.c.word, word_votes.c.valid)
            .order_by(votes.desc(), word_votes.c.word)
        )
        with self._database.reading() as connection:
            return [WordTally(*row) for row in connection.execute(query)]

    def dismiss(self, lexicon: str, word: str) -> int:
        """Delete all votes on a word; return their number."""
        these = word_votes.c.lexicon == lexicon, word_votes.c.word == word
        with self._database.writing() as connection:
            return connection.execute(delete(word_votes).where(*these)).rowcount
