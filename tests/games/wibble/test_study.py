"""Moves on study boards of Wibble follow the rules of its games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import IllegalMove
from app.games.study_tree import BadStudy, StudyNode, StudyTree, read_position, replay
from app.games.wibble.moves import Pass, Resign, Start
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Phase, State
from app.games.wibble.study import StudyPosition, WibbleStudy
from app.games.wibble.study_games import known_fields, node_of, tree_of_game
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.playing import check_study_move
from tests.games.wibble.positions import AT, LETTERS, pinned, started
from tests.games.wibble.trial import WibbleTrial

RULES = WibbleStudy()


def position(game: Wibble, **fields: object) -> StudyPosition:
    return RULES.checked(game, read_position(RULES, {"board": LETTERS} | fields))


def after(game: Wibble, *moves: str, **fields: object) -> StudyPosition:
    reached = position(game, **fields)
    for move in moves:
        reached = RULES.play(game, reached, move).position
    return reached


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"board": "abcde" * 4}, "board: 20 letters; accepted: 16, 25, 36 or 49"),
        ({"gems": [25]}, "gems: cell 25 is not on the board: cells are 0 to 24"),
        ({"gems": list(range(11))}, "gems: 11 cells: a board of Classic has up to 10"),
        ({"dl": 1, "tl": 2}, "one letter bonus"),
        ({"mode": "zen", "x2": 1}, "x2: Zen has no such bonus"),
        ({"mode": "blitz", "gems": [1]}, "gems: 1 cell: a board of Blitz has up to 0"),
        ({"round": 7}, "round: 7 is after the end: there are 5"),
        ({"scores": [1, 2]}, "scores: 2 scores: Classic is for 1 player"),
        ({"mode": "versus", "scores": [1, 2], "held": [3]}, "held: 1 number of gems for 2 players"),
        ({"mode": "zen", "held": [1]}, "held: 1 gem: a player of Zen has up to 0"),
        ({"mode": "versus", "scores": [1]}, "scores: 1 score: Versus is for 2 to"),
        ({"left": [1]}, "left: there is no seat 1: the only seat is 0"),
        ({"held": [11]}, "held: 11 gems: a player of Classic has up to 10"),
        ({"to_move": 1}, "to_move: player 2 does not play"),
        ({"mode": "adventure"}, "mode: "),
    ],
)
def test_an_impossible_position_is_refused(wibble: Wibble, fields: dict[str, object], says: str) -> None:
    with pytest.raises(BadStudy, match=says):
        position(wibble, **fields)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("a", "A has 1 letter"),
        ("seat", "SEAT cannot be traced"),
        ("cat 0 1 25", "cell 25 is not on the board"),
        ("cat 0 1 1", "cell 1 is used twice"),
        ("cats 0 1 2 18", "cell 18 does not touch cell 2"),
        ("cats 0 1 2 8", "these cells spell CATG, not CATS"),
        ("c4t", "is not a move"),
        ("cat*", "only in Zen"),
        ("swap 3 s", "cell 3 is S already"),
        ("swap 30 s", "cell 30 is not on the board"),
        ("swap x e", "'x' is not a cell"),
        ("swap 3 e 4 e", "2 swaps: this costs 6 gems, the player has 3"),
        ("hint", "1 hint: this costs 4 gems, the player has 3"),
        ("resign", "resign is a move of games for several players"),
    ],
)
def test_an_impossible_move_is_refused_with_its_reason(wibble: Wibble, move: str, says: str) -> None:
    with pytest.raises(BadStudy, match=says):
        RULES.play(wibble, position(wibble), move)


def test_a_word_collects_its_gems_and_leaves_unknown_tiles(wibble: Wibble) -> None:
    step = RULES.play(wibble, position(wibble, gems=[1, 3, 9], dl=4, x2=0), "cats")
    assert step.move == "CATS 0 1 2 3"
    assert step.points == 2 * (5 + 1 + 2 + 2)
    assert step.position.board == "....x" + LETTERS[5:]
    assert (step.position.gems, step.position.held) == ((9,), (5,))
    assert (step.position.dl, step.position.x2) == (None, None), "they move to unknown cells"
    assert (step.position.scores, step.position.round) == ((20,), 2)
    with pytest.raises(BadStudy, match="cell 3 is unknown: enter its letter first"):
        RULES.play(wibble, step.position, "XS 4 3")
    with pytest.raises(BadStudy, match="cell 3 is unknown"):
        RULES.play(wibble, step.position, "swap 3 e")


def test_swaps_are_paid_for_and_may_stand_before_their_word(wibble: Wibble) -> None:
    one = after(wibble, "swap 7 a", "dag 6 7 8", held=[6])
    assert one == after(wibble, "swap 7 a dag", held=[6])
    assert one.held == (3,)
    assert RULES.play(wibble, position(wibble, held=[6]), "swap 7 A, dag").move == "swap 7 A DAG 6 7 8"


def test_words_that_the_list_lacks_are_reported(wibble: Wibble) -> None:
    assert RULES.play(wibble, position(wibble), "xx").unlisted == ("XX",)


def test_a_shuffle_leaves_nothing_known(wibble: Wibble) -> None:
    shuffled = after(wibble, "shuffle", gems=[1], tl=2)
    assert shuffled == position(wibble, board="." * 25, held=[2])


def test_the_modes_have_their_rules(wibble: Wibble) -> None:
    with pytest.raises(BadStudy, match="ZZ was played already: in Blitz a word counts once"):
        after(wibble, "zz 20 21", "zz 23 24", mode="blitz")
    with pytest.raises(BadStudy, match="Zen has no swap"):
        after(wibble, "swap 3 e", mode="zen")
    with pytest.raises(BadStudy, match="Zen has no turns to pass"):
        after(wibble, "pass", mode="zen")
    chain = after(wibble, "sxg*", mode="zen")
    assert chain == position(wibble, mode="zen", board="cat.." + "odo.x" + LETTERS[10:])


def test_turns_alternate_among_the_remaining_players(wibble: Wibble) -> None:
    three = {"mode": "versus", "scores": [0, 0, 0]}
    assert after(wibble, "pass", "resign 1", "pass", "pass", **three).to_move == 1
    assert after(wibble, "resign", **three).to_move == 1
    assert after(wibble, "pass", "pass", "pass", **three).round == 2
    assert RULES.ending(after(wibble, "resign", "resign 2", **three)) == "all others resigned"
    assert RULES.ending(after(wibble, "pass", round=5)) == "all 5 rounds are played"


def test_what_is_known_after_a_move_is_part_of_the_position(wibble: Wibble) -> None:
    known = {"board": "rainx" + LETTERS[5:], "gems": [0], "tl": 1}
    nodes = (StudyNode(parent=0, move="cats", known=known), StudyNode(parent=1, move="rain"))
    steps = replay(StudyTree(start={"board": LETTERS}, nodes=nodes), RULES, wibble)
    assert steps[2].move == "RAIN 0 1 2 3"
    assert steps[2].position.held == (4,)


@examples(100)
@given(
    st.lists(
        st.sampled_from(
            ["swap", "cat", "xx*", "resign", "pass", "hint", "a", "4", "9", "99999", "\u0664", ","]
        )
        | st.text(max_size=3),
        max_size=6,
    ),
    st.sampled_from(["classic", "versus", "zen", "blitz", "teams"]),
)
def test_any_text_is_a_move_or_refused(wibble: Wibble, parts: list[str], mode: str) -> None:
    check_study_move(RULES, wibble, position(wibble, mode=mode), " ".join(parts))


def test_a_level_is_not_opened(wibble: Wibble) -> None:
    with pytest.raises(BadStudy, match="levels of Adventure cannot be opened"):
        tree_of_game(wibble, [started(wibble, "adventure")], ("Ada",))


@examples(40)
@given(st.data())
def test_a_game_becomes_a_tree_with_the_same_positions(lexicon: Lexicon, data: st.DataObject) -> None:
    trial = WibbleTrial(lexicon)
    game = trial.game
    chosen = data.draw(trial.choices().filter(lambda each: each["mode"] != "adventure"))
    options = pinned(game, **chosen)
    seats = data.draw(st.sampled_from(game.seats(options)))
    states = [game.apply(game.start(options, seats, "seed"), 0, Start(), AT)]
    at = AT
    for _ in range(data.draw(st.integers(0, 15))):
        state, seat = states[-1], states[-1].to_move
        seat = data.draw(st.just(seat) | st.integers(0, seats - 1))
        at += data.draw(st.sampled_from([1, 31]))
        move = data.draw(trial.moves(state, seat) | st.just(Resign()))
        try:
            states.append(game.apply(state, seat, move, at))
        except IllegalMove:
            continue
        if states[-1].phase is Phase.FINISHED:
            break
    steps = replay(tree_of_game(game, states, ["Ada"] * seats), RULES, game)
    assert len(steps) == node_of(states, len(states) - 1) + 1
    for ply, state in enumerate(states):
        check_same(steps[node_of(states, ply)].position, state)


def test_a_player_who_leaves_in_the_last_turn_is_on_the_study_board(wibble: Wibble) -> None:
    options = pinned(wibble, mode="versus")
    states = [wibble.apply(wibble.start(options, 3, "seed"), 0, Start(), AT)]
    while states[-1].phase is not Phase.FINISHED:
        last = len(states) == 15
        states.append(wibble.apply(states[-1], states[-1].to_move, Resign() if last else Pass(), AT))
    steps = replay(tree_of_game(wibble, states, ["Ada"] * 3), RULES, wibble)
    assert steps[-1].position.left == (2,)


def check_same(shown: StudyPosition, state: State) -> None:
    assert state.board is not None
    assert {name: getattr(shown, name) for name in RULES.known} == known_fields(state.board)
    assert (shown.scores, shown.held, shown.to_move) == (state.scores, state.gems, state.to_move)
    assert min(shown.round, shown.rules.rounds or shown.round) == state.round
    if state.phase is not Phase.FINISHED:
        assert shown.left == state.resigned
        assert RULES.ending(shown) is None
    elif "rounds" in (state.reason or ""):
        assert "rounds" in (RULES.ending(shown) or "")
