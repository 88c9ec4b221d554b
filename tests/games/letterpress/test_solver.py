"""The solver's moves and values, compared with brute force and with known positions."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.games.letterpress.one_ply import OTHERS
from app.games.letterpress.solver import Advice, MoveConstraints, Position, Solver
from app.games.letterpress.territory import EVERY, Territory
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.letterpress.brute import PASS, Brute, DepthLimited, Move, Side, all_moves, closed
from tests.games.letterpress.strategies import boards, lexicons, territories


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
def test_constraints_leave_moves_out_and_change_nothing_else(
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
    # At three plies, a class is judged by its best placements at two plies.
    assume(plies < 3 or all(len(moves) <= 1 + OTHERS for moves in classes.values()))
    for top in (1, 3, 100):
        found = solver.solve(position, plies=plies, top=top, grouped=True).choices
        assert [choice.best for choice in found] == [moves[0] for moves in classes.values()][:top]
        for choice in found:
            every = classes["".join(sorted(choice.best.word))]
            assert choice.ways == len(every)
            assert list(choice.others) == every[1 : 1 + OTHERS]


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


class TestFaultsOfLetterPwn:
    """Bugs of LetterPwn that our solver must not have."""

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

    def test_the_commoner_word_comes_first_of_equal_moves(self, lexicon: Lexicon, solver: Solver) -> None:
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

    def test_the_leader_passes_after_a_pass_and_wins(self) -> None:
        territory = Territory(ours=0b1110000, theirs=0b11)
        position = Position(board="aa" + "z" * 23, territory=territory, passed=True)
        best = Solver(self.WORDS).solve(position).moves[0]
        assert (best.word, best.wins) == ("", True)

    def test_if_every_word_loses_the_best_move_is_a_pass(self) -> None:
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


@pytest.mark.parametrize("grouped", [False, True])
def test_moves_searched_deeper_come_first_and_each_has_its_depth(solver: Solver, grouped: bool) -> None:
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
    # Moves not searched deeper keep their earlier value.
    before = {move.mask: move.value for move in two.moves}
    assert all(move.value == before[move.mask] for move in three.moves if move.depth == 2)


def test_a_list_longer_than_the_candidates_is_searched_to_three_plies_whole(few_words: Lexicon) -> None:
    position = Position(board="etaoinshrdluetaoinshrdlue")
    found = Solver(few_words).solve(position, top=50, plies=3)
    assert len(found.moves) == 50
    assert {move.depth for move in found.moves} == {found.depth} == {3}
