"""The web server as its clients see it: the files, the link, and what goes over it."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSCloseCode, WSMsgType

from engine import Color, Edition, Game
from firmware.guard.checks import Asked
from firmware.guard.limits import USUAL
from firmware.web.files import FOLDER
from firmware.web.seen import SeenPawns
from firmware.web.server import AddressTaken, WebServer
from firmware.web.viewer import Viewer
from hardware.interface import Frame, Reading, Tune
from tests.players import quick_game
from tests.stand_in import LAYOUT, StandIn, make_guard

LARGEST_VISIT_BYTES = 60_000
LOOPBACK = ip_address("127.0.0.1")
NOBODY = Asked("GET", "/link", None, None, None, False, True, False, True, None, LOOPBACK, LOOPBACK, 80)


class Page:
    """What a page hears, as a plain client."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket

    async def hear(self, kind: str, **values: object) -> dict[str, Any]:
        """The next message of this kind with these values."""
        while True:
            message: dict[str, Any] = json.loads(await self.socket.receive_str())
            if message["type"] == kind and all(message[key] == value for key, value in values.items()):
                return message

    async def say(self, **command: object) -> None:
        await self.socket.send_str(json.dumps(command))

    async def ask_for_light(self) -> None:
        await self.socket.send_bytes(b"")


class Visit:
    """A server that runs, and pages that are opened on it."""

    def __init__(self, host: StandIn, server: WebServer, port: int, client: ClientSession) -> None:
        self.host, self.server, self.client = host, server, client
        self.address = f"http://127.0.0.1:{port}"

    async def open(self) -> Page:
        page = Page(await self.client.ws_connect(f"{self.address}/link", origin=self.address))
        await page.hear("pawns")
        return page


@asynccontextmanager
async def serving(host: StandIn | None = None) -> AsyncIterator[Visit]:
    host = host or StandIn()
    server = WebServer(host, make_guard())
    host.on_change, host.on_frame, host.on_tune, host.on_event = server.refresh, server.show, server.play, server.tell
    port = await server.start("127.0.0.1", 0)
    async with ClientSession(auto_decompress=False) as client:
        try:
            yield Visit(host, server, port, client)
        finally:
            await server.stop()


def visit(script: Callable[[Visit], Awaitable[None]], host: StandIn | None = None) -> None:
    """Run a script against a server of its own."""

    async def run() -> None:
        async with serving(host) as there:
            await script(there)

    asyncio.run(run())


# The files


def test_a_visit_loads_little_in_the_longest_language_and_with_all_that_is_loaded_on_demand() -> None:
    sizes = {path: len(gzip.compress(path.read_bytes(), 9)) for path in FOLDER.rglob("*") if path.is_file()}
    words = [size for path, size in sizes.items() if path.parent.name == "words"]
    assert sum(sizes.values()) - sum(words) + max(words) < LARGEST_VISIT_BYTES


def test_every_file_of_the_page_is_served_compressed() -> None:
    async def script(there: Visit) -> None:
        for path in (path for path in FOLDER.rglob("*") if path.is_file()):
            async with there.client.get(f"{there.address}/{path.relative_to(FOLDER).as_posix()}") as answer:
                assert answer.status == 200, path
                assert answer.headers["Content-Encoding"] == "gzip"
                assert gzip.decompress(await answer.read()) == path.read_bytes()

    visit(script)


def test_the_page_loads_nothing_from_elsewhere() -> None:
    async def script(there: Visit) -> None:
        async with there.client.get(there.address) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert b"://" not in gzip.decompress(await answer.read())

    visit(script)


@pytest.mark.parametrize("path", ["/server.py", "/../server.py", "/%2e%2e/server.py", "/words", "/words/", "/nothing"])
def test_nothing_else_is_served(path: str) -> None:
    async def script(there: Visit) -> None:
        from yarl import URL

        async with there.client.get(URL(there.address + path, encoded=True)) as answer:
            assert answer.status == 404

    visit(script)


def test_a_browser_that_has_a_file_is_not_sent_it_again() -> None:
    async def script(there: Visit) -> None:
        async with there.client.get(there.address) as first:
            tag = first.headers["ETag"]
        async with there.client.get(there.address, headers={"If-None-Match": tag}) as second:
            assert second.status == 304
            assert await second.read() == b""

    visit(script)


