"""Measure the levels of Adventure: ``data/wibble/adventure-measured.toml``.

Usage: PYTHONPATH=. nice -n 10 python data/build/adventure.py [--runs N] [--print]

With 200 runs, the default, it takes about three minutes on one core; ``--runs 20 --print`` is a quick look
that writes nothing. Each of Wibble's five bots plays each level ``--runs`` times, with the moves of
``app/games/wibble/bot.py`` and the seeds ``run-0``, ``run-1`` and so on, so the same runs give the same
file. Written are the share of games that each bot won, and the thresholds of stars: a win in at most as
many words as a quarter of all wins took has three stars, as three fifths took, two. Printed are the levels
by their share of wins, the easiest first: the order that ``adventure.toml`` must have.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from app.games.kernel import warm_up
from app.games.randomness import generator
from app.games.rulebook import Rulebook
from app.games.wibble.adventure import WON
from app.games.wibble.bot import bots, choose_for_goals, known_words
from app.games.wibble.levels import Level, Measured, levels
from app.games.wibble.moves import Start
from app.games.wibble.options import Options, Setup
from app.games.wibble.rules import Wibble
from app.settings import Settings

TARGET = Path("data/wibble/adventure-measured.toml")
RUNS = 200
THREE_STARS, TWO_STARS = 0.25, 0.6
"""The shares of all wins that took no more words."""

HEAD = """# What Wibble's bots achieved in the levels of Adventure; made by data/build/adventure.py.
# runs: games per bot; won: the share that each won, weakest first; stars: most words for three, and for two.
"""

Results = dict[str, list[list[int | None]]]
"""By level, then by bot: the words that each game took, None if it was lost."""


def measure(names: Iterable[str], runs: int, rulebook: Rulebook) -> Results:
    """Play each level ``runs`` times with each bot."""
    options: dict[str, Options] = {
        name: rulebook.pin(Wibble.kind, Setup(mode="adventure", level=name)) for name in names
    }
    found: Results = defaultdict(lambda: [[] for _ in bots()])
    for run in range(runs):
        for number, bot in enumerate(bots()):
            # A bot's vocabulary takes longer than a game, so it is made once for all levels.
            game = rulebook.rules(Wibble, next(iter(options.values())).lexicon)
            seed = f"run-{run}"
            vocabulary = known_words(bot, game.lexicon, seed, 0)
            for name, chosen in options.items():
                state = game.apply(game.start(chosen, 1, seed), 0, Start(), 0.0)
                scoring = game.scoring(chosen)
                while game.outcome(state) is None:
                    random = generator(f"{seed}/0", state.ply)
                    move = choose_for_goals(state, 0, bot, vocabulary, game.solver, scoring, random)
                    state = game.apply(state, 0, move, 0.0)
                won = state.reason == WON and state.adventure is not None
                found[name][number].append(state.adventure.moves if won and state.adventure else None)
    return found


def summarize(level: Level, games: list[list[int | None]]) -> Measured:
    """Return what is kept of a level's games."""
    wins = sorted(moves for of_bot in games for moves in of_bot if moves is not None)
    three = wins[int(THREE_STARS * len(wins))] if wins else 1
    two = wins[int(TWO_STARS * len(wins))] if wins else 1
    # Three different results, unless the level has too few moves for them.
    three = max(1, min(three, level.moves - 2))
    two = max(three, min(max(two, three + 1), level.moves - 1))
    runs = len(games[0])
    won = tuple(round(sum(moves is not None for moves in of_bot) / runs, 3) for of_bot in games)
    return Measured(runs=runs, won=won, stars=(three, two))


def main() -> None:
    """Measure all levels, write what was found and print their order."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="games per level and bot")
    parser.add_argument("--print", action="store_true", help="only print")
    chosen = parser.parse_args()
    warm_up()
    games = measure(levels(), chosen.runs, Rulebook(Settings().library(), {Wibble.kind: Wibble}))
    measured = {name: summarize(levels()[name], played) for name, played in games.items()}
    for name, one in sorted(measured.items(), key=lambda each: -each[1].ease):
        shares = " ".join(f"{share:5.3f}" for share in one.won)
        print(f"{one.ease:6.4f}  {[*levels()].index(name) + 1:2} {name:20} {shares}  stars {one.stars}")
    if not chosen.print:
        parts = [
            f"\n[{name}]\nruns = {one.runs}\nwon = {json.dumps(one.won)}\nstars = {json.dumps(one.stars)}\n"
            for name, one in measured.items()
        ]
        TARGET.write_text(HEAD + "".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
