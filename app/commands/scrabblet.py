"""``wibble scrabblet``: a hand to find words in, all the words of a hand, and signatures."""

import re
import secrets
from collections.abc import Callable
from typing import Annotated, Final, NoReturn

import typer
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.games.game import LexiconRef
from app.games.randomness import shuffled
from app.games.scrabblet.dealing import NoSuchHand
from app.games.scrabblet.hand import LARGEST, Hand, mask_of, read_tiles
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import modes
from app.games.scrabblet.rules import YOU, Scrabblet
from app.games.scrabblet.signatures import signature
from app.games.scrabblet.solver import ORDERS, SHORTEST, Order
from app.games.scrabblet.state import Guess, Hint, Move, Options, Quit, Report, State
from app.settings import Settings
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

MOST_SUBSETS: Final = 10
"""Letters whose subsets are listed at most: 1,023 subsets."""
REDRAWS_TOLD: Final = 20
"""Of the hands put back, the last so many are named with the reason."""

Lexicon = Annotated[str, typer.Option(help="The word list; see `wibble words list`.")]
MinLength = Annotated[int, typer.Option(min=2, max=15, help="Letters of the shortest word that counts.")]

scrabblet_app = typer.Typer(
    no_args_is_help=True, help="Scrabblet: find the words of a hand, or let them be found."
)


@scrabblet_app.command("deal")
def deal(
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same hand.")] = None,
    hand: Annotated[
        str | None, typer.Option(help="Play with these tiles: letters, ? or _ for a blank.")
    ] = None,
    mode: Annotated[str, typer.Option(help=f"One of {', '.join(modes())}.")] = "dealer",
    size: Annotated[int, typer.Option(min=2, max=LARGEST, help="Tiles of a dealt hand.")] = 7,
    max_vowels: Annotated[int, typer.Option(min=0, help="The most vowels of a dealt hand.")] = 3,
    min_words: Annotated[int, typer.Option(min=0, help="The fewest words of a dealt hand.")] = 25,
    min_length: MinLength = SHORTEST,
    penalty: Annotated[
        int | None, typer.Option(min=0, help="Points off for a wrong guess [default: the mode's].")
    ] = None,
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """Be dealt a hand and guess its words: letters may be used again and again."""
    if mode not in modes():
        _refuse(f"{mode!r} is no mode; there are {', '.join(modes())}", "--mode")
    tiles = None if hand is None else _tiles(hand, "--hand")
    game = _game(lexicon)
    try:
        options = Options.model_validate(
            {
                "mode": mode,
                "hand": tiles,
                "size": size,
                "max_vowels": max_vowels,
                "min_words": min_words,
                "min_length": min_length,
                "penalty": penalty,
                "lexicon": LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256),
            }
        )
    except ValidationError as error:
        wrong = error.errors()[0]
        _refuse(wrong["msg"], f"--{wrong['loc'][0]}".replace("_", "-"))
    Sitting(game, options, seed or secrets.token_hex(8), Console()).run()


