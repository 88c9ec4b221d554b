"""`wibble replay` with records of every kind of game."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.games.game import LexiconRef
from app.games.record import write
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble

SETUPS: dict[str, dict[str, Any]] = {
    "boggle": {"board": ("pers", "latg", "sine", "ters"), "seconds": None},
    "scrabblet": {"rack": "ruolfnt", "penalty": 1, "penalize": "wrong_guesses"},
}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "boggle": [
        *({"type": "word", "word": word} for word in ("alerting", "alerting", "at", "zebra", "pers")),
    ],
    "scrabblet": [
        *(
            {"type": "guess", "word": word}
            for word in ("flour", "flour", "or", "xqzzz", "rutl", "fluoroform")
        ),
        {"type": "hint"},
    ],
}
"""Moves of seat 0 for kinds without bots, or where they show more than a bot's."""


def played(kind: str, lexicon: Lexicon) -> str:
    """The record of a short finished game."""
    game = ROOMS[kind].game(lexicon)
    options = game.options_type.model_validate({"lexicon": LexiconRef.of(lexicon)} | SETUPS.get(kind, {}))
    seats = max(1, game.seats(options).start)
    states = [game.start(options, seats, "seed")]
    moves: list[tuple[int, Any, float]] = []

    def make(seat: int, move: Any) -> None:
        states.append(game.apply(states[-1], seat, move, 1.0 + len(moves)))
        moves.append((seat, move, 1.0 + len(moves)))

    for move in game.opening(options):
        make(0, move)
    for scripted in SCRIPTS.get(kind, []):
        make(0, game.move_adapter.validate_python(scripted))
    while kind not in SCRIPTS and len(moves) < 6 and (seat := game.to_move(states[-1])) is not None:
        make(seat, game.bot(states[-1], seat, 1).move)
    while (seat := game.to_move(states[-1])) is not None:
        make(seat, game.resignation)
    return write(game, tuple(states), "seed", moves)


@pytest.fixture(params=ROOMS)
def kept(request: pytest.FixtureRequest, tmp_path: Path, lexicon: Lexicon) -> Path:
    file = tmp_path / f"{request.param}.txt"
    file.write_text(played(request.param, lexicon))
    return file


def test_the_moves_any_position_and_the_analysis_are_shown(kept: Path) -> None:
    status, output = wibble("replay", kept, "--analysis")
    assert status == 0, output
    assert output.lower().startswith(kept.stem)
    plies = len([line for line in kept.read_text().splitlines() if line[0].isdigit()])
    assert f" {plies - 1} Player" in output
    assert re.search(r"% (accuracy|of all points|of the common words’ points)|accuracy \d+%", output)
    for ply in range(plies + 1):
        assert wibble("replay", kept, "--ply", str(ply))[0] == 0
    assert wibble("replay", kept, "--ply", str(plies + 1))[0] == 2


def test_json_has_the_moves_a_position_and_the_analysis(kept: Path) -> None:
    status, output = wibble("replay", kept, "--json", "--ply", "1", "--analysis")
    assert status == 0
    document = json.loads(output)
    assert document["kind"] == kept.stem
    assert [move["ply"] for move in document["moves"]] == list(range(len(document["moves"])))
    assert document["outcome"]["scores"] == document["moves"][-1]["scores"]
    assert len(document["analysis"]["seats"]) == document["seats"]
    assert document["view"]


def test_boggle_says_what_came_of_each_word(tmp_path: Path, lexicon: Lexicon) -> None:
    file = tmp_path / "game.txt"
    file.write_text(played("boggle", lexicon))
    output = wibble("replay", file)[1]
    for line in (
        "started",
        "ALERTING +11",
        "ALERTING was already found",
        "AT is too short",
        "ZEBRA is not on this board",
    ):
        assert f"Player 1: {line}" in output
    assert "P E R S L A T G" in wibble("replay", file, "--ply", "2")[1]
    analysis = wibble("replay", file, "--analysis")[1].split("Analysis")[1]
    assert "ALERTING 11" in analysis
    assert "Missed words" in analysis


def test_scrabblet_says_what_came_of_each_guess(tmp_path: Path, lexicon: Lexicon) -> None:
    file = tmp_path / "game.txt"
    file.write_text(played("scrabblet", lexicon))
    output = wibble("replay", file)[1]
    for line in (
        "FLOUR +",
        "FLOUR was already found",
        "XQZZZ cannot be spelled from these tiles",
        "took the hints",
    ):
        assert f"Player 1: {line}" in output
    assert "R U O L F N T" in wibble("replay", file, "--ply", "3")[1]
    assert "Missed words" in wibble("replay", file, "--analysis")[1]
