"""Test data for a flood: long games, open games, waiting tables, finished dailies."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.games.boggle.board import Board
from app.games.boggle.solver import solver_of
from app.games.record import write
from app.games.rulebook import Rulebook
from app.main import create_app
from app.rooms import ROOMS
from app.settings import Settings

JSON = dict[str, Any]

LONGEST_BUDGET_MS: Final = 10_000
BOGGLE: Final = (
    "serdimea",
    "tionsrel",
    "aplicetu",
    "gnerastd",
    "smithole",
    "draneism",
    "pelocust",
    "sterangi",
)
"""A board with thousands of words."""
RACK: Final = "EINORST"
_DAY: Final = 86_400.0
_LARGEST_RECORD: Final = 64_000
"""Limit of a request body in bytes, less the overhead of a form."""


@dataclass
class Material:
    """IDs, paths and texts of the test data."""

    plies: int
    """Number of moves of a long game."""
    budget_ms: int
    """Time limit of the engines in milliseconds."""
    cookie: str = ""
    """Cookie of the player who takes part in these games unless stated otherwise."""
    yesterday: str = ""
    """Date of the last finished daily."""
    boggles: list[str] = field(default_factory=list)
    """Finished 8x8 games with the maximum number of moves for an import."""
    zens: list[str] = field(default_factory=list)
    """Finished games of Wibble with ``plies`` moves."""
    records: list[str] = field(default_factory=list)
    """Records of those games that are small enough to import."""
    unfinished: list[str] = field(default_factory=list)
    """Unfinished games of Boggle and Wibble with many moves."""
    boggle: str = ""
    """The Boggle game of ``unfinished``."""
    zen: str = ""
    """The Wibble game of ``unfinished``."""
    fribble: str = ""
    """An unfinished game; it is the turn of the player with ``cookie``."""
    gcg: str = ""
    """A game of Fribble as GCG."""
    placement: str = ""
    """A move with ``rack`` that continues ``gcg``."""
    rack: str = ""
    """Seven tiles that ``gcg`` leaves."""
    finished: list[str] = field(default_factory=list)
    """Finished games of all kinds against another player."""
    fribbles: list[str] = field(default_factory=list)
    """The Fribble games of ``finished``."""
    challenge: str = ""
    """A challenge that the player with ``cookie`` and another have finished."""
    challenged: str = ""
    """Its first game."""
    bots: list[str] = field(default_factory=list)
    """Games of two Fribble bots of the highest level, which move whenever the game is viewed."""
    waiting: list[str] = field(default_factory=list)
    """Listed games with free seats."""
    invitations: list[dict[str, str]] = field(default_factory=list)
    """Invitations to games with a free seat, with their games."""


class _Clock:
    """A clock that starts two days ago, so that there are past dailies."""

    def __init__(self) -> None:
        self.now = time.time() - 2 * _DAY

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


class _Maker:
    """Creates the test data through the API."""

    def __init__(self, app: FastAPI, clock: _Clock, material: Material, copies: int) -> None:
        self._app = app
        self._clock = clock
        self._rulebook: Rulebook = app.state.services.rulebook
        self._copies = copies
        self.material = material
        self._owner, self._friend = TestClient(app), TestClient(app)

    def make(self) -> Material:
        """Create everything."""
        material = self.material
        self._dailies()
        self._clock.now = time.time() - 3600
        self._long_games()
        self._unfinished_games()
        self._finished()
        self._challenged()
        for _ in range(self._copies * 3):
            material.bots.append(self._open(TestClient(self._app), kind="fribble", bots=[5, 5])["id"])
        for _ in range(self._copies * 3):
            host = TestClient(self._app)
            listed = self._open(host, options={"mode": "versus"}, seats=6, listed=True)
            material.waiting.append(listed["id"])
            private = self._open(host, kind="fribble")
            material.invitations.append({"game_id": private["id"], "invitation": private["invitation"]})
        material.cookie = _cookie(self._owner)
        return material

    def _dailies(self) -> None:
        day = self._owner.get("/api/daily").json()["day"]
        for _ in range(2):
            for player in (
                self._owner,
                self._friend,
                *(TestClient(self._app) for _ in range(self._copies * 3)),
            ):
                for kind, end in (("wibble", "resign"), ("boggle", "finish"), ("scrabblet", "quit")):
                    answer = player.post(f"/api/daily?kind={kind}")
                    if answer.status_code == 200:
                        self._move(player, answer.json()["id"], type=end)
            self._clock.now += _DAY
        self.material.yesterday = day

    def _long_games(self) -> None:
        for number in range(self._copies):
            boggle, zen = self._boggle_record(number), self._zen_record(number)
            self.material.records += [text for text in (boggle, zen) if len(text) <= _LARGEST_RECORD]
            self.material.boggles.append(self._imported(boggle))
            self.material.zens.append(self._imported(zen))

    def _unfinished_games(self) -> None:
        material = self.material
        boggle = self._open(self._owner, kind="boggle", options=_BOGGLE_OPTIONS)["id"]
        zen = self._open(self._owner, options={"mode": "zen"})["id"]
        for word in self._words()[: material.plies]:
            self._move(self._owner, boggle, type="word", word=word)
            self._move(self._owner, zen, type="chain", cells=[0, 1, 2])
        material.boggle, material.zen, material.unfinished = boggle, zen, [boggle, zen]

    def _finished(self) -> None:
        material = self.material
        for number in range(self._copies):
            fribble = self._versus(kind="fribble")
            for _ in range(8):
                players = self._owner, self._friend
                mover = players[self._owner.get(f"/api/games/{fribble}").json()["view"]["to_move"]]
                view = mover.get(f"/api/games/{fribble}").json()["view"]
                request = {"board": list(view["board"]), "rack": view["rack"], "top": 1}
                best = mover.post("/api/fribble/moves", json=request).json()["moves"]
                move = {"type": "write", "text": best[0]["standard"]} if best else {"type": "pass"}
                self._move(mover, fribble, **move)
            if not number:
                material.fribble = fribble
                continue
            self._move(self._owner, fribble, type="resign")
            material.fribbles.append(fribble)
            letterpress = self._versus(kind="letterpress")
            self._move(self._owner, letterpress, type="resign")
            material.finished += [fribble, letterpress]
        material.gcg = self._owner.get(f"/games/{material.fribbles[0]}/gcg").text
        unseen = self._owner.get(f"/api/games/{material.fribbles[0]}").json()["view"]["unseen"]
        # Any seven tiles could be more of a letter than there are.
        material.rack = "".join(sorted(unseen.replace("?", ""), key=lambda tile: tile not in RACK)[:7])
        request = {"board": material.gcg, "rack": material.rack}
        best = self._owner.post("/api/fribble/moves", json=request).json()["moves"][0]
        material.placement = best["standard"]

    def _challenged(self) -> None:
        material = self.material
        material.challenged = game = self._open(self._owner, options={"mode": "zen"})["id"]
        for player in (self._owner, self._friend):
            for _ in range(material.plies // 4):
                self._move(player, game, type="add", cell=0)
                self._move(player, game, type="back")
            self._move(player, game, type="resign")
            if player is self._owner:
                challenged = self._owner.post(f"/api/games/{game}/challenge")
                material.challenge = challenged.raise_for_status().json()["id"]
                taken = self._friend.post(f"/api/challenges/{material.challenge}/game")
                game = taken.raise_for_status().json()["id"]

    def _versus(self, **fields: Any) -> str:
        """Open a two-player game of owner and friend; the owner moves first."""
        game = self._open(self._owner, **fields)
        joined = {"invitation": game["invitation"]}
        self._friend.post(f"/api/games/{game['id']}/seats", json=joined).raise_for_status()
        return str(game["id"])

    def _open(self, player: TestClient, **fields: Any) -> JSON:
        answer = player.post("/api/games", json=fields)
        answer.raise_for_status()
        opened: JSON = answer.json()
        return opened

    def _move(self, player: TestClient, game: str, **move: Any) -> None:
        player.post(f"/api/games/{game}/moves", json={"move": move}).raise_for_status()

    def _imported(self, record: str) -> str:
        answer = self._owner.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
        answer.raise_for_status()
        return str(answer.json()["id"])

    def _words(self) -> list[str]:
        lexicon = self._rulebook.library.load()
        solution = solver_of(lexicon, min_length=2).solve(Board(BOGGLE))
        return sorted(word.word for word in solution.words)

    def _boggle_record(self, number: int) -> str:
        """Return a record with words of the board, filled up with short invalid words to save space."""
        words, most = self._words(), min(self.material.plies, 850)
        moves: list[JSON] = [{"type": "start"}]
        moves += [{"type": "word", "word": word} for word in words[number * 7 :: 9][: most // 4]]
        moves += [{"type": "word", "word": "q"}] * (most - len(moves) - 1)
        return self._recorded("boggle", _BOGGLE_OPTIONS, f"boggle {number}", [*moves, {"type": "finish"}])

    def _zen_record(self, number: int) -> str:
        """Return a record of picking up and putting down a tile again and again."""
        pair: list[JSON] = [{"type": "add", "cell": 0}, {"type": "back"}]
        moves = [{"type": "start"}, *(pair * (self.material.plies // 2))[: self.material.plies - 2]]
        options = {"mode": "zen", "size": 7} if number % 2 else {"mode": "zen"}
        return self._recorded("wibble", options, f"zen {number}", [*moves, {"type": "resign"}])

    def _recorded(self, kind: str, options: JSON, seed: str, moves: Iterable[JSON]) -> str:
        pinned = self._rulebook.pin(kind, ROOMS[kind].game.setup_type(**options))
        game = self._rulebook.game(kind, pinned.lexicon)
        state = game.start(pinned, 1, seed.replace(" ", "-"))
        states, log, at = [state], [], self._clock.now
        for each in moves:
            move, at = game.move_adapter.validate_python(each), at + 1
            state = game.apply(state, 0, move, at)
            states.append(state)
            log.append((0, move, at))
        return write(game, states, seed.replace(" ", "-"), log)


_BOGGLE_OPTIONS: Final[JSON] = {"board": list(BOGGLE), "min_length": 2, "seconds": None}


@contextmanager
def _application(settings: Settings, clock: _Clock) -> Iterator[FastAPI]:
    unlimited = settings.model_copy(
        update={
            "rate_limits": False,
            "largest_body": 16_000_000,
            "listed_per_player": 1000,
            "listed_per_address": 1000,
            "imports_per_address": 1000,
        }
    )
    with TestClient(create_app(unlimited, clock=clock)) as client:
        yield client.app  # type: ignore[misc]


def prepare(settings: Settings, plies: int, copies: int, budget_ms: int = LONGEST_BUDGET_MS) -> Material:
    """Fill the store of these settings, which must not be in use.

    ``plies`` is the length of long games, ``copies`` roughly the number of games of each kind.
    """
    clock = _Clock()
    with _application(settings, clock) as app:
        return _Maker(app, clock, Material(plies, budget_ms), copies).make()


def _cookie(client: TestClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())
