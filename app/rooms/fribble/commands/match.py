"""``wibble fribble match`` and ``learn-leaves``: strategy matches and learning leave values by self-play."""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Final, get_args
from zipfile import BadZipFile

import typer
from rich.console import Console
from rich.progress import Progress

from app.games import randomness
from app.games.fribble.learning import Lessons, Observed, observe
from app.games.fribble.leaves import Leaves, load_leaves, no_leaves, shipped_leaves
from app.games.fribble.match import Score, pair
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import DEFAULT_PRESET, own_folder, presets, use_own
from app.games.fribble.selfplay import Player
from app.games.fribble.simulating_player import simulating
from app.games.fribble.strategy import Strategy, player
from app.games.kernel import warm_up
from app.grammar import format_count
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import check_writable, refuse
from app.terminal.interrupts import deferred_ctrl_c
from app.terminal.output import Json
from app.terminal.process_pool import scheduled_pool
from app.words.library import DamagedLexicon, UnknownLexicon

SIMULATING: Final = "simulating"
STRATEGIES: Final = (*get_args(Strategy), SIMULATING)
BATCH: Final = 5
"""Pairs of games per job."""

Preset = Annotated[str, typer.Option(help="Board and tiles (see: wibble fribble presets).")]
LexiconName = Annotated[
    str | None, typer.Option(help="Word list (see: wibble words list) [default: the preset's].")
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Dask scheduler to run on instead of local processes."),
]

OnlyLate = Annotated[
    bool,
    typer.Option(
        "--only-late",
        help="Learn only values for few or no tiles in the bag; keep the others from --begin.",
    ),
]


