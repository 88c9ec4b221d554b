"""An operator's desk for tests."""

from typing import NamedTuple

from app.store.database import Database
from app.store.moderation import Moderation
from app.store.players import PlayerStore
from app.store.reports import Reports, Subject
from app.store.sanctions import Sanctions
from tests.store.driver import AT

WHO = "operator Grace"


class Desk(NamedTuple):
    """An operator's desk, and two players."""

    database: Database
    players: PlayerStore
    known: Sanctions
    acts: Moderation
    reports: Reports
    ada: str
    bob: str

    def kinds(self, player: str, at: float = AT) -> list[str]:
        return [each.kind for each in self.known.of_player(player, at)]

    def name_reported(self, by: str, about: str, text: str = "Pest") -> None:
        self.reports.file(by, [Subject("name", text, about, game_id="g")], "offensive", "see", AT)
