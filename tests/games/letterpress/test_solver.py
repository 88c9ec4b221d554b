import json
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.games.kernel import Kernel
from app.games.letterpress import bound_kernels, evaluation, placement_kernels, search_kernels
from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.one_ply import OTHERS
from app.games.letterpress.placements import PlacementCache, TooManyPlacements, placements_of
from app.games.letterpress.solver import Advice, MoveConstraints, Position, Solver
from app.games.letterpress.territory import EVERY, Territory, protected
from app.games.letterpress.territory import vulnerability as openness
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.letterpress.brute import (
    PASS,
    Brute,
    DepthLimited,
    Move,
    Side,
    after,
    all_moves,
    closed,
    evaluate,
    placements,
    safe,
    vulnerability,
)

KERNELS = [
    each
    for module in (bound_kernels, placement_kernels, search_kernels)
    for each in vars(module).values()
    if isinstance(each, Kernel)
]

masks = st.integers(0, EVERY)


@st.composite
def lexicons(draw: st.DrawFn, most: int = 9, longest: int = 6) -> Lexicon:
    """A few words, some of them anagrams and beginnings of others, each of a frequency of its own or none."""
    words = draw(st.sets(st.text("abcdefg", min_size=2, max_size=longest), min_size=1, max_size=most))
    for word in sorted(words)[:3]:
        words.add(word[: draw(st.integers(2, len(word)))])
        words.add("".join(draw(st.permutations(word))))
    ranked = draw(st.permutations(sorted(words)))
    ranks = {word: rank for rank, word in enumerate(ranked[: len(ranked) // 2], start=1)}
    return Lexicon.from_words(words, "few", ranks=ranks)


boards = st.text("abcdefghij", min_size=25, max_size=25)


@st.composite
def territories(draw: st.DrawFn) -> Territory:
    """Any state of a board that is not full, the last turns of a game as often as the first."""
    ours, theirs = draw(masks) | draw(masks), draw(masks) | draw(masks)
    free = 1 << draw(st.integers(0, 24)) | draw(st.sampled_from([0, 0, 1])) * draw(masks)
    return Territory(ours=ours & ~free, theirs=theirs & ~ours & ~free)


def brute_of(
    lexicon: Lexicon, position: Position, ours: list[str] | None = None, theirs: list[str] | None = None
) -> Brute:
    words = list(lexicon)
    side = Side(position.territory.ours, position.territory.theirs)
    rarity = sorted(words, key=lambda word: (int(lexicon.ranks[words.index(word)]), word))
    played = list(position.played)
    return Brute(
        position.board,
        side,
        played,
        words if ours is None else ours,
        words if theirs is None else theirs,
        rarity,
    )


def ranking(moves: list[Advice]) -> list[tuple[Move, int]]:
    return [(Move(each.word, each.mask), each.value) for each in moves]


@given(lexicons(), boards, territories(), st.data())
@examples(60)
def test_two_plies_are_those_of_trying_every_move_and_every_reply(
    lexicon: Lexicon, board: str, territory: Territory, data: st.DataObject
) -> None:
    assume(len(all_moves(board, lexicon)) <= 150)
    played = tuple(data.draw(st.lists(st.sampled_from(list(lexicon)), max_size=3)))
    position = Position(board=board, territory=territory, played=played)
    brute = brute_of(lexicon, position)
    expected = brute.ranking()
    solver = Solver(lexicon)
    assert ranking(solver.solve(position, top=100).moves) == expected[:100]
    for top in (1, 3):
        found = solver.solve(position, top=top)
        assert ranking(found.moves) == expected[:top]
        for each in found.moves:
            value, reply = brute.two(Move(each.word, each.mask))
            assert (each.value, each.reply and Move(each.reply.word, each.reply.mask)) == (value, reply)


@given(lexicons(most=5, longest=5), boards, territories(), st.data())
@examples(60)
def test_three_plies_are_those_of_trying_every_third_move_too(
    lexicon: Lexicon, board: str, territory: Territory, data: st.DataObject
) -> None:
    assume(len(all_moves(board, lexicon)) <= 30)
    played = tuple(data.draw(st.lists(st.sampled_from(list(lexicon)), max_size=2)))
    passed = data.draw(st.booleans())
    position = Position(board=board, territory=territory, played=played, passed=passed)
    brute = DepthLimited(board, lexicon, lexicon, played, passed=passed)
    side = Side(territory.ours, territory.theirs)
    solver = Solver(lexicon)
    everything = solver.solve(position, top=100, plies=3)
    assert everything.depth == 3
    for each in everything.moves:
        assert each.value == brute.value(side, Move(each.word, each.mask), 3)
    assert ranking(solver.solve(position, top=3, plies=3).moves) == ranking(everything.moves)[:3]


@given(lexicons(), boards, territories(), st.data())
@examples(40)
def test_one_ply_is_letterpwns_ranking(
    lexicon: Lexicon, board: str, territory: Territory, data: st.DataObject
) -> None:
    played = tuple(data.draw(st.lists(st.sampled_from(list(lexicon)), max_size=3)))
    position = Position(board=board, territory=territory, played=played)
    expected = brute_of(lexicon, position).static_eval()
    found = ranking(Solver(lexicon).solve(position, top=20, plies=1).moves)
    assert [each for each in found if each[0] != PASS] == expected[: 20 - (found[0][0] == PASS)]
    lost = not expected or expected[0][1] < -900
    assert (PASS in [move for move, _ in found]) == lost


@given(lexicons(), boards, territories(), st.data())
@examples(40)
def test_each_side_plays_the_words_it_knows(
    lexicon: Lexicon, board: str, territory: Territory, data: st.DataObject
) -> None:
    assume(len(all_moves(board, lexicon)) <= 150)
    words = list(lexicon)
    flags = st.lists(st.integers(0, 1), min_size=len(words), max_size=len(words))
    allowed, their_allowed = (np.array(data.draw(flags), np.uint8) for _ in range(2))
    ours = [word for word, known in zip(words, allowed, strict=True) if known]
    theirs = [word for word, known in zip(words, their_allowed, strict=True) if known]
    position = Position(board=board, territory=territory)
    expected = brute_of(lexicon, position, ours, theirs).ranking()
    found = Solver(lexicon).solve(position, top=100, allowed=allowed, their_allowed=their_allowed)
    assert ranking(found.moves) == expected[:100]


@given(lexicons(), boards, territories(), st.data())
@examples(40)
def test_wishes_leave_moves_out_and_change_nothing_else(
    lexicon: Lexicon, board: str, territory: Territory, data: st.DataObject
) -> None:
    assume(len(all_moves(board, lexicon)) <= 100)
    constraints = MoveConstraints(
        cells=1 << data.draw(st.integers(0, 24)) if data.draw(st.booleans()) else 0,
        letters=data.draw(st.text("abc", max_size=2)),
        min_length=data.draw(st.integers(0, 4)),
    )
    position = Position(board=board, territory=territory)
    everything = brute_of(lexicon, position)
    everything.ours = [
        move
        for move in everything.ours
        if move.mask & constraints.cells == constraints.cells
        and len(move.word) >= constraints.min_length
        and all(
            move.word.count(letter) >= constraints.letters.count(letter) for letter in constraints.letters
        )
    ]
    found = Solver(lexicon).solve(position, top=100, constraints=constraints).moves
    assert ranking(found) == everything.ranking()


@given(lexicons(most=6, longest=5), boards, territories(), st.sampled_from([1, 2, 3]), st.data())
@examples(90)
def test_grouped_moves_are_the_list_with_each_set_of_letters_once(
    lexicon: Lexicon, board: str, territory: Territory, plies: int, data: st.DataObject
) -> None:
    assume(len(all_moves(board, lexicon)) <= (40 if plies == 3 else 150))
    played = tuple(data.draw(st.lists(st.sampled_from(list(lexicon)), max_size=2)))
    position = Position(board=board, territory=territory, played=played)
    solver = Solver(lexicon)
    flat = solver.solve(position, plies=plies, top=1000).moves
    classes: dict[str, list[Advice]] = {}
    for move in flat:
        classes.setdefault("".join(sorted(move.word)), []).append(move)
    # To three plies a class is judged by the placements that were the best to two.
    assume(plies < 3 or all(len(moves) <= 1 + OTHERS for moves in classes.values()))
    for top in (1, 3, 100):
        found = solver.solve(position, plies=plies, top=top, grouped=True).choices
        assert [choice.best for choice in found] == [moves[0] for moves in classes.values()][:top]
        for choice in found:
            every = classes["".join(sorted(choice.best.word))]
            assert choice.ways == len(every)
            assert list(choice.others) == every[1 : 1 + OTHERS]


@given(boards, lexicons())
def test_placements_are_all_ways_to_choose_cells_for_the_letters(board: str, lexicon: Lexicon) -> None:
    table = placements_of(board, Anagrams(lexicon))
    expected = {mask for word in lexicon for mask in placements(board, word)}
    assert sorted(table.masks.tolist()) == sorted(expected)
    assert sorted(lexicon[index] for index in table.members.tolist()) == [
        word for word in lexicon if any(placements(board, word))
    ]


@pytest.fixture(scope="module")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


def reference_positions(reference: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((reference / "letterpress" / "exact_two_ply.json").read_text())
    return found


def test_two_plies_agree_with_the_reference(reference: Path, solver: Solver) -> None:
    for entry in reference_positions(reference):
        territory = Territory(ours=entry["ours"], theirs=entry["theirs"])
        position = Position(board=entry["board"], territory=territory, played=tuple(entry["played"]))
        found = solver.solve(position)
        assert (found.words, found.placements) == (entry["words"], entry["placements"])
        best = found.moves[0]
        assert ("win" if best.wins else best.value) == entry["best_value"], entry["board"]


class TestFaultsOfTheSeedsProgram:
    """They must not come back."""

    def test_qaid_is_found_to_win(self, solver: Solver) -> None:
        territory = Territory(ours=8177, theirs=33546252)
        position = Position(board="bqxpoejtwzvrwicgdoakxgbrf", territory=territory)
        for plies in (1, 2, 3):
            best = solver.solve(position, plies=plies).moves[0]
            assert sorted(best.word) == sorted("qaid")
            assert best.wins
            assert best.territory.full

    def test_a_word_already_played_is_not_suggested_nor_its_beginnings(self, solver: Solver) -> None:
        random = Random(4)
        board = "npsasoycbwhmtekhgimknqywy"
        played: tuple[str, ...] = ()
        territory = Territory()
        for _ in range(6):
            position = Position(board=board, territory=territory, played=played)
            moves = [move for plies in (1, 2) for move in solver.solve(position, top=50, plies=plies).moves]
            assert not [move.word for move in moves if closed(move.word, played)]
            assert not [
                move.reply.word
                for move in moves
                if move.reply and closed(move.reply.word, (*played, move.word))
            ]
            chosen = random.choice(moves)
            played, territory = (*played, chosen.word), chosen.territory.turned

    def test_of_equal_moves_the_commoner_word_comes_first(self, lexicon: Lexicon, solver: Solver) -> None:
        moves = solver.solve(Position(board="npsasoycbwhmtekhgimknqywy"), top=60).moves
        ranks = [(-each.value, int(lexicon.ranks[lexicon.index(each.word) or 0])) for each in moves]
        assert ranks == sorted(ranks)
        assert len({value for value, _ in ranks}) < len(ranks)


def test_horseradish_closes_horse_and_not_radish() -> None:
    lexicon = Lexicon.from_words(["horseradish", "horse", "radish"], "few")
    position = Position(board="horseradishzzzzzzzzzzzzzz", played=("horseradish",))
    assert {move.word for move in Solver(lexicon).solve(position).moves} == {"radish", ""}


class TestPassing:
    WORDS = Lexicon.from_words(["aa"], "few")

    def board(self, free: int) -> str:
        return "".join("a" if free >> cell & 1 else "z" for cell in range(25))

    def test_who_leads_passes_after_a_pass_and_wins(self) -> None:
        territory = Territory(ours=0b1110000, theirs=0b11)
        position = Position(board="aa" + "z" * 23, territory=territory, passed=True)
        best = Solver(self.WORDS).solve(position).moves[0]
        assert (best.word, best.wins) == ("", True)

    def test_who_would_lose_by_every_word_passes(self) -> None:
        ours = (1 << 10) - 1
        territory = Territory(ours=ours, theirs=EVERY & ~ours & ~(1 << 24))
        position = Position(board="z" * 23 + "aa", territory=territory)
        for plies in (1, 2, 3):
            best = Solver(self.WORDS).solve(position, plies=plies).moves[0]
            assert best.word == ""

    def test_without_a_word_there_is_only_the_pass(self) -> None:
        found = Solver(self.WORDS).solve(Position(board="z" * 25))
        assert [(each.word, each.value, each.reply) for each in found.moves] == [("", 0, None)]
        assert (found.words, found.placements) == (0, 0)


def test_a_search_that_is_stopped_answers_with_what_it_has(solver: Solver) -> None:
    position = Position(board="eeeesssstttaaarrriiinnnlo")
    found = solver.solve(position, stop=lambda _: True)
    assert found.moves
    assert found.depth == 1


@pytest.mark.parametrize("top", [1, 3, 30])
@pytest.mark.parametrize("millions", [0, 1, 3, 8, 16])
def test_a_search_that_is_stopped_prefers_a_word_not_known_to_lose_to_a_pass(
    solver: Solver, millions: int, top: int
) -> None:
    """The longest words of this board, which are looked at first, let the other side fill it and win."""
    position = Position(board="ytisseoemclmaospietlloibn")
    found = solver.solve(position, top=top, stop=lambda seen: seen > 1_000_000 * millions)
    assert found.depth == 1
    assert found.moves[0].word
    assert not found.moves[0].loses
    assert len({move.mask for move in found.moves}) == len(found.moves) == top


def test_a_search_that_is_stopped_in_the_third_ply_is_exact_to_two(solver: Solver) -> None:
    position = Position(board="kudcllorzsvetoawpyakwlmrg")
    two = solver.solve(position, top=32)
    three = solver.solve(position, plies=3, stop=lambda positions: positions > two.positions)
    assert three.depth == 2
    assert {move.mask for move in three.moves} <= {move.mask for move in two.moves}


@pytest.mark.parametrize("grouped", [False, True])
def test_moves_searched_deeper_come_first_and_each_tells_its_depth(solver: Solver, grouped: bool) -> None:
    position = Position(board="kudcllorzsvetoawpyakwlmrg", territory=Territory(ours=0b111, theirs=0b11 << 20))
    two = solver.solve(position, top=40, grouped=grouped)
    assert {move.depth for move in two.moves} == {2}
    whole = solver.solve(position, top=40, plies=3, grouped=grouped)
    assert {move.depth for move in whole.moves} == {3}
    three = solver.solve(position, top=40, plies=3, grouped=grouped, stop=lambda seen: seen > 20_000_000)
    depths = [move.depth for move in three.moves]
    assert (three.depth, set(depths)) == (2, {2, 3})
    assert depths == sorted(depths, reverse=True)
    for depth in (2, 3):
        values = [move.value for move in three.moves if move.depth == depth]
        assert values == sorted(values, reverse=True)
    # What has not been searched deeper has the value that it had before.
    before = {move.mask: move.value for move in two.moves}
    assert all(move.value == before[move.mask] for move in three.moves if move.depth == 2)


def test_a_list_longer_than_the_candidates_is_searched_to_three_plies_whole(few_words: Lexicon) -> None:
    position = Position(board="etaoinshrdluetaoinshrdlue")
    found = Solver(few_words).solve(position, top=50, plies=3)
    assert len(found.moves) == 50
    assert {move.depth for move in found.moves} == {found.depth} == {3}


def test_a_board_with_more_placements_than_memory_is_refused() -> None:
    lexicon = Lexicon.from_words(["z" * 12], "few")
    assert len(placements_of("z" * 20 + "abcde", Anagrams(lexicon)).masks) == 125970
    with pytest.raises(TooManyPlacements, match="up to 6,000,000"):
        Solver(Lexicon.from_words(["z" * 12, "z" * 11], "few")).solve(Position(board="z" * 25))


def test_the_kept_tables_stay_within_their_bound(lexicon: Lexicon) -> None:
    built: list[str] = []
    anagrams = Anagrams(Lexicon.from_words(["aa", "bb"], "few"))

    def build(board: str) -> Any:
        built.append(board)
        return placements_of(board, anagrams)

    first, second = "a" * 25, "b" * 25
    cache = PlacementCache(build, max_bytes=build(first).bytes)
    for board in (first, first, second, second, first):
        cache(board)
    assert built == [first, first, second, first]


@given(masks, masks, masks)
def test_a_territory_is_that_of_the_brute_force(ours: int, theirs: int, word: int) -> None:
    assert protected(ours) == safe(ours) == int(evaluation.protected(np.int32(ours)))
    assert openness(ours) == vulnerability(ours)
    before = Side(ours, theirs & ~ours)
    found = Territory(ours=before.ours, theirs=before.theirs).after(word)
    assert (found.ours, found.theirs) == after(before, word)
    assert found.evaluate == evaluate(Side(found.ours, found.theirs))


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "_call", kernel.plain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(scope="module")
def few_words(lexicon: Lexicon) -> Lexicon:
    return Lexicon.from_words(Random(1).sample(list(lexicon), 400), "some")


def answers(lexicon: Lexicon) -> list[object]:
    solver = Solver(lexicon)
    random = Random(7)
    found: list[object] = []
    for plies in (1, 2, 3):
        board = "".join(random.choices("etaoinshrdlu", k=25))
        ours, theirs = random.getrandbits(25), random.getrandbits(25)
        territory = Territory(ours=ours, theirs=theirs & ~ours & ~1)
        solution = solver.solve(Position(board=board, territory=territory), plies=plies, top=3)
        found += [solution.moves, solution.placements, solution.positions]
    return found


@pytest.fixture(scope="module")
def compiled_answers(few_words: Lexicon) -> list[object]:
    return answers(few_words)


@pytest.mark.usefixtures("uncompiled")
def test_plain_python_gives_the_same_answers(few_words: Lexicon, compiled_answers: list[object]) -> None:
    assert not any(kernel.ready for kernel in KERNELS)
    assert answers(few_words) == compiled_answers


def test_no_kernel_was_compiled_while_somebody_waited(compiled_answers: list[object]) -> None:
    for kernel in KERNELS:
        compiled: Any = kernel._call
        assert len(compiled.signatures) == 1, kernel.plain.__name__


@pytest.mark.parametrize("looks", [0, 1, 3, 10])
def test_a_search_that_is_stopped_fills_its_list_with_moves_that_may_be_played(
    solver: Solver, looks: int
) -> None:
    territory = Territory(ours=0b1110111, theirs=0b1111 << 20)
    position = Position(board="kudcllorzsvetoawpyakwlmrg", territory=territory, played=("workload",))
    left = iter(range(looks))
    found = solver.solve(position, top=12, stop=lambda _: next(left, None) is None)
    assert found.depth == 1
    assert len({move.mask for move in found.moves}) == len(found.moves) == 12
    for move in found.moves:
        assert not closed(move.word, position.played)
        assert move.territory == territory.after(move.mask)
        if move.reply and move.word:
            assert not closed(move.reply.word, (*position.played, move.word))
            assert move.value == move.territory.turned.after(move.reply.mask).turned.evaluate


@pytest.mark.usefixtures("uncompiled")
def test_uncompiled_it_looks_at_the_clock_often(few_words: Lexicon) -> None:
    seen = [0]
    position = Position(board="etaoinshrdluetaoinshrdlue")

    def stop(positions: int) -> bool:
        seen.append(positions)
        return False

    Solver(few_words).solve(position, stop=stop)
    most = max(after - before for before, after in pairwise(seen))
    assert most <= 2 * len(placements_of(position.board, Anagrams(few_words)).masks) + 5_000
