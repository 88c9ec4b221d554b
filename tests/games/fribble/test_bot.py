from random import Random

import pytest

from app.games.bot_words import words_known
from app.games.fribble.advice import Knows
from app.games.fribble.adviser import outlook_of
from app.games.fribble.bot import bots
from app.games.fribble.rules import Fribble
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import Challenge, Exchange, Move, Options, Pass, Place, Resign, State, Write
from app.games.game import LexiconRef
from app.words.vocabulary import allowed_words

LADDER = {1: 8, 2: 4, 3: 4, 4: 1}
"""Games of each level against the next; the best bot is slow."""


def generator() -> Random:
    return Random(0)


def fit_to_show(game: Fribble) -> Knows:
    fit = allowed_words(game.lexicon)
    return lambda word: bool(fit[game.lexicon.index(word) or 0])


def opened(game: Fribble, seed: str = "seed", **choices: object) -> State:
    return game.start(Options.model_validate({"lexicon": LexiconRef.of(game.lexicon), **choices}), 2, seed)


def played(game: Fribble, levels: tuple[int, int], seed: str, **choices: object) -> list[State]:
    """All states of a game between two bots."""
    states = [opened(game, seed, **choices)]
    while (seat := game.to_move(states[-1])) is not None:
        move = game.bot(states[-1], seat, levels[seat]).move
        states.append(game.apply(states[-1], seat, move, 0.0))
    return states


@pytest.mark.parametrize("preset", ["wwf", "standard"])
def test_bots_play_a_game_to_its_end(game: Fribble, preset: str) -> None:
    states = played(game, (4, 2), "to the last tile", preset=preset, challenge="double")
    last = states[-1]
    assert last.reason == "the last tile was played"
    assert last.scores[0] > last.scores[1]
    again = Fribble(game.lexicon)
    assert states == played(again, (4, 2), "to the last tile", preset=preset, challenge="double")


def later(game: Fribble, seed: str, plies: int) -> State:
    """A position after some moves of two fast bots."""
    state = opened(game, seed)
    for _ in range(plies):
        state = game.apply(state, state.to_move, game.bot(state, state.to_move, 4).move, 0.0)
    return state


def test_the_best_bot_plays_the_same_in_the_same_position(game: Fribble) -> None:
    state = later(game, "again", 6)
    assert game.bot(state, 0, 5) == Fribble(game.lexicon).bot(state, 0, 5)


def test_the_best_bot_knows_how_an_endgame_ends(game: Fribble) -> None:
    """It finishes with a better result than greedy play."""
    gained = 0
    for number in range(6):
        state = later(game, f"ending {number}", 0)
        while state.bag:
            state = game.apply(state, state.to_move, game.bot(state, state.to_move, 4).move, 0.0)
        seat, ends = state.to_move, []
        for levels in ((5, 4), (4, 4)):
            last = state
            while last.reason is None:
                level = levels[0] if last.to_move == seat else 4
                move = game.bot(last, last.to_move, level).move
                last = game.apply(last, last.to_move, move, 0.0)
            ends.append(last.scores[seat] - last.scores[1 - seat])
        gained += ends[0] - ends[1]
    assert gained > 0


def test_an_endgame_is_advised_by_search_however_many_moves_are_listed(game: Fribble) -> None:
    state = opened(game, "advised")
    while state.bag:
        state = game.apply(state, state.to_move, game.bot(state, state.to_move, 4).move, 0.0)
    best = []
    for top in (1, 40):
        ahead = LookAhead(lambda _: False, lambda positions: positions > 800, generator())
        advised = game.adviser("wwf").advise(outlook_of(state), top, ahead=ahead)
        best.append(advised.instead or advised.moves[0])
    assert best[0].forecast is not None
    assert best[0] == best[1]


def test_what_the_opponent_has_just_laid_is_part_of_the_outlook(game: Fribble) -> None:
    state = opened(game, challenge="double").model_copy(update={"racks": ("ACDEEIT", "AEIOUNR")})
    assert outlook_of(state).last is None
    laid = game.apply(state, 0, Write(text="8G CAT"), 0.0)
    last = outlook_of(laid).last
    assert last is not None
    assert (last.placement.used, last.points) == ("CAT", laid.scores[0])
    assert laid.board.without(last.placement.cells) == state.board
    assert outlook_of(game.apply(laid, 1, Pass(), 0.0)).last is None
    phony = game.apply(state, 0, Write(text="8G DCT"), 0.0)
    assert outlook_of(game.apply(phony, 1, Challenge(), 0.0)).last is None


