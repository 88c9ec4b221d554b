"""Players' votes on which words a list should have, and which it should not."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import AfterValidator
from starlette.exceptions import HTTPException

from app.grammar import format_count
from app.store.word_votes import LONGEST, SHORTEST, WordVote
from app.web.guard.limits import limited
from app.web.services import Services, ServicesDep
from app.web.site.preferences_page import GAME
from app.web.table.page import HtmxRequest
from app.web.word_field import Letters

router = APIRouter(include_in_schema=False)


def _votable(word: str) -> str:
    if not SHORTEST <= len(word) <= LONGEST:
        letters = format_count(len(word), "letter")
        raise ValueError(f"{letters}: votes are on words of {SHORTEST} to {LONGEST} letters")
    return word


VotableWord = Annotated[Letters, AfterValidator(_votable)]


@router.post("/words/{word}/votes", dependencies=[limited("votes", "guests")])
def vote_by_form(
    word: VotableWord,
    lexicon: Annotated[str, Form(max_length=32)],
    valid: Annotated[bool, Form()],
    request: Request,
    services: ServicesDep,
    game: Annotated[str, Form(max_length=100)] = "",
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Store the vote and go to the word's page, which links back to the game; 204 for scripts."""
    vote = WordVote(lexicon, word, valid)
    check(services, vote)
    back = f"&game={game}" if GAME.fullmatch(game) else ""
    address = f"/words/{word}?lexicon={lexicon}{back}"
    response = Response(status_code=204) if is_htmx else RedirectResponse(address, status_code=303)
    player = services.guests.welcome(request, response, services.clock())
    services.word_votes.vote(player, vote, services.clock())
    return response


def check(services: Services, vote: WordVote) -> None:
    """Raise HTTPException 409 if the list already agrees with the vote, UnknownLexicon without a list."""
    if (vote.word in services.library.load(vote.lexicon)) is vote.valid:
        state = "is already in" if vote.valid else "is not in"
        raise HTTPException(409, f"{vote.word.upper()} {state} the list {vote.lexicon}")
