"""A game that `app` does not know is registered, and played on every surface. See docs/adding-a-game.md."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.games.game import Game, IllegalMove, LexiconRef
from app.web.room import check_room
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble
from tests.cli.terminal import Terminal
from tests.driver import move, open_game, play, problem, see, sit_down
from tests.event_streams import SOON
from tests.servers import Served
from tests.sixth_room import WITH_GHOST
from tests.sixth_room.ghost.room import GhostRoom
from tests.sixth_room.ghost.rules import SHORTEST, Add, Analysis, Ghost, Move, Options, Resign, State, View


@pytest.fixture(scope="module")
def game(lexicon: Lexicon) -> Ghost:
    return Ghost(lexicon)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def start(game: Ghost, seats: int = 2) -> State:
    return game.start(Options(lexicon=LexiconRef.of(game.lexicon)), seats, "seed")


def spell(game: Ghost, letters: str, seats: int = 2) -> State:
    state = start(game, seats)
    for index, letter in enumerate(letters):
        state = game.apply(state, index % seats, Add(letter=letter), float(index))
    return state


def players(url: str) -> tuple[list[httpx.Client], str]:
    """Open a game of two players over the API; return the players and the game's ID."""
    first, second = (httpx.Client(base_url=url, timeout=SOON) for _ in range(2))
    game = open_game(first, "ghost", seats=2)
    sit_down(second, game)
    return [first, second], game["id"]


def finish(url: str) -> tuple[list[httpx.Client], str]:
    """Play WORD with two players: the second completes it."""
    people, game_id = players(url)
    for index, letter in enumerate("word"):
        play(people[index % 2], game_id, "letter", letter=letter)
    return people, game_id


def test_completing_a_word_of_four_letters_loses(game: Ghost) -> None:
    state = spell(game, "word")
    assert (state.loser, state.reason) == (1, "WORD is a word")
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)


def test_a_shorter_word_does_not_lose(game: Ghost) -> None:
    assert game.to_move(spell(game, "wor")) == 1
    assert game.outcome(spell(game, "the")) is None


def test_a_fragment_must_begin_a_word(game: Ghost) -> None:
    with pytest.raises(IllegalMove, match="no word begins with XZ"):
        spell(game, "xz")


@pytest.fixture(scope="module")
def words(lexicon: Lexicon) -> set[str]:
    return set(lexicon)


@pytest.fixture(scope="module")
def beginnings(words: set[str]) -> set[str]:
    return {word[:end] for word in words for end in range(1, len(word) + 1)}


@given(letters=st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), max_size=30), seats=st.integers(2, 4))
def test_a_game_follows_the_rules_letter_by_letter(
    game: Ghost, words: set[str], beginnings: set[str], letters: list[str], seats: int
) -> None:
    state = start(game, seats)
    for letter in letters:
        seat = game.to_move(state)
        fragment = state.fragment + letter
        if seat is None:
            return
        if fragment not in beginnings:
            with pytest.raises(IllegalMove):
                game.apply(state, seat, Add(letter=letter), 0.0)
            continue
        state = game.apply(state, seat, Add(letter=letter), 0.0)
        lost = len(fragment) >= SHORTEST and fragment in words
        assert (state.loser == seat) == lost


def test_a_player_who_resigns_loses(game: Ghost) -> None:
    state = game.apply(spell(game, "wo", seats=3), 0, Resign(), 9.0)
    assert game.view(state, None).loser == 0


def test_it_is_played_over_the_api(site: str) -> None:
    people, game_id = finish(site)
    found = see(people[0], game_id)
    assert found["view"]["fragment"] == "word"
    assert found["outcome"]["winners"] == [0]
    analysis = people[0].get(f"/api/games/{game_id}/analysis").raise_for_status().json()
    assert [seat["accuracy"] for seat in analysis["seats"]] == [100.0, 50.0]
    record = people[0].get(f"/api/games/{game_id}/record").raise_for_status().text
    imported = httpx.post(
        f"{site}/api/games/import", content=record, headers={"Content-Type": "text/plain"}, timeout=SOON
    )
    assert imported.status_code == 201


def test_bad_requests_are_refused_like_those_of_any_game(site: str) -> None:
    unknown = httpx.post(f"{site}/api/games", json={"kind": "go"}, timeout=SOON)
    assert "choose from wibble, letterpress, boggle, fribble, scrabblet, ghost" in unknown.text
    crowded = httpx.post(f"{site}/api/games", json={"kind": "ghost", "seats": 5}, timeout=SOON)
    assert "a game of Ghost has 2 to 4 seats, not 5" in crowded.text
    bots = httpx.post(f"{site}/api/games", json={"kind": "ghost", "bots": [1]}, timeout=SOON)
    assert "Ghost has no bot of level 1: it has no bots" in bots.text
    people, game_id = players(site)
    problem(move(people[0], game_id, {"type": "letter", "letter": "7"}), 422)


def test_the_api_documents_it_beside_the_others(site: str) -> None:
    schemas = httpx.get(f"{site}/openapi.json", timeout=60).json()["components"]["schemas"]
    assert {"NewGhost", "GhostView", "WibbleView"} <= schemas.keys()
    assert "ghost" in str(schemas["NewGhost"]["properties"]["kind"])