def test_a_player_who_resigned_is_no_rival(game: Fribble) -> None:
    """A resigned player cannot win, and their tiles are out of play, but unknown to the others."""
    start = game.start(opened(game, preset="standard").options, 3, "three")
    scores = start.model_copy(update={"scores": (300, 10, 20)})
    left = game.apply(scores, 0, Resign(), 0.0)
    outlook = outlook_of(left)
    assert (left.to_move, outlook.lead, outlook.opponents) == (1, -10, 2)
    passed = game.apply(left, 1, Pass(), 0.0)
    (turn,) = game.analyse((left, passed)).turns
    level = game.apply(scores.model_copy(update={"scores": (20, 10, 20)}), 0, Resign(), 0.0)
    (same,) = game.analyse((level, game.apply(level, 1, Pass(), 0.0))).turns
    assert turn.loss == same.loss


def test_playing_on_thinks_of_what_the_opponent_kept(game: Fribble) -> None:
    """Without the opponent's last move, the same position is judged differently."""
    outlook = outlook_of(later(game, "kept", 5))
    assert outlook.last is not None
    with_history, without_history = (
        game.adviser("wwf").advise(each, 3, ahead=LookAhead(lambda n: n >= 60, lambda _: True, generator()))
        for each in (outlook, outlook._replace(last=None))
    )
    assert {move.forecast for move in with_history.moves} != {move.forecast for move in without_history.moves}


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


def test_a_bot_without_a_move_exchanges_or_passes(game: Fribble) -> None:
    state = opened(game).model_copy(update={"racks": ("VVVVVVV", "AEIOUNR")})
    assert game.bot(state, 0, 5).move == Exchange(tiles="VVVVVVV")
    assert game.bot(state.model_copy(update={"bag": "AE"}), 0, 5).move == Exchange(tiles="VV")
    assert game.bot(state.model_copy(update={"bag": ""}), 0, 5).move == Pass()


@pytest.mark.parametrize("bag", ["AEIOTRN", "AEIOTRNL", "AEIOTRNLSDEA"])
def test_the_best_exchange_loses_nothing(game: Fribble, bag: str) -> None:
    """An exchange leaves the bag as full as before, even if there are few tiles in it."""
    before = opened(game).model_copy(update={"racks": ("VVVVVVV", "AEIOUNR"), "bag": bag})
    move = game.bot(before, 0, 5).move
    assert isinstance(move, Exchange)
    first, *_ = game.analyse((before, game.apply(before, 0, move, 0.0))).turns
    assert first.lost == 0


@pytest.mark.parametrize("others", [("AEIOUNR",), ("AEIOUNR", "TTT"), ("AEIOUNR", "TTT", "DE")])
def test_a_bot_goes_out_instead_of_keeping_a_blank(game: Fribble, others: tuple[str, ...]) -> None:
    """With several opponents, too, the bag is known to be empty if their racks can hold all other tiles."""
    begun = game.apply(
        opened(game).model_copy(update={"racks": ("CATDOGS", "AEIOUNR")}), 0, Write(text="8G CAT"), 0.0
    )
    racks = ("?", *others)
    state = begun.model_copy(update={"racks": racks, "bag": "", "to_move": 0, "scores": (50,) * len(racks)})
    assert isinstance(game.bot(state, 0, 5).move, Place)


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
    """The quick advice uses the same values as the analysis, also for exchanges."""
    states = [opened(game, "flawless")]
    adviser = game.adviser("wwf")
    while (state := states[-1]).reason is None:
        advised = adviser.advise(outlook_of(state), 1, knows=fit_to_show(game))
        if advised.instead is not None:
            tiles = advised.instead.exchanged
            move: Move = Exchange(tiles=tiles) if tiles else Pass()
        else:
            placement = advised.moves[0].placement
            move = Place(cells=placement.cells, tiles=placement.tiles)
        states.append(game.apply(state, state.to_move, move, 0.0))
    analysis = game.analyse(tuple(states))
    assert {turn.lost for turn in analysis.turns} == {0}
    assert [seat.accuracy for seat in analysis.seats] == [100, 100]


def test_the_analysis_has_the_first_seats_win_share(game: Fribble) -> None:
    states = played(game, (4, 1), "one-sided")
    shares = [turn.win_share or 0.0 for turn in game.analyse(tuple(states)).turns]
    assert 0.4 < shares[0] < 0.9
    assert shares[-1] == 1
    assert sum(shares) / len(shares) > 0.8


def test_an_exchange_better_than_every_move_is_reported(game: Fribble) -> None:
    states = [opened(game).model_copy(update={"racks": ("IIIUUVV", "DEINRST")})]
    states.append(game.apply(states[0], 0, Pass(), 0.0))
    (turn,) = game.analyse(tuple(states)).turns
    assert turn.exchange is not None
    assert set(turn.exchange.tiles) <= set("IUV")
    assert turn.lost == pytest.approx(turn.exchange.equity - turn.equity)


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_each_level_scores_more_than_the_one_below(game: Fribble, level: int) -> None:
    games = [
        played(game, (level, level + 1), f"ladder {number}")[-1].scores for number in range(LADDER[level])
    ]
    assert sum(above for _, above in games) > sum(below for below, _ in games)
