"""Players who use a page as people do: with a mouse, with keys, with one finger or with two."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import CDPSession, Locator, Page, expect

from engine import Action, Color, Game, Kind
from hardware.layout import BoardSettings, Layout

Point = tuple[float, float]
LAYOUT = Layout.of(BoardSettings())
_TO_SCREEN = """([x, y]) => {
    const point = new DOMPoint(x, -y).matrixTransform(document.querySelector(".pawns").getScreenCTM());
    return [point.x, point.y];
}"""


def quick_game(first: Color = Color.RED) -> Game:
    """A whole game in which everybody goes as far as possible, so that it is soon over."""
    game = Game.new(first=first)
    while game.state.outcome is None:
        game = game.play(max(game.state.legal_actions(), key=_progress))
    return game


def _progress(action: Action) -> tuple[int, int]:
    if action.origin is None or action.destination is None:
        return (0, 0)
    return ((action.destination - action.origin) * action.color.forward, -action.origin * action.color.forward)


def rows_of(action: Action) -> tuple[int, int]:
    assert action.origin is not None
    assert action.destination is not None
    return action.origin, action.destination


def pawn(page: Page, color: Color, row: int) -> Locator:
    """The pawns of that colour that stand in that row, as a screen reader finds them."""
    return page.get_by_role("button", name=f"{str(color).capitalize()} pawn, row {row}", exact=True)


def on_screen(page: Page, x_mm: float, y_mm: float) -> Point:
    x, y = page.evaluate(_TO_SCREEN, [x_mm, y_mm])
    return x, y


def middle(page: Page, row: int) -> Point:
    """The middle of a row on the screen."""
    ys = [LAYOUT.centres_mm[slot][1] for slot in LAYOUT.rows[row]]
    return on_screen(page, 0.0, (min(ys) + max(ys)) / 2)


def centre(element: Locator) -> Point:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def count_actions(page: Page, number: int) -> None:
    """Wait until the page has seen so many actions."""
    expect(page.locator(".turns .action")).to_have_count(number)


def drag(page: Page, color: Color, origin: int, destination: int) -> None:
    page.mouse.move(*centre(pawn(page, color, origin).first.locator(".reach")))
    page.mouse.down()
    x, y = middle(page, destination)
    page.mouse.move(x, y, steps=3)
    page.mouse.up()


def tap_tap(page: Page, color: Color, origin: int, destination: int) -> None:
    page.touchscreen.tap(*centre(pawn(page, color, origin).first.locator(".reach")))
    page.touchscreen.tap(*middle(page, destination))


class Keyboard:
    """Hands that never leave the keyboard."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def go_to_the_board(self) -> None:
        for _ in range(30):
            self._page.keyboard.press("Tab")
            if self._page.evaluate("document.activeElement.matches('.pawn')"):
                return
        raise AssertionError("the tab key does not come to the board")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def move(self, color: Color, origin: int, destination: int) -> None:
        self._find(color, origin)
        up = "ArrowUp" if destination > origin else "ArrowDown"
        self.press("Enter", *[up] * abs(destination - origin), "Enter")

    def _find(self, color: Color, row: int) -> None:
        while (there := int(self._focused()[-1])) != row:
            self._page.keyboard.press("ArrowUp" if there < row else "ArrowDown")
        for key in ("ArrowLeft", "ArrowRight"):
            for _ in range(12):
                if self._focused().lower().startswith(str(color)):
                    return
                self._page.keyboard.press(key)
        raise AssertionError(f"no {color} pawn can be reached in row {row}")

    def _focused(self) -> str:
        label: str = self._page.evaluate("document.activeElement.getAttribute('aria-label')")
        return label


class Fingers:
    """Real touches, several at once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)

    def move(self, *ways: tuple[Point, Point]) -> None:
        """Each finger from its first point to its second, all at the same time; lifted one after the other."""
        for share in (0.0, 0.5, 1.0):
            kind = "touchMove" if share else "touchStart"
            self._touch(kind, [_between(start, end, share) for start, end in ways])
        ends = [end for _, end in ways]
        for kept in range(len(ways) - 1, -1, -1):
            self._touch("touchEnd", ends[len(ways) - kept :], first=len(ways) - kept)

    def _touch(self, kind: str, points: list[Point], first: int = 0) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points, start=first)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def in_pairs(game: Game) -> Iterator[tuple[Action, ...]]:
    """The actions of a game, an opening and its follow-up together where they move two pawns in two rows."""
    actions = list(game.actions)
    while actions:
        pair = tuple(actions[:2])
        kinds = [action.kind for action in pair]
        together = kinds == [Kind.OPENING, Kind.FOLLOW_UP] and rows_of(pair[0])[1] != rows_of(pair[1])[0]
        step = pair if together and rows_of(pair[0])[0] != rows_of(pair[1])[0] else pair[:1]
        del actions[: len(step)]
        yield step
