"""What holds for every kind of game, whoever plays it and however: at the store, move by move."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.games.boggle import state as boggle
from app.games.fribble import state as fribble
from app.games.game import IllegalMove
from app.games.letterpress import state as letterpress
from app.games.record import read, replay
from app.games.rulebook import GAMES, Rulebook
from app.games.scrabblet import state as scrabblet
from app.games.scrabblet.rules import Scrabblet
from app.games.wibble import state as wibble
from app.games.wibble.rules import Wibble
from app.store.database import Database
from app.store.games import GameStore
from app.store.players import PlayerStore
from app.store.tables import NotYourSeat, Refused, Seat, Table
from app.words.library import Library

AT = 1_000.0
LONGEST = 14
"""Moves that are tried in one game, before it is given up."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of game is tried."""

    setup: Any
    seats: int
    move: Callable[[Random, Table, int], Any]
    """Some move for a seat: often a good one."""
    hidden: Callable[[Any, int | None], list[str]]
    """Pieces of JSON that a seat, or a watcher, may not read in what it is told of a running game."""


def wibble_move(random: Random, table: Table, seat: int) -> Any:
    state, game = table.state, table.game
    if isinstance(game, Wibble) and state.board is not None and random.random() < 0.5:
        best = game.solver.best(state.board, state.options.size, game.scoring(state.options))
        if best is not None:
            return wibble.Chain(cells=best.cells)
    cells = tuple(random.randrange(-1, 26) for _ in range(random.randrange(1, 5)))
    return random.choice(
        [
            wibble.Chain(cells=cells),
            wibble.Add(cell=cells[0]),
            wibble.Back(),
            wibble.Shuffle(),
            wibble.Swap(cell=cells[0], letter="q"),
            wibble.Hint(),
            wibble.Pass(),
            wibble.TimeUp(),
        ]
    )


def wibble_hides(state: Any, seat: int | None) -> list[str]:
    if state.hint is None or seat == state.to_move:
        return []
    cells = ",".join(map(str, state.hint))
    return ['"hint":[', f'"cells":[{cells}]']


def letterpress_move(random: Random, table: Table, seat: int) -> Any:
    if random.random() < 0.5:
        return table.game.bot(table.state, seat, 1).move
    cells = tuple(random.randrange(-1, 26) for _ in range(random.randrange(0, 5)))
    return random.choice([letterpress.Play(cells=cells), letterpress.Play(cells=cells), letterpress.Pass()])


def boggle_move(random: Random, table: Table, seat: int) -> Any:
    solution = table.game.reveal(table.state).solution
    word = random.choice(solution).word if solution and random.random() < 0.7 else "zzz"
    cells = tuple(random.randrange(-1, 17) for _ in range(random.randrange(1, 5)))
    chosen = [boggle.Word(word=word)] * 4 + [boggle.Word(cells=cells), boggle.Start(), boggle.TimeUp()]
    if table.state.rounds[seat].started_at is None:
        chosen += [boggle.Start()] * 4
    return random.choice([*chosen, boggle.HandIn(words=(word,)), boggle.Finish()])


def boggle_hides(state: Any, seat: int | None) -> list[str]:
    finished = seat is not None and state.rounds[seat].finished_at is not None
    own = set() if seat is None else {one.word for one in state.rounds[seat].found}
    return [
        f'"{found.word}"'
        for other, one in enumerate(state.rounds)
        if other != seat and not finished
        for found in one.found
        if found.word not in own
    ]


def fribble_move(random: Random, table: Table, seat: int) -> Any:
    rack = table.state.racks[seat]
    if random.random() < 0.6:
        return table.game.bot(table.state, seat, 1).move if seat == table.state.to_move else fribble.Pass()
    tiles = "".join(random.sample(rack, min(3, len(rack)))) or "A"
    return random.choice(
        [
            fribble.Exchange(tiles=tiles),
            fribble.Exchange(tiles="QZX"),
            fribble.Write(text="8H ZZZ"),
            fribble.Place(cells=(random.randrange(225),), tiles="E"),
            fribble.Challenge(),
            fribble.TimeUp(),
        ]
    )


def fribble_hides(state: Any, seat: int | None) -> list[str]:
    racks = [f'"{rack}"' for other, rack in enumerate(state.racks) if other != seat and len(rack) > 2]
    turns = [turn for turn in state.turns if turn.seat != seat and turn.returned]
    own = {turn.returned for turn in state.turns if turn.seat == seat}
    return racks + [f'"returned":"{turn.returned}"' for turn in turns if turn.returned not in own]


def scrabblet_move(random: Random, table: Table, seat: int) -> Any:
    game = table.game
    words = game.goal(table.state).words.listed("alphabet") if isinstance(game, Scrabblet) else ()
    known = [one.word for one in table.state.found]
    word = random.choice([random.choice(words).word, random.choice(words).word, "zzzz", "q", *known])
    return random.choice([scrabblet.Guess(word=word)] * 5 + [scrabblet.Hint()])


