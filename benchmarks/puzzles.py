"""Speed of puzzle making: verified puzzles an hour of one core, by game.

Floor: 200 in every game. CPU time, so that the load of the machine does not matter. Each puzzle is made by
self-play and then verified again, as by ``wibble puzzles verify``.
"""

import argparse
import time
from collections import Counter

from app.games.kernel import warm_up
from app.games.puzzles import make, verify
from app.rooms import ROOMS
from app.settings import Settings

FLOOR = 200


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="CPU time for each game")
    options = parser.parse_args()
    assert ROOMS.games, "imported, so that the kernels of all games are known"
    warm_up()
    library = Settings().library()
    print(f"{'game':<14}{'puzzles':>9}{'an hour':>12}{'floor':>8}   themes")
    for kind, room in ROOMS.items():
        rules = room.puzzles
        if rules is None:
            continue
        game = room.game(library.load(rules.lexicon(room.game)))
        game.prepare()
        made, number, themes = 0, 0, Counter[str]()
        started = time.process_time()
        while (spent := time.process_time() - started) < options.seconds:
            for puzzle in make(rules, game, rules.states(game, f"benchmark/{number}")):
                verify(rules, game, puzzle)
                themes.update(puzzle.themes)
                made += 1
            number += 1
        held = ", ".join(f"{theme} {count}" for theme, count in themes.most_common())
        print(f"{kind:<14}{made:>9}{3600 * made / spent:>12,.0f}{FLOOR:>8}   {held}")


if __name__ == "__main__":
    main()
