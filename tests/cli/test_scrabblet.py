"""`wibble scrabblet`, compared with the transcripts in the Scrabblet paper."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.root import app

GUESSES = [
    *("front", "loot", "loft", "troll", "score", "turf", "turn", "trunt", "show", "hand", "plot", "flout"),
    *("score", "floor", "front", "loft", "", "runt", "score", "quit"),
]
TRANSCRIPT = """front is a word
loot is a word
loft is a word
troll is a word
      24
turf is a word
turn is a word
Not a word trunt
It is not a word
front
loot
loft
troll
turf
turn
RUOLFNT
plot is a word
plot is not formed correctly. Please use only letters dealt
flout is a word
      43
floor is a word
front is a word
You have already guessed that word front
loft is a word
You have already guessed that word loft
Not a word
It is not a word: type one word of letters a to z, or help
runt is a word
      55"""


def run(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Exit status and output without the prompts."""
    result = CliRunner().invoke(app, ["scrabblet", *arguments], input=typed)
    return result.exit_code, result.output.replace("Word > ", "")


def refusal(*arguments: str) -> str:
    status, output = run(*arguments)
    assert status == 2
    return " ".join(output.replace("│", " ").split())


@pytest.fixture(scope="module")
def redbo(reference: Path) -> str:
    """The word list of the Scrabblet paper, added under this name."""
    added = CliRunner().invoke(
        app, ["words", "add", "redbo", str(reference / "scrabblet" / "redbo-dictionary.txt")]
    )
    assert added.exit_code == 0, added.output
    return "redbo"


def test_the_transcript_in_the_scrabblet_paper_is_reproduced(redbo: str) -> None:
    status, output = run("deal", "--hand", "RUOLFNT", "--lexicon", redbo, typed="\n".join(GUESSES))
    assert status == 0
    assert output.startswith("178691 words loaded\nDealer Mode\n128 subsets\n")
    assert "Your hand is RUOLFNT you have at least 25 words you can construct" in output
    assert TRANSCRIPT in output


def test_a_guess_that_is_no_word_costs_points_where_asked_and_a_command_or_a_word_never() -> None:
    typed = "front\nrun\nplot\nhand\nHELP\nscore\ntrunt\nscore\nxq\nzq"
    command = ("deal", "--hand", "ruolfnt", "--penalty", "7")
    status, output = run(*command, typed=typed)
    assert status == 0
    assert "run is too short: 4 letters or more\n" in output
    assert "Please use only letters dealt\n" in output
    assert "       8\nNot a word trunt\nIt is not a word (7 points off)\n       1\n" in output
    assert "Not a word xq\nIt is not a word (1 point off)\nNot a word zq\nIt is not a word\n" in output
    assert "Score 0" in output
    status, output = run(*command, "--penalize", "wrong_guesses", typed="front\nrun\n")
    assert "run is too short: 4 letters or more (7 points off)\n" in output


def test_a_pangram_is_reported() -> None:
    assert (
        "abba is a word, and has every letter of your hand\n" in run("deal", "--hand", "ab", typed="abba")[1]
    )


def test_commands_in_the_game() -> None:
    typed = "shuffle\nhint\nhint\nguess hint\nhelp\nHAND\nquit\n"
    status, output = run("deal", "--hand", "thinrs?", "--min-length", "3", typed=typed)
    assert status == 0
    shuffled = output.splitlines()[4]
    assert sorted(shuffled) == sorted("THINRS?")
    assert output.count("common words to find") == 2
    assert "hint is a word\n" in output
    assert "/shuffle           shuffle your hand" in output
    assert output.count(f"\n{shuffled}\n") == 2


def test_a_seed_deals_the_same_hand_and_redraws_are_shown() -> None:
    command = ("deal", "--seed", "hill", "--max-vowels", "2", "--min-words", "150", "--min-pangrams", "0")
    status, output = run(*command)
    assert status == 0
    assert output == run(*command)[1]
    assert " Regenerate: Vowel Count " in output
    assert " Regenerate: Word Count " in output
    assert "you have at least 150 words you can construct" in output
    assert "--seed hill deals the same hand" in output


def test_the_daily_mode_can_be_played_in_the_terminal() -> None:
    status, output = run("deal", "--mode", "daily", "--seed", "x", typed="hint\n")
    assert status == 0
    assert "Daily Mode\n" in output
    assert " more hands redrawn before these\n" in output


def test_player_mode_lists_abcdef_as_in_the_scrabblet_paper(redbo: str) -> None:
    status, output = run("player", "abcdef", "--lexicon", redbo)
    lines = output.splitlines()
    assert status == 0
    assert lines[:3] == ["178691 words loaded", "Player mode", "64 subsets"]
    assert lines[3:6] == [
        "ABBA      score      8  AB",
        "BABA      score      8  AB",
        "CACA      score      8  AC",
    ]
    assert lines[-2:] == ["FACED     score     11  ACDEF", "54 words, total 526"]
    assert len(lines) == 3 + 54 + 1


