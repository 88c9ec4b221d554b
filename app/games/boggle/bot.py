"""Boggle bots: levels that differ in vocabulary, share of words found, and pace."""

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Final

from pydantic import Field, TypeAdapter

from app.games.boggle.solver import FoundWord
from app.games.bot_profiles import with_names
from app.games.game import Frozen
from app.games.randomness import generator, shuffled
from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, suggested_words

UNTIMED_SECONDS: Final = 180
"""How long a bot searches if there is no time limit, in seconds."""
EASIEST: Final = 3
"""Up to this length, words are found with probability ``finds``; longer words are less likely to be found."""


class Bot(Frozen):
    """One level, from ``data/boggle/game.toml``."""

    name: str
    vocabulary: Level
    finds: float = Field(gt=0, le=1)
    pace: int = Field(gt=0)


@cache
def bots() -> tuple[Bot, ...]:
    """Return the bots, weakest first: level 1 is the first."""
    table = tomllib.loads((resource("data") / "boggle" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(with_names(table["bot"]))


def words_found(
    words: Sequence[FoundWord], bot: Bot, seconds: int | None, key: str, lexicon: Lexicon
) -> tuple[str, ...]:
    """Return the words that ``bot`` finds, in the order found. Deterministic for a given ``key``."""
    known = suggested_words(lexicon, bot.vocabulary)
    random = generator(key, 0)
    found = []
    for word in words:
        chance = bot.finds ** (1 + max(0, len(word.word) - EASIEST))
        if random.random() < chance and known[word.entry]:
            found.append(word.word)
    return tuple(shuffled(random, found)[: bot.pace * (seconds or UNTIMED_SECONDS) // 60])
