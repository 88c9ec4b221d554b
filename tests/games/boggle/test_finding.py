"""Find them all: common words, the bonus and hints."""

import pytest
from pydantic import ValidationError

from app.games.boggle.finding import Progress, hint_rules
from app.games.boggle.rules import Boggle
from app.games.boggle.state import Finish, Hint, Start, State, Word
from app.games.game import IllegalMove
from app.rooms.boggle.terminal import BoggleDisplay
from tests.games.boggle.rounds import after, options, scores
from tests.games.playing import play


def progress(game: Boggle, state: State, seat: int = 0) -> Progress:
    found = game.view(state, seat).rounds[seat].progress
    assert found is not None
    return found


def common_words_of(game: Boggle, state: State) -> list[str]:
    return [word.word for word in game.reveal(state).solution or () if word.common]


def test_common_words_are_the_goal_and_others_a_bonus(game: Boggle) -> None:
    state = after(game, (0, Start()), find_all=True)
    assert state.options.seconds is None
    common = common_words_of(game, state)
    bonus = [word.word for word in game.reveal(state).solution or () if not word.common]
    assert len(common) > 5
    assert bonus
    before = progress(game, state)
    assert (before.common, before.common_total, before.bonus) == (0, len(common), 0)
    state = after(game, (0, Start()), (0, common[0]), (0, common[1]), (0, bonus[0]), find_all=True)
    now = progress(game, state)
    assert (now.common, now.bonus, now.percent) == (2, 1, 200 / len(common))
    assert [found.points for found in state.rounds[0].found] == [1, 1, 0]
    lengths = {one.letters: (one.found, one.total) for one in now.lengths}
    for length, (found, total) in lengths.items():
        assert total == sum(len(word) == length for word in common)
        assert found == sum(len(word) == length for word in common[:2])
    state = play(game, state, (0, Finish()))
    assert scores(game, state) == (2,)
    analysis = game.analyse((state,))
    assert analysis.seats[0].accuracy == 200 / len(common)
    assert {word.word for word in analysis.words if word.common} == set(common)
    assert game.summary(state, 0).mode == "find_all"


def test_hints_spell_one_word_after_the_other_from_a_budget(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, Hint(about="counts")), find_all=True)
    common = common_words_of(game, state)
    counts = progress(game, state).counts
    assert counts is not None
    assert sum(sum(row.counts) for row in counts) == len(common)
    assert {row.letter for row in counts} == {word[0] for word in common}
    state = play(game, state, *[(0, Hint(about="letter"))] * 2)
    (clue,) = progress(game, state).clues
    assert len(clue.start) == 2
    word = state.rounds[0].hints.clues[0].word
    assert (clue.start, clue.letters) == (word[:2], len(word))
    state = play(game, state, (0, Word(word=word)), (0, Hint(about="letter")))
    first, second = progress(game, state).clues
    assert first.found
    assert (len(second.start), second.found) == (1, False)
    rules = hint_rules()
    left = rules.budget - rules.counts - 3 * rules.letter
    assert progress(game, state).hints_left == left
    state = play(game, state, *[(0, Hint(about="letter"))] * left)
    for about in ("counts", "letter"):
        with pytest.raises(IllegalMove, match="not enough hints left"):
            play(game, state, (0, Hint.model_validate({"about": about})))


def test_hints_are_for_their_seat_and_show_nothing_else(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()), (1, Hint(about="letter")), find_all=True)
    assert progress(game, state, 1).hints_spent == hint_rules().letter
    assert game.view(state, 0).rounds[1].progress is None
    assert game.view(state, None).rounds[1].progress is None
    clue = state.rounds[1].hints.clues[0].word
    assert f'"{clue}"' not in game.view(state, 1).model_dump_json()


def test_the_terminal_counts_the_last_hint_in_the_singular(game: Boggle) -> None:
    before = after(
        game, (0, Start()), *[(0, Hint(about="letter"))] * (hint_rules().budget - 2), find_all=True
    )
    now = play(game, before, (0, Hint(about="letter")))
    (text,) = BoggleDisplay().changes(game.view(before, 0), game.view(now, 0), ["Ann"])
    assert text.endswith("\n1 hint left")


def test_there_are_no_hints_in_a_race(game: Boggle) -> None:
    with pytest.raises(IllegalMove, match="only in Find them all"):
        after(game, (0, Start()), (0, Hint(about="letter")))
    assert game.view(after(game, (0, Start())), 0).rounds[0].progress is None


@pytest.mark.parametrize(
    ("given_", "says"), [({"seconds": 60}, "without a clock"), ({"cancel": True}, "cancel")]
)
def test_find_them_all_refuses_a_clock(game: Boggle, given_: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        options(game, find_all=True, **given_)


@pytest.mark.parametrize(("text", "seconds"), [("false", 180), ("off", 180), ("true", None)])
def test_a_text_is_read_before_it_switches_the_clock_off(
    game: Boggle, text: str, seconds: int | None
) -> None:
    assert options(game, find_all=text).seconds == seconds