def test_the_record_reads_back_to_the_game() -> None:
    async def script(there: Visit) -> None:
        async with there.client.get(f"{there.address}/record") as answer:
            assert "attachment" in answer.headers["Content-Disposition"]
            assert Game.parse(await answer.text()) == there.host.game

    visit(script, StandIn(quick_game()))


def test_an_address_that_is_taken_is_named() -> None:
    async def script(there: Visit) -> None:
        port = int(there.address.rpartition(":")[2])
        with pytest.raises(AddressTaken, match=f"127.0.0.1:{port}"):
            await WebServer(StandIn(), make_guard()).start("127.0.0.1", port)

    visit(script)


# What pages are told


def test_a_page_that_opens_is_told_everything() -> None:
    async def script(there: Visit) -> None:
        page = Page(await there.client.ws_connect(f"{there.address}/link", origin=there.address))
        hello, game, state, pawns = [await page.hear(kind) for kind in ("hello", "game", "state", "pawns")]
        assert [len(row) for row in hello["board"]["rows"]] == [18, 6, 6, 6, 6, 6, 6, 18]
        assert hello["hasHands"] is True
        assert (game["edition"], game["turns"]) == ("zen", [])
        assert (state["player"], state["phase"], state["stage"]) == ("red", "opening", "playing")
        assert {"color": "red", "origin": 0, "destination": 1} in state["ways"]
        assert len(pawns["pawns"]) == 24

    visit(script)


def test_a_move_is_told_with_what_it_leads_to() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        there.host.move(Color.RED, 0, 1)
        game, state = await page.hear("game"), await page.hear("state")
        [action] = game["turns"][0]["actions"]
        assert (action["kind"], action["origin"], action["destination"]) == ("opening", 0, 1)
        assert action["position"]["red"] == [5, 2, 1, 1, 1, 1, 1, 0]
        assert (state["phase"], state["distance"], state["mayDecline"]) == ("follow-up", 2, True)

    visit(script)


def test_a_pawn_that_stands_wrong_is_told_with_the_reason_and_without_english() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        there.host.move(Color.RED, 0, 5)
        state = await page.hear("state")
        assert state["misplaced"] == {"color": "red", "origin": 0, "row": 5, "reason": "wrong-distance"}

    visit(script)


def test_the_end_is_told_with_the_count() -> None:
    async def script(there: Visit) -> None:
        page = Page(await there.client.ws_connect(f"{there.address}/link", origin=there.address))
        result = (await page.hear("game"))["result"]
        counted = sum(line["pawns"] * line["worth"] for line in result["count"] if line["color"] == "red")
        assert counted == result["points"]["red"]

    visit(script, StandIn(quick_game()))


def test_what_has_not_changed_is_not_told_again() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        there.server.refresh()
        there.server.play(Tune.READY)
        assert json.loads(await page.socket.receive_str()) == {"type": "played", "tune": "ready"}

    visit(script)


def test_pixels_are_sent_only_when_they_are_asked_for_and_have_changed() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        frames = [Frame(bytes([level]) * 648) for level in (1, 2, 3)]
        for frame in frames:
            there.server.show(frame)
        await page.ask_for_light()
        assert await page.socket.receive_bytes() == frames[-1].pixels
        await page.ask_for_light()
        there.server.show(frames[-1])
        there.server.play(Tune.READY)
        assert (await page.socket.receive()).type is WSMsgType.TEXT
        there.server.show(frames[0])
        assert await page.socket.receive_bytes() == frames[0].pixels

    visit(script)


def test_a_page_that_does_not_ask_is_sent_no_pixels() -> None:
    async def script(there: Visit) -> None:
        page, other = await there.open(), await there.open()
        await other.ask_for_light()
        await other.socket.receive_bytes()
        there.server.play(Tune.READY)
        assert (await page.socket.receive()).type is WSMsgType.TEXT

    visit(script)


def test_nothing_queues_up_for_a_page_that_takes_nothing() -> None:
    class Jammed:
        """A connection that takes what it is sent only when it is let."""

        def __init__(self) -> None:
            self.taken: list[str] = []
            self.flows = asyncio.Event()

        async def send_str(self, text: str) -> None:
            await self.flows.wait()
            self.taken.append(text)

    async def run() -> None:
        connection = Jammed()
        viewer = Viewer(connection, NOBODY)  # type: ignore[arg-type]
        delivery = asyncio.create_task(viewer.deliver())
        viewer.post("state", b"first")
        await asyncio.sleep(0)
        for number in range(1000):
            viewer.post("state", b"%d" % number)
        connection.flows.set()
        viewer.post("pawns", b"last")
        while "last" not in connection.taken:
            await asyncio.sleep(0)
        delivery.cancel()
        assert connection.taken == ["first", "999", "last"]

    asyncio.run(run())


