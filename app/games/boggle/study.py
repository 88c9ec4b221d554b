"""Study boards of Boggle: a board, and the words found on it in order, by one player or two.

Words that are not in the list are reported, not refused: the game studied may use another list.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Annotated, ClassVar, Final

from pydantic import Field, field_validator

from app.games.boggle.board import Board, parse_board
from app.games.boggle.judging import spelled
from app.games.boggle.paths import TooManySteps, path_of
from app.games.boggle.rules import Boggle
from app.games.boggle.state import MinLength, State
from app.games.game import Frozen, IllegalMove
from app.games.grid import LONGEST_SIDE
from app.games.study_tree import MOST_NODES, BadStudy, Played, StudyNode, StudyRules, StudyTree, raise_all
from app.grammar import format_count
from app.validation import quote
from app.words.library import Library

SEATS: Final = 2
"""The most players of a study board."""
LONGEST: Final = 2 * LONGEST_SIDE**2
"""Letters of the longest word: a ``Qu`` in every cell."""
MOST_WORDS: Final = 1500
"""The most words of a player."""
_MOVE: Final = re.compile(
    rf"(?:(\d)\s*:\s*)?([A-Za-z]{{1,{LONGEST}}})(?:\s+(\d{{1,2}}(?:[\s,]+\d{{1,2}})*))?"
)

Word = Annotated[str, Field(pattern=f"^[a-z]{{1,{LONGEST}}}$")]
Words = Annotated[tuple[Word, ...], Field(max_length=MOST_WORDS)]


class StudyPosition(Frozen):
    """A position of Boggle."""

    board: tuple[str, ...]
    """Rows of letters, as a list or as one text."""
    min_length: MinLength = 3
    """The minimum length of a word."""
    qu: bool = False
    """Whether q is the Qu face: two letters in one cell."""
    cancel: bool = False
    """Whether words that both players find count for neither."""
    find_all: bool = False
    """Whether common words score 1 point and others none, as in Find them all."""
    found: Annotated[tuple[Words, ...], Field(min_length=1, max_length=SEATS)] = ((),)
    """Per player: the words found, in order."""
    turn: Annotated[int, Field(ge=0, lt=SEATS)] = 0
    """The player who finds the next word, unless the move says otherwise."""
    scores: Annotated[tuple[int, ...], Field(max_length=SEATS)] = ()
    """Per player; computed from the words."""
    lexicon: Annotated[str, Field(max_length=32)] = Library.default

    @field_validator("board", mode="before")
    @classmethod
    def _in_rows(cls, given: object) -> object:
        is_rows = isinstance(given, list | tuple) and all(isinstance(row, str) for row in given)
        return parse_board(given).rows if isinstance(given, str) or is_rows else given  # type: ignore[arg-type]


class BoggleStudy(StudyRules[StudyPosition]):
    """Moves are written as the word with its cells, ``CHAT 0 1 5 9``; ``2: CHAT`` is a word of player 2.

    Without cells a word has the first path in the order of the cells; without a player it belongs to the
    player of the word before.
    """

    kind: ClassVar[str] = Boggle.kind
    position_type: ClassVar[type[Frozen]] = StudyPosition
    known: ClassVar[frozenset[str]] = frozenset({"turn"})

    def seats(self, position: StudyPosition) -> int:
        return len(position.found)

    def checked(self, game: Boggle, position: StudyPosition) -> StudyPosition:
        if position.turn >= len(position.found):
            raise BadStudy(f"turn: {_no_player(position, position.turn + 1)}", "turn")
        board, places = Board(position.board), _places(game, position)
        faults: list[BadStudy] = []
        for player, words in enumerate(position.found):
            earlier = set[str]()
            for word in words:
                try:
                    _check_new(position, word, earlier)
                    if word not in places:
                        _path(board, word, qu=position.qu)
                except BadStudy as error:
                    faults.append(BadStudy(f"found: {error.reason}", "found", player))
                    break
                earlier.add(word)
        raise_all(faults)
        return position.model_copy(update={"scores": _scores(game, position)})

    def unlisted(self, game: Boggle, position: StudyPosition) -> tuple[str, ...]:
        words = dict.fromkeys(word for words in position.found for word in words)
        return tuple(word.upper() for word in words if word not in game.lexicon)

    def play(self, game: Boggle, position: StudyPosition, move: str) -> Played:
        player, word, cells = _read(game, position, move)
        points = game.boards.points(word, find_all=position.find_all)
        found, scores = list(position.found), list(position.scores)
        others = [other for other, words in enumerate(found) if position.cancel and word in words]
        for other in others:
            scores[other] -= points
        gained = 0 if others else points
        found[player] = (*found[player], word)
        scores[player] += gained
        changes = {"found": tuple(found), "turn": player, "scores": tuple(scores)}
        unlisted = () if word in game.lexicon else (word.upper(),)
        stored = text_of(player, word, cells, len(found))
        return Played(position.model_copy(update=changes), stored, gained, unlisted, cells)

    def ending(self, position: StudyPosition) -> str | None:
        return None


def text_of(player: int, word: str, cells: Sequence[int], players: int) -> str:
    """Return a move as it is stored; with its player if there are several."""
    text = f"{word.upper()} {' '.join(map(str, cells))}"
    return f"{player + 1}: {text}" if players > 1 else text


def tree_of_game(states: Sequence[State], names: Sequence[str]) -> StudyTree:
    """Return the tree of a game: its words in the order found. Raises BadStudy for a third player.

    If there are more words than a tree may have moves, the first ones are part of its start.
    """
    first, last = states[0], states[-1]
    players = len(last.rounds)
    if players > SEATS:
        raise BadStudy(f"study boards show games of one or two players; this one has {players}")
    turns = [
        (player, found)
        for before, after in pairwise(states)
        for player in range(players)
        for found in after.rounds[player].found[len(before.rounds[player].found) :]
    ]
    before = turns[: _at_start(last)]
    options = first.options
    start = StudyPosition(
        board=first.board,
        min_length=options.min_length,
        qu=options.qu,
        cancel=options.cancel,
        find_all=options.find_all,
        found=tuple(
            tuple(found.word for each, found in before if each == player) for player in range(players)
        ),
        lexicon=options.lexicon.name,
    ).model_dump(mode="json")
    nodes = (
        StudyNode(parent=number, move=text_of(player, found.word, found.cells, players))
        for number, (player, found) in enumerate(turns[len(before) :])
    )
    return StudyTree(start=start, names=tuple(names), nodes=tuple(nodes))


def node_of(states: Sequence[State], ply: int) -> int:
    """Return the number of the node of a game's tree after ``ply`` moves."""
    return max(0, _word_count(states[ply]) - _at_start(states[-1]))


