"""``wibble scrabblet``: play a hand, list its words, anagrams, signatures and subsets."""

import re
import secrets
from itertools import islice
from typing import Annotated, Final, NoReturn, get_args

import typer
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.board import harmless
from app.games.game import IllegalMove, LexiconRef
from app.games.randomness import shuffled
from app.games.scrabblet.dealing import NoSuchHand, Redraw
from app.games.scrabblet.hand import LARGEST, Hand, mask_of, read_tiles
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import Penalize, modes
from app.games.scrabblet.rules import YOU, Scrabblet
from app.games.scrabblet.signatures import primes, signature
from app.games.scrabblet.solver import ORDERS, SHORTEST, Order
from app.games.scrabblet.state import Choices, Guess, Hint, Move, Options, Quit, Report, State
from app.grammar import format_count, plural
from app.settings import Settings
from app.terminal import output
from app.terminal.output import Json
from app.terminal.shell import BARE, Command, Shell
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

MOST_SUBSETS: Final = 10
"""Limit for listing subsets: 10 letters have 1,023 subsets."""
MAX_REDRAWS_SHOWN: Final = 20
"""Number of rejected hands shown with the reason."""

Lexicon = Annotated[str, typer.Option(help="Word list (see: wibble words list).")]
MinLength = Annotated[int, typer.Option(min=2, max=15, help="Minimum word length.")]

scrabblet_app = typer.Typer(no_args_is_help=True, help="Scrabblet: play a hand, or list its words.")


@scrabblet_app.command("deal")
def deal(
    seed: Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same hand.")] = None,
    hand: Annotated[
        str | None, typer.Option(help="Play these tiles: letters, and ? or _ for a blank.")
    ] = None,
    mode: Annotated[str, typer.Option(help=f"Game mode: {', '.join(modes())}.")] = "dealer",
    size: Annotated[int, typer.Option(min=2, max=LARGEST, help="Number of tiles.")] = 7,
    max_vowels: Annotated[int, typer.Option(min=0, help="Maximum number of vowels.")] = 3,
    min_words: Annotated[int, typer.Option(min=0, help="Minimum number of words.")] = 25,
    min_length: MinLength = SHORTEST,
    penalty: Annotated[
        int | None,
        typer.Option(min=0, help="Points lost for a penalised guess [default: the mode's, 0 in both]."),
    ] = None,
    penalize: Annotated[
        str,
        typer.Option(help=f"Guesses to penalise: {' or '.join(get_args(Penalize))}."),
    ] = "non_words",
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """Play a hand: guess its words. Letters may be reused."""
    if mode not in modes():
        _refuse(f"unknown mode {mode!r}; accepted: {', '.join(modes())}", "--mode")
    if penalize not in get_args(Penalize):
        _refuse(f"{penalize!r} is invalid; accepted: {', '.join(get_args(Penalize))}", "--penalize")
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
                "penalize": penalize,
                "lexicon": LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256),
            }
        )
    except ValidationError as error:
        wrong = error.errors()[0]
        _refuse(wrong["msg"], f"--{wrong['loc'][0]}".replace("_", "-"))
    terminal_game = TerminalGame(game, options, seed or secrets.token_hex(8), output.console())
    terminal_game.run()
    terminal_game.finish()


