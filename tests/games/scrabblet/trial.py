"""Random play of Scrabblet, with an independent implementation of its rules."""

from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st

from app.games.scrabblet.modes import modes
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Found, Guess, Hint, Move, Options, State
from app.words.letters import ALPHABET
from tests.games.scrabblet.brute import fits, score
from tests.games.trial import Trial


class ScrabbletTrial(Trial):
    kind: ClassVar[type[Scrabblet]] = Scrabblet
    game: Scrabblet
    _last: tuple[tuple[str, Options], dict[str, Found]] | None = None

    def choices(self) -> st.SearchStrategy[dict[str, Any]]:
        hands = st.text("aeinrstz?", min_size=1, max_size=15).filter(lambda hand: hand.count("?") <= 2)
        dealt = st.fixed_dictionaries(
            {
                "mode": st.sampled_from([*modes()]),
                "size": st.integers(6, 9),
                "max_vowels": st.integers(3, 5),
                "min_words": st.sampled_from([0, 1, 10]),
            }
        )
        given = st.fixed_dictionaries({"mode": st.sampled_from([*modes()]), "rack": hands})
        rest = st.fixed_dictionaries(
            {
                "min_length": st.integers(2, 6),
                "penalty": st.sampled_from([None, 0, 3, 100]),
                "penalize": st.sampled_from(["non_words", "wrong_guesses"]),
            }
        )
        # With a handful of words there may be no hand to deal, and finding that out is slow.
        hand = dealt | given if len(self.game.lexicon) > 1000 else given
        return st.tuples(hand, rest).map(lambda both: both[0] | both[1])

    def moves(self, state: State, seat: int) -> st.SearchStrategy[Move]:
        words = list(self.words(state))
        good = [st.sampled_from([*words[:30], *words[:: 1 + len(words) // 30]])] * bool(words)
        again = [st.sampled_from(state.found).map(lambda found: found.word)] * bool(state.found)
        bad = st.sampled_from(["zzzz", "q", "ab", "xylophone", "z" * 64]) | st.text(
            ALPHABET, min_size=1, max_size=9
        )
        guess = st.one_of(*good, *good, *good, *again, bad).map(lambda word: Guess(word=word))
        return st.one_of(guess, guess, guess, guess, st.just(Hint()))

    def words(self, state: State) -> dict[str, Found]:
        """The words of the hand, alphabetically.

        Those of the last hand are cached, as with two blanks they are half of the lexicon.
        """
        hand = (state.hand, state.options)
        if self._last is None or self._last[0] != hand:
            self._last = (hand, self._words(state))
        return self._last[1]

    def _words(self, state: State) -> dict[str, Found]:
        goal = self.game.goal(state)
        listed = [each.word for each in goal.words.listed("alphabet")]
        required = {each.word for each in goal.required.listed("alphabet")}
        letters = set(state.hand) - {"?"}
        return {
            word: Found(
                word=word,
                points=score(word, state.hand),
                required=word in required,
                pangram=letters <= set(word),
            )
            for word in listed
        }

    def disguised(self, state: State, seat: int | None, random: Random) -> State:
        """For a spectator, with other words found that have the same value."""
        changed: State = super().disguised(state, seat, random)
        if seat is not None or state.reason is not None or not state.found:
            return changed
        like: dict[Found, list[Found]] = {}
        for found in self.words(state).values():
            like.setdefault(found.model_copy(update={"word": ""}), []).append(found)
        others = [random.choice(like[found.model_copy(update={"word": ""})]) for found in state.found]
        report = state.report and state.report.model_copy(update={"word": "hidden"})
        return changed.model_copy(update={"found": tuple(others), "report": report})

    def hidden_texts(self, state: State, seat: int | None) -> set[str]:
        if state.reason is not None:
            return set()
        known = {found.word for found in state.found} if seat == 0 else set()
        return set(self.words(state)) - known

    def check(self, before: State, seat: int, move: Any, at: float, after: State) -> None:
        assert seat == 0
        assert after.hand == before.hand
        words_are_free = before.options.penalize == "non_words"
        penalty = 0 if words_are_free or before.options.mode == "daily" else 5
        if before.options.penalty is not None:
            penalty = before.options.penalty
        match move:
            case Guess(word=word) if word in {found.word for found in before.found}:
                assert (after.score, after.found, after.wrong) == (before.score, before.found, before.wrong)
            case Guess(word=word) if (
                len(word) >= before.options.min_length
                and word in self.game.lexicon
                and fits(word, before.hand)
            ):
                assert after.found[:-1] == before.found
                assert after.found[-1].word == word
                assert after.score == before.score + score(word, before.hand)
                assert after.wrong == before.wrong
            case Guess(word=word) if words_are_free and word in self.game.lexicon:
                assert (after.score, after.found, after.wrong) == (before.score, before.found, before.wrong)
            case Guess():
                assert after.found == before.found
                assert after.score == max(before.score - penalty, 0)
                assert after.wrong == before.wrong + 1
            case _:
                assert (after.score, after.found) == (before.score, before.found)

    def check_whole(self, state: State) -> None:
        words = self.words(state)
        assert all(fits(word, state.hand) for word in words)
        assert [words[found.word] for found in state.found] == list(state.found)
        assert len({found.word for found in state.found}) == len(state.found)
        view = self.game.view(state, 0)
        assert (view.counts.words, view.counts.found) == (len(words), len(state.found))
        assert view.rank.total == sum(word.points for word in words.values() if word.required)
        assert 0 <= state.score <= sum(found.points for found in state.found)
        if len(state.found) == len(words) > 0:
            assert state.reason is not None
        if view.hints is not None:
            left = [word for word, found in words.items() if found.required and found not in state.found]
            assert view.hints.words == len(left)
            assert sum(row.total for row in view.hints.grid) == len(left)


TRIAL = ScrabbletTrial
