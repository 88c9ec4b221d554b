import json
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.game import IllegalMove, OutOfTurn
from app.games.record import BrokenRecord, read, replay, write
from app.games.scrabblet.dealing import NoSuchHand
from app.games.scrabblet.hints import hints
from app.games.scrabblet.modes import modes
from app.games.scrabblet.ranks import rank_of, ranks
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Choices, Guess, Hint, Move, Phase, Quit, State
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words, level_of
from tests.examples import examples
from tests.games.playing import play
from tests.games.scrabblet.brute import words_of
from tests.games.scrabblet.conftest import options

HAND = "ruolfnt"


def started(game: Scrabblet, **choices: object) -> State:
    return game.start(options(game, **{"rack": HAND, **choices}), 1, "seed")


def guess(game: Scrabblet, state: State, *moves: str | Move) -> State:
    """The state after these guesses and other moves."""
    return play(game, state, *(Guess(word=move) if isinstance(move, str) else move for move in moves))


def results(game: Scrabblet, state: State, *words: str) -> list[tuple[str, int]]:
    """What each guess led to, and the score after it."""
    told = list[tuple[str, int]]()
    for word in words:
        state = guess(game, state, word)
        assert state.report
        told.append((state.report.result, state.score))
    return told


def test_the_game_of_the_paper_scores_as_printed_there_without_options(redbo: Scrabblet) -> None:
    """Section 2.4.5: 24, then 43 after "trunt" and "plot", then 55 after two words guessed before."""
    state = guess(redbo, started(redbo), "front", "loot", "loft", "troll")
    assert state.score == 24
    state = guess(redbo, state, "turf", "turn", "trunt", "plot", "flout")
    assert state.score == 43
    state = guess(redbo, state, "floor", "front", "loft", "runt")
    assert state.score == 55
    assert len(state.found) == 9


def test_each_guess_is_told_apart_and_only_one_that_is_no_word_costs_points(game: Scrabblet) -> None:
    guesses = ["front", "front", "plot", "run", "trunt", "xq", "troll"]
    assert results(game, started(game, penalty=5), *guesses) == [
        ("scored", 8),
        ("duplicate", 8),
        ("not_dealt", 8),
        ("too_short", 8),
        ("not_a_word", 3),
        ("not_a_word", 0),
        ("scored", 5),
    ]
    state = guess(game, started(game, penalty=5), *guesses[:6])
    assert state.report
    assert (state.report.lost, state.wrong) == (3, 2)


def test_every_wrong_guess_costs_points_where_the_options_say_so(game: Scrabblet) -> None:
    guesses = ["front", "front", "trunt", "plot", "xq", "troll"]
    assert results(game, started(game, penalize="wrong_guesses"), *guesses) == [
        ("scored", 8),
        ("duplicate", 8),
        ("not_a_word", 3),
        ("not_dealt", 0),
        ("too_short", 0),
        ("scored", 5),
    ]


RECORD_BEFORE_PENALIZE = """wibble record 1
kind scrabblet
options {"mode":"dealer","hand":"ruolfnt","size":7,"max_vowels":3,"min_words":25,"min_length":4,\
"penalty":null,"lexicon":{"name":"few","sha256":"b6c9560e192913f8afb90ee2db6721f74a7ca64820bf562f08062f3ee9aa2a12"}}
seats 1
seed seed
0 0 0.0 7e17e0d5 {"type":"guess","word":"front"}
1 0 1.0 f9eb64c3 {"type":"guess","word":"loot"}
2 0 2.0 8061c011 {"type":"guess","word":"run"}
3 0 3.0 3c5ef41d {"type":"guess","word":"trunt"}
4 0 4.0 cddc5efd {"type":"guess","word":"troll"}
5 0 5.0 c0846f73 {"type":"guess","word":"plot"}
6 0 6.0 0bfc91a5 {"type":"guess","word":"front"}
7 0 7.0 5d32c56f {"type":"quit"}
"""


def test_a_record_from_before_the_option_replays_with_the_penalties_of_its_time() -> None:
    few = Scrabblet(Lexicon.from_words(["front", "loot", "run", "plot", "troll", "turf"], "few"))
    states = replay(read(RECORD_BEFORE_PENALIZE, ROOMS.games), few)
    assert [state.score for state in states] == [0, 8, 12, 7, 2, 7, 2, 2, 2]
    assert states[-1].wrong == 3


