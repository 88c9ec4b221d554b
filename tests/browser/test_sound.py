"""Sounds: none before a gesture, rising with a word, and on a phone only with the player's consent."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.seat import Seat

LISTEN = """
  window.tones = [];
  const Oscillator = window.OscillatorNode;
  window.OscillatorNode = class extends Oscillator {
    constructor(context, options) {
      super(context, options);
      window.tones.push(options.frequency);
    }
  };
"""
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def listening(sit: Sit, **options: Any) -> Seat:
    me = sit(**options)
    me.page.add_init_script(LISTEN)
    return me


def played_tones(me: Seat) -> list[float]:
    found: list[float] = me.page.evaluate("window.tones")
    return found


def wait_for_tones(me: Seat, number: int) -> None:
    me.page.wait_for_function("(number) => window.tones.length >= number", arg=number)


def loaded(me: Seat) -> bool:
    found: bool = me.page.evaluate(
        "performance.getEntriesByType('resource').some(({name}) => name.endsWith('/sounds.js'))"
    )
    return found


def test_each_letter_of_a_word_sounds_higher_than_the_one_before(sit: Sit) -> None:
    me = listening(sit, viewport=DESK)
    me.open()
    assert not loaded(me), "the page loads without it"
    word = me.word(4)
    for number, letter in enumerate(word.word, 1):
        me.type(letter)
        wait_for_tones(me, number)
    tones = played_tones(me)
    assert tones == sorted(set(tones))
    me.press("Enter")
    me.await_ply(2)
    wait_for_tones(me, len(tones) + 2)


def test_the_end_of_a_press_starts_the_sound(sit: Sit) -> None:
    """Safari starts audio only during such an event, and not while a word is drawn."""
    me = listening(sit, viewport=DESK)
    me.page.add_init_script(
        """
        window.started = [];
        const proto = BaseAudioContext.prototype;
        Object.defineProperty(proto, "state", {get: () => "suspended"});
        AudioContext.prototype.resume = async () => void window.started.push(window.event?.type);
        """
    )
    me.open()
    me.type("a")
    wait_for_tones(me, 1)
    me.drag(me.word(4).cells)
    assert "pointerup" in me.page.evaluate("window.started")


def test_a_word_that_is_refused_sounds_low(sit: Sit) -> None:
    me = listening(sit, viewport=DESK)
    me.open()
    me.drag(me.nonsense())
    me.page.wait_for_function("() => window.tones.includes(120)")


def test_without_sound_nothing_is_loaded(sit: Sit) -> None:
    me = listening(sit, viewport=DESK)
    me.page.request.put(f"{me.url}/api/me/preferences", data={"sound": "off"})
    me.open()
    me.play_word()
    assert played_tones(me) == []
    assert not loaded(me)


@pytest.mark.parametrize(("answer", "sound"), [("Yes", "quiet"), ("No", "off")])
def test_a_phone_is_silent_until_it_was_asked_once(sit: Sit, answer: str, sound: str) -> None:
    me = listening(sit, **TOUCH)
    me.open()
    me.play_word()
    assert played_tones(me) == []
    me.finish()
    question = me.page.locator(".sound-question")
    with me.page.expect_response("**/settings"):
        question.get_by_text(answer, exact=True).click()
    expect(question).to_have_count(0)
    me.open()
    expect(me.page.locator("html")).to_have_attribute("data-sound", sound)
    me.play_word()
    if sound == "quiet":
        wait_for_tones(me, 1)
    assert bool(played_tones(me)) is (sound == "quiet")
    me.finish()
    expect(question).to_have_count(0)


def test_a_long_word_is_celebrated_in_proportion(sit: Sit) -> None:
    me = sit(viewport=DESK, reduced_motion="no-preference")
    me.open()
    me.page.evaluate(
        """() => {
            window.sparks = 0;
            new MutationObserver((changes) => {
              for (const {addedNodes} of changes) {
                window.sparks += [...addedNodes].filter((node) => node.className === "spark").length;
              }
            }).observe(document.body, {childList: true});
        }"""
    )
    me.watch_motion()
    short = next(word for word in me.words() if len(word.word) == 3)
    me.drag(short.cells)
    me.await_ply(2)
    me.await_moved(".flying")
    assert me.page.evaluate("window.sparks") == 0
    long = me.word(6)
    if len(long.word) >= 6:
        me.drag(long.cells)
        me.page.wait_for_function("(sparks) => window.sparks === sparks", arg=8 * (len(long.word) - 5))
