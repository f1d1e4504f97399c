"""What a frame costs while a pawn is dragged, in a real Chromium: `python -m tests.dragging`.

`linja simulate` runs in a process of its own. After an opening, a pawn that may follow up is lifted, so that light runs
over the board all the while, and is carried in circles, a step with each frame. A page keeps 60 frames a second where
its main thread takes less than 16.7 ms for each; to put them on the screen is the graphics card's, where there is one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from playwright.sync_api import Page

from engine import Color
from simulator.bench.figures import line, plain
from tests.browser import DESKTOP, PHONE, TOURED, launched
from tests.players import centre, drag, pawn

DRAGGED_MS = 4000
PERCENTS = (50, 95)
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "device_scale_factor": 3},
}
MAIN_THREAD, FRAME, TASK = "CrRendererMain", "ProxyMain::BeginMainFrame::commit", "ThreadControllerImpl::RunTask"
"""What Chromium calls the main thread of a page, a frame of it, and anything that a thread does."""
LASTED = "X"
"""How it marks what has a beginning and an end."""
IN_CIRCLES = """
([x, y, milliseconds]) => new Promise((done) => {
  const layer = document.querySelector(".layer.pawns");
  const start = performance.now();
  function step() {
    const passed = performance.now() - start;
    const turn = passed / 400;
    const at = { clientX: x + 80 * Math.sin(turn), clientY: y - 80 * (1 - Math.cos(turn)) };
    layer.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, ...at }));
    if (passed < milliseconds) requestAnimationFrame(step);
    else done();
  }
  step();
})
"""

Events = list[dict[str, Any]]
"""What Chromium notes: each has a name, a thread, a time and how long the processor was at it, in microseconds."""


@contextmanager
def simulated() -> Iterator[str]:
    """The address of a simulated board with a new game."""
    command = [sys.executable, "-m", "simulator", "simulate", "--no-browser"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "STATE_DIRECTORY": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as board:
            try:
                assert board.stdout is not None
                told = re.search(r"http://\S+/", board.stdout.readline())
                assert told is not None
                yield told[0]
            finally:
                board.terminate()


@contextmanager
def traced(page: Page) -> Iterator[Events]:
    """All that Chromium notes meanwhile; complete when left."""
    events: Events = []
    complete: list[object] = []
    chromium = page.context.new_cdp_session(page)
    chromium.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    chromium.on("Tracing.tracingComplete", lambda told: complete.append(told))
    categories = {"includedCategories": ["toplevel", "cc"]}
    chromium.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    yield events
    chromium.send("Tracing.end")
    while not complete:
        page.wait_for_timeout(50)


def drag_in_circles(page: Page) -> Events:
    """The pawn is let go where it may stand or not: what is measured is over then."""
    page.get_by_text("move a pawn one row").first.wait_for()
    drag(page, Color.RED, 0, 1)
    page.get_by_text("move any pawn 2 rows").first.wait_for()
    x, y = centre(pawn(page, Color.RED, 2).first.locator(".reach"))
    page.mouse.move(x, y)
    page.mouse.down()
    with traced(page) as events:
        page.evaluate(IN_CIRCLES, [x, y, DRAGGED_MS])
    page.mouse.up()
    return events


def seconds_a_frame(events: Events) -> list[float]:
    """The processor time of the page's main thread from each frame to the next."""
    mains = {_thread(event) for event in events if event["args"].get("name") == MAIN_THREAD}
    own = [event for event in events if event["ph"] == LASTED and _thread(event) in mains]
    frames = sorted(event["ts"] for event in own if event["name"] == FRAME)
    tasks = [(event["ts"], event.get("tdur", 0)) for event in own if event["name"] == TASK]
    return [sum(took for at, took in tasks if start <= at < end) / 1e6 for start, end in pairwise(frames)]


def _thread(event: dict[str, Any]) -> tuple[int, int]:
    return event["pid"], event["tid"]


def main() -> None:
    with launched() as browser:
        for name, screen in SCREENS.items():
            with simulated() as address, browser.new_context(locale="en-GB", **screen) as context:
                context.add_init_script(TOURED)
                page = context.new_page()
                page.goto(address)
                frames_s = seconds_a_frame(drag_in_circles(page))
            print(line(f"{name}: main thread, for a frame of a drag", frames_s, PERCENTS, "16.7 ms"))
            print(
                plain(
                    f"{name}: frames here, without a graphics card", f"{1000 * len(frames_s) / DRAGGED_MS:.0f} a second"
                )
            )


if __name__ == "__main__":
    main()
