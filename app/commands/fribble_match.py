"""``wibble fribble match`` and ``learn-leaves``: engines against each other, and what they learn from it."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar, get_args

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress

from app.games.fribble.learning import Observed, fit, observe
from app.games.fribble.leaves import Leaves, load_leaves, no_leaves, shipped_leaves
from app.games.fribble.match import Score, pair
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import DEFAULT_PRESET, presets, use_own
from app.games.fribble.selfplay import Player
from app.games.fribble.simulate import simulating
from app.games.fribble.strategy import Strategy, player
from app.games.kernel import warm_up
from app.settings import Settings
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

fribble_match_app = typer.Typer()

SIMULATING: Final = "simulating"
STRATEGIES: Final = (*get_args(Strategy), SIMULATING)
BATCH: Final = 5
"""Pairs of games that a process plays between two reports."""

Preset = Annotated[str, typer.Option(help="See `wibble fribble presets`.")]
LexiconName = Annotated[str, typer.Option(help="The word list; see `wibble words list`.")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Of a Dask cluster to play on, instead of this machine's cores."),
]

R = TypeVar("R")


@fribble_match_app.command("match")
def match_strategies(
    first: Annotated[str, typer.Argument(metavar="A", help=f"One of {', '.join(STRATEGIES)}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[
        int, typer.Option(help="Games, in pairs: each bag is played from both seats.", min=2)
    ] = 200,
    seed: Annotated[int, typer.Option(help="Settles the bags.", min=0)] = 0,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = DEFAULT_LEXICON,
    leaves: Annotated[
        Path | None, typer.Option(help="Leaves for A, instead of those shipped.", exists=True, dir_okay=False)
    ] = None,
    budget_ms: Annotated[int, typer.Option(help=f"Milliseconds a move for {SIMULATING}.", min=1)] = 1000,
    scheduler: Scheduler = None,
) -> None:
    """Let two strategies play each other: wins, points between them, and how sure that is (95 %)."""
    for name, parameter in ((first, "A"), (second, "B")):
        if name not in STRATEGIES:
            _refuse(f"{name!r} is no strategy; there are {', '.join(STRATEGIES)}", parameter)
    _prepare(preset, lexicon)
    weights = load_leaves(leaves).weights if leaves is not None else None
    told = (first, second, preset, lexicon, weights, budget_ms)
    console, score = Console(), Score()
    with _executor(scheduler) as executor, Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{first} against {second}", total=games // 2)
        end = seed + games // 2
        bags = (range(start, min(start + BATCH, end)) for start in range(seed, end, BATCH))
        began = progress.get_time()
        for played in _gather(executor, _played, ((*told, some) for some in bags)):
            score += played
            progress.update(
                task, completed=score.pairs, description=f"{first} {score.share:.1%} against {second}"
            )
        spent = progress.get_time() - began
    console.print(f"{first} against {second}, {score}, {score.turns / spent:,.0f} turns/s", highlight=False)


@fribble_match_app.command("learn-leaves")
def learn_leaves(
    out: Annotated[Path, typer.Argument(help="Where to write them (.npz).", dir_okay=False)],
    games: Annotated[int, typer.Option(help="Games of each round.", min=BATCH)] = 4000,
    rounds: Annotated[
        int, typer.Option(help="Rounds; each plays with what the one before has learned.", min=1)
    ] = 4,
    seed: Annotated[int, typer.Option(help="Settles the games.", min=0)] = 0,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = DEFAULT_LEXICON,
    scheduler: Scheduler = None,
) -> None:
    """Learn from games of the machine against itself what tiles kept on the rack are worth."""
    if out.suffix != ".npz":
        _refuse(f"{out} does not end in .npz", "OUT")
    _prepare(preset, lexicon)
    leaves, console = no_leaves(), Console()
    with _executor(scheduler) as executor, Progress(console=console) as progress:
        for number in range(rounds):
            task = progress.add_task(f"Round {number + 1} of {rounds}", total=games)
            observed: list[Observed] = []
            starts = range(0, games, BATCH)
            jobs = ((preset, lexicon, leaves.weights, (seed, number, start)) for start in starts)
            for each in _gather(executor, _observed, jobs):
                observed.append(each)
                progress.advance(task, BATCH)
            leaves = fit(observed)
            leaves.save(out)
    console.print(
        f"Learned from {sum(len(each.equities) for each in observed):,} racks of the last round: {out}"
    )


def _played(job: tuple[str, str, str, str, Any, int, range]) -> Score:
    first, second, preset, lexicon, weights, budget_ms, bags = job
    generator = _generator(preset, lexicon)
    shipped = shipped_leaves(preset)
    ours = shipped if weights is None else Leaves(weights)
    players = [_player(first, ours, budget_ms, bags), _player(second, shipped, budget_ms, bags)]
    return sum((pair(generator, presets()[preset], players[0], players[1], bag) for bag in bags), Score())


def _observed(job: tuple[str, str, Any, tuple[int, int, int]]) -> Observed:
    preset, lexicon, weights, seed = job
    random = np.random.default_rng(seed)
    return observe(_generator(preset, lexicon), presets()[preset], Leaves(weights), BATCH, random)


@cache
def _generator(preset: str, lexicon: str) -> MoveGenerator:
    warm_up()
    settings = Settings()
    use_own(settings.presets_dir)  # another process does not know them
    return MoveGenerator(settings.library().load(lexicon), presets()[preset])


def _player(name: str, leaves: Leaves, budget_ms: int, bags: range) -> Player:
    if name != SIMULATING:
        return player(next(each for each in get_args(Strategy) if each == name), leaves)

    def begin() -> Callable[[int], bool]:
        deadline = time.perf_counter() + budget_ms / 1000
        return lambda _: time.perf_counter() > deadline

    return simulating(leaves, np.random.default_rng((bags.start, bags.stop)), begin)


def _prepare(preset: str, lexicon: str) -> None:
    """Build here what the other processes then find in the caches; refuse what there is not."""
    if preset not in presets():
        _refuse(f"there is no preset named {preset!r}; there are {', '.join(presets())}", "--preset")
    try:
        with Console(stderr=True).status("Readying the engine"):
            _generator(preset, lexicon)
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(str(error), "--lexicon")


@contextmanager
def _executor(scheduler: str | None) -> Iterator[Executor]:
    """Processes on every core of this machine, or on the cluster at that address."""
    if scheduler is None:
        with ProcessPoolExecutor(cpu_count(), mp_context=get_context("spawn")) as processes:
            yield processes
        return
    try:
        from distributed import Client  # noqa: PLC0415 - an optional dependency
    except ImportError:
        _refuse("a cluster takes Dask: pip install 'wibble[cluster]'", "--scheduler")
    try:
        client = Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        _refuse(f"no cluster at {scheduler}: {error}", "--scheduler")
    with client:
        yield client.get_executor()


def _gather(executor: Executor, work: Callable[[Any], R], jobs: Iterable[Any]) -> Iterator[R]:
    """The results as they come."""
    for done in as_completed([executor.submit(work, job) for job in jobs]):
        yield done.result()


def _refuse(message: str, parameter: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint=parameter)
