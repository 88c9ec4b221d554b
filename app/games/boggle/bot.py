"""Who plays Boggle for the machine: levels that differ in the words they know, overlook and have time for."""

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Final

from pydantic import Field, TypeAdapter

from app.games.boggle.solver import FoundWord
from app.games.game import Frozen
from app.games.randomness import generator, shuffled
from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, allowed_words

UNTIMED_SECONDS: Final = 180
"""Seconds for which a bot looks where there is no clock."""
EASIEST: Final = 3
"""Letters of the words that are found as often as the bot's figure says; longer ones hide better."""


class Bot(Frozen):
    """One level, from ``data/boggle.toml``."""

    name: str
    vocabulary: Level
    finds: float = Field(gt=0, le=1)
    pace: int = Field(gt=0)


@cache
def bots() -> tuple[Bot, ...]:
    """The bots, weakest first: level 1 is the first of them."""
    table = tomllib.loads((resource("data") / "boggle.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(table["bot"])


def words_found(
    words: Sequence[FoundWord], bot: Bot, seconds: int | None, key: str, lexicon: Lexicon
) -> tuple[str, ...]:
    """Which of a board's words ``bot`` finds, in its order; the same ``key`` gives the same answer."""
    known = allowed_words(lexicon, bot.vocabulary)
    random = generator(key, 0)
    found = []
    for word in words:
        chance = bot.finds ** (1 + max(0, len(word.word) - EASIEST))
        if random.random() < chance and known[word.entry]:
            found.append(word.word)
    return tuple(shuffled(random, found)[: bot.pace * (seconds or UNTIMED_SECONDS) // 60])