def test_the_penalty_is_an_option_and_neither_mode_has_one_by_default(game: Scrabblet) -> None:
    for choices, left in (
        ({}, 8),
        ({"penalty": 1}, 7),
        ({"mode": "daily"}, 8),
        ({"mode": "daily", "penalty": 2}, 6),
    ):
        state = started(game, **choices)
        assert guess(game, state, "front", "trunt").score == left


def test_a_guess_may_be_written_in_capitals_and_must_be_letters(game: Scrabblet) -> None:
    assert guess(game, started(game), " FRONT ").found[0].word == "front"
    for wrong in ("", "r2", "fr ont", "ö", "a" * 65):
        with pytest.raises(ValidationError):
            Guess(word=wrong)


def test_blanks_stand_for_another_letter_in_each_word(game: Scrabblet) -> None:
    state = guess(game, started(game, rack="ruolfn?"), "front", "floor", "flour", "furlong", "fluff")
    assert [found.points for found in state.found] == [7, 8, 8, 9, 14]
    assert [found.pangram for found in state.found] == [False, False, False, True, False]
    assert results(game, state, "tutti", "furlongs") == [
        ("not_dealt", state.score),
        ("not_dealt", state.score),
    ]


def test_words_of_other_lengths_may_be_asked_for(game: Scrabblet) -> None:
    assert results(game, started(game, min_length=2), "of", "run")[-1][0] == "scored"
    assert results(game, started(game, min_length=6), "front") == [("too_short", 0)]


def test_the_view_counts_and_ranks(game: Scrabblet) -> None:
    state = guess(game, started(game), "front", "flour", "trunt")
    view = game.view(state, 0)
    expected = words_of(game.lexicon, HAND, 4)
    assert view.counts.words == len(expected)
    assert (view.counts.found, view.counts.wrong) == (2, 1)
    required = {
        word: points
        for word, points in expected.items()
        if game.lexicon.ranks[game.lexicon.index(word)] <= 20_000
        and game.lexicon.family[game.lexicon.index(word)]
    }
    assert (view.counts.required, view.rank.total) == (len(required), sum(required.values()))
    assert view.rank.points == sum(found.points for found in view.found if found.required)
    assert view.rank.percent == pytest.approx(100 * view.rank.points / view.rank.total)
    assert [step.name for step in view.rank.steps] == [rank.name for rank in ranks()]
    assert view.rank.next
    assert view.rank.next.points > view.rank.points
    assert [(tile.letter, tile.score) for tile in view.tiles][:2] == [("r", 1), ("u", 1)]
    assert (view.phase, view.to_move, view.penalty, view.min_length) == (Phase.PLAYING, 0, 0, 4)


def test_all_required_words_make_a_queen_whatever_the_penalties(game: Scrabblet) -> None:
    state = started(game)
    required = [one.word for one in game.goal(state).required.listed()]
    almost = game.view(guess(game, state, *required[:-1]), 0).rank
    assert almost.name != "Queen"
    assert almost.next
    assert almost.next.points == almost.total
    top = game.view(guess(game, state, *required, "trunt"), 0).rank
    assert (top.name, top.percent, top.next) == ("Queen", 100, None)


def test_there_are_nine_ranks_from_beginner_to_queen() -> None:
    names = [rank.name for rank in ranks()]
    assert (len(names), names[0], names[-1]) == (9, "Beginner", "Queen")
    percents = [rank.percent for rank in ranks()]
    assert percents == sorted(set(percents))
    assert (percents[0], percents[-1]) == (0, 100)


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_rank_is_the_highest_whose_share_is_reached(points: int, total: int) -> None:
    points = min(points, total)
    reached = [n for n, rank in enumerate(ranks()) if total and 100 * points >= rank.percent * total]
    assert rank_of(points, total) == max(reached, default=0)


def test_finding_everything_ends_the_game() -> None:
    few = Scrabblet(Lexicon.from_words(["abba", "baba", "cede"], "few"))
    state = guess(few, started(few, rack="ab"), "baba", "abba")
    outcome = few.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.winners, outcome.reason) == ((16,), (0,), "every word was found")
    with pytest.raises(OutOfTurn, match="the game is over"):
        guess(few, state, "abba")