def test_two_people_play_it_on_its_page(site: str, browser: Browser) -> None:
    first, second = (browser.new_context().new_page() for _ in range(2))
    first.goto(f"{site}/")
    first.locator("footer").get_by_role("link", name="Ghost").click()
    first.get_by_role("button", name="Play with 1 friend").click()
    second.goto(first.locator("#invitation").input_value())
    second.get_by_role("button", name="Join game").click()
    second.wait_for_url("**/games/*")
    for page, letter in ((first, "w"), (second, "o"), (first, "r"), (second, "d")):
        type_letter(page, letter)
    expect(second.get_by_role("heading", name="Player 1 wins")).to_be_visible()
    expect(first.get_by_role("heading", name="You win")).to_be_visible()
    first.get_by_role("link", name="Game review", exact=True).click()
    expect(first.locator("#analysis")).to_contain_text("D:")


def type_letter(page: Page, letter: str) -> None:
    page.get_by_label("Letter").fill(letter)
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".ghost-fragment")).to_contain_text(letter.upper())


def test_it_has_no_rules_to_open(site: str, browser: Browser) -> None:
    _, game_id = players(site)
    page = browser.new_page()
    page.goto(f"{site}/games/{game_id}")
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    expect(page.get_by_role("link", name="Rules")).to_have_count(0)
    assert httpx.get(f"{site}/rules/ghost", timeout=SOON).status_code == 404
    assert (
        "Ghost"
        not in httpx.get(f"{site}/rules", timeout=SOON).text.partition("<main")[2].partition("</main>")[0]
    )


def test_it_has_no_words_to_learn(site: str) -> None:
    people, game_id = finish(site)
    page = people[0].get(f"/games/{game_id}").text
    assert f'href="/games/{game_id}/analysis"' in page
    assert f'href="/games/{game_id}/cards"' not in page


def test_its_replay_is_a_page(site: str, browser: Browser) -> None:
    _, game_id = finish(site)
    page = browser.new_page()
    page.goto(f"{site}/games/{game_id}/plies/0")
    expect(page.locator(".ghost-fragment")).to_have_text("No letters yet")
    page.get_by_role("link", name="Last move").click()
    expect(page.locator(".ghost-fragment")).to_have_text("WORD")


def test_it_is_played_in_the_terminal(site: str, tmp_path: Path) -> None:
    module = "tests.sixth_room.wibble"
    ann = Terminal(tmp_path / "ann", "play", "--server", site, "--kind", "ghost", module=module)
    bob = None
    try:
        link = ann.sees(r"--game (\S+)")[1]
        bob = Terminal(tmp_path / "bob", "play", "--server", site, "--game", link, module=module)
        for index, letter in enumerate("word"):
            player = (ann, bob)[index % 2]
            player.sees(r"\n> ")
            player.types("7")
            player.sees("letter: one letter a to z expected, '7' given")
            player.types(letter)
            player.sees("WORD"[: index + 1])
        ann.sees("WORD is a word")
        review = ann.sees(r"Replay and analysis: (\S+)")[1]
        assert "would not have completed a word" in httpx.get(review, timeout=SOON).text
    finally:
        for terminal in (ann, bob):
            if terminal is not None:
                terminal.close()


def test_the_help_names_it() -> None:
    assert (
        "the game: wibble, letterpress, boggle, fribble, scrabblet, ghost."
        in (wibble("play", "--help", rooms=WITH_GHOST)[1])
    )


def test_its_record_is_replayed_in_the_terminal(site: str, tmp_path: Path) -> None:
    people, game_id = finish(site)
    file = tmp_path / "ghost.txt"
    file.write_text(people[0].get(f"/games/{game_id}/record").text)
    status, shown = wibble("replay", file, "--ply", "3", "--analysis", rooms=WITH_GHOST)
    assert status == 0
    assert "Ghost, english" in shown
    assert "WOR" in shown
    assert wibble("replay", file)[0] == 2, "the command without this room does not know the game"


def test_it_is_served_by_the_command(tmp_path: Path) -> None:
    with Served(tmp_path, module="tests.sixth_room.wibble") as served:
        assert httpx.get(f"{served.url}/ghost", timeout=SOON).status_code == 200


def test_what_a_room_lacks_is_said_before_it_is_served() -> None:
    class Ghosts(Game[Options, State, Move, View, Analysis]):
        kind = "ghosts"

    class Unfinished(GhostRoom):
        game = Ghosts

    with pytest.raises(TypeError, match="the package 'ghost' has a ROOM that is not an instance"):
        check_room("ghost", GhostRoom)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the package 'ghost' has a game of the kind 'ghosts'"):
        check_room("ghost", Unfinished())
    with pytest.raises(TypeError) as lacking:
        check_room("ghosts", Unfinished())
    for part in ("Ghosts.apply()", "Ghosts.accuracy", "templates/ghosts/table.html"):
        assert part in str(lacking.value)
    del Ghosts.kind
    with pytest.raises(TypeError, match=r"Ghosts\.kind"):
        check_room("ghosts", Unfinished())


def test_what_a_room_lacks_is_said_instead_of_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(GhostRoom, "templates", None)
    status, shown = wibble("serve", "--port", "0", rooms=WITH_GHOST)
    assert status == 2
    assert "Error: the room 'ghost' lacks the template" in shown
    assert "Wibble is at" not in shown
    assert not (tmp_path / "data").exists(), "no store is made"


def test_a_game_of_several_people_is_no_challenge(site: str) -> None:
    (first, _), game_id = finish(site)
    refused = problem(first.post(f"/api/games/{game_id}/challenge"), 409)
    assert "alone or against bots" in refused["detail"]
