"""Words, cards, puzzles and study boards before the request of an example."""

from datetime import date
from typing import Final

from app.games.puzzle_sets import puzzle_of_day
from tests.web.examples.games import finished
from tests.web.examples.players import DAY, Players, Setup, Values, nothing, posted

STUDY: Final = {
    "start": {"board": "bnbdaetgreliegbcnhdlxmhoi"},
    "nodes": [
        {"parent": 0, "move": "BREATHING"},
        {"parent": 1, "move": "MODAL"},
        {"parent": 1, "move": "pass"},
    ],
}
"""The tree of a study board."""


def carded(players: Players) -> Values:
    """Two cards of mine, one of them answered."""
    posted(players.me, "/api/cards", {"words": ["retina", "satire"]})
    said = {"word": "satire", "ask": "anagram", "reps": 0, "answer": "satire"}
    posted(players.me, "/api/cards/answers", said)
    return {"lexicon": "english", "ask": "anagram", "word": "retina"}


def puzzled(_: Players) -> Values:
    """A shipped puzzle."""
    puzzle = puzzle_of_day("boggle", date.fromisoformat(DAY).toordinal())
    assert puzzle is not None
    return {"puzzle_id": puzzle.id, "room": "boggle"}


def studied(players: Players) -> Values:
    """A study board of mine."""
    body = {"kind": "letterpress", "title": "An opening", "tree": STUDY}
    return {"board_id": posted(players.me, "/api/boards", body)["id"]}


def rushing(players: Players) -> Values:
    """A rush of mine."""
    return {"rush_id": posted(players.me, "/api/puzzles/rushes", {"room": "boggle"})["id"]}


SETUPS: Final[dict[str, Setup]] = {
    "look_up": lambda _: {"word": "quiz"},
    "show_study_list": lambda _: {"name": "q-without-u"},
    "show_signature": lambda _: {"word": "quiz"},
    "vote_on_word": lambda _: {"word": "brunchy"},
    "answer_to_card": carded,
    "export_cards": carded,
    "list_cards": carded,
    "regrade_card": carded,
    "undo_answer": carded,
    "remove_card": carded,
    "add_cards": nothing,
    "import_cards": nothing,
    "answer_puzzle": puzzled,
    "see_puzzle": puzzled,
    "see_puzzles": nothing,
    "see_next_puzzle": puzzled,
    "see_todays_puzzle": puzzled,
    "start_rush": nothing,
    "see_rush": rushing,
    "answer_in_rush": rushing,
    "list_boards": studied,
    "add_board": nothing,
    "see_board": studied,
    "change_board": studied,
    "delete_board": studied,
    "list_own_puzzles": nothing,
    "make_own_puzzles": finished,
}
"""By operation ID."""
