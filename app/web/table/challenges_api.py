"""The challenges API."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.web.guard.limits import CallerDep, limited
from app.web.model import Documented
from app.web.router import api_router, limit_of_results
from app.web.services import Player, ServicesDep
from app.web.table.challenges import ChallengeAnswer, challenge_answer, play_challenge
from app.web.table.game_answers import GameAnswer, game_answer
from app.web.table.opening import draft_challenge

router = api_router("/api", "games")


class ListedChallengeAnswer(Documented):
    """One of your challenges."""

    id: str
    kind: str
    mode: str
    by: str | None
    """The challenger's nickname."""
    yours: bool
    """Whether you made it."""
    players: int
    """The number of players who have finished, including the challenger."""
    new: int
    """Number of results that you have not seen, if you made the challenge. Getting it marks them as seen."""
    created_at: float


@router.post(
    "/games/{game_id}/challenge",
    response_model=ChallengeAnswer,
    summary="Challenge others to play a finished game",
    dependencies=[limited("games")],
)
def open_challenge(game_id: str, services: ServicesDep, caller: CallerDep) -> ChallengeAnswer:
    """Let others play the deal of a game that you finished alone or against bots: same letters, same bots.

    Its link is ``/challenges/{id}``. A game can be made into one challenge; for a game that was played in a
    challenge, you get that one. 409 for a game in progress, a game with several people, a lesson, and today's
    daily.
    """
    now = services.clock()
    challenge_id = services.challenges.open(services.games.load_or_read(game_id, now), caller.player, now)
    return challenge_answer(services, caller, services.challenges.read(challenge_id))


@router.get("/challenges", response_model=list[ListedChallengeAnswer], summary="List your challenges")
def list_challenges(
    services: ServicesDep, player: Player, limit: Annotated[int, limit_of_results(20, 100)]
) -> list[ListedChallengeAnswer]:
    """The challenges that you made or finished: those with new results first, then the latest."""
    found = services.challenges.of_player(player, limit) if player else []
    return [ListedChallengeAnswer.model_validate(each, from_attributes=True) for each in found]


@router.get("/challenges/{challenge_id}", response_model=ChallengeAnswer, summary="Get a challenge")
def see_challenge(
    challenge_id: str,
    services: ServicesDep,
    caller: CallerDep,
    against: Annotated[
        str | None,
        Query(
            max_length=32, description="ID of the game to compare yours with; by default the challenger's."
        ),
    ] = None,
) -> ChallengeAnswer:
    """The ranking and a turn-by-turn comparison. Both are null until you have finished your game.

    Only the first game of each player counts.
    """
    return challenge_answer(services, caller, services.challenges.read(challenge_id, caller.player), against)


@router.post(
    "/challenges/{challenge_id}/game",
    response_model=GameAnswer,
    summary="Play a challenge",
    dependencies=[limited("games", "guests")],
)
def take_challenge(
    challenge_id: str, request: Request, response: Response, services: ServicesDep, player: Player
) -> GameAnswer:
    """Your game in the challenge, opened by the first call. With a clock, it waits for its start as usual.

    Until it is finished, the others' games in this challenge are hidden from you.
    """
    now = services.clock()
    challenge = services.challenges.read(challenge_id, player)
    draft = draft_challenge(services, challenge, now)  # before there is a guest
    player = services.guests.welcome(request, response, now)
    return game_answer(services, play_challenge(services, challenge, draft, player), player)
