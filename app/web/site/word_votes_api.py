"""The API of votes on words."""

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from app.store.word_votes import WordVote
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import ServicesDep
from app.web.site.word_votes import VotableWord, check
from app.words.library import Library

router = api_router("/api/words", "profile")


class VoteRequest(Documented):
    """A vote on a word."""

    model_config = ConfigDict(extra="forbid")

    lexicon: str = Library.default
    """The word list."""
    valid: bool
    """Whether the list should have the word."""


class VoteAnswer(Documented):
    """A vote as stored."""

    word: str
    lexicon: str
    valid: bool
    votes: int = Field(ge=1)
    """The number of players with the same vote, including you."""


@router.post(
    "/{word}/votes",
    response_model=VoteAnswer,
    summary="Vote on a word",
    dependencies=[limited("votes", "guests")],
    responses=describe(409),
)
def vote_on_word(
    word: VotableWord,
    body: JsonBody[VoteRequest],
    request: Request,
    response: Response,
    services: ServicesDep,
) -> VoteAnswer:
    """Vote that a list should have a word, or should not have it.

    You have one vote per word and list. 409 if the list already agrees with the vote. The operator of this
    site can see the votes in ``wibble words review``.
    """
    vote = WordVote(body.lexicon, word, body.valid)
    check(services, vote)
    player = services.guests.welcome(request, response, services.clock())
    votes = services.word_votes.vote(player, vote, services.clock())
    return VoteAnswer(word=word, lexicon=body.lexicon, valid=body.valid, votes=votes)