def test_a_board_without_a_workshop_has_nothing_to_look_into_or_to_calibrate() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        await page.say(type="look", inside=True)
        await page.say(type="calibrate", wish="begin")
        assert "nothing to calibrate" in (await page.hear("complaint"))["detail"]
        async with there.client.get(f"{there.address}/doctor") as answer:
            assert answer.status == 404

    visit(script)


# What pages ask for


def test_pages_move_pawns_press_keys_and_begin_games() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        number = next(pawn.number for pawn in there.host.board.table.pawns if pawn.row == 0)
        x_mm, y_mm = LAYOUT.centres_mm[LAYOUT.slot(1, 2)]
        await page.say(type="move", pawn=number, x=x_mm, y=y_mm, height=80)
        await page.say(type="move", pawn=number, x=x_mm, y=y_mm, height=0)
        assert (await page.hear("game"))["turns"][0]["actions"][0]["destination"] == 1
        await page.say(type="key", button="done", touch="pressed")
        await page.hear("state", player="black")
        await page.say(type="new", edition="bonus+aggressive", first="black", bestOf=3)
        await page.hear("game", edition="bonus", aggressive=True, first="black")
        assert (await page.hear("state"))["match"]["bestOf"] == 3
        assert there.host.game.start.edition == Edition.parse("bonus+aggressive")

    visit(script)


def test_faults_are_made_and_repaired() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        await page.say(type="fault", text="unplug")
        state = await page.hear("state")
        assert (state["faults"], state["sensorsLost"]) == (["unplug"], True)
        await page.say(type="fault", text="clear")
        assert (await page.hear("state"))["faults"] == []

    visit(script)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"type": "shout"}',
        '{"type": "key", "button": "door", "touch": "pressed"}',
        '{"type": "key", "button": "done", "touch": "pressed", "twice": true}',
        '{"type": "new", "edition": "deluxe", "first": "red", "bestOf": 0}',
        '{"type": "new", "edition": "zen", "first": "red", "bestOf": 2}',
        '{"type": "new", "edition": "classic+aggressive", "first": "red", "bestOf": 0}',
        '{"type": "new", "edition": "zen", "first": "red", "bestOf": 0, "computer": "blue", "level": 1}',
        '{"type": "new", "edition": "zen", "first": "red", "bestOf": 0, "computer": "red", "level": 6}',
        '{"type": "new", "edition": "zen", "first": "red", "bestOf": 0, "computer": "red"}',
        '{"type": "review"}',
        '{"type": "from", "turn": 0}',
        '{"type": "from", "turn": 1}',
        '{"type": "move", "pawn": 24, "x": 0, "y": 0, "height": 0}',
        '{"type": "move", "pawn": -1, "x": 0, "y": 0, "height": 0}',
        '{"type": "move", "pawn": 0, "x": 1e9, "y": 0, "height": 0}',
        '{"type": "move", "pawn": 0, "x": 0, "y": 0, "height": -1}',
        '{"type": "fault", "text": "earthquake"}',
        '{"type": "fault", "text": "stuck 9.9"}',
    ],
)
def test_a_command_that_makes_no_sense_is_answered_and_changes_nothing(command: str) -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        before = (there.host.game, there.host.board.table.readings(), there.host.board.faults.active)
        await page.socket.send_str(command)
        assert (await page.hear("complaint"))["detail"]
        assert (there.host.game, there.host.board.table.readings(), there.host.board.faults.active) == before

    visit(script)


def test_a_match_that_goes_on_is_not_given_up_for_a_game_from_the_middle() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        await page.say(type="new", edition="zen", first="red", bestOf=3)
        there.host.move(Color.RED, 0, 1)
        await page.say(type="from", turn=1)
        assert "a match goes on" in (await page.hear("complaint"))["detail"]
        assert there.host.view.match is not None

    visit(script)


