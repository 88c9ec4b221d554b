import pytest

from app.games.bot_words import words_known
from app.games.fribble.bot import bots
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Challenge, Exchange, Options, Pass, Place, State, Write
from app.games.game import LexiconRef
from app.words.lexicon import Lexicon


@pytest.fixture(scope="module")
def game(lexicon: Lexicon) -> Fribble:
    return Fribble(lexicon)


def opened(game: Fribble, seed: str = "seed", **choices: object) -> State:
    ref = LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256)
    return game.start(Options.model_validate({"lexicon": ref, **choices}), 2, seed)


def played(game: Fribble, levels: tuple[int, int], seed: str, **choices: object) -> list[State]:
    """All states of a game between two bots."""
    states = [opened(game, seed, **choices)]
    while (seat := game.to_move(states[-1])) is not None:
        move = game.bot(states[-1], seat, levels[seat]).move
        states.append(game.apply(states[-1], seat, move, 0.0))
    return states


@pytest.mark.parametrize("preset", ["wwf", "standard"])
def test_bots_play_a_game_to_its_end(game: Fribble, preset: str) -> None:
    states = played(game, (5, 2), "to the end", preset=preset, challenge="double")
    last = states[-1]
    assert last.reason == "the last tile was played"
    assert last.scores[0] > last.scores[1]
    assert states == played(game, (5, 2), "to the end", preset=preset, challenge="double")


def test_a_bot_plays_words_it_knows(game: Fribble) -> None:
    states = played(game, (1, 1), "simple words")
    for seat in (0, 1):
        known = words_known(bots()[0].knows, game.lexicon, "simple words", seat)
        for turn in states[-1].turns:
            if turn.seat == seat:
                assert all(known[game.lexicon.index(word.lower()) or 0] for word in turn.words)


def test_the_best_bot_plays_the_highest_score(game: Fribble) -> None:
    state = opened(game).model_copy(update={"racks": ("BBEFILR", "AEIOUNR")})
    move = game.bot(state, 0, 5).move
    assert isinstance(move, Place)
    assert game.apply(state, 0, move, 0.0).scores[0] >= 69


def test_who_knows_no_move_exchanges_or_passes(game: Fribble) -> None:
    state = opened(game).model_copy(update={"racks": ("VVVVVVV", "AEIOUNR")})
    assert game.bot(state, 0, 5).move == Exchange(tiles="VVVVVVV")
    assert game.bot(state.model_copy(update={"bag": "AE"}), 0, 5).move == Exchange(tiles="VV")
    assert game.bot(state.model_copy(update={"bag": ""}), 0, 5).move == Pass()


def test_the_best_bot_challenges_what_is_not_valid_and_nothing_else(game: Fribble) -> None:
    state = opened(game, challenge="double").model_copy(update={"racks": ("ACDEEIT", "AEIOUNR")})
    phony = game.apply(state, 0, Write(text="8G DCT"), 0.0)
    assert game.bot(phony, 1, 5).move == Challenge()
    sound = game.apply(state, 0, Write(text="8G CAT"), 0.0)
    assert isinstance(game.bot(sound, 1, 5).move, Place)


def test_an_analysis_finds_the_best_move_for_each_turn(game: Fribble) -> None:
    states = [opened(game).model_copy(update={"racks": ("BBEFILR", "DEINRST")})]
    for move in (Write(text="8G BE"), Write(text="8G ..EN")):
        states.append(game.apply(states[-1], states[-1].to_move, move, 0.0))
    states.append(game.apply(states[-1], 0, Exchange(tiles="B"), 0.0))
    analysis = game.analyse(tuple(states))
    first, second, third = analysis.turns
    assert (first.text, first.points, first.best[0].words, first.best[0].leave) == ("BE", 5, ("FRIBBLE",), "")
    assert first.lost == pytest.approx(first.best[0].equity - first.equity)
    assert first.lost > 60 - 5
    assert (second.text, second.coordinate, third.kind, third.points) == ("..EN", "8G", "exchange", 0)
    assert [best.equity for best in third.best] == sorted((best.equity for best in third.best), reverse=True)
    assert all(len(turn.best) == 5 and turn.moves > 100 for turn in analysis.turns)
    assert analysis.seats[0].accuracy == pytest.approx(
        50 * (2 ** (-first.lost / 15) + 2 ** (-third.lost / 15))
    )
    assert (analysis.seats[0].best_word, analysis.seats[0].best_points) == ("be", 5)


def test_the_best_play_loses_nothing(game: Fribble) -> None:
    states = played(game, (5, 5), "flawless")
    analysis = game.analyse(tuple(states))
    assert {turn.lost for turn in analysis.turns} == {0}
    assert [seat.accuracy for seat in analysis.seats] == [100, 100]


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_each_level_scores_more_than_the_one_below(game: Fribble, level: int) -> None:
    games = [played(game, (level, level + 1), f"ladder {number}")[-1].scores for number in range(4)]
    assert sum(above for _, above in games) > sum(below for below, _ in games)
