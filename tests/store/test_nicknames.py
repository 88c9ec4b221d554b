"""Valid and invalid nicknames."""

import pytest

from app.store.players import BadNickname, clean_nickname


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \u00a0 Lovelace ", "Ada Lovelace"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("Zoe\u0308", "Zoë"),
        ("名無し", "名無し"),
        ("🦊", "🦊"),
        ("\u2764\ufe0f", "\u2764"),
        ("A\U000e0100da\ufe00", "Ada"),
        ("x" * 24, "x" * 24),
        ("नमस्ते", "नमस्ते"),
    ],
)
def test_a_nickname_is_kept_composed_with_single_spaces(given: str, kept: str) -> None:
    assert clean_nickname(given) == kept


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "   ",
        "\u00a0\u2003",
        "x" * 25,
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x7fb",
        "\u200b",
        "\ufe0f",
        "a\u200bb",
        "a\u202eb",
        "\ufeffAda",
        "a\u00adb",
        "\u2066Ada\u2069",
        "\u3164",
        "\u2800",
        "\uffa0",
        "\u115f\u1160",
        "a\u2028b",
        "\ue000",
        "\ud800",
        "\U000e0041",
        "z\u0300\u0301\u0302\u0303",
        "a\u20dd",
        "\uffff",
    ],
)
def test_a_nickname_that_cannot_be_seen_is_refused(bad: str) -> None:
    with pytest.raises(BadNickname, match="a nickname"):
        clean_nickname(bad)


@pytest.mark.parametrize("nickname", ["tihs"[::-1], "t!h\u0455"[::-1]])
def test_an_offensive_name_is_refused(nickname: str) -> None:
    with pytest.raises(BadNickname, match="offensive word: choose another"):
        clean_nickname(nickname)


@pytest.mark.parametrize("nickname", ["Pip (bot)", "Pip(BOT)", "Pip \uff08bot\uff09"])
def test_a_name_that_looks_like_that_of_a_bot_is_refused(nickname: str) -> None:
    with pytest.raises(BadNickname, match="which marks programs"):
        clean_nickname(nickname)


def test_thousands_of_marks_are_refused_before_they_are_put_in_order() -> None:
    """With 32,000 characters, this took two seconds and blocked all other requests."""
    with pytest.raises(BadNickname, match="must have 1 to 24 characters, not 2001"):
        clean_nickname("a" + 1000 * "\u0301" + 1000 * "\u0327")
