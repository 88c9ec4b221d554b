"""Brute-force move generation: each word in each place, checked and scored by the rules."""

from collections import Counter
from itertools import combinations

from app.games.fribble.board import EMPTY, Board
from app.games.fribble.layout import CENTRE, SIDE
from app.games.fribble.placement import Placement
from app.games.fribble.presets import Preset
from app.games.fribble.scoring import score
from app.games.fribble.tileset import BLANK
from app.games.game import IllegalMove
from app.words.lexicon import Lexicon


def every_move(board: Board, rack: str, preset: Preset, lexicon: Lexicon) -> dict[Placement, int]:
    """The score of each legal placement; on an empty board with a symmetric layout, only those across."""
    words = [word.upper() for word in lexicon if 2 <= len(word) <= SIDE]
    found: dict[Placement, int] = {}
    near = touching(board)
    rows = preset.layout.rows
    mirrored = rows == tuple(map("".join, zip(*rows, strict=True)))
    for down in (False,) if board.empty and mirrored else (False, True):
        for line in range(SIDE):
            cells = [SIDE * place + line if down else SIDE * line + place for place in range(SIDE)]
            text = "".join(board.squares[cell] for cell in cells)
            for word in words:
                for start in range(SIDE - len(word) + 1):
                    there = text[start : start + len(word)]
                    if 0 < there.count(EMPTY) <= len(rack) and all(
                        tile in (EMPTY, letter, letter.lower())
                        for tile, letter in zip(there, word, strict=True)
                    ):
                        places = [start + index for index, tile in enumerate(there) if tile == EMPTY]
                        if not any(cells[place] in near for place in places):
                            continue
                        letters = "".join(word[place - start] for place in places)
                        for tiles in ways_to_lay(letters, rack):
                            placement = Placement(cells=tuple(cells[place] for place in places), tiles=tiles)
                            points = judged(board, placement, preset, lexicon, word)
                            if points is not None:
                                found[placement] = points
    return found


def touching(board: Board) -> set[int]:
    """The squares of which a placement must cover at least one to be connected; the rules check the rest."""
    if board.empty:
        return {CENTRE}
    taken = [cell for cell, tile in enumerate(board.squares) if tile != EMPTY]
    return {cell + step for cell in taken for step in (-SIDE, -1, 1, SIDE)}


def ways_to_lay(letters: str, rack: str) -> set[str]:
    """The letters as tiles of the rack: each may be a blank."""
    held, ways = Counter(rack), set[str]()
    if (Counter(letters) - held).total() > held[BLANK]:
        return ways
    for count in range(min(held[BLANK], len(letters)) + 1):
        for chosen in combinations(range(len(letters)), count):
            if Counter(letter for index, letter in enumerate(letters) if index not in chosen) <= held:
                ways.add(
                    "".join(
                        letter.lower() if index in chosen else letter for index, letter in enumerate(letters)
                    )
                )
    return ways


def judged(board: Board, placement: Placement, preset: Preset, lexicon: Lexicon, word: str) -> int | None:
    """The score, if the rules allow the placement and it makes ``word``."""
    try:
        found = score(board, placement, preset)
    except IllegalMove:
        return None
    valid = all(each.lower() in lexicon for each in found.words)
    return found.total if valid and word in found.words else None
