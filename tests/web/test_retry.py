"""Retrying a mistake from a review in its original position."""

import json
import re
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.web.site.puzzles import format_value
from tests.driver import JSON, address_of, best_placement, move, open_game, play, sit_down
from tests.games.wibble.positions import found
from tests.shared_parts import create_app
from tests.web.browsing import HTML

Make = Callable[[TestClient, TestClient], str]


def wibble(client: TestClient, _stranger: TestClient) -> str:
    """Classic: the shortest word where there are better ones."""
    return shortest_word(client, open_game(client, "wibble", options={"mode": "classic"}))


def wibble_swapped(client: TestClient, _stranger: TestClient) -> str:
    """A useless swap, an invalid word, and the shortest word."""
    game = open_game(client, "wibble", options={"mode": "classic"})
    play(client, game, "swap", cell=24, letter="q")
    play(client, game, "chain", cells=[24, 23, 22])
    return shortest_word(client, game)


def shortest_word(client: TestClient, game: JSON) -> str:
    table = client.app.state.services.games.read(game["id"])  # type: ignore[attr-defined]
    play(client, game, "chain", cells=[*found(table.game, table.state)[-1].cells])
    return address_of(game)


def letterpress(client: TestClient, stranger: TestClient) -> str:
    """Words of two letters against a long one, the last after a pass of the leader."""
    game = open_game(client, "letterpress")
    sit_down(stranger, game)
    table = client.app.state.services.games.read(game["id"])  # type: ignore[attr-defined]
    board, lexicon = table.state.board, table.game.lexicon
    pairs = {"".join(board[at] for at in pair): list(pair) for pair in permutations(range(25), 2)}
    long = client.post("/api/solve", json={"board": board, "top": 1, "plies": 1}).json()["moves"][0]
    # A word that begins the long one may not be played after it.
    playable = (word for word in pairs if word in lexicon and not long["word"].startswith(word))
    short = [pairs[word] for word in playable]
    play(client, game, "word", cells=short[0])
    play(stranger, game, "word", cells=long["cells"])
    play(client, game, "word", cells=short[1])
    play(stranger, game, "pass")
    play(client, game, "word", cells=short[2])
    return address_of(game)


def fribble(client: TestClient, stranger: TestClient) -> str:
    """A pass after a play that could have been challenged."""
    game = open_game(client, "fribble", options={"challenge": "double"})
    sit_down(stranger, game)
    best = best_placement(client, game)
    play(client, game, "place", cells=best["cells"], tiles=best["tiles"])
    play(stranger, game, "pass")
    return address_of(game)


def retry_of(make: Make, client: TestClient, stranger: TestClient) -> str:
    """The address of the retry of a mistake, which the review links to."""
    for _ in range(5):  # with some letters there is nothing better
        address = make(client, stranger)
        client.post(f"{address}/moves", json={"move": {"type": "resign"}}).raise_for_status()
        links = links_for(client, address) + links_for(stranger, address)
        assert {client.get(link, headers=HTML).status_code for link in links} <= {200}
        if links:
            return links[0]
    raise AssertionError("no turn was a mistake")


def links_for(player: TestClient, address: str) -> list[str]:
    """The retries that a finished game's review offers a player."""
    review = player.get(f"{address.removeprefix('/api')}/analysis", headers=HTML).text
    return re.findall(r'class="retry" href="([^"]+/retry)"', review)


@pytest.fixture(params=[wibble_swapped, letterpress, fribble])
def mistake(request: pytest.FixtureRequest, client: TestClient, stranger: TestClient) -> str:
    """A mistake in each game."""
    return retry_of(request.param, client, stranger)


