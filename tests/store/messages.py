"""Turn notifications in tests: channels, games and sending."""

from app.games.wibble.moves import Chain
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.store.channels import Channels
from app.store.games import GameStore
from app.store.models import Seat, Table, TableSettings
from app.store.notices import BURST
from app.store.outbox import (
    Delivery,
    Message,
    Outbox,
)
from tests.games.wibble.positions import found
from tests.store.driver import AT

DAY = 86_400
VERSUS = Setup.model_validate({"mode": "versus"})
LATER = AT + BURST


def add(
    channel_store: Channels,
    player: str,
    kind: str = "webhook",
    *,
    address: str = "https://one",
    daily: bool = False,
) -> str:
    return channel_store.add(player, kind, address, "secret", "Here", AT, daily=daily)  # type: ignore[arg-type]


def versus(games: GameStore, ada: str, bob: str, limit: int | None = None, at: float = AT) -> Table:
    """A game of two in which it is Ada's turn."""
    return games.open("wibble", VERSUS, [Seat(ada), Seat(bob)], at, TableSettings(turn_limit=limit))


def move(games: GameStore, table: Table, player: str, at: float) -> Table:
    current = games.read(table.id)
    assert isinstance(current.game, Wibble)
    return games.play(table.id, player, Chain(cells=found(current.game, current.state)[0].cells), at)


def sent(outbox: Outbox, at: float) -> list[Message]:
    """Send what is due at a time; return what was delivered."""
    outbox.collect(at)
    claimed = outbox.claim(100, at)
    outbox.record([Delivery(each, "delivered") for each in claimed], at)
    return claimed


def games_of(message: Message) -> list[str]:
    return [each["game_id"] for each in message.content["games"]]