def test_who_quits_has_finished(game: Scrabblet) -> None:
    state = guess(game, started(game), "front")
    assert game.outcome(state) is None
    state = guess(game, state, Quit())
    outcome = game.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.reason, game.to_move(state)) == ((8,), "finished early", None)
    assert game.fingerprint(state).endswith("finished by the player"), "records of earlier versions verify"
    assert game.view(state, 0).phase is Phase.FINISHED
    for move in (Guess(word="loot"), Hint(), Quit()):
        with pytest.raises(OutOfTurn):
            guess(game, state, move)


def test_hints_are_for_who_asks_and_follow_what_is_found(game: Scrabblet) -> None:
    state = guess(game, started(game), "front")
    assert game.view(state, 0).hints is None
    state = guess(game, state, Hint())
    shown = game.view(state, 0).hints
    assert shown
    left = [one.word for one in game.goal(state).required.listed() if one.word != "front"]
    assert (
        shown.words == len(left) == sum(row.total for row in shown.grid) == sum(s.words for s in shown.starts)
    )
    assert game.view(state, None).hints is None
    with pytest.raises(IllegalMove, match="open already"):
        guess(game, state, Hint())
    after = game.view(guess(game, state, left[0]), 0).hints
    assert after
    assert after.words == shown.words - 1


@given(st.lists(st.text("abc", min_size=2, max_size=6), unique=True))
def test_hints_count_every_word_once(words: list[str]) -> None:
    told = hints(words, 0)
    for row in told.grid:
        for length, number in zip(told.lengths, row.counts, strict=True):
            assert number == sum(word[0] == row.letter and len(word) == length for word in words)
    assert {start.letters: start.words for start in told.starts} == {
        word[:2]: sum(other.startswith(word[:2]) for other in words) for word in words
    }


def test_a_view_never_tells_a_word_that_was_not_found_nor_the_seed(game: Scrabblet) -> None:
    state = guess(game, started(game), "front", Hint(), "trunt")
    told = game.view(state, 0).model_dump_json()
    for one in game.goal(state).words.listed():
        assert (f'"{one.word}"' in told) == (one.word == "front"), one.word
    assert '"seed"' not in told
    watched = game.view(state, None)
    assert (watched.found, watched.score) == ((), 8)
    assert "front" not in watched.model_dump_json()
    assert "trunt" not in watched.model_dump_json()
    assert [found.word for found in game.view(guess(game, state, Quit()), None).found] == ["front"]


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_a_deal_tells_why_hands_were_put_back(game: Scrabblet, seed: str) -> None:
    chosen = options(game, max_vowels=2, min_words=80, min_required=0, min_pangrams=0)
    dealt = game.dealt(chosen, seed)
    assert game.start(chosen, 1, seed).hand == dealt.hand.tiles
    assert dealt.hand.vowels <= 2
    assert dealt.words == len(words_of(game.lexicon, dealt.hand.tiles, 4)) >= 80
    for redraw in dealt.redraws:
        vowels = sum(tile in "aeiou" for tile in redraw.hand)
        if vowels > 2:
            assert (redraw.reason, redraw.count) == ("Vowel Count", vowels)
        else:
            words = len(words_of(game.lexicon, redraw.hand, 4))
            assert (redraw.reason, redraw.count) == ("Word Count", words)
            assert words < 80


def test_a_run_of_hands_ends_each_time_with_the_hand_that_is_dealt(game: Scrabblet) -> None:
    """The first hand that the dealer keeps is the one dealt, after the same redraws."""
    chosen = options(game, max_vowels=2, min_words=80, min_required=0, min_pangrams=0)
    dealt = game.dealt(chosen, "run")
    drawn = list(islice(game.drawn(chosen, "run"), len(dealt.redraws) + 10))
    assert [one.redraw for one in drawn[: len(dealt.redraws)]] == list(dealt.redraws)
    assert drawn[len(dealt.redraws)].hand == dealt.hand
    for one in drawn:
        vowels = sum(tile in "aeiou" for tile in one.hand.tiles)
        words = len(words_of(game.lexicon, one.hand.tiles, 4)) if vowels <= 2 else None
        assert one.words == words
        assert (one.redraw is None) == (words is not None and words >= 80)


