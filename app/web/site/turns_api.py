"""The games where it is the player's turn, for the number in the page's title and on the app's icon."""

from app.web.model import Documented
from app.web.router import api_router
from app.web.services import Player, ServicesDep

router = api_router("/api/me/turns", "profile")


class Turns(Documented):
    """The games where it is your turn."""

    games: list[str]
    """IDs of your games with others where it is your turn, the longest waiting first."""


@router.get("", response_model=Turns, summary="List the games where it is your turn")
def list_turns(services: ServicesDep, player: Player) -> Turns:
    """The games where it is your turn, as last stored: bots move and clocks run out when a game is loaded."""
    return Turns(games=services.lobby.turns(player) if player else [])