def _at_start(last: State) -> int:
    """Return how many of a game's words are part of the start of its tree."""
    return max(0, _word_count(last) - MOST_NODES)


def _word_count(state: State) -> int:
    return sum(len(round_.found) for round_ in state.rounds)


def _read(game: Boggle, position: StudyPosition, move: str) -> tuple[int, str, tuple[int, ...]]:
    """Parse a move: its player, word and cells. Raises BadStudy."""
    match = _MOVE.fullmatch(move.strip())
    if match is None:
        raise BadStudy(f"{quote(move)} is not a word; accepted: CHAT, CHAT 0 1 5 9, and 2: CHAT")
    player = position.turn if match[1] is None else int(match[1]) - 1
    if not 0 <= player < len(position.found):
        raise BadStudy(_no_player(position, player + 1))
    word = match[2].lower()
    _check_new(position, word, position.found[player])
    if len(position.found[player]) == MOST_WORDS:
        raise BadStudy(f"a player has up to {MOST_WORDS:,} words")
    board = Board(position.board)
    if match[3] is None:
        return player, word, _places(game, position).get(word) or _path(board, word, qu=position.qu)
    cells = tuple(int(cell) for cell in match[3].replace(",", " ").split())
    try:
        given = spelled(board, cells, qu=position.qu)
    except IllegalMove as error:
        raise BadStudy(error.reason) from None
    if given != word:
        raise BadStudy(f"these cells spell {given.upper()}, not {word.upper()}")
    return player, word, cells


def _scores(game: Boggle, position: StudyPosition) -> tuple[int, ...]:
    """Return the players' points, without cancelled words; words that are not in the list count by length."""
    shared = set(position.found[0]).intersection(*position.found[1:])
    cancelled = shared if position.cancel and len(position.found) > 1 else set[str]()
    return tuple(
        sum(game.boards.points(word, find_all=position.find_all) for word in words if word not in cancelled)
        for words in position.found
    )


def _no_player(position: StudyPosition, number: int) -> str:
    return f"there is no player {number}: the board has {format_count(len(position.found), 'player')}"


def _check_new(position: StudyPosition, word: str, found: Collection[str]) -> None:
    """Raise BadStudy for a word that is too short or found already."""
    if len(word) < position.min_length:
        letters = format_count(len(word), "letter")
        raise BadStudy(f"{word.upper()} has {letters}: a word has {position.min_length} or more")
    if word in found:
        raise BadStudy(f"{word.upper()} was found already")


def _places(game: Boggle, position: StudyPosition) -> dict[str, tuple[int, ...]]:
    """Return the list's words on the board, with their first paths."""
    return game.boards.solve(
        position.board, min_length=position.min_length, qu=position.qu, find_all=position.find_all
    ).cells


def _path(board: Board, word: str, *, qu: bool) -> tuple[int, ...]:
    """Return the first path of a word that is not in the list. Raises BadStudy if there is none."""
    try:
        cells = path_of(word, board, qu=qu)
    except TooManySteps:
        raise BadStudy(f"{word.upper()} has too many possible paths: give its cells") from None
    if not cells:
        raise BadStudy(f"{word.upper()} is not on this board")
    return cells