def test_player_mode_sorts_and_filters() -> None:
    best = run("player", "ruolfnt", "--sort", "score", "--centre", "F", "--min-length", "6")[1].splitlines()[
        3:-1
    ]
    scores = [int(line.split()[2]) for line in best]
    assert scores == sorted(scores, reverse=True)
    assert all("F" in line.split()[0] and len(line.split()[0]) >= 6 for line in best)
    assert "OXEYE     score     11  OXE and blank Y" in run("player", "oxe_")[1].splitlines()


def test_signatures_and_anagrams(redbo: str) -> None:
    assert run("signature", "CREEPIE", "--lexicon", redbo)[1].splitlines()[1] == (
        "Score      11 Signature      4089745"
    )
    assert run("signature", "TRAPZOID") == (1, "244804 words loaded\nIt is not a word\n")
    lines = run("anagrams", "CRPEI", "--lexicon", redbo)[1].splitlines()
    assert lines[1] == "ListAnagrams: CRPEI      4089745"
    assert (len(lines), lines[2], lines[-1]) == (18, "CREEPIE", "REPRICE")


def test_signatures_are_asked_for_until_one_leaves(redbo: str) -> None:
    """The paper's example of scores and signatures, section 2.4.1."""
    words = (
        "CREEPIE\nCRAP\nTARP\nTRAP\nTRAPZOID\nTRAPEZOID\nTWITTER\nSCRABBLE\nSCRUBBLE\nSCROBBLE\nSCRIBBLE\n"
    )
    status, output = run("signature", "--lexicon", redbo, typed=f"{words}/quit\nnever")
    assert status == 0
    assert [line.split() for line in output.splitlines()[2:]] == [
        ["Score", "11", "Signature", "4089745"],
        ["Score", "8", "Signature", "32330"],
        ["Score", "6", "Signature", "459086"],
        ["Score", "6", "Signature", "459086"],
        ["It", "is", "not", "a", "word"],
        ["Score", "21", "Signature", "3859507079582"],
        ["Score", "10", "Signature", "90946669"],
        ["Score", "14", "Signature", "49902270"],
        ["It", "is", "not", "a", "word"],
        ["It", "is", "not", "a", "word"],
        ["Score", "14", "Signature", "573876105"],
    ]
    assert run("signature", typed="score")[0] == 0, "the end of the input also quits"


def test_the_game_setup_gives_the_dealers_reasons_and_ends_where_the_deal_does() -> None:
    status, output = run("gamesetup", "--seed", "hill", "--count", "40")
    lines = output.splitlines()
    assert status == 0
    assert len(lines) == 41
    for line in lines[:-1]:
        hand = line.split()[0]
        vowels = sum(tile in "AEIOU" for tile in hand)
        assert len(hand) == 7
        assert line.startswith(f"{hand} Regenerate: Vowel Count {vowels}") == (vowels > 3)
        if vowels <= 3:
            assert re.fullmatch(r"\S+ (Regenerate: (Word|Required|Pangram) Count \d+| +[\d,]+ words)", line)
    kept = next(line.split()[0] for line in lines if line.endswith("words"))
    assert f"Your hand is {kept} " in run("deal", "--seed", "hill")[1]


def test_subsets_are_listed_as_in_the_scrabblet_paper(redbo: str) -> None:
    status, output = run("subsets", "ablet", "--lexicon", redbo)
    assert status == 0
    able = """Sub word ABLE _____
ABELE
ABLE
BABBLE
BABEL
BALE
BLAE
LABEL
LABELABLE
LABELLA
    14 is a possible word. Signature:      2442 ABLE
Sub word T _____
Sub word AT _____
"""
    assert able in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["player", "ab1"],
            "'ab1' is not a hand: tile 2 is '1': tiles are the letters a to z, and ? for a blank",
        ),
        (["player", ""], "there are 0 tiles: a hand has 1 to 15"),
        (["deal", "--hand", "a???"], "there are 3 blanks: the bank has 2"),
        (["player", "abc", "--centre", "x"], "'x' is not in the hand; accepted: A, B, C"),
        (["player", "abc", "--sort", "luck"], "accepted: letters, score, length, alphabet"),
        (["deal", "--mode", "duel"], "unknown mode 'duel'; accepted: dealer, daily"),
        (["deal", "--size", "2", "--min-words", "9999"], "hands drawn, none has 2 tiles"),
        (["deal", "--penalize", "all"], "'all' is invalid; accepted: non_words, wrong_guesses"),
        (["deal", "--penalty", "1000"], "100 or less expected, 1000 given"),
        (["deal", "--lexicon", "nope"], "there is no lexicon named 'nope'"),
        (["gamesetup", "--mode", "duel"], "unknown mode 'duel'; accepted: dealer, daily"),
        (["gamesetup", "--count", "0"], "1 or more expected, 0 given"),
        (["signature", "a-b"], "'a-b' is invalid"),
        (["anagrams", "a?"], "WORD: 'a?' is invalid"),
        (["subsets", "a?"], "LETTERS: 'a?' is invalid"),
        (["deal", "--max-vowels", "16"], "'--max-vowels': 15 or less expected"),
        (["subsets", "abcdefghijk"], "too many different letters: 11; accepted: up to 10"),
    ],
)
def test_impossible_input_is_refused(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)
