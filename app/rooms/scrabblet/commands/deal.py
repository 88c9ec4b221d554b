"""``wibble scrabblet deal`` and ``gamesetup``: play a hand, or draw hands like the dealer."""

import re
import secrets
from itertools import islice
from typing import Annotated, Final, get_args

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from app.games.game import IllegalMove, LexiconRef
from app.games.randomness import shuffled
from app.games.scrabblet.dealing import NoSuchHand, Redraw
from app.games.scrabblet.hand import LARGEST, Hand
from app.games.scrabblet.modes import Penalize, modes
from app.games.scrabblet.rules import YOU, Scrabblet
from app.games.scrabblet.solver import SHORTEST
from app.games.scrabblet.state import Choices, Guess, Hint, Move, Options, Quit, Report, State
from app.grammar import format_count, plural, printable
from app.rooms.scrabblet.commands.arguments import (
    Lexicon,
    MinLength,
    load_game,
    print_loaded,
    read_hand,
)
from app.rooms.scrabblet.terminal import format_hints
from app.terminal import output
from app.terminal.arguments import refuse
from app.terminal.output import Json
from app.terminal.shell import BARE, Command, Shell
from app.words.library import DEFAULT_LEXICON

MAX_REDRAWS_SHOWN: Final = 20
"""Maximum number of rejected hands shown with the reason."""