@pytest.mark.parametrize("size", [5, 7, 12])
def test_a_dealt_hand_has_common_words_enough_and_one_with_every_letter(game: Scrabblet, size: int) -> None:
    for seed in map(str, range(10)):
        hand = game.start(options(game, size=size), 1, seed).hand
        common = {
            word
            for word in words_of(game.lexicon, hand, 4)
            if level_of(game.lexicon, word) in ("basic", "common")
            and allowed_words(game.lexicon)[game.lexicon.index(word) or 0]
        }
        assert len(common) >= 20, hand
        assert any(set(hand) - {"?"} <= set(word) for word in common), hand


def test_a_hand_that_nobody_can_draw_is_refused(game: Scrabblet) -> None:
    few = Scrabblet(Lexicon.from_words(["abba"], "few"))
    with pytest.raises(NoSuchHand, match="hands drawn none has 7 tiles, at most 3 vowels, at least 25 words"):
        few.dealt(options(few), "x")
    with pytest.raises(IllegalMove, match="ask for less"):
        few.start(options(few), 1, "x")


@pytest.mark.parametrize("seed", ["monday", "tuesday", "wednesday"])
def test_the_daily_is_a_good_hand(game: Scrabblet, seed: str) -> None:
    chosen, taken = game.daily(iter([seed]))
    assert (chosen.mode, taken) == ("daily", seed)
    state = game.start(chosen, 1, taken)
    counts = game.view(state, 0).counts
    assert 30 <= counts.required <= 120
    assert counts.pangrams >= 1
    assert len(set(state.hand) - {"?"}) == 7
    assert game.start(chosen, 1, "another seed").hand == state.hand
    assert game.dealt(options(game, mode="daily"), seed).hand.tiles == state.hand


def test_days_differ(game: Scrabblet) -> None:
    seeds = (f"day {number}" for number in count())
    days = [game.daily(seeds) for _ in range(5)]
    assert len({game.start(chosen, 1, seed).hand for chosen, seed in days}) == 5


def test_it_is_for_one_and_has_no_bots(game: Scrabblet) -> None:
    assert (game.seats(options(game)), game.bots) == (range(1, 2), ())
    with pytest.raises(IllegalMove, match="for one, not 2"):
        game.start(options(game), 2, "x")
    with pytest.raises(IllegalMove, match="no seat 1"):
        game.apply(started(game), 1, Quit(), 0.0)
    with pytest.raises(ValueError, match="no bots"):
        game.bot(started(game), 0, 1)
    assert (game.seat_count(started(game)), game.due(started(game), 1e9), game.opening(options(game))) == (
        1,
        None,
        (),
    )


def test_options_that_cannot_be_are_refused() -> None:
    for choices in (
        {"rack": ""},
        {"rack": "a1"},
        {"size": 1},
        {"min_length": 1},
        {"penalty": -1},
        {"penalize": "luck"},
        {"mode": "x"},
    ):
        with pytest.raises(ValidationError):
            Choices.model_validate(choices)
    assert Choices.model_validate({"rack": "RUOLF_T"}).rack == "ruolf?t"
    assert modes()["dealer"].penalty["non_words"] == 0


MOVES = st.one_of(
    st.sampled_from(["front", "loot", "loft", "troll", "trunt", "plot", "run", "turf", "turn", "fluff"]).map(
        lambda w: Guess(word=w)
    ),
    st.just(Hint()),
)


@examples(25)
@given(
    penalty=st.sampled_from([0, 5]),
    penalize=st.sampled_from(["non_words", "wrong_guesses"]),
    moves=st.lists(MOVES, max_size=12),
)
def test_the_score_follows_from_the_log_and_a_record_leads_to_the_same_game(
    game: Scrabblet, penalty: int, penalize: str, moves: list[Move]
) -> None:
    first = started(game, penalty=penalty, penalize=penalize)
    states, log, score, found = [first], list[tuple[int, Move, float]](), 0, set[str]()
    for move in (*moves, Quit()):
        if isinstance(move, Hint) and states[-1].hinted:
            continue
        after = game.apply(states[-1], 0, move, float(len(log)))
        if isinstance(move, Guess) and move.word not in found:
            points = words_of([move.word] if move.word in game.lexicon else [], HAND, 4).get(move.word)
            free = penalize == "non_words" and move.word in game.lexicon
            score = max(0, score - (0 if free else penalty)) if points is None else score + points
            found |= {move.word} if points else set()
        assert (after.score, {one.word for one in after.found}) == (score, found)
        assert game.state_type.model_validate_json(after.model_dump_json()) == after
        log.append((0, move, float(len(log))))
        states.append(after)
    text = write(game, tuple(states), "seed", log)
    record = read(text, ROOMS.games)
    assert replay(record, game) == tuple(states)
    assert [line.move for line in record.moves] == [move for _, move, _ in log]


