"""The texts of notifications."""

import json

import pytest

from app.rooms import ROOMS
from app.store.message_content import Content, GameNotice
from app.store.notices import Stage
from app.web.notices.texts import text_of
from app.web.notices.webhook import webhook_request
from tests.web.inbox import SITE


def test_the_most_urgent_game_comes_first() -> None:
    def game(stage: Stage, *against: str | None, left: int | None = None) -> GameNotice:
        return {"game_id": "a", "kind": "fribble", "stage": stage, "against": [*against], "left": left}

    games = [game("turn", "Bob", left=86_400), game("tenth", None, "Cy", left=7200), game("turn", "Bob")]
    content: Content = {"kind": "turns", "turns": 3, "games": games}
    text = text_of(content, ROOMS)
    assert text.title == "Your turn in 3 games"
    assert text.lines == (
        "Fribble against a guest and Cy: only 2 hours left",
        "Fribble against Bob: a day left",
        "Fribble against Bob",
    )


@pytest.mark.parametrize(
    ("host", "fields"),
    [
        ("discord.com", {"content", "allowed_mentions"}),
        ("ptb.discord.com", {"content", "allowed_mentions"}),
        ("canary.discord.com", {"content", "allowed_mentions"}),
        ("discordapp.com", {"content", "allowed_mentions"}),
        ("discord.com.", {"content", "allowed_mentions"}),
        ("hooks.slack.com", {"text"}),
        ("hooks.slack-gov.com", {"text"}),
        ("discord.com.example", {"type", "id", "text", "games", "turns"}),
        ("notslack.com", {"type", "id", "text", "games", "turns"}),
    ],
)
def test_discord_and_slack_get_their_own_form(host: str, fields: set[str]) -> None:
    content: Content = {
        "kind": "turns",
        "turns": 1,
        "games": [
            {"game_id": "a", "kind": "wibble", "stage": "turn", "against": ["<@everyone>"], "left": None}
        ],
    }
    text = text_of(content, ROOMS)
    body = json.loads(webhook_request(f"https://{host}/x", "whsec_AAAA", "id", content, text, SITE, 0.0)[1])
    assert set(body) == fields
    if "content" in fields:
        assert body["allowed_mentions"] == {"parse": []}
    elif fields == {"text"}:
        assert "&lt;@everyone&gt;" in body["text"]