@scrabblet_app.command("gamesetup")
def game_setup(
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of hands to draw.")] = 13,
    seed: Annotated[str | None, typer.Option(help="Random seed; the same seed draws the same hands.")] = None,
    mode: Annotated[str, typer.Option(help=f"Game mode: {', '.join(modes())}.")] = "dealer",
    size: Annotated[int, typer.Option(min=2, max=LARGEST, help="Number of tiles.")] = 7,
    max_vowels: Annotated[
        int, typer.Option(min=0, max=LARGEST, help="Maximum number of vowels of an accepted hand.")
    ] = 3,
    min_words: Annotated[
        int, typer.Option(min=0, max=10_000, help="Minimum number of words of an accepted hand.")
    ] = 25,
    min_length: MinLength = SHORTEST,
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Draw hands as the dealer does, showing why each rejected hand is redrawn."""
    if mode not in modes():
        _refuse(f"unknown mode {mode!r}; accepted: {', '.join(modes())}", "--mode")
    game, console = _game(lexicon), output.console()
    choices = Choices.model_validate(
        {
            "mode": mode,
            "size": size,
            "max_vowels": max_vowels,
            "min_words": min_words,
            "min_length": min_length,
        }
    )
    seed = seed or secrets.token_hex(4)
    hands = islice(game.drawn(choices, seed), count)
    if as_json:
        answers = [
            {"hand": drawn.hand.tiles, "words": drawn.words, "redraw": drawn.redraw} for drawn in hands
        ]
        output.print_json({"seed": seed, "hands": answers})
        return
    for drawn in hands:
        words = drawn.words or 0
        result = f"{words:>6,} {plural(words, 'word')}" if drawn.redraw is None else _regenerate(drawn.redraw)
        console.print(Text(f"{drawn.hand.tiles.upper()} {result}"), soft_wrap=True)
    console.print(f"--seed {seed} draws the same hands", style="dim", highlight=False)


class TerminalGame(Shell):
    """A game from deal to end."""

    bare = BARE | {"/score", "/show", "/hand", "/shuffle", "/hint"}
    refusals = (IllegalMove,)

    def __init__(self, game: Scrabblet, options: Options, seed: str, console: Console) -> None:
        self.game = game
        self.seed = seed
        self.console = console
        self.state = self._dealt(options)
        self.shown = self.state.hand

    def offered(self) -> dict[str, Command]:
        """Return the commands to show score, words, hand and hints."""
        return {
            "/score": Command("", "show your score", lambda _: self.say(f"{self.state.score:8}")),
            "/show": Command("", "show the words you have found", lambda _: self._show()),
            "/hand": Command("", "show your hand", lambda _: self.say(self.shown.upper())),
            "/shuffle": Command("", "shuffle your hand", lambda _: self._shuffle()),
            "/hint": Command("", "show word counts by length and by first letters", lambda _: self._hint()),
        }

    @property
    def prompt(self) -> str:
        """The prompt of the Scrabblet paper."""
        return "Word > "

    @property
    def introduction(self) -> str:
        """Explain input."""
        return "Type a word, or a command with or without its slash."

    def begin(self) -> None:
        """Do nothing: the hand was shown when it was dealt."""

    def ready(self) -> bool:
        """Return whether the game goes on."""
        return self.state.reason is None

    def finish(self) -> None:
        """Print the result; exit with status 130 after Ctrl+C."""
        if self.state.reason is None:
            self._make(Quit())
        view = self.game.view(self.state, YOU)
        counts, rank = view.counts, view.rank
        self.say(
            f"Score {view.score}, {rank.name}: "
            f"{counts.required_found} of {format_count(counts.required, 'common word')} "
            f"and {counts.bonus_found} rarer {plural(counts.bonus_found, 'one')}"
        )
        if self.state.options.hand is None:
            self.say(f"--seed {self.seed} deals the same hand", style="dim")
        self.exit_if_interrupted()

    def _dealt(self, options: Options) -> State:
        _loaded(self.game, self.console)
        self.say(f"{modes()[options.mode].title} Mode")
        words = options.min_words
        if options.hand is None:
            try:
                dealt = self.game.dealt(options, self.seed)
            except NoSuchHand as refused:
                _refuse(str(refused), "--size, --max-vowels, --min-words")
            hidden = len(dealt.redraws) - MAX_REDRAWS_SHOWN
            if hidden > 0:
                self.say(f"{hidden:,} more hands redrawn before these", style="dim")
            for redraw in dealt.redraws[-MAX_REDRAWS_SHOWN:]:
                self.say(f"{redraw.hand.upper()} {_regenerate(redraw)}")
        state = self.game.start(options, 1, self.seed)
        held = len(self.game.goal(state).words)
        count = f"at least {words}" if held >= words else str(held)
        self.say(f"{1 << len(Hand(state.hand).letters)} subsets", style="dim")
        self.say(
            f"Your hand is {state.hand.upper()} you have {count} {plural(held, 'word')} you can construct"
        )
        return state

    def blank(self) -> None:
        """Treat an empty line as an invalid word, as in the transcript of the Scrabblet paper."""
        self.typed("")

    def typed(self, line: str) -> None:
        """Guess a word, with or without ``guess`` before it."""
        words = line.lower().split()
        if not re.fullmatch("(guess )?[a-z]{1,64}", " ".join(words)):
            self.say(harmless(f"Not a word {line}".rstrip()))
            self.say("It is not a word: type one word of letters a to z, or help")
        else:
            self._make(Guess(word=words[-1]))

    def _show(self) -> None:
        for found in self.state.found:
            self.say(found.word)

    def _shuffle(self) -> None:
        self.shown = "".join(shuffled(secrets.SystemRandom(), self.state.hand))
        self.say(self.shown.upper())

    def _make(self, move: Move) -> None:
        self.state = self.game.apply(self.state, YOU, move, 0.0)
        if isinstance(move, Guess) and self.state.report:
            self.say(self._account(self.state.report))

    def _account(self, report: Report) -> str:
        """Describe the result of a guess in the words of the Scrabblet paper's transcript."""
        word, shortest = report.word, self.state.options.min_length
        is_word = f"{word} is a word"
        text = {
            "scored": is_word + (", and has every letter of your hand" if report.pangram else ""),
            "duplicate": f"{is_word}\nYou have already guessed that word {word}",
            "too_short": f"{word} is too short: words have {shortest} letters or more",
            "not_a_word": f"Not a word {word}\nIt is not a word",
            "not_dealt": f"{is_word}\n{word} is not formed correctly. Please use only letters dealt",
        }[report.result]
        return text + (f" ({format_count(report.lost, 'point')} off)" if report.lost else "")

    def _hint(self) -> None:
        if not self.state.hinted:
            self._make(Hint())
        hints = self.game.view(self.state, YOU).hints
        if hints:
            self._show_hints(hints)

    def _show_hints(self, hints: Hints) -> None:
        self.say(
            f"{format_count(hints.words, 'common word')} to find, "
            f"{hints.pangrams} with every letter of your hand"
        )
        table = Table("", box=SIMPLE_HEAD)
        for heading in (*map(str, hints.lengths), "all"):
            table.add_column(heading, justify="right")
        for row in hints.grid:
            table.add_row(
                row.letter.upper(), *(str(number) if number else "-" for number in row.counts), str(row.total)
            )
        if hints.grid:
            self.console.print(table)
        self.say("  ".join(f"{start.letters.upper()} {start.words}" for start in hints.starts))


@scrabblet_app.command("player")
def player(
    hand: Annotated[str, typer.Argument(help="Tiles: letters, and ? or _ for a blank.")],
    sort: Annotated[str, typer.Option(help=f"Sort order: {', '.join(ORDERS)}.")] = "letters",
    centre: Annotated[str, typer.Option(help="A letter that every word must contain.")] = "",
    min_length: MinLength = SHORTEST,
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """List every word of a hand with its score and the letters it uses.

    Sorting by letters groups words by their set of letters, in the order of subset numbers.
    """
    held = Hand(_tiles(hand, "HAND"))
    order: Order | None = next((order for order in ORDERS if order == sort), None)
    if order is None:
        _refuse(f"{sort!r} is invalid; accepted: {', '.join(ORDERS)}", "--sort")
    must_have = centre.lower()
    if must_have and (len(must_have) != 1 or must_have not in held.letters):
        _refuse(f"{centre!r} is not in the hand; accepted: {', '.join(held.letters.upper())}", "--centre")
    game, console = _game(lexicon), output.console()
    words = game.solver.find(held, min_length, mask_of(must_have))
    listed = words.listed(order)
    if as_json:
        answers = [
            {"word": found.word, "score": found.score, "letters": held.used(found.word)}
            | {"blanks": held.blanked(found.word)}
            for found in listed
        ]
        output.print_json({"hand": held.tiles, "count": len(words), "total": words.total, "words": answers})
        return
    _loaded(game, console)
    console.print("Player mode")
    console.print(f"{1 << len(held.letters)} subsets", style="dim", highlight=False)
    width = max([10, *(len(found.word) + 1 for found in listed)])
    for found in listed:
        line = Text(f"{found.word.upper():<{width}}")
        line.append(f"score{found.score:7}")
        line.append(f"  {held.used(found.word).upper()}", "dim")
        blanked = held.blanked(found.word)
        line.append(f" and blank {', '.join(blanked.upper())}" if blanked else "", "dim")
        console.print(line, soft_wrap=True)
    console.print(f"{format_count(len(words), 'word')}, total {words.total:,}", highlight=False)


@scrabblet_app.command("anagrams")
def anagrams(
    word: Annotated[str, typer.Argument(help="A word, or any letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List the words with exactly the same set of letters, each used any number of times."""
    letters = _letters(word)
    game, console = _game(lexicon), output.console()
    if as_json:
        found = game.solver.anagrams(letters)
        output.print_json({"letters": letters, "signature": signature(letters), "anagrams": found})
        return
    _loaded(game, console)
    console.print(f"ListAnagrams: {letters.upper()}      {signature(letters)}", highlight=False)
    for same in game.solver.anagrams(letters):
        console.print(same.upper(), highlight=False)


@scrabblet_app.command("signature")
def show_signature(
    word: Annotated[str | None, typer.Argument(help="A word; without it, ask for words repeatedly.")] = None,
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show the score and signature of a word; the signature is the product of its letters' primes.

    The exit status is 1 if it is not a word. Without a word, it asks for words until you type /quit.
    """
    letters = None if word is None else _letters(word)
    if letters is None and as_json:
        _refuse("--json requires a word", "WORD")
    game, console = _game(lexicon), output.console()
    if letters is not None and as_json:
        output.print_json(
            {
                "word": letters,
                "lexicon": game.lexicon.name,
                "valid": letters in game.lexicon,
                "score": Hand(letters).score(letters),
                "letters": "".join(sorted(set(letters))),
                "primes": primes(letters),
                "signature": signature(letters),
                "anagrams": game.solver.anagrams(letters),
            }
        )
        raise typer.Exit(letters not in game.lexicon)
    _loaded(game, console)
    if letters is not None:
        about = _score_and_signature(game, letters)
        console.print(about, highlight=False, soft_wrap=True)
        raise typer.Exit(0 if letters in game.lexicon else 1)
    shell = Signatures(game, console)
    shell.run()
    shell.exit_if_interrupted()


class Signatures(Shell):
    """Asks for words and shows their signatures."""

    def __init__(self, game: Scrabblet, console: Console) -> None:
        self.game = game
        self.console = console

    def offered(self) -> dict[str, Command]:
        """Return nothing: there are only help and quit."""
        return {}

    @property
    def prompt(self) -> str:
        """The prompt of the game."""
        return "Word > "

    @property
    def introduction(self) -> str:
        """Explain input."""
        return "Type a word to see its score and signature."

    def begin(self) -> None:
        """Show how to leave."""
        self.say("Type a word; quit leaves.", style="dim")

    def typed(self, line: str) -> None:
        """Show a word's score and signature."""
        self.say(_score_and_signature(self.game, line.lower()))


def _score_and_signature(game: Scrabblet, word: str) -> str:
    if word not in game.lexicon:
        return "It is not a word"
    return f"Score{Hand(word).score(word):8} Signature      {signature(word)}"


@scrabblet_app.command("subsets")
def subsets(
    letters: Annotated[str, typer.Argument(help=f"Up to {MOST_SUBSETS} different letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List every subset of the letters with the words that use exactly those letters."""
    hand = Hand("".join(dict.fromkeys(_letters(letters))))
    if len(hand.letters) > MOST_SUBSETS:
        _refuse(f"too many different letters: {len(hand.letters)}; accepted: up to {MOST_SUBSETS}", "LETTERS")
    game, console = _game(lexicon), output.console()
    if as_json:
        output.print_json(
            [
                {"letters": subset, "signature": signature(subset), "words": words}
                for subset, words in game.solver.subsets(hand)
            ]
        )
        return
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


def _regenerate(redraw: Redraw) -> str:
    return f"Regenerate: {redraw.reason} {redraw.count}"


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
        _refuse(f"{text!r} is not a hand: {error}", parameter)


def _letters(text: str) -> str:
    if not re.fullmatch("[a-z]{1,64}", text.lower()):
        _refuse(f"{text!r} is invalid; accepted: 1 to 64 letters a to z", "WORD")
    return text.lower()


def _refuse(message: str, parameter: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint=parameter)
