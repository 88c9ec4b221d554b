"""Proof of a win, loss or draw with best play, for positions with few tiles left free.

For a growing number of plies, the search tests whether a side can force the outcome it wants within that
number, against every word and every pass of the opponent. It is exact: it follows the game's rules on
repeated words, prefixes and two passes, and ``plies`` is the smallest number that proves the outcome. The
only assumption is the set of words that each side may play. If the search is stopped, nothing is proven.

Two facts keep the search small. If two moves leave the same tiles free and one takes all tiles that the other
takes, it is at least as good, except for the words that the moves close: so only the largest results of a
position are tried. And a proof is valid for any move that closes none of the words it relies on: so a result
is searched once, as if its word closed nothing, and only moves that close such a word are searched again, one
by one.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.ending_kernels import NONE, ending_word, find_final_replies, largest_results
from app.games.letterpress.ending_words import EndingWords
from app.games.letterpress.evaluation import EVERY, MAJORITY, evaluate_all
from app.games.letterpress.lines import Side
from app.games.letterpress.placement_kernels import NO_WORD
from app.games.letterpress.placements import Placements
from app.games.letterpress.territory import Territory, protected

Outcome: TypeAlias = Literal["win", "loss", "draw"]

MOST_FREE: Final = 10
"""The search is not tried with more free tiles."""
MOST_PLIES: Final = 60
_MOST_CELLS: Final = 21
"""The most cells that may change owner in one move of the search; it stops at a position with more."""
_KILLERS: Final = 4
_ENDINGS: Final = 32
"""How many recent placements that filled the board and won are remembered."""
_FEW_WORDS: Final = 200
"""Draws are searched for only on boards with at most this many words: with more, neither side has to pass."""
_NOTHING: Final[frozenset[int]] = frozenset()


class Ending(NamedTuple):
    """A proven outcome for the side to move."""

    outcome: Outcome
    plies: int
    """The number of plies to the end if the winner plays for a quick win and the loser delays.

    For a draw, the number of plies within which each side can force it."""
    word: int
    """The word that keeps the outcome, or -1 for a pass; in a lost position, a move that delays the end."""
    mask: int


class _Stopped(Exception):
    """The search was stopped."""


class _Node(NamedTuple):
    """A position within the search."""

    own: int
    """The tiles of the side to move."""
    other: int
    side: int
    """0 is the side for which the ending is proven."""
    passed: bool
    closed: frozenset[int]
    """The words closed since the root that matter to the proof."""


class _Move(NamedTuple):
    word: int
    mask: int


class _Found(NamedTuple):
    """Whether the side to move reaches its goal."""

    succeeds: bool
    words: frozenset[int] = _NOTHING
    """The words that the successful side relies on: those of the side to move, or of the opponent."""
    move: _Move | None = None
    """The move with which it succeeds."""


def _success(words: frozenset[int] = _NOTHING, move: _Move | None = None) -> _Found:
    return _Found(succeeds=True, words=words, move=move)


def _failure(words: frozenset[int] = _NOTHING) -> _Found:
    return _Found(succeeds=False, words=words)


_PASS: Final = _Move(NO_WORD, 0)


class EndingSearch:
    """The proof search of one position."""

    def __init__(
        self,
        placements: Placements,
        anagrams: Anagrams,
        territory: Territory,
        ours: Side,
        theirs: Side,
        *,
        passed: bool,
        stop: Callable[[int], bool],
    ) -> None:
        """``passed``: our pass ends the game. ``stop`` is called with the number of positions searched."""
        self._words = EndingWords(placements, anagrams, (ours, theirs))
        self._sides = (ours, theirs)
        self._root = _Node(territory.ours, territory.theirs, 0, passed, _NOTHING)
        self._stop = stop
        self._seen = 0
        self._attacker, self._draw_counts = 0, False
        self._known: dict[tuple[_Node, int], _Found] = {}
        self._killers: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._endings: tuple[list[int], list[int]] = ([], [])
        self._scratch = np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int32)

    def prove(self) -> Ending | None:
        """Return the outcome with best play, or None if it was not proven within ``MOST_PLIES``."""
        delay = _PASS
        try:
            for plies in range(1, MOST_PLIES + 1):
                won = self._forced(0, plies)
                if won.succeeds:
                    return _ending("win", plies, won.move)
                held = self._forced(1, plies)
                if not held.succeeds:
                    return _ending("loss", plies, delay)
                delay = held.move or delay
                if not self._few_words:
                    continue
                drawn = self._forced(0, plies, draw_counts=True)
                if drawn.succeeds and not self._forced(1, plies, draw_counts=True).succeeds:
                    return _ending("draw", plies, drawn.move)
        except _Stopped:
            pass
        return None

    @cached_property
    def _few_words(self) -> bool:
        return sum(int(side.open.sum()) for side in self._sides) <= _FEW_WORDS

    def _forced(self, attacker: int, plies: int, *, draw_counts: bool = False) -> _Found:
        """Search whether the attacker forces a win, or at least a draw, within ``plies``."""
        self._attacker, self._draw_counts = attacker, draw_counts
        self._known.clear()
        return self._search(self._root, plies)

    def _search(self, node: _Node, plies: int) -> _Found:
        known = self._known.get((node, plies))
        if known is None:
            known = self._known[node, plies] = self._searched(node, plies)
        return known

    def _searched(self, node: _Node, plies: int) -> _Found:
        attacks = node.side == self._attacker
        if plies == 0:
            return _failure() if attacks else _success()
        self._seen += 1
        if self._stop(self._seen):
            raise _Stopped
        if (end := self._end(node)) is not None:
            return _success(frozenset([end.word]), end)
        if node.passed and self._wants(node, node.own.bit_count() - node.other.bit_count()):
            return _success(_NOTHING, _PASS)
        if attacks and plies == 1:
            return _failure()
        return self._any_move(node, plies)

    def _any_move(self, node: _Node, plies: int) -> _Found:
        """Search all moves that do not end the game."""
        relied: set[int] = set()
        if not node.passed:
            answer = self._search(
                _Node(node.other, node.own, 1 - node.side, passed=True, closed=node.closed), plies - 1
            )
            if not answer.succeeds:
                return _success(answer.words, _PASS)
            relied |= answer.words
        if node.side == self._attacker and plies == 2:
            return _failure(frozenset(relied))  # they would pass, which does not end the game
        failed: list[tuple[int, frozenset[int]]] = []
        fragile: list[int] = []
        killers = self._killers.setdefault((self._attacker, plies), [])
        for place, answer in self._answers(node, plies, killers):
            mask = int(self._sides[node.side].masks[place])
            if answer.succeeds:
                failed.append((mask, answer.words))
                relied |= answer.words
                continue
            found = self._with_a_word(node, place, answer, plies)
            if found is None:
                fragile.append(mask)
                continue
            _put_first(killers, (node.side, place))
            return found
        for word, mask in self._unproven(node, failed, fragile, relied):
            answer = self._search(_after(node, mask, self._words.chain(word)), plies - 1)
            if not answer.succeeds:
                return _success(answer.words | {word}, _Move(word, mask))
            relied |= answer.words
        return _failure(frozenset(relied))

    def _answers(
        self, node: _Node, plies: int, killers: list[tuple[int, int]]
    ) -> Iterator[tuple[int, _Found]]:
        """Yield a placement for each result, with the search result of the other side after it.

        Recently successful placements come first, then the largest results by evaluation.
        """
        side = self._sides[node.side]
        for player, place in tuple(killers):
            if player == node.side and self._words.words_of(player, place, node.closed):
                after = _after(node, int(side.masks[place]))
                if after.own | after.other != EVERY:
                    yield place, self._search(after, plies - 1)
        places = self._largest(node)
        taken = side.masks[places] & np.int32(self._changing(node))
        answers = np.empty(len(places), np.int32)
        at = 0
        while at < len(places):
            done = at
            if plies == 2:  # they end the game or fail
                endings, words = self._known_endings(node)
                done = find_final_replies(
                    taken, at, np.int32(node.own), np.int32(node.other), endings, answers
                )
                for index in range(at, done):
                    if answers[index] != NONE:
                        yield int(places[index]), words[answers[index]]
                if done == len(places):
                    return
            place = int(places[done])
            after = _after(node, int(side.masks[place]))
            if after.own | after.other != EVERY:
                yield place, self._search(after, plies - 1)
            at = done + 1

    def _known_endings(self, node: _Node) -> tuple[NDArray[np.int32], list[_Found]]:
        """Return the opponent's recent winning endings that are still playable, each as a success."""
        other = 1 - node.side
        masks, words = [], []
        for place in self._endings[other]:
            if playable := self._words.words_of(other, place, node.closed):
                masks.append(int(self._sides[other].masks[place]))
                words.append(_success(frozenset(playable[:1])))
        return np.array(masks, np.int32), words

    def _with_a_word(self, node: _Node, place: int, answer: _Found, plies: int) -> _Found | None:
        """Return the success of a placement that succeeds if its word closes nothing.

        None if every word of its class closes words that the proof relies on and then fails.
        """
        mask = int(self._sides[node.side].masks[place])
        words = self._words.words_of(node.side, place, node.closed)
        for word in words:
            if answer.words.isdisjoint(self._words.chain(word)):
                return _success(answer.words | {word}, _Move(word, mask))
        for word in words:
            actual = self._search(_after(node, mask, self._words.chain(word)), plies - 1)
            if not actual.succeeds:
                return _success(actual.words | {word}, _Move(word, mask))
        return None

    def _unproven(
        self, node: _Node, failed: list[tuple[int, frozenset[int]]], fragile: list[int], relied: set[int]
    ) -> Iterator[_Move]:
        """Yield the moves that no failed result covers: for each word, those with its largest results."""
        free, changing = np.int32(self._free_cells(node)), np.int32(self._changing(node))
        side = self._sides[node.side]
        covers = np.array([mask for mask, _ in failed], np.int32) & changing
        loose = np.array(fragile, np.int32) & changing
        for word in (
            sorted(self._words.playable(node.side, node.closed))
            if fragile
            else self._words.closing(relied, node.side, node.closed)
        ):
            chain = self._words.chain(word)
            holds = np.array([needed.isdisjoint(chain) for _, needed in failed], np.bool_)
            begin, end = self._words.placements(word, node.side)
            masks = side.masks[begin:end]
            taken = np.unique(masks & changing)
            taken = taken[taken & free != free]
            if relied.isdisjoint(chain):
                taken = taken[_contained(taken, loose, free)]
            left = taken[~_contained(taken, covers[holds], free)]
            for most in left[_contained(left, left, free, times=1)].tolist():
                yield _Move(word, int(masks[np.flatnonzero(masks & changing == most)[0]]))

    def _end(self, node: _Node) -> _Move | None:
        """Return a word that fills the board and wins."""
        free = self._free_cells(node)
        if node.own.bit_count() + (EVERY & ~node.own & ~protected(node.other)).bit_count() < MAJORITY:
            return None
        masks, places = self._words.covering(node.side, free)
        place = ending_word(
            masks,
            places,
            self._sides[node.side].starts,
            self._words.open_classes(node.side, node.closed),
            np.int32(node.own),
            np.int32(node.other),
        )
        if place == NONE:
            return None
        recent = self._endings[node.side]
        if place not in recent:
            recent.insert(0, place)
            del recent[_ENDINGS:]
        return _Move(
            self._words.words_of(node.side, place, node.closed)[0], int(self._sides[node.side].masks[place])
        )

    def _largest(self, node: _Node) -> NDArray[np.int32]:
        """Return a placement for each of the largest results, by descending evaluation."""
        side = self._sides[node.side]
        free, vulnerable = self._free_cells(node), node.other & ~protected(node.other)
        cells = free.bit_count() + vulnerable.bit_count()
        if cells > _MOST_CELLS:
            raise _Stopped
        if len(self._scratch[0]) < 1 << cells:
            self._scratch = (
                np.empty(1 << cells, np.int32),
                np.empty(1 << cells, np.uint8),
                np.empty(1 << cells, np.int32),
            )
        first, reached, found = self._scratch
        total = largest_results(
            side.masks,
            side.starts,
            self._words.open_classes(node.side, node.closed),
            np.int32(free),
            np.int32(vulnerable),
            first,
            reached,
            found,
        )
        places = found[:total].copy()
        taken = side.masks[places] & np.int32(free | vulnerable)
        values = evaluate_all(np.int32(node.own) | taken, np.int32(node.other) & ~taken, np.int32(0))
        return places[np.argsort(-values, kind="stable")]

    def _wants(self, node: _Node, lead: int) -> bool:
        """Return whether the side to move wants the game to end with this lead."""
        if node.side == self._attacker:
            return lead > 0 or (self._draw_counts and lead == 0)
        return lead > 0 or (not self._draw_counts and lead == 0)

    def _free_cells(self, node: _Node) -> int:
        return EVERY & ~(node.own | node.other)

    def _changing(self, node: _Node) -> int:
        """Return the cells that may change owner now."""
        return EVERY & ~node.own & ~protected(node.other)


def _contained(
    results: NDArray[np.int32], others: NDArray[np.int32], free: np.int32, times: int | None = None
) -> NDArray[np.bool_]:
    """Return which results are subsets of another with the same free cells, or of exactly ``times`` ones."""
    pairs = results[:, np.newaxis], others[np.newaxis, :]
    within = (pairs[0] & ~pairs[1] == 0) & ((pairs[0] ^ pairs[1]) & free == 0)
    number = within.sum(axis=1)
    found: NDArray[np.bool_] = number > 0 if times is None else number == times
    return found


def _after(node: _Node, mask: int, closing: frozenset[int] = _NOTHING) -> _Node:
    taken = mask & ~protected(node.other)
    closed = node.closed | closing if closing else node.closed
    return _Node(node.other & ~taken, node.own | taken, 1 - node.side, passed=False, closed=closed)


def _put_first(killers: list[tuple[int, int]], entry: tuple[int, int]) -> None:
    killers[:] = [entry, *(each for each in killers if each != entry)][:_KILLERS]


def _ending(outcome: Outcome, plies: int, move: _Move | None) -> Ending:
    word, mask = move or _PASS
    return Ending(outcome, plies, word, mask)