def deal(
    seed: Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same hand.")] = None,
    hand: Annotated[
        str | None, typer.Option(help="Play these tiles: letters, and ? or _ for a blank.")
    ] = None,
    mode: Annotated[str, typer.Option(help=f"Game mode: {', '.join(modes())}.")] = "dealer",
    size: Annotated[int, typer.Option(min=2, max=LARGEST, help="Number of tiles.")] = 7,
    max_vowels: Annotated[int, typer.Option(min=0, max=LARGEST, help="Maximum number of vowels.")] = 3,
    min_words: Annotated[int, typer.Option(min=0, max=10_000, help="Minimum number of words.")] = 25,
    min_required: Annotated[int, typer.Option(min=0, max=1_000, help="Minimum number of common words.")] = 20,
    min_pangrams: Annotated[
        int, typer.Option(min=0, max=100, help="Minimum number of common words with every letter.")
    ] = 1,
    min_length: MinLength = SHORTEST,
    penalty: Annotated[
        int | None,
        typer.Option(
            min=0, max=100, help="Points lost for a penalised guess [default: the mode's, 0 in both]."
        ),
    ] = None,
    penalize: Annotated[
        str,
        typer.Option(help=f"Guesses to penalise: {' or '.join(get_args(Penalize))}."),
    ] = "non_words",
    lexicon: Lexicon = DEFAULT_LEXICON,
) -> None:
    """Play a hand: guess its words. Letters may be reused."""
    if mode not in modes():
        refuse(f"unknown mode {mode!r}; accepted: {', '.join(modes())}", "--mode")
    if penalize not in get_args(Penalize):
        refuse(f"{penalize!r} is invalid; accepted: {', '.join(get_args(Penalize))}", "--penalize")
    tiles = None if hand is None else read_hand(hand, "--hand")
    game = load_game(lexicon)
    try:
        options = Options.model_validate(
            {
                "mode": mode,
                "rack": tiles,
                "size": size,
                "max_vowels": max_vowels,
                "min_words": min_words,
                "min_required": min_required,
                "min_pangrams": min_pangrams,
                "min_length": min_length,
                "penalty": penalty,
                "penalize": penalize,
                "lexicon": LexiconRef.of(game.lexicon),
            }
        )
    except ValidationError as error:
        from app.web.guard.fields import field_errors  # noqa: PLC0415 - keeps the command fast

        wrong = field_errors(error.errors())[0]
        refuse(wrong.message, f"--{wrong.location[0]}".replace("_", "-"))
    terminal_game = TerminalGame(game, options, seed or secrets.token_hex(8), output.console())
    terminal_game.run()
    terminal_game.finish()


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
    min_required: Annotated[
        int, typer.Option(min=0, max=1_000, help="Minimum number of common words of an accepted hand.")
    ] = 20,
    min_pangrams: Annotated[
        int, typer.Option(min=0, max=100, help="Minimum number of common words with every letter.")
    ] = 1,
    min_length: MinLength = SHORTEST,
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Draw hands as the dealer does, showing why each rejected hand is redrawn."""
    if mode not in modes():
        refuse(f"unknown mode {mode!r}; accepted: {', '.join(modes())}", "--mode")
    game, console = load_game(lexicon), output.console()
    choices = Choices.model_validate(
        {
            "mode": mode,
            "size": size,
            "max_vowels": max_vowels,
            "min_words": min_words,
            "min_required": min_required,
            "min_pangrams": min_pangrams,
            "min_length": min_length,
        }
    )
    seed = seed or secrets.token_hex(4)
    hands = islice(game.drawn(choices, seed), count)
    if as_json:
        answers = [
            {"rack": drawn.hand.tiles, "word_count": drawn.words, "redraw": drawn.redraw} for drawn in hands
        ]
        output.print_json({"seed": seed, "hands": answers})
        return
    for drawn in hands:
        words = drawn.words or 0
        result = (
            f"{words:>6,} {plural(words, 'word')}" if drawn.redraw is None else _format_redraw(drawn.redraw)
        )
        console.print(Text(f"{drawn.hand.tiles.upper()} {result}"), soft_wrap=True)
    console.print(f"--seed {seed} draws the same hands", style="dim", highlight=False)


class TerminalGame(Shell):
    """A game in the terminal, from deal to end."""

    bare = BARE | {"/score", "/show", "/hand", "/shuffle", "/hint"}
    refusals = (IllegalMove,)

    def __init__(self, game: Scrabblet, options: Options, seed: str, console: Console) -> None:
        self.game = game
        self.seed = seed
        self.console = console
        self.state = self._dealt(options)
        self.shown = self.state.hand

    def offered(self) -> dict[str, Command]:
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
        return "Type a word, or a command with or without its slash."

    def begin(self) -> None:
        """Do nothing: the hand was shown when it was dealt."""

    def ready(self) -> bool:
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
        if self.state.options.rack is None:
            self.say(f"--seed {self.seed} deals the same hand", style="dim")
        self.exit_if_interrupted()

    def _dealt(self, options: Options) -> State:
        print_loaded(self.game, self.console)
        self.say(f"{modes()[options.mode].title} Mode")
        words = options.min_words
        if options.rack is None:
            try:
                dealt = self.game.dealt(options, self.seed)
            except NoSuchHand as refused:
                refuse(str(refused), "--size, --max-vowels, --min-words")
            hidden = len(dealt.redraws) - MAX_REDRAWS_SHOWN
            if hidden > 0:
                self.say(f"{hidden:,} more hands redrawn before these", style="dim")
            for redraw in dealt.redraws[-MAX_REDRAWS_SHOWN:]:
                self.say(f"{redraw.hand.upper()} {_format_redraw(redraw)}")
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
            self.say(printable(f"Not a word {line}".rstrip()))
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
            self.say(self._format_report(self.state.report))

    def _format_report(self, report: Report) -> str:
        """Describe the result of a guess in the words of the Scrabblet paper's transcript."""
        word, shortest = report.word, self.state.options.min_length
        is_word = f"{word} is a word"
        # As in the paper, a guess must be a word before anything else.
        refused = report.result in ("too_short", "not_dealt") and word not in self.game.lexicon
        text = {
            "scored": is_word + (", and has every letter of your hand" if report.pangram else ""),
            "duplicate": f"{is_word}\nYou have already guessed that word {word}",
            "too_short": f"{word} is too short: {shortest} letters or more",
            "not_a_word": f"Not a word {word}\nIt is not a word",
            "not_dealt": f"{is_word}\n{word} is not formed correctly. Please use only letters dealt",
        }["not_a_word" if refused else report.result]
        return text + (f" ({format_count(report.lost, 'point')} off)" if report.lost else "")

    def _hint(self) -> None:
        if not self.state.hinted:
            self._make(Hint())
        if hints := self.game.view(self.state, YOU).hints:
            self.console.print(format_hints(hints))


def _format_redraw(redraw: Redraw) -> str:
    return f"Regenerate: {redraw.reason} {redraw.count}"
