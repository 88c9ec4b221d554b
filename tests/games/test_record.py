"""Game records: a written record is read back as the same game, and any other text is refused."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.games.game import IllegalMove
from app.games.record import HEADER, BrokenRecord, read, replay, write
from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Hint, Move, Pass, Resign, Shuffle, Start, Swap
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from app.words.library import Library, UnknownLexicon
from tests.examples import examples
from tests.games.wibble.positions import AT, found, pinned

Played = tuple[tuple[State, ...], list[tuple[int, Move, float]]]


@pytest.fixture(scope="session")
def wibble(lexicon: Lexicon) -> Wibble:
    return Wibble(lexicon)


def played(game: Wibble, first: State, choices: Iterator[tuple[int | Move, float]]) -> Played:
    """Play ``choices``, each a move or the n-th best word, skipping illegal ones; then resign."""
    states, moves, at = [first], list[tuple[int, Move, float]](), AT

    def make(seat: int, move: Move, at: float) -> None:
        states.append(game.apply(states[-1], seat, move, at))
        moves.append((seat, move, at))

    make(0, Start(), at)
    for choice, pause in choices:
        state = states[-1]
        if game.outcome(state) is not None:
            break
        move = Chain(cells=found(game, state)[choice].cells) if isinstance(choice, int) else choice
        at += pause
        try:
            make(state.to_move, move, at)
        except IllegalMove:
            continue
    while game.outcome(states[-1]) is None:
        make(states[-1].to_move, Resign(), at)
    return tuple(states), moves


@pytest.fixture(scope="session")
def duel(wibble: Wibble) -> str:
    """The record of a whole game of two with a turn clock."""
    first = wibble.start(pinned(wibble, "versus", turn_seconds=30), 2, "a seed")
    seed = "0123456789abcdef0123456789abcdef"
    first = first.model_copy(update={"seed": seed})
    some: list[tuple[int | Move, float]] = [(Shuffle(), 1.5), (0, 2.25), (3, 4.0), (Pass(), 0.5)]
    states, moves = played(wibble, first, iter(some + [(5, 1.0)] * 20))
    return write(wibble, states, seed, moves)


def verify(text: str, library: Library) -> tuple[State, ...]:
    """Read a text as the store does."""
    record = read(text, ROOMS.games)
    return replay(record, ROOMS.rulebook(library).game(record.kind, record.options.lexicon))


CHOICE: st.SearchStrategy[tuple[int | Move, float]] = st.tuples(
    st.one_of(
        st.integers(0, 9),
        st.sampled_from([Shuffle(), Hint(), Pass(), Resign()]),
        st.builds(Swap, cell=st.integers(0, 24), letter=st.sampled_from("aeiou")),
    ),
    st.floats(0, 10),
)


@examples(40)
@given(
    mode=st.sampled_from(list(modes())),
    more=st.integers(0, 4),
    seed=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64),
    choices=st.lists(CHOICE, max_size=15),
)
def test_what_is_written_is_read_and_leads_to_the_same_game(
    wibble: Wibble,
    library: Library,
    mode: str,
    more: int,
    seed: str,
    choices: list[tuple[int | Move, float]],
) -> None:
    possible = wibble.seats(pinned(wibble, mode))
    seats = possible[min(more, len(possible) - 1)]
    states, moves = played(wibble, wibble.start(pinned(wibble, mode), seats, seed), iter(choices))
    text = write(wibble, states, seed, moves)
    assert text.isascii()
    record = read(text, ROOMS.games)
    assert [(line.seat, line.move, line.at) for line in record.moves] == moves
    again = verify(text, library)
    assert again == states
    assert write(wibble, again, record.seed, [(one.seat, one.move, one.at) for one in record.moves]) == text


def test_line_ends_of_another_system_do_no_harm(duel: str, library: Library) -> None:
    assert verify(duel.replace("\n", "\r\n") + "\n\n", library) == verify(duel, library)


LINE = re.compile(r"(\d+) (\d+) (\S+) ([0-9a-f]{8}) (.*)")


def lines(text: str) -> list[str]:
    return text.splitlines()


def with_line(text: str, number: int, line: str) -> str:
    changed = lines(text)
    changed[number] = line
    return "\n".join(changed)


def ply_line(text: str, ply: int) -> tuple[str, str, str, str, str]:
    match = LINE.fullmatch(lines(text)[5 + ply])
    assert match is not None
    return match[1], match[2], match[3], match[4], match[5]


def broken(text: str, library: Library) -> str:
    with pytest.raises(BrokenRecord) as refused:
        verify(text, library)
    return str(refused.value)


@pytest.mark.parametrize("ply", [0, 1, 3, 7])
@pytest.mark.parametrize(
    ("part", "other"),
    [
        (1, "1"),
        (1, "0"),
        (1, "-1"),
        (1, "2"),
        (1, "9" * 30),
        (1, "1.5"),
        (1, "one"),
        (2, "1000.0001"),
        (2, "-5"),
        (2, "9" * 400),
        (2, "1e999"),
        (2, "nan"),
        (2, "-inf"),
        (2, "noon"),
        (3, "00000000"),
        (3, "zzzzzzzz"),
        (4, '{"type":"resign"}'),
        (4, '{"type":"chain","cells":[0,1]}'),
        (4, '{"type":"chain","cells":[' + "9" * 40 + "]}"),
        (4, '{"type":"chain","cells":[]}'),
        (4, '{"type":"chain","cells":[NaN]}'),
        (4, '{"type":"fly"}'),
        (4, '{"type":"start"} {"type":"start"}'),
        (4, "[" * 5000),
        (4, "null"),
        (4, "\x00"),
    ],
)
def test_a_changed_part_of_a_line_is_reported_with_its_ply(
    duel: str, library: Library, ply: int, part: int, other: str
) -> None:
    parts = list(ply_line(duel, ply))
    if parts[part] == other:
        return
    parts[part] = other
    assert broken(with_line(duel, 5 + ply, " ".join(parts)), library).startswith(f"ply {ply}")


@pytest.mark.parametrize("ply", [0, 2, 5])
def test_a_missing_doubled_or_swapped_line_is_reported_with_its_ply(
    duel: str, library: Library, ply: int
) -> None:
    whole = lines(duel)
    at = 5 + ply
    missing = [*whole[:at], *whole[at + 1 :]]
    doubled = [*whole[:at], whole[at], *whole[at:]]
    swapped = [*whole[:at], whole[at + 1], whole[at], *whole[at + 2 :]]
    for text, first in ((missing, ply), (doubled, ply + 1), (swapped, ply)):
        assert broken("\n".join(text), library).startswith(f"ply {first} ")


def test_moves_that_only_changed_places_are_found_too(duel: str, library: Library) -> None:
    """Swap two lines and correct their plies."""
    first, second = ply_line(duel, 2), ply_line(duel, 3)
    text = with_line(duel, 5 + 2, " ".join(("2", *second[1:])))
    text = with_line(text, 5 + 3, " ".join(("3", *first[1:])))
    assert broken(text, library).startswith("ply 2")


def test_any_changed_letter_of_the_seed_is_found_at_the_first_ply(duel: str, library: Library) -> None:
    seed = lines(duel)[4].removeprefix("seed ")
    for place in range(len(seed)):
        other = seed[:place] + ("f" if seed[place] != "f" else "0") + seed[place + 1 :]
        assert broken(with_line(duel, 4, f"seed {other}"), library).startswith("ply 0")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"turn_seconds":30', '"turn_seconds":300', "ply 0"),
        ('"turn_seconds":30', '"turn_seconds":31', "turn_seconds"),
        ('"turn_seconds":30', '"turn_seconds":NaN', "options"),
        ('"minimum_words":20', '"minimum_words":19', "ply 0"),
        ('"minimum_words":20', '"minimum_words":1e30', "minimum_words"),
        ('"size":5', '"size":6', "ply 0"),
        ('"size":5', '"size":' + "9" * 5000, "out of range"),
        ('"mode":"versus"', '"mode":"classic"', "cannot start: Classic is for 1 seat"),
        ('"mode":"versus"', '"mode":"zen"', "cannot start"),
        ('"mode":"versus"', '"mode":"golf"', "mode"),
        ('"mode":"versus",', '"mode":"versus","cheat":true,', "cheat"),
        ('"name":"english"', '"name":"../../secret"', "lexicon.name"),
        ('"name":"english"', '"name":"a\\u0000b"', "lexicon.name"),
        ("\nseats 2", "\nseats 3", "ply 0"),
        ("\nseats 2", "\nseats 1", "cannot start"),
        ("\nseats 2", "\nseats -2", "cannot start"),
        ("\nseats 2", "\nseats " + "9" * 5000, "seats"),
        ("\nseats 2", "\nseats two", "seats"),
        ("\nseats 2", "\nplaces 2", "line 4 must be 'seats'"),
        ("\nkind wibble", "\nkind chess", "line 2: there is no game 'chess'; there are wibble"),
        ("\nkind wibble", "", "line 2 must be 'kind'"),
        ("\nseed ", "\nseed " + "0" * 64, "line 5"),
        ("\nseed ", "\nseed \x00", "line 5"),
        ("\nseed ", "\nseed é", "line 5"),
        (HEADER, "wibble record 2", "line 1"),
        (HEADER, "", "line 1"),
    ],
)
def test_a_changed_header_is_reported(duel: str, library: Library, old: str, new: str, says: str) -> None:
    assert old in duel
    assert says in broken(duel.replace(old, new, 1), library)


def test_an_unknown_lexicon_is_reported_as_such(duel: str, library: Library) -> None:
    other = re.sub('"sha256":"[0-9a-f]{64}"', '"sha256":"' + "0" * 64 + '"', duel)
    with pytest.raises(UnknownLexicon, match="english"):
        verify(other, library)


@pytest.mark.parametrize("kept", range(1, 5))
def test_a_truncated_header_is_reported(duel: str, library: Library, kept: int) -> None:
    missing = ["kind", "options", "seats", "seed"][kept - 1]
    assert f"'{missing}'" in broken("\n".join(lines(duel)[:kept]), library)


@examples(150)
@given(garbage=st.text(max_size=200))
@example("")
@example(HEADER)
@example("\x00" * 100)
def test_garbage_is_refused_as_a_broken_record(library: Library, garbage: str) -> None:
    for text in (garbage, f"{HEADER}\n{garbage}", f"{HEADER}\nkind wibble\noptions {garbage}"):
        broken(text, library)


@examples(150)
@given(data=st.data())
def test_one_changed_character_anywhere_is_found(duel: str, library: Library, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(duel) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    changed = duel[:place] + other + duel[place + 1 :]
    with suppress(BrokenRecord, UnknownLexicon):
        # Spaces around a value, or another spelling of the same number, do not change the meaning.
        assert verify(changed, library) == verify(duel, library)


def test_records_of_earlier_versions_still_hold(library: Library) -> None:
    """A change of rules, options or format that makes these fail breaks existing records."""
    texts = sorted((Path(__file__).parent / "records").glob("*.txt"))
    assert texts
    for file in texts:
        verify(file.read_text("ascii"), library)
