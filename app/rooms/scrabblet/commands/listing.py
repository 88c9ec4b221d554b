"""``wibble scrabblet player``, ``anagrams``, ``signature`` and ``subsets``: the words of given letters."""

from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from app.games.scrabblet.hand import Hand, mask_of
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.signatures import primes, signature
from app.games.scrabblet.solver import ORDERS, SHORTEST, Order
from app.grammar import format_count
from app.rooms.scrabblet.commands.arguments import (
    Lexicon,
    MinLength,
    load_game,
    print_loaded,
    read_hand,
    read_letters,
)
from app.terminal import output
from app.terminal.arguments import refuse
from app.terminal.output import Json
from app.terminal.shell import Command, Shell
from app.words.library import DEFAULT_LEXICON

MOST_SUBSETS: Final = 10
"""Limit for listing subsets: 10 letters have 1,023 subsets."""


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
    held = Hand(read_hand(hand, "HAND"))
    order: Order | None = next((order for order in ORDERS if order == sort), None)
    if order is None:
        refuse(f"{sort!r} is invalid; accepted: {', '.join(ORDERS)}", "--sort")
    must_have = centre.lower()
    if must_have and (len(must_have) != 1 or must_have not in held.letters):
        refuse(f"{centre!r} is not in the hand; accepted: {', '.join(held.letters.upper())}", "--centre")
    game, console = load_game(lexicon), output.console()
    words = game.solver.find(held, min_length, mask_of(must_have))
    listed = words.listed(order)
    if as_json:
        answers = [
            {"word": found.word, "points": found.score, "letters": held.used(found.word)}
            | {"blanks": held.blanked(found.word)}
            for found in listed
        ]
        output.print_json(
            {"rack": held.tiles, "word_count": len(words), "points": words.total, "words": answers}
        )
        return
    print_loaded(game, console)
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


def anagrams(
    word: Annotated[str, typer.Argument(help="A word, or any letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List the words with exactly the same set of letters, each used any number of times."""
    letters = read_letters(word)
    game, console = load_game(lexicon), output.console()
    if as_json:
        found = game.solver.anagrams(letters)
        output.print_json({"letters": letters, "signature": signature(letters), "anagrams": found})
        return
    print_loaded(game, console)
    console.print(f"ListAnagrams: {letters.upper()}      {signature(letters)}", highlight=False)
    for same in game.solver.anagrams(letters):
        console.print(same.upper(), highlight=False)


def show_signature(
    word: Annotated[str | None, typer.Argument(help="A word; without it, ask for words repeatedly.")] = None,
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show the score and signature of a word; the signature is the product of its letters' primes.

    The exit status is 1 if it is not a word. Without a word, it asks for words until you type /quit.
    """
    letters = None if word is None else read_letters(word)
    if letters is None and as_json:
        refuse("--json requires a word", "WORD")
    game, console = load_game(lexicon), output.console()
    if letters is not None and as_json:
        output.print_json(
            {
                "word": letters,
                "lexicon": game.lexicon.name,
                "valid": letters in game.lexicon,
                "points": Hand(letters).score(letters),
                "letters": "".join(sorted(set(letters))),
                "primes": primes(letters),
                "signature": signature(letters),
                "signature_text": str(signature(letters)),
                "anagrams": game.solver.anagrams(letters),
            }
        )
        raise typer.Exit(letters not in game.lexicon)
    print_loaded(game, console)
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
        return {}

    @property
    def prompt(self) -> str:
        return "Word > "

    @property
    def introduction(self) -> str:
        return "Type a word to see its score and signature."

    def begin(self) -> None:
        self.say("Type a word; quit leaves.", style="dim")

    def typed(self, line: str) -> None:
        self.say(_score_and_signature(self.game, line.lower()))


def _score_and_signature(game: Scrabblet, word: str) -> str:
    if word not in game.lexicon:
        return "It is not a word"
    return f"Score{Hand(word).score(word):8} Signature      {signature(word)}"


def subsets(
    letters: Annotated[str, typer.Argument(help=f"Up to {MOST_SUBSETS} different letters.")],
    lexicon: Lexicon = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List every subset of the letters with the words that use exactly those letters."""
    hand = Hand("".join(dict.fromkeys(read_letters(letters, "LETTERS"))))
    if len(hand.letters) > MOST_SUBSETS:
        refuse(f"too many different letters: {len(hand.letters)}; accepted: up to {MOST_SUBSETS}", "LETTERS")
    game, console = load_game(lexicon), output.console()
    if as_json:
        output.print_json(
            [
                {"letters": subset, "signature": signature(subset), "words": words}
                for subset, words in game.solver.subsets(hand)
            ]
        )
        return
    print_loaded(game, console)
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