@pytest.mark.parametrize("make", [wibble, wibble_swapped])
def test_the_points_lost_by_a_turn_are_the_difference_of_those_shown(
    client: TestClient, stranger: TestClient, make: Make
) -> None:
    link = retry_of(make, client, stranger)
    review = text_of(client.get(f"{link.partition('/turns')[0]}/analysis", headers=HTML))
    numbers = r"Expected final score: (\d+) with the best play, (\d+) as played .*? (\d+) points? lost"
    with_plan, as_played, lost = map(int, re.findall(numbers, review)[0])
    solution = text_of(client.post(link, data={"ask": "solution"}, headers=HTML)).replace(
        "\N{MINUS SIGN}", "-"
    )
    played, best = (int(value) for value in re.findall(r"worth (-?\d+) points? with gems", solution))
    assert lost == with_plan - as_played == best - played


def test_every_mistake_that_can_be_tried_again_has_something_better(client: TestClient) -> None:
    """In Wibble, even a turn with the best word may be a mistake if a shuffle would have been better."""
    mistakes, links = 0, []
    for _ in range(4):
        game = open_game(client, "wibble", options={"mode": "classic"})
        for _ in range(5):
            table = client.app.state.services.games.read(game["id"])  # type: ignore[attr-defined]
            best = found(table.game, table.state)[0]
            game = move(client, game, {"type": "chain", "cells": [*best.cells]}).raise_for_status().json()
        page = address_of(game).removeprefix("/api")
        assert client.get(address_of(game)).json()["view"]["phase"] == "finished"
        review = client.get(f"{page}/analysis", headers=HTML)
        assert "No swap yours" in text_of(review)
        assert "Best yours" not in text_of(review), "where a swap may be better"
        mistakes += len(re.findall(r'class="verdict verdict--(?:inaccuracy|mistake|blunder)', review.text))
        links += links_for(client, address_of(game))
    assert mistakes > len(links) > 0
    assert [client.get(link, headers=HTML).status_code for link in links] == [200] * len(links)


