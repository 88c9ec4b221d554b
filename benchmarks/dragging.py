"""Frames and long tasks while words are dragged and answered, in Chromium slowed down four times.

Floors while dragging: 60 frames/s on a phone-class processor, and no task over 50 ms. The baseline is the
same page in the same run with nothing dragged. For whole words of Wibble, from the first tile to the end of
the animations, it prints the work of the page's main thread: medians. Needs ``chromium-headless-shell`` and
the development dependencies.
"""

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Page, ViewportSize, sync_playwright

from app.main import create_app
from app.settings import Settings
from tests.servers import served_in_thread

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SLOWDOWN: Final = 4
OBSERVE: Final = """
  window.frames_ms = [];
  window.long_tasks = [];
  let last = performance.now();
  const frame = (now) => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const {duration} of list.getEntries()) window.long_tasks.push(duration);
  }).observe({type: "longtask"});
"""
ROOMS: Final[dict[str, tuple[str, dict[str, str | float | bool]]]] = {
    "wibble": ("/play", {"mode": "zen"}),
    "boggle": ("/boggle/play", {"seconds": "none"}),
}


def measure(page: Page, seconds: float, *, dragging: bool) -> dict[str, Any]:
    """Frame times and long tasks while the pointer wanders over the board, or rests."""
    page.evaluate("() => { window.frames_ms.length = 0; window.long_tasks.length = 0; }")
    if not dragging:
        page.wait_for_timeout(seconds * 1000)
    else:
        box = page.locator("#board").bounding_box()
        if box is None:
            raise RuntimeError("the page has no board")
        moves = int(seconds * 60)
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        for step in range(moves):
            across = abs((step * 7) % 200 - 100) / 100
            down = abs((step * 3) % 200 - 100) / 100
            page.mouse.move(box["x"] + box["width"] * across * 0.98, box["y"] + box["height"] * down * 0.98)
        page.keyboard.press("Escape")
        page.mouse.up()
    found: dict[str, Any] = page.evaluate("() => ({frames: window.frames_ms, long: window.long_tasks})")
    return found


def work(devtools: CDPSession) -> list[float]:
    """Milliseconds of all tasks since the page was opened, of styles and of layout."""
    found = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    return [1000 * found[name] for name in ("TaskDuration", "RecalcStyleDuration", "LayoutDuration")]


def play_word(page: Page, devtools: CDPSession, url: str) -> list[float]:
    """Drag a word of Wibble, of four letters if there is one; return its ``work``."""
    tiles = page.locator("#board button.tile")
    letters = tiles.evaluate_all("(tiles) => tiles.map((one) => one.dataset.letter)")
    answer = page.request.post(
        f"{url}/api/wibble/solve", data={"board": "".join(letters), "limit": 500, "swaps": 0}
    ).json()
    cells = min((word["cells"] for word in answer["words"]), key=lambda cells: abs(len(cells) - 4))
    boxes = [page.locator(f"#tile-{cell}").bounding_box() for cell in cells]
    before = work(devtools)
    for index, box in enumerate(box for box in boxes if box):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        if index == 0:
            page.mouse.down()
    page.mouse.up()
    page.wait_for_timeout(3_000)
    return [after - first for first, after in zip(before, work(devtools), strict=True)]


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--words", type=int, default=9)
    options = parser.parse_args()
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = Settings(data_dir=Path(folder), cache_dir=Path(folder) / "cache")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with served_in_thread(create_app(settings)) as url:
            print(f"{'':10}{'':10}{'median ms':>10}{'p95 ms':>10}{'frames/s':>10}{'over 50 ms':>12}")
            for room, (path, form) in ROOMS.items():
                page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
                page.add_init_script(OBSERVE)
                page.goto(page.request.post(url + path, form=form).url)
                if page.locator("#start").count():
                    page.locator("#start").click()
                page.locator("#board button.tile").first.wait_for()
                devtools = page.context.new_cdp_session(page)
                devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
                devtools.send("Performance.enable")
                for dragging in (False, True):
                    found = measure(page, options.seconds, dragging=dragging)
                    frames = sorted(found["frames"])
                    rate = 1000 * len(frames) / sum(frames)
                    p95 = frames[int(len(frames) * 0.95)]
                    state, median = "dragging" if dragging else "resting", statistics.median(frames)
                    long = len(found["long"])
                    print(f"{room:10}{state:10}{median:>10.1f}{p95:>10.1f}{rate:>10.1f}{long:>12}")
                if room == "wibble":
                    words = [play_word(page, devtools, url) for _ in range(options.words)]
                    tasks, styles, layout = map(statistics.median, zip(*words, strict=True))
                    print(f"{room:10}a word: {tasks:.0f} ms, styles {styles:.0f}, layout {layout:.0f}")
        browser.close()


if __name__ == "__main__":
    main()