def test_a_review_is_told_to_every_page_until_the_game_is_another() -> None:
    async def script(there: Visit) -> None:
        there.host.on_review = there.server.review
        page = await there.open()
        await page.say(type="review")
        review = await page.hear("review")
        assert review["isWhole"]
        assert len(review["turns"]) == len(there.host.game.turns)
        later = await there.open()
        assert await later.hear("review") == review
        await page.say(type="new", edition="zen", first="red", bestOf=0)
        await page.hear("game")
        latest = await there.open()
        there.server.play(Tune.READY)
        assert json.loads(await latest.socket.receive_str())["type"] == "played", "and of no review before"

    visit(script, StandIn(quick_game()))


def test_a_command_that_is_too_long_ends_the_link_and_nothing_else() -> None:
    async def script(there: Visit) -> None:
        page, other = await there.open(), await there.open()
        await page.socket.send_str("x" * (USUAL.message_bytes + 1))
        message = await page.socket.receive()
        assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.MESSAGE_TOO_BIG)
        there.server.play(Tune.READY)
        assert (await other.hear("played"))["tune"] == "ready"

    visit(script)


def test_a_socket_whose_key_is_no_text_is_refused_and_is_no_mistake_of_ours() -> None:
    async def script(there: Visit) -> None:
        request = (
            f"GET /link HTTP/1.1\r\nHost: {there.address[7:]}\r\nOrigin: {there.address}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \N{SNOWMAN}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", int(there.address.rpartition(":")[2]))
        writer.write(request.encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
        writer.close()
        await writer.wait_closed()

    visit(script)


def test_the_pawns_of_a_real_board_are_not_moved_by_a_page() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        await page.say(type="move", pawn=0, x=0, y=0, height=0)
        assert "real" in (await page.hear("complaint"))["detail"]

    visit(script, StandIn(is_real=True))


def test_a_refused_key_is_told_without_a_reason() -> None:
    async def script(there: Visit) -> None:
        page = await there.open()
        await page.say(type="key", button="done", touch="pressed")
        assert (await page.hear("refused"))["reason"] in (None, "must-move")

    visit(script)


def test_every_page_is_told_when_the_service_stops() -> None:
    async def script(there: Visit) -> None:
        pages = [await there.open() for _ in range(3)]
        closing = [asyncio.create_task(page.socket.receive()) for page in pages]
        await there.server.stop()
        assert [message.data for message in await asyncio.gather(*closing)] == [WSCloseCode.GOING_AWAY] * 3

    visit(script)


# Pawns that only sensors see


def readings(**pawns: Reading) -> list[Reading]:
    """Readings of a board with these pawns: `s1_2` is the third slot of row 1."""
    found = [Reading.EMPTY] * LAYOUT.slot_count
    for name, reading in pawns.items():
        row, place = map(int, name[1:].split("_"))
        found[LAYOUT.slot(row, place)] = reading
    return found


def test_a_pawn_that_left_one_slot_is_the_one_that_is_found_on_another() -> None:
    seen = SeenPawns(LAYOUT)
    [before] = seen.see(readings(s0_0=Reading.RED))
    [held] = seen.see(readings())
    [after] = seen.see(readings(s1_2=Reading.RED))
    assert before.number == held.number == after.number
    assert (held.x_mm, held.y_mm) == (before.x_mm, before.y_mm)
    assert held.height_mm > 0
    assert (after.x_mm, after.y_mm, after.height_mm) == (*LAYOUT.centres_mm[LAYOUT.slot(1, 2)], 0.0)


def test_pawns_of_two_colours_are_never_mixed_up() -> None:
    seen = SeenPawns(LAYOUT)
    red, black = seen.see(readings(s3_0=Reading.RED, s3_5=Reading.BLACK))
    seen.see(readings())
    first, second = seen.see(readings(s3_1=Reading.BLACK, s3_4=Reading.RED))
    assert (first.number, first.color, second.number, second.color) == (
        red.number,
        red.color,
        black.number,
        black.color,
    )
    assert first.x_mm > second.x_mm


def test_a_slot_that_is_unsure_keeps_its_pawn() -> None:
    seen = SeenPawns(LAYOUT)
    before = seen.see(readings(s2_2=Reading.RED))
    assert seen.see(readings(s2_2=Reading.UNSURE)) == before


def test_a_pawn_of_unknown_colour_is_seen_as_such() -> None:
    [pawn] = SeenPawns(LAYOUT).see(readings(s2_2=Reading.OCCUPIED))
    assert pawn.color is None
    assert pawn.height_mm == 0.0
