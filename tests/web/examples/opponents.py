"""Dailies, challenges, ratings and the wait for an opponent before the request of an example."""

from typing import Final

from tests.web.examples.games import boggle, finished, moved, named_opponent, seated
from tests.web.examples.players import DAY, Players, Setup, Values, called, nothing, posted


def daily(players: Players) -> Values:
    """Today's Boggle daily, played by me."""
    called(players)
    game = {"game_id": posted(players.me, "/api/daily?kind=boggle")["id"]}
    moved(players.me, game, {"type": "start"})
    board = players.me.get(f"/api/games/{game['game_id']}").json()["view"]["board"]
    found = posted(players.me, "/api/boggle/solve", {"board": board, "qu": True})["words"]
    moved(players.me, game, {"type": "word", "word": found[0]["word"]}, {"type": "finish"})
    players.me.get(f"/api/games/{game['game_id']}/analysis")  # sets the accuracy, which is shown later
    return {}


def yesterday(players: Players) -> Values:
    """A day later."""
    daily(players)
    players.clock[0] += 86_400
    return {"day": DAY}


def challenged(players: Players) -> Values:
    """A challenge of mine that the friend has finished."""
    called(players)
    challenge = posted(players.me, f"/api/games/{boggle(players.me)['game_id']}/challenge")["id"]
    players.clock[0] += 60
    taken = posted(players.friend, f"/api/challenges/{challenge}/game")
    moved(players.friend, {"game_id": taken["id"]}, {"type": "start"}, {"type": "finish"})
    return {"challenge_id": challenge}


def made_by_friend(players: Players) -> Values:
    """A challenge of the friend's."""
    made = posted(players.friend, f"/api/games/{boggle(players.friend)['game_id']}/challenge")
    return {"challenge_id": made["id"]}


def asked(players: Players, sender: str = "friend") -> Values:
    """A challenge by the friend to me, or by me to the friend."""
    game = named_opponent(players)["game"]
    by, seat = (players.friend, 0) if sender == "friend" else (players.me, 1)
    body = {"opponent": {"game": game, "seat": seat}, "game": {"kind": "letterpress", "turn_limit": 86400}}
    return {"challenge_id": posted(by, "/api/challenges", body)["id"]}


def met(players: Players) -> Values:
    """A bot account of the friend's, for me to challenge."""
    called(players)
    called(players, friend=True)
    return {"opponent": {"bot": posted(players.friend, "/api/me/bots", {"nickname": "Robo"})["bot_id"]}}


def rated(players: Players) -> Values:
    """A rated game that both have ended by passing."""
    called(players, friend=True)
    game = seated(players, rated=True)
    moved(players.me, game, {"type": "pass"})
    moved(players.friend, game, {"type": "pass"})
    return {"kind": "letterpress", "speed": "rapid"}


def waiting(players: Players) -> Values:
    """I have waited for half a minute."""
    posted(players.me, "/api/pairing", {"kind": "fribble", "speed": "rapid"})
    for _ in range(3):
        players.clock[0] += 8
        players.me.get("/api/pairing")
    return {}


def other_waits(players: Players) -> Values:
    """The friend waits."""
    posted(players.friend, "/api/pairing", {"kind": "fribble", "speed": "rapid"})
    return {}


SETUPS: Final[dict[str, Setup]] = {
    "hide_ratings": rated,
    "see_rated_games": rated,
    "see_ratings": rated,
    "list_challenges": challenged,
    "open_challenge": finished,
    "play_today": nothing,
    "rehearse": yesterday,
    "see_challenge": challenged,
    "see_day": yesterday,
    "see_leaderboards": daily,
    "see_today": daily,
    "see_pairing": waiting,
    "stop_waiting": waiting,
    "wait_for_game": other_waits,
    "take_challenge": made_by_friend,
    "send_challenge": met,
    "list_direct_challenges": asked,
    "accept_challenge": asked,
    "decline_challenge": asked,
    "withdraw_challenge": lambda players: asked(players, "me"),
}
"""By operation ID."""