def test_a_record_that_was_changed_is_not_believed(game: Scrabblet) -> None:
    states = [started(game)]
    for move in (Guess(word="front"), Quit()):
        states.append(game.apply(states[-1], 0, move, 0.0))
    text = write(game, tuple(states), "seed", [(0, Guess(word="front"), 0.0), (0, Quit(), 0.0)])
    assert '{"type":"guess","word":"front"}' in text
    with pytest.raises(BrokenRecord, match="ply 0 does not follow"):
        replay(read(text.replace('"word":"front"', '"word":"floor"'), ROOMS.games), game)


def test_positions_that_differ_have_other_fingerprints(game: Scrabblet) -> None:
    state = started(game)
    others = [
        guess(game, state, *moves)
        for moves in (["front"], ["floor"], ["front", "loot"], ["trunt"], [Hint()], [Quit()])
    ]
    assert len({game.fingerprint(each) for each in (state, *others)}) == 7


def test_the_summary_keeps_the_best_and_the_longest(game: Scrabblet) -> None:
    state = guess(game, started(game), "loot", "front", "turf", "trunt", Quit())
    summary = game.summary(state, 0)
    assert (summary.mode, summary.score, summary.words) == ("dealer", 4 + 8 + 7, 3)
    assert (summary.best_word, summary.best_points, summary.longest_word) == ("front", 8, "front")
    assert game.summary(started(game), 0).best_word == ""


def test_an_analysis_names_what_was_found_and_what_was_missed(game: Scrabblet) -> None:
    states = [started(game)]
    for move in (Guess(word="front"), Guess(word="trunt"), Quit()):
        states.append(game.apply(states[-1], 0, move, 0.0))
    analysis = game.analyse(tuple(states))
    view = game.view(states[-1], 0)
    seat = analysis.seats[0]
    assert seat.accuracy == pytest.approx(view.rank.percent)
    assert (seat.score, seat.best_word, seat.best_points) == (8, "front", 8)
    assert seat.best_score == analysis.total == sum(words_of(game.lexicon, HAND, 4).values())
    assert [found.word for found in analysis.found] == ["front"]
    missed = [word.word for word in analysis.missed if word.required]
    assert len(missed) == view.counts.required - 1
    assert "front" not in missed
    points = [word.points for word in analysis.missed if word.required]
    assert points == sorted(points, reverse=True)
    bonus = [word for word in analysis.missed if not word.required]
    assert 0 < len(bonus) <= 12
    assert {word.level for word in bonus} == {"highbrow"}
    fit = {
        word
        for word in (one.word for one in analysis.missed)
        if game.lexicon.family[game.lexicon.index(word)]
    }
    assert len(fit) == len(analysis.missed)
    json.loads(analysis.model_dump_json())


def test_who_found_nothing_has_no_accuracy(game: Scrabblet) -> None:
    state = guess(game, started(game), Quit())
    assert game.analyse((started(game), state)).seats[0].accuracy is None


def test_profanity_scores_for_who_finds_it_but_is_never_asked_for() -> None:
    rude = Scrabblet(
        Lexicon.from_words(
            ["abba", "baba", "bababa"], "rude", ranks={"abba": 1, "baba": 2}, profanity=["baba"]
        )
    )
    state = guess(rude, started(rude, rack="ab"), "baba")
    assert state.score == 8
    assert (state.found[0].required, rude.view(state, 0).counts.required) == (False, 1)
    assert "baba" not in [one.word for one in rude.analyse((state,)).missed]


def test_the_seed_decides_the_deal(game: Scrabblet) -> None:
    assert game.dealt(options(game), "same") == game.dealt(options(game), "same")
    assert len({game.dealt(options(game), str(number)).hand.tiles for number in range(20)}) == 20
