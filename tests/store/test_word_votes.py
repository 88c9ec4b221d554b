"""Votes on words: one per player, word and list."""

from secrets import token_hex

import pytest

from app.store import word_votes
from app.store.database import Database
from app.store.models import TooMuch
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.word_votes import WordTally, WordVote, WordVotes


def unique() -> str:
    """The name of a list that no other test uses, as they share one PostgreSQL database."""
    return f"list-{token_hex(8)}"


@pytest.fixture
def votes(database: Database) -> WordVotes:
    return WordVotes(database)


def test_a_player_counts_once_for_each_word_and_list(votes: WordVotes, players: PlayerStore) -> None:
    ada, bob, mine = players.create(1.0), players.create(1.0), unique()
    emoji, selfie = WordVote(mine, "emoji", True), WordVote(mine, "selfie", True)
    assert votes.vote(ada, emoji, 2.0) == 1
    assert votes.vote(ada, emoji, 3.0) == 1
    assert votes.vote(ada, selfie, 3.0) == 1
    assert votes.vote(bob, selfie, 3.0) == 2
    assert votes.vote(bob, WordVote(unique(), "selfie", True), 3.0) == 1
    assert votes.tallies(mine) == [WordTally(mine, "selfie", True, 2), WordTally(mine, "emoji", True, 1)]
    assert votes.of_player(ada) == [emoji, selfie]


def test_a_vote_may_be_changed(votes: WordVotes, players: PlayerStore) -> None:
    ada, mine = players.create(1.0), unique()
    votes.vote(ada, WordVote(mine, "zen", True), 2.0)
    votes.vote(ada, WordVote(mine, "zen", False), 3.0)
    assert votes.tallies(mine) == [WordTally(mine, "zen", False, 1)]
    assert votes.has_voted(ada, WordVote(mine, "zen", False))
    assert not votes.has_voted(ada, WordVote(mine, "zen", True))


def test_the_operator_may_dismiss_a_word(votes: WordVotes, players: PlayerStore) -> None:
    mine = unique()
    for word in ("zen", "ok"):
        votes.vote(players.create(1.0), WordVote(mine, word, True), 2.0)
    assert votes.dismiss(mine, "zen") == 1
    assert [tally.word for tally in votes.tallies(mine)] == ["ok"]


def test_the_votes_of_an_erased_player_are_gone(
    votes: WordVotes, players: PlayerStore, results: ResultStore
) -> None:
    ada, mine = players.create(1.0), unique()
    votes.vote(ada, WordVote(mine, "zen", True), 2.0)
    results.erase(ada, 3.0)
    assert votes.tallies(mine) == []


def test_a_player_has_no_more_votes_than_are_kept(
    votes: WordVotes, players: PlayerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_votes, "MOST_VOTES", 2)
    ada, mine = players.create(1.0), unique()
    for word in ("ok", "zen"):
        votes.vote(ada, WordVote(mine, word, True), 2.0)
    with pytest.raises(TooMuch, match="the most allowed"):
        votes.vote(ada, WordVote(mine, "wifi", True), 2.0)
    votes.vote(ada, WordVote(mine, "zen", False), 3.0)
    assert votes.has_voted(ada, WordVote(mine, "zen", False)), "a vote can still be changed"