def test_a_mistake_is_offered_only_to_its_player(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    address = fribble(client, stranger)
    client.post(f"{address}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    stranger_links = links_for(stranger, address)
    assert len(stranger_links) == 1
    assert stranger.get(stranger_links[0], headers=HTML).status_code == 200
    assert links_for(client, address) == links_for(third, address) == []


def test_any_player_can_retry_a_mistake_of_an_opened_record(client: TestClient) -> None:
    game = open_game(client, "wibble", options={"mode": "classic"})
    shortest_word(client, game)
    play(client, game, "resign")
    page = address_of(game).removeprefix("/api")
    opened = client.post("/import", data={"text": client.get(f"{page}/record").text}, headers=HTML)
    copy = opened.url.path.removesuffix("/plies/0")
    assert len(links_for(client, f"/api{copy}")) == len(links_for(client, address_of(game))) > 0


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_the_solution_is_shown_and_is_the_best(client: TestClient, mistake: str) -> None:
    assert "Find a better one" in text_of(client.get(mistake, headers=HTML))
    shown = client.post(mistake, data={"ask": "solution"}, headers=HTML)
    solution = re.search(r'class="puzzle-solution">([A-Z]+)(?: at (\w+))?, worth', shown.text)
    assert solution, shown.text
    word = " ".join(filter(None, (solution[2], solution[1])))
    assert solution[1] not in client.get(mistake, headers=HTML).text.replace("Played:", ""), "not before"
    answered = client.post(mistake, data={"word": word}, headers=HTML)
    title, _, page = answered.text.partition("</title>")
    assert "That’s the best move." in title, "what a screen reader says first"
    assert "That’s the best move." in page


def change_review(client: TestClient, link: str, change: Callable[[JSON], None]) -> JSON:
    """Change a turn of the stored review, as if the engine had judged it differently; return the turn."""
    _, _, game_id, _, number, _ = link.split("/")
    results = client.app.state.services.results  # type: ignore[attr-defined]
    review: JSON = json.loads(results.analysis(game_id))
    turn: JSON = next(each for each in review["turns"] if each["number"] == int(number))
    change(turn)
    review["searched"] = review["to_search"] + 1  # more than any search of its own
    results.deepen_analysis(game_id, json.dumps(review), review["searched"])
    return turn


def prefer_second_best(client: TestClient, link: str) -> Callable[[JSON], None]:
    """Change a turn of a review so that the best move is the second best of the puzzle."""
    services = client.app.state.services  # type: ignore[attr-defined]
    table = services.games.read(link.split("/")[2])
    rules = services.rooms[table.kind].puzzles

    def change(turn: JSON) -> None:
        state = rules.state_before(services.games.states(table.id), turn["ply"])
        best, second, *_ = rules.solve(table.game, rules.position_of(table.game, state))
        answer = {"word": second.answer.word, "cells": second.answer.cells}
        if table.kind == "wibble":
            turn["plan"]["word"] |= answer
            turn["plan"]["expected"] -= best.value - second.value
        else:
            turn["best"] |= answer | {"value": second.value}
            turn["lost"] = second.value - turn["value"]

    return change


@pytest.mark.parametrize("unseen", [7, None], ids=["ending", "review of an earlier version"])
def test_an_ending_is_tried_again_once_no_search_will_change_its_review(
    client: TestClient, stranger: TestClient, settings: Settings, unseen: int | None
) -> None:
    link = retry_of(fribble, client, stranger)
    by_equity = {"unseen": unseen, "played_on": None, "verdict": "mistake"}
    change_review(client, link, lambda turn: turn.update(by_equity))
    address = f"/api{link.partition('/turns')[0]}"
    assert links_for(stranger, address) == []
    assert stranger.get(link, headers=HTML).status_code == 404
    without_search = settings.model_copy(update={"review_seconds": 0})
    with TestClient(create_app(without_search), cookies=dict(stranger.cookies)) as another:
        assert links_for(another, address) == [link]
        assert another.get(link, headers=HTML).status_code == 200


def read_worth(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def answer_text(client: TestClient, link: str, **fields: str) -> str:
    return text_of(client.post(link, data=fields, headers=HTML))


@pytest.mark.parametrize("make", [wibble, letterpress])
def test_the_best_move_is_the_one_of_the_review(client: TestClient, stranger: TestClient, make: Make) -> None:
    """The review suggests no word that is unfit, and looks further ahead than a puzzle."""
    link = retry_of(make, client, stranger)
    fresh = re.findall(r"The solution ([A-Z]+)", answer_text(client, link, ask="solution"))[0]
    turn = change_review(client, link, prefer_second_best(client, link))
    solution = answer_text(client, link, ask="solution")
    word, value = re.findall(r"The solution ([A-Z]+), worth (\S+) point", solution)[0]
    best, lost = turn["best"], turn.get("lost")
    if turn.get("plan"):
        best = turn["plan"]["word"]
        lost = turn["plan"]["expected"] - turn["plan"]["expected_as_played"]
    assert word.lower() == best["word"]
    played = re.findall(r"Played: [A-Z]+, worth (\S+) point", solution)[0]
    assert read_worth(value) - read_worth(played) == lost
    assert "That’s the best move." in answer_text(client, link, word=word)
    beaten = answer_text(client, link, word=fresh)
    assert "more than the best move of the review." in beaten or "That’s the best move." in beaten
    assert f"{word}, worth {value} point" in beaten


def test_a_win_that_the_review_has_proven_is_the_best_move(client: TestClient, stranger: TestClient) -> None:
    """A puzzle looks two plies ahead, and so expects less of the move."""
    link = retry_of(letterpress, client, stranger)

    def prove(turn: JSON) -> None:
        turn["best"]["value"], turn["lost"] = 100, 100 - turn["value"]

    turn = change_review(client, link, prove)
    assert re.search(
        rf"The solution {turn['best']['word'].upper()}, worth a win",
        answer_text(client, link, ask="solution"),
    )
    cells = ",".join(map(str, turn["best"]["cells"]))
    for answer in ({"word": turn["best"]["word"]}, {"cells": cells}):
        assert "That’s the best move." in answer_text(client, link, **answer)
    again = answer_text(client, link, word=turn["word"])
    assert "what was played" in again
    assert "The best is worth a win." in again


def test_no_word_is_called_better_than_what_is_proven(client: TestClient, stranger: TestClient) -> None:
    """The value of another word is that of two plies, after which it may lose."""
    link = retry_of(letterpress, client, stranger)
    fresh = re.findall(r"The solution ([A-Z]+)", answer_text(client, link, ask="solution"))[0]
    prefer = prefer_second_best(client, link)

    def prove(turn: JSON) -> None:
        prefer(turn)
        turn["best"]["value"] -= 1
        turn["proven"] = "draw"

    change_review(client, link, prove)
    beaten = answer_text(client, link, word=fresh)
    assert "It would take too long to search this to the end." in beaten
    assert "more than the best move" not in beaten


@pytest.mark.parametrize("make", [wibble, letterpress])
def test_the_played_move_is_worth_what_is_said_beside_it(
    client: TestClient, stranger: TestClient, make: Make
) -> None:
    link = retry_of(make, client, stranger)
    turn = change_review(client, link, lambda _: None)
    shown = text_of(client.get(link, headers=HTML))
    value = re.findall(r"Played: [A-Z]+, worth (\S+ points?)", shown)[0]
    cells = ",".join(map(str, turn["cells"]))
    again = answer_text(client, link, word=turn["word"], cells=cells)
    assert f"Not better than what was played: {value}." in again


def test_a_play_is_better_than_the_pass_that_was_played(client: TestClient, stranger: TestClient) -> None:
    link = retry_of(fribble, client, stranger)
    turn = change_review(client, link, lambda turn: turn["best"].sort(key=lambda each: -each["equity"]))
    assert turn["kind"] == "pass"
    assert "Better than what was played" in answer_text(client, link, **placement_of(turn["best"][-1]))


def test_the_best_play_is_the_one_that_wins_most_in_the_review(
    client: TestClient, stranger: TestClient
) -> None:
    """A play with more equity may win less often."""
    link = retry_of(fribble, client, stranger)
    turn = change_review(client, link, lambda turn: turn["best"].sort(key=lambda each: each["equity"]))
    best, *_, more = turn["best"]
    value = format_value(best["equity"])
    beaten = answer_text(client, link, **placement_of(more))
    assert "more than the best move of the review." in beaten
    for text in (beaten, answer_text(client, link, ask="solution")):
        assert f"at {best['coordinate']}, worth {value} with the tiles kept" in text
    assert "That’s the best move." in answer_text(client, link, **placement_of(best))


def placement_of(move: JSON) -> dict[str, str]:
    placement = move["placement"]
    return {"cells": ",".join(map(str, placement["cells"])), "tiles": placement["tiles"]}


def test_hints_come_one_by_one(client: TestClient, mistake: str) -> None:
    first = client.post(mistake, data={"ask": "hint", "hints": "0"}, headers=HTML)
    assert re.search(r"The word has \d+ letters\.", first.text)
    assert "It begins with" not in first.text
    second = client.post(mistake, data={"ask": "hint", "hints": "1"}, headers=HTML)
    assert re.search(r"It begins with [A-Z]\.", second.text)


@pytest.mark.parametrize("word", ["", "xyzzyx", "8Z QUIZ"])
def test_an_invalid_answer_is_refused_with_the_reason(client: TestClient, mistake: str, word: str) -> None:
    refused = client.post(mistake, data={"word": word}, headers=HTML)
    assert refused.status_code == 422
    assert re.search(r'id="refused" role="alert">[^<]+<', refused.text), refused.text


def test_turns_and_games_that_cannot_be_tried_are_refused(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "letterpress")
    sit_down(stranger, game)
    page = address_of(game).removeprefix("/api")
    assert client.get(f"{page}/turns/1/retry", headers=HTML).status_code == 409
    client.post(f"{address_of(game)}/moves", json={"move": {"type": "pass"}}).raise_for_status()
    stranger.post(f"{address_of(game)}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    for path in (f"{page}/turns/7/retry", "/games/nowhere/turns/1/retry"):
        assert client.get(path, headers=HTML).status_code == 404