class Sitting:
    """One game from its deal to its end."""

    def __init__(self, game: Scrabblet, options: Options, seed: str, console: Console) -> None:
        self.game = game
        self.seed = seed
        self.console = console
        self.state = self._dealt(options)
        self.shown = self.state.hand
        self.commands: dict[str, tuple[str, Callable[[], None]]] = {
            "score": ("what you have", lambda: self._say(f"{self.state.score:8}")),
            "show": ("the words you have found", self._show),
            "hand": ("your hand", lambda: self._say(self.shown.upper())),
            "shuffle": ("your hand in another order", self._shuffle),
            "hint": ("how many words there are, by length and by beginning", self._hint),
            "quit": ("the end", lambda: self._make(Quit())),
            "help": ("this", self._help),
        }

    def run(self) -> None:
        """Play until the player leaves or has found all."""
        try:
            while self.state.reason is None:
                self._understand(self.console.input("Word > ").split())
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self._make(Quit())
        view = self.game.view(self.state, YOU)
        counts, rank = view.counts, view.rank
        self._say(
            f"Score {view.score}, {rank.name}: {counts.required_found} of {counts.required} common words "
            f"and {counts.bonus_found} rarer ones"
        )
        if self.state.options.hand is None:
            self._say(f"--seed {self.seed} deals this hand again", style="dim")

    def _dealt(self, options: Options) -> State:
        _loaded(self.game, self.console)
        self._say(f"{modes()[options.mode].title} Mode")
        words = options.min_words
        if options.hand is None:
            try:
                dealt = self.game.dealt(options, self.seed)
            except NoSuchHand as refused:
                _refuse(str(refused), "--size, --max-vowels, --min-words")
            unsaid = len(dealt.redraws) - REDRAWS_TOLD
            if unsaid > 0:
                self._say(f"{unsaid:,} more put back before these", style="dim")
            for redraw in dealt.redraws[-REDRAWS_TOLD:]:
                self._say(f"{redraw.hand.upper()} Regenerate: {redraw.reason} {redraw.count}")
        state = self.game.start(options, 1, self.seed)
        held = len(self.game.goal(state).words)
        count = f"at least {words}" if held >= words else str(held)
        self._say(f"{1 << len(Hand(state.hand).letters)} subsets", style="dim")
        self._say(f"Your hand is {state.hand.upper()} you have {count} words you can construct")
        return state

    def _understand(self, typed: list[str]) -> None:
        words = [word.lower() for word in typed]
        if len(words) == 1 and words[0] in self.commands:
            self.commands[words[0]][1]()
        elif re.fullmatch("(guess )?[a-z]{1,64}", " ".join(words)):
            self._make(Guess(word=words[-1]))
        else:
            self._say("It is not a word: type one word of letters a to z, or help")

    def _show(self) -> None:
        for found in self.state.found:
            self._say(found.word)

    def _shuffle(self) -> None:
        self.shown = "".join(shuffled(secrets.SystemRandom(), self.state.hand))
        self._say(self.shown.upper())

    def _help(self) -> None:
        for command, (meaning, _) in self.commands.items():
            self._say(f"{command:<12}{meaning}")
        self._say("guess WORD  guess a word that is a command, such as hint")

    def _make(self, move: Move) -> None:
        self.state = self.game.apply(self.state, YOU, move, 0.0)
        if isinstance(move, Guess) and self.state.report:
            self._say(self._account(self.state.report))

    def _account(self, report: Report) -> str:
        """What came of a guess, in the seed's words."""
        shortest = self.state.options.min_length
        told = {
            "scored": f"{report.word} is a word",
            "duplicate": f"You have already guessed that word {report.word}",
            "too_short": f"{report.word} is too short: words have {shortest} letters or more",
            "not_a_word": f"Not a word {report.word}",
            "not_dealt": f"{report.word} is not formed correctly. Please use only letters dealt",
        }[report.result]
        every = ", and has every letter of your hand" if report.pangram else ""
        return f"{told}{every}" + (f" ({report.lost} points off)" if report.lost else "")

    def _hint(self) -> None:
        if not self.state.hinted:
            self._make(Hint())
        hints = self.game.view(self.state, YOU).hints
        if hints:
            self._tell(hints)

    def _tell(self, hints: Hints) -> None:
        self._say(f"{hints.words} common words to find, {hints.pangrams} with every letter of your hand")
        table = Table("", box=SIMPLE_HEAD)
        for heading in (*map(str, hints.lengths), "all"):
            table.add_column(heading, justify="right")
        for row in hints.grid:
            table.add_row(
                row.letter.upper(), *(str(number) if number else "-" for number in row.counts), str(row.total)
            )
        if hints.grid:
            self.console.print(table)
        self._say("  ".join(f"{start.letters.upper()} {start.words}" for start in hints.starts))

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style), soft_wrap=True)


