"""Titles of cards on pages, by what they ask."""

from typing import Final

from app.words.recall import RecallKind

ASK_TITLES: Final[dict[RecallKind, str]] = {
    "anagram": "Anagram",
    "hooks": "Hooks",
    "validity": "Valid or not",
    "definition": "Meaning",
}
