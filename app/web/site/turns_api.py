"""The games in which a player is to move, for the number on a page's title and on the app's icon."""

from app.web.model import Documented
from app.web.router import api_router
from app.web.services import Player, ServicesDep

router = api_router("/api/me/turns", "profile")


class Turns(Documented):
    """Where you are to move."""

    games: list[str]
    """IDs of your games with others in which it is your turn, longest waiting first."""


@router.get("", response_model=Turns, summary="List the games where it is your turn")
def list_turns(services: ServicesDep, player: Player) -> Turns:
    """As last stored: bots and clocks act when somebody looks at a game."""
    return Turns(games=services.lobby.turns(player) if player else [])