def match_strategies(
    first: Annotated[str, typer.Argument(metavar="A", help=f"One of {', '.join(STRATEGIES)}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[
        int, typer.Option(help="Number of games; each bag is played from both seats.", min=2)
    ] = 200,
    seed: Annotated[int, typer.Option(help="Random seed for the bags.", min=0)] = 0,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    leaves: Annotated[
        Path | None,
        typer.Option(
            help="Leave values for A (.npz) instead of the shipped ones.", exists=True, dir_okay=False
        ),
    ] = None,
    budget_ms: Annotated[int, typer.Option(help=f"Milliseconds per move for {SIMULATING}.", min=1)] = 1000,
    scheduler: Scheduler = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Play two strategies against each other and report wins and spread with 95% intervals."""
    for name, parameter in ((first, "A"), (second, "B")):
        if name not in STRATEGIES:
            refuse(f"unknown strategy {name!r}; accepted: {', '.join(STRATEGIES)}", parameter)
    lexicon = _prepare(preset, lexicon)
    ours = _loaded(leaves, "--leaves") if leaves is not None else shipped_leaves(preset)
    common = (first, second, preset, lexicon, ours, budget_ms)
    score, end = Score(), seed + games // 2
    next_bag = seed
    with (
        scheduled_pool(scheduler) as pool,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task(f"{first} against {second}", total=games // 2)
        bags = (range(start, min(start + BATCH, end)) for start in range(seed, end, BATCH))
        began = time.perf_counter()
        for (*_, played), batch in pool.run(_played, [(*common, bag_range) for bag_range in bags]):
            score, next_bag = score + batch, max(next_bag, played.stop)
            progress.update(
                task, completed=score.pairs, description=f"{first} {score.share:.1%} against {second}"
            )
    if score.pairs:
        speed = score.turns / (time.perf_counter() - began)
        if as_json:
            output.print_json(
                {
                    "first": first,
                    "second": second,
                    "games": score.games,
                    "wins": score.wins,
                    "draws": score.draws,
                    "losses": score.losses,
                    "share": score.share,
                    "share_error": score.share_error,
                    "spread": score.mean_spread,
                    "spread_error": score.spread_error,
                    "turns_per_second": speed,
                }
            )
        else:
            typer.echo(f"{first} against {second}, {score}, {speed:,.0f} turns/s")
    rest = games // 2 - score.pairs
    pool.exit_if_interrupted(
        f"Stopped after {score.games:,} of {format_count(games, 'game')}. "
        f"To play the rest with other bags: --seed {next_bag} --games {2 * rest}"
    )


def learn_leaves(
    out: Annotated[Path, typer.Argument(help="Output file (.npz).", dir_okay=False)],
    games: Annotated[int, typer.Option(help="Games per round.", min=BATCH)] = 20_000,
    rounds: Annotated[
        int, typer.Option(help="Number of rounds; each plays with the values learned before.", min=1)
    ] = 4,
    seed: Annotated[int, typer.Option(help="Random seed for the games.", min=0)] = 0,
    begin: Annotated[
        Path | None,
        typer.Option(
            help="Initial leave values (.npz), such as those of an interrupted run.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    only_late: OnlyLate = False,  # noqa: FBT002
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    scheduler: Scheduler = None,
) -> None:
    """Learn leave values, the values of tiles kept on the rack, by self-play."""
    check_writable(out, ".npz", "OUT")
    if only_late and begin is None:
        refuse("requires initial leave values: --begin", "--only-late")
    lexicon = _prepare(preset, lexicon)
    leaves, console = no_leaves(presets()[preset]) if begin is None else _loaded(begin, "--begin"), Console()
    lessons, learned = Lessons(leaves, presets()[preset]), 0
    with scheduled_pool(scheduler) as pool, Progress(console=console) as progress:
        for number in range(rounds):
            task = progress.add_task(f"Round {number + 1} of {rounds}", total=games)
            starts = range(0, games, BATCH)
            jobs = [(preset, lexicon, leaves, (seed, number, start)) for start in starts]
            for _, each in pool.run(_observed, jobs):
                lessons.add(each)
                progress.advance(task, BATCH)
            leaves = lessons.fit(randomness.generator(f"sizes {seed}", number), only_late=only_late)
            with deferred_ctrl_c():
                leaves.save(out)
                learned += 1
    if pool.interrupted and not learned and lessons.turns:
        # A partial round is better than none.
        lessons.fit(randomness.generator(f"sizes {seed}", 0), only_late=only_late).save(out)
    if lessons.turns:
        kept = f"Learned from {format_count(lessons.turns, 'turn')}: {out}"
        if pool.interrupted and learned:
            kept = f"Learned from {learned} of {format_count(rounds, 'round')}: {out}"
        console.print(kept, highlight=False, soft_wrap=True)
    pool.exit_if_interrupted(
        f"Stopped in round {learned + 1} of {rounds}. "
        + (
            f"To run the rest: --begin {out} --rounds {rounds - learned} --seed {seed + 1}"
            + (" --only-late" if only_late else "")
            if learned
            else "Start again."
        )
    )


def _played(job: tuple[str, str, str, str, Leaves, int, range]) -> Score:
    first, second, preset, lexicon, leaves, budget_ms, bags = job
    generator = _generator(preset, lexicon)
    players = [
        _player(first, leaves, budget_ms, bags),
        _player(second, shipped_leaves(preset), budget_ms, bags),
    ]
    return sum((pair(generator, presets()[preset], players[0], players[1], bag) for bag in bags), Score())


def _observed(job: tuple[str, str, Leaves, tuple[int, int, int]]) -> Observed:
    preset, lexicon, leaves, seed = job
    random = randomness.generator(f"learn {seed}", 0)
    return observe(_generator(preset, lexicon), presets()[preset], leaves, BATCH, random)


def _loaded(file: Path, option: str) -> Leaves:
    try:
        return load_leaves(file)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        refuse(f"{file}: no leave values: {error}", option)


@cache
def _generator(preset: str, lexicon: str) -> MoveGenerator:
    warm_up()
    settings = Settings()
    use_own(own_folder(settings.data_dir))  # loaded again in each process
    return MoveGenerator(settings.library().load(lexicon), presets()[preset])


def _player(name: str, leaves: Leaves, budget_ms: int, bags: range) -> Player:
    if name != SIMULATING:
        return player(next(each for each in get_args(Strategy) if each == name), leaves)

    def begin() -> Callable[[int], bool]:
        deadline = time.perf_counter() + budget_ms / 1000
        return lambda _: time.perf_counter() > deadline

    return simulating(leaves, randomness.generator(f"match {bags.start} {bags.stop}", 0), begin)


def _prepare(preset: str, lexicon: str | None) -> str:
    """Check preset and lexicon, and fill the caches for the worker processes.

    Returns the lexicon's name, by default the preset's. Raises BadParameter.
    """
    if preset not in presets():
        refuse(f"unknown preset {preset!r}; accepted: {', '.join(presets())}", "--preset")
    name = lexicon or presets()[preset].lexicon
    try:
        with Console(stderr=True).status("Loading the engine"):
            _generator(preset, name)
    except (UnknownLexicon, DamagedLexicon) as error:
        refuse(error, "--lexicon")
    return name