def scrabblet_hides(state: Any, seat: int | None) -> list[str]:
    return [] if seat == 0 else [f'"{found.word}"' for found in state.found]


def nothing(_state: Any, _seat: int | None) -> list[str]:
    return []


KINDS = {
    "wibble": Kind(wibble.Setup(mode="versus", turn_seconds=30), 3, wibble_move, wibble_hides),
    "letterpress": Kind(letterpress.Setup(), 2, letterpress_move, nothing),
    "boggle": Kind(boggle.Setup(seconds=60), 3, boggle_move, boggle_hides),
    "fribble": Kind(fribble.Setup(challenge="double", turn_seconds=60), 2, fribble_move, fribble_hides),
    "scrabblet": Kind(scrabblet.Setup(), 1, scrabblet_move, scrabblet_hides),
}


@pytest.fixture
def database(tmp_path: Path, empty_store: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{shutil.copy(empty_store, tmp_path / 'wibble.sqlite3')}")
    yield database
    database.close()


@pytest.fixture(scope="module")
def rulebook(library: Library) -> Rulebook:
    return Rulebook(library)


def test_every_kind_is_tried() -> None:
    assert set(KINDS) == set(GAMES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_is_kept_hidden_and_replayed(
    database: Database, rulebook: Rulebook, monkeypatch: pytest.MonkeyPatch, kind: str, seed: int
) -> None:
    tried, random = KINDS[kind], Random(f"{kind} {seed}")
    monkeypatch.setattr("app.store.games.token_hex", lambda size: random.randbytes(size).hex())
    games = GameStore(database, rulebook)
    everybody = [PlayerStore(database).create(AT) for _ in range(tried.seats)]
    at = AT
    table = games.open(kind, tried.setup, [Seat(one) for one in everybody], at)
    kept = 0
    for _ in range(LONGEST):
        at += random.choice([0.0, 1.0, 5.0, 5.0, 40.0])
        table = games.load(table.id, at)
        if table.finished_at is not None:
            break
        mover = table.game.to_move(table.state)
        seat = mover if mover is not None and random.random() < 0.8 else random.randrange(tried.seats)
        move = tried.move(random, table, seat)
        logged = len(games.log(table.id))
        try:
            after = games.play(table.id, everybody[seat], move, at)
        except (IllegalMove, Refused):
            assert games.load(table.id, at).state == table.state
            assert len(games.log(table.id)) == logged
        else:
            assert not isinstance(move, table.game.reserved)
            assert after.state.ply == table.state.ply + 1
            kept += 1
            table = after
        check_hidden(table, tried, everybody)
        with pytest.raises(NotYourSeat):
            games.play(table.id, "nobody", move, at)
    assert kept
    check_replay(games, give_up(games, table, everybody, at))


def check_hidden(table: Table, tried: Kind, everybody: list[str]) -> None:
    """Nobody reads the seed, or what is another's, in any view of the running game."""
    if table.finished_at is not None:
        return
    for seat, player in [*enumerate(everybody), (None, None)]:
        view = table.view(player)
        told = view.model_dump_json()
        assert view.seat == seat
        assert table.seed not in told
        for piece in tried.hidden(table.state, seat):
            assert piece not in told


def give_up(games: GameStore, table: Table, everybody: list[str], at: float) -> Table:
    """The game ended by those who still play it."""
    for player in everybody:
        try:
            table = games.play(table.id, player, table.game.resignation, at)
        except Refused:
            table = games.load(table.id, at)
    assert table.finished_at is not None
    return table


def check_replay(games: GameStore, table: Table) -> None:
    """The log, the snapshot and the record tell the same game."""
    states = games.states(table.id)
    assert states[-1] == table.state == games.load(table.id, table.moved_at).state
    assert [state.ply for state in states] == list(range(len(states)))
    assert replay(read(games.record(table.id)), table.game) == states
    again = games.keep_record(read(games.record(table.id)), table.moved_at)
    assert (again.state, again.view(None)) == (table.state, table.view(None))
    for seat in (*range(len(table.seats)), -1, len(table.seats)):
        with pytest.raises(IllegalMove):
            table.game.apply(table.state, seat, table.game.resignation, table.moved_at)
    for state in states:
        assert table.seed not in table.game.reveal(state).model_dump_json()


@pytest.mark.parametrize("kind", KINDS)
def test_no_seat_is_made_up(rulebook: Rulebook, kind: str) -> None:
    """A record's moves name their seats: none but those at the table can move, or give up."""
    tried = KINDS[kind]
    options = rulebook.pin(kind, tried.setup)
    game = rulebook.game(kind, options.lexicon)
    state = game.start(options, tried.seats, "seed")
    for move in game.opening(options):
        state = game.apply(state, 0, move, AT)
    for seat in (-1, tried.seats, 10**9):
        with pytest.raises(IllegalMove):
            game.apply(state, seat, game.resignation, AT)
