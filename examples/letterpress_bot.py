"""A bot that plays Letterpress on a Wibble server. It needs Python 3.11 and httpx.

It accepts challenges to Letterpress and plays the best move that ``/api/solve`` finds. On "Your programs"
(/me/programs), make a bot account and its token with all scopes. Start this program and challenge the bot:

    WIBBLE_TOKEN=wib_... python letterpress_bot.py https://wibble.example
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx


class LetterpressBot:
    """Plays all games of the token's player."""

    def __init__(self, url: str, token: str) -> None:
        self.client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)

    def run(self) -> None:
        """Play until interrupted. Raises SystemExit if the server refuses the token, or is not Wibble."""
        while True:
            try:
                for event, subject in self.events():
                    if event == "turn":
                        self.play(subject["game"])
                    elif event == "challenge":
                        self.answer(subject["challenge"])
            except (httpx.TransportError, ValueError) as error:  # or a page that is not Wibble's
                print(f"No answer ({error!r}): trying again")
            time.sleep(1)

    def events(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The events of the player's stream, until it ends; on connecting, all that is to be done."""
        with self.client.stream("GET", "/api/events", timeout=45) as stream:  # silent for 15 s at most
            if stream.status_code != 429 and stream.status_code // 100 in (3, 4):
                sys.exit(f"{stream.url} answers {stream.status_code}: {stream.read().decode()[:300]}")
            name = ""
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def answer(self, challenge_id: str) -> None:
        """Accept a challenge to Letterpress, and decline any other."""
        for challenge in self.ask("GET", "/api/challenges/direct") or []:
            if challenge["id"] == challenge_id and not challenge["sent"]:
                verb = "accept" if challenge["kind"] == "letterpress" else "decline"
                print(f"{verb} the challenge of {challenge['name'] or 'a guest'}")
                self.ask("POST", f"/api/challenges/{challenge_id}/{verb}")

    def play(self, game_id: str) -> None:
        """Make a move if it is our turn."""
        game = self.ask("GET", f"/api/games/{game_id}")
        if game is None or game["kind"] != "letterpress" or game["view"]["to_move"] != game["seat"]:
            return
        move = self.choose(game["view"], game["seat"])
        print(f"{game_id}: {move}")
        self.ask("POST", f"/api/games/{game_id}/moves", {"ply": game["view"]["ply"], "move": move})

    def choose(self, view: dict[str, Any], seat: int) -> dict[str, Any]:
        """The best move for a seat: a pass if there is no word, or none that is better."""
        position = {
            "board": view["board"],
            "ours": {"mask": view["owned"][seat]},
            "theirs": {"mask": view["owned"][1 - seat]},
            "played": [turn["word"] for turn in view["turns"] if turn["word"]],
            "passed": len(view["turns"]) > 1 and not view["turns"][-1]["word"],  # a draw at 0:0 is no aim
            "lexicon": view["lexicon"],
            "limit": 1,
        }
        found = self.ask("POST", "/api/solve", position)
        if found and found["moves"] and found["moves"][0]["word"]:
            return {"type": "word", "cells": found["moves"][0]["cells"]}
        return {"type": "pass"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The server's answer; None if it refuses. Waits where it asks to."""
        while (answer := self.client.request(method, path, json=body)).status_code in (429, 502, 503, 504):
            time.sleep(float(answer.headers.get("retry-after", "1")))
        if answer.is_error:
            print(f"{method} {path}: {answer.json().get('detail', answer.reason_phrase)}")
            return None
        return answer.json() if answer.content else None


if __name__ == "__main__":
    if len(sys.argv) != 2 or "://" not in sys.argv[1] or not os.environ.get("WIBBLE_TOKEN"):
        sys.exit(__doc__)
    with suppress(KeyboardInterrupt):
        LetterpressBot(sys.argv[1], os.environ["WIBBLE_TOKEN"]).run()