@scrabblet_app.command("player")
def player(
    hand: Annotated[str, typer.Argument(help="The tiles: letters, ? or _ for a blank.")],
    sort: Annotated[str, typer.Option(help=f"One of {', '.join(ORDERS)}.")] = "letters",
    centre: Annotated[str, typer.Option(help="A letter that every word must have.")] = "",
    min_length: MinLength = SHORTEST,
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """List every word of a hand with its score and the letters it uses.

    Sorted by letters, words of the same letters stand together, in the order in which subsets are counted.
    """
    held = Hand(_tiles(hand, "HAND"))
    order: Order | None = next((order for order in ORDERS if order == sort), None)
    if order is None:
        _refuse(f"{sort!r} is no order; there are {', '.join(ORDERS)}", "--sort")
    must_have = centre.lower()
    if must_have and (len(must_have) != 1 or must_have not in held.letters):
        _refuse(f"{centre!r} is no letter of the hand: it has {', '.join(held.letters.upper())}", "--centre")
    game, console = _game(lexicon), Console()
    _loaded(game, console)
    console.print("Player mode")
    console.print(f"{1 << len(held.letters)} subsets", style="dim", highlight=False)
    words = game.solver.find(held, min_length, mask_of(must_have))
    listed = words.listed(order)
    width = max([10, *(len(found.word) + 1 for found in listed)])
    for found in listed:
        line = Text(f"{found.word.upper():<{width}}")
        line.append(f"score{found.score:7}")
        line.append(f"  {held.used(found.word).upper()}", "dim")
        blanked = held.blanked(found.word)
        line.append(f" and blank {', '.join(blanked.upper())}" if blanked else "", "dim")
        console.print(line, soft_wrap=True)
    console.print(f"{len(words):,} words, total {words.total:,}", highlight=False)


@scrabblet_app.command("anagrams")
def anagrams(
    word: Annotated[str, typer.Argument(help="A word, or just letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """List the words that use exactly the same letters, each however often."""
    letters = _letters(word)
    game, console = _game(lexicon), Console()
    _loaded(game, console)
    console.print(f"ListAnagrams: {letters.upper()}      {signature(letters)}", highlight=False)
    for same in game.solver.anagrams(letters):
        console.print(same.upper(), highlight=False)


@scrabblet_app.command("signature")
def show_signature(
    word: Annotated[str, typer.Argument(help="A word of the lexicon.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """Show what a word scores and its signature, the product of the primes of its letters.

    The exit status is 1 where it is not a word.
    """
    letters = _letters(word)
    game, console = _game(lexicon), Console()
    _loaded(game, console)
    if letters not in game.lexicon:
        console.print("It is not a word")
        raise typer.Exit(1)
    score = Hand(letters).score(letters)
    console.print(f"Score{score:8} Signature      {signature(letters)}", highlight=False, soft_wrap=True)


@scrabblet_app.command("subsets")
def subsets(
    letters: Annotated[str, typer.Argument(help=f"Up to {MOST_SUBSETS} different letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """List every set of the letters, with the words that use just those."""
    hand = Hand("".join(dict.fromkeys(_letters(letters))))
    if len(hand.letters) > MOST_SUBSETS:
        _refuse(f"{len(hand.letters)} different letters have too many: up to {MOST_SUBSETS}", "LETTERS")
    game, console = _game(lexicon), Console()
    _loaded(game, console)
    console.print(1 << len(hand.letters), highlight=False)
    for number, (subset, words) in enumerate(game.solver.subsets(hand)):
        console.print(f"Sub word {subset.upper()} _____", style="dim", highlight=False)
        for word in words:
            console.print(word.upper(), highlight=False)
        if words:
            console.print(
                f"{number:6} is a possible word. Signature:{signature(subset):10} {subset.upper()}",
                highlight=False,
                soft_wrap=True,
            )


def _loaded(game: Scrabblet, console: Console) -> None:
    console.print(f"{len(game.lexicon)} words loaded", style="dim", highlight=False)


def _game(lexicon: str) -> Scrabblet:
    try:
        return Scrabblet(Settings().library().load(lexicon))
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(str(error), "--lexicon")


def _tiles(text: str, parameter: str) -> str:
    try:
        return read_tiles(text)
    except ValueError as error:
        _refuse(f"{text!r} is no hand: {error}", parameter)


def _letters(text: str) -> str:
    if not re.fullmatch("[a-z]{1,64}", text.lower()):
        _refuse(f"{text!r} is no word: a word has 1 to 64 letters a to z", "WORD")
    return text.lower()


def _refuse(message: str, parameter: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint=parameter)
