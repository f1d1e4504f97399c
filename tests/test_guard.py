"""The guard by itself: pairing, devices, limits and who may do what, all in numbers and without a network."""

from __future__ import annotations

import logging
import stat
from contextlib import ExitStack
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.code_light import LARGEST_DIGIT
from firmware.guard.checks import Asked, Refusal, plain_address
from firmware.guard.devices import MOST_DEVICES, PAIRED_FOR_S, Devices
from firmware.guard.guard import Guard, TooMany, own_names
from firmware.guard.limits import MOST_REMEMBERED, USUAL, Limits, Pace, Paces, Places, neighbour
from firmware.guard.pairing import (
    CODE_S,
    DIGITS,
    FIRST_CODE_WAIT_S,
    FIRST_GUESS_WAIT_S,
    GUESSES,
    NoCode,
    Pairing,
    TooSoon,
    counts,
    new_code,
)
from firmware.guard.settings import WebSettings

OWN = ip_address("192.168.1.5")
NEIGHBOUR = Asked(
    method="GET",
    path="/",
    host="192.168.1.5:8080",
    origin=None,
    fetch_site=None,
    is_navigation=False,
    is_socket=False,
    is_forwarded=False,
    is_text=True,
    token=None,
    peer=ip_address("192.168.1.77"),
    address=OWN,
    port=8080,
)
SOCKET = replace(NEIGHBOUR, path="/link", is_socket=True, origin="http://192.168.1.5:8080")
DAY_S = 24 * 3600.0


@pytest.fixture
def devices(tmp_path: Path) -> Devices:
    return Devices(tmp_path / "devices.json")


@pytest.fixture
def guard(devices: Devices) -> Guard:
    return Guard(["Linja.local"], devices)


# Pairing


def test_the_code_that_is_shown_pairs_one_device() -> None:
    pairing = Pairing(lambda: "314159")
    assert pairing.show(now=0.0) == "314159"
    assert pairing.guess("314159", now=5.0)
    with pytest.raises(NoCode):
        pairing.guess("314159", now=6.0)


def test_a_code_goes_out_after_its_time() -> None:
    pairing = Pairing(lambda: "314159")
    pairing.show(now=0.0)
    assert pairing.shown(CODE_S - 1) == "314159"
    assert pairing.shown(CODE_S) is None
    with pytest.raises(NoCode):
        pairing.guess("314159", CODE_S)


def test_asking_again_shows_the_same_code_and_not_for_longer() -> None:
    codes = iter(["111111", "222222"])
    pairing = Pairing(lambda: next(codes))
    assert pairing.show(now=0.0) == pairing.show(now=100.0) == "111111"
    assert pairing.shown(CODE_S) is None


def test_a_wrong_guess_costs_time_and_more_each_time() -> None:
    pairing = Pairing(lambda: "314159")
    pairing.show(now=0.0)
    assert not pairing.guess("111111", now=0.0)
    with pytest.raises(TooSoon) as first:
        pairing.guess("314159", now=0.0)
    assert not pairing.guess("111111", now=first.value.wait_s)
    with pytest.raises(TooSoon) as second:
        pairing.guess("314159", now=first.value.wait_s)
    assert second.value.wait_s > first.value.wait_s


def test_a_few_wrong_guesses_cost_the_code() -> None:
    pairing = Pairing(lambda: "314159")
    pairing.show(now=0.0)
    for number in range(GUESSES):
        assert not pairing.guess("111111", now=10.0 * number)
    with pytest.raises(NoCode):
        pairing.guess("314159", now=100.0)


def test_each_code_that_nobody_used_makes_the_next_wait_longer_and_a_used_one_ends_that() -> None:
    pairing, now, waits = Pairing(), 0.0, []
    for _ in range(3):
        pairing.show(now)
        now += CODE_S
        with pytest.raises(TooSoon) as too_soon:
            pairing.show(now)
        waits.append(too_soon.value.wait_s)
        now += too_soon.value.wait_s
    assert waits == [30.0, 60.0, 120.0]
    pairing.guess(pairing.show(now), now)
    pairing.show(now)
    with pytest.raises(TooSoon) as too_soon:
        pairing.show(now + CODE_S)
    assert too_soon.value.wait_s == 30.0


def test_each_code_has_its_own_guesses() -> None:
    pairing = Pairing(lambda: "314159")
    for start in (0.0, 1000.0):
        pairing.show(start)
        for number in range(GUESSES - 1):
            assert not pairing.guess("111111", start + 10 * number)
    assert pairing.guess("314159", 1100.0)


def guesses_in_a_year() -> int:
    """Of somebody who guesses as fast as possible."""
    pairing, now, guesses = Pairing(lambda: "999999"), 0.0, 0
    while now < 365 * DAY_S:
        try:
            pairing.show(now)
            assert not pairing.guess("111111", now)
            guesses += 1
        except TooSoon as too_soon:
            now += too_soon.wait_s
    return guesses


def test_whoever_guesses_as_fast_as_possible_for_a_year_gets_hardly_any_guesses() -> None:
    assert guesses_in_a_year() / 9**6 < 0.003


def test_codes_differ_and_have_six_digits_that_light_can_show() -> None:
    codes = [new_code() for _ in range(1000)]
    assert {len(code) for code in codes} == {6}
    assert set("".join(codes)) == set("123456789")
    assert len(set(codes)) > 900


def test_a_digit_is_as_many_pixels() -> None:
    assert counts("314159") == (3, 1, 4, 1, 5, 9)


# Devices


def test_a_paired_device_is_known_after_a_restart_and_nobody_else_is(tmp_path: Path) -> None:
    devices = Devices(tmp_path / "state" / "devices.json")
    token = devices.pair()
    devices.save()
    restarted = Devices(tmp_path / "state" / "devices.json")
    assert restarted.know(token)
    assert not restarted.know(token[:-1])
    assert not restarted.know("")


def test_the_file_holds_no_secret_and_is_for_its_owner_alone(tmp_path: Path, devices: Devices) -> None:
    token = devices.pair()
    devices.save()
    assert token not in (tmp_path / "devices.json").read_text()
    assert stat.S_IMODE((tmp_path / "devices.json").stat().st_mode) == 0o600


def test_a_forgotten_device_is_known_no_longer(tmp_path: Path, devices: Devices) -> None:
    kept, forgotten = devices.pair(), devices.pair()
    devices.forget(forgotten)
    devices.save()
    restarted = Devices(tmp_path / "devices.json")
    assert (restarted.know(kept), restarted.know(forgotten)) == (True, False)


def test_a_device_is_paired_for_a_year(tmp_path: Path) -> None:
    now = 1_000_000.0
    devices = Devices(tmp_path / "devices.json", lambda: now)
    token = devices.pair()
    now += PAIRED_FOR_S - 1
    assert devices.know(token)
    now += 1
    assert not devices.know(token)


def test_the_device_paired_longest_ago_makes_room(devices: Devices) -> None:
    tokens = [devices.pair() for _ in range(MOST_DEVICES + 1)]
    assert [devices.know(token) for token in tokens] == [False] + [True] * MOST_DEVICES


def test_a_file_that_cannot_be_written_whole_is_not_written_at_all(
    tmp_path: Path, devices: Devices, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = devices.pair()
    devices.save()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    second = devices.pair()
    devices.save()
    assert "No space left on device" in caplog.text
    assert devices.know(second)
    assert [path.name for path in tmp_path.iterdir()] == ["devices.json"]
    restarted = Devices(tmp_path / "devices.json")
    assert (restarted.know(first), restarted.know(second)) == (True, False)


@pytest.mark.parametrize("content", [b"", b"{", b'[{"hash": 3}]', b'[{"hash": "\xff"}]', b"\xff\xfe", b"[[[[[["])
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "devices.json"
    path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        token = Devices(path).pair()
    assert token
    assert (tmp_path / "devices.json.damaged").read_bytes() == content
    assert "devices.json.damaged" in caplog.text


# Limits


def test_a_pace_may_be_exceeded_for_a_while_and_comes_back_with_time() -> None:
    pace = Pace(per_s=2.0, burst=3, now=0.0)
    assert [pace.keeps(0.0) for _ in range(4)] == [True, True, True, False]
    assert [pace.keeps(1.0) for _ in range(3)] == [True, True, False]
    assert [pace.keeps(1000.0) for _ in range(4)] == [True, True, True, False]


def test_one_neighbour_does_not_use_up_the_pace_of_another() -> None:
    paces = Paces(per_s=1.0, burst=1)
    assert paces.keeps(ip_address("192.168.1.7"), 0.0)
    assert not paces.keeps(ip_address("192.168.1.7"), 0.0)
    assert paces.keeps(ip_address("192.168.1.8"), 0.0)


def test_neighbours_are_forgotten_before_they_are_too_many() -> None:
    paces = Paces(per_s=0.0, burst=1)
    first = ip_address("10.0.0.0")
    assert paces.keeps(first, 0.0)
    assert not paces.keeps(first, 0.0)
    for number in range(1, MOST_REMEMBERED + 1):
        paces.keeps(first + number, 0.0)
    assert paces.keeps(first, 0.0)


def test_a_machine_with_many_addresses_is_one_neighbour() -> None:
    assert neighbour(ip_address("fd00::1:2:3:4")) == neighbour(ip_address("fd00::9:8:7:6"))
    assert neighbour(ip_address("fd00:0:0:1::1")) != neighbour(ip_address("fd00::1"))


def test_places_are_limited_for_each_and_for_all_and_come_back() -> None:
    places = Places(most=3, most_each=2)
    here, there = ip_address("10.0.0.1"), ip_address("10.0.0.2")
    assert [places.take(here) for _ in range(3)] == [True, True, False]
    assert [places.take(there) for _ in range(2)] == [True, False]
    places.give_back(here)
    assert places.take(there)


# Who may come in


@pytest.mark.parametrize(
    "host",
    ["192.168.1.5:8080", "linja.local:8080", "LINJA.LOCAL:8080", "linja.local.:8080", "localhost:8080"],
)
def test_our_names_are_ours(guard: Guard, host: str) -> None:
    assert guard.refuse(replace(NEIGHBOUR, host=host)) is None
    assert guard.refuse(replace(SOCKET, host=host, origin=f"http://{host}")) is None


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.example:8080",
        "192.168.1.6:8080",
        "127.0.0.1:8080",
        "192.168.1.5",
        "192.168.1.5:80",
        "192.168.1.5:99999",
        "192.168.1.5:8080:8080",
        "192.168.1.5:8080@evil.example",
        "linja.local.evil.example:8080",
        "linja.local:8080/",
        "linja.local:8080 ",
        "xn--lnja-8pa.local:8080",
        "[::1]:8080",
        "[fe80::1",
    ],
)
def test_other_names_are_not(guard: Guard, host: str | None) -> None:
    assert guard.refuse(replace(NEIGHBOUR, host=host)) is Refusal.NOT_OUR_NAME


@pytest.mark.parametrize(
    ("own", "host"), [("::1", "[::1]:8080"), ("fd00::5", "[FD00::5]:8080"), ("127.0.0.1", "127.0.0.1:8080")]
)
def test_addresses_of_every_kind_are_ours_when_the_connection_came_in_there(guard: Guard, own: str, host: str) -> None:
    assert guard.refuse(replace(NEIGHBOUR, address=ip_address(own), host=host)) is None
    assert guard.refuse(replace(NEIGHBOUR, host=host)) is Refusal.NOT_OUR_NAME


def test_the_port_of_the_web_needs_no_number(guard: Guard) -> None:
    assert guard.refuse(replace(NEIGHBOUR, host="linja.local", port=80)) is None


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "https://192.168.1.5:8080", "http://192.168.1.5", "http://192.168.1.5:8081"],
)
def test_another_website_is_refused_whatever_it_asks_for(guard: Guard, origin: str) -> None:
    for asked in (NEIGHBOUR, SOCKET, replace(NEIGHBOUR, method="POST")):
        assert guard.refuse(replace(asked, origin=origin)) is Refusal.OTHER_WEBSITE


def test_what_changes_something_must_say_where_it_comes_from(guard: Guard) -> None:
    assert guard.refuse(replace(SOCKET, origin=None)) is Refusal.OTHER_WEBSITE
    assert guard.refuse(replace(NEIGHBOUR, method="POST")) is Refusal.OTHER_WEBSITE
    assert guard.refuse(replace(NEIGHBOUR, method="POST", origin="http://192.168.1.5:8080")) is None


def test_a_link_on_another_website_may_be_followed_but_nothing_is_embedded_there(guard: Guard) -> None:
    elsewhere = replace(NEIGHBOUR, fetch_site="cross-site")
    assert guard.refuse(elsewhere) is Refusal.OTHER_WEBSITE
    assert guard.refuse(replace(elsewhere, is_navigation=True)) is None
    assert guard.refuse(replace(NEIGHBOUR, fetch_site="same-origin")) is None


@pytest.mark.parametrize("method", ["PUT", "TRACE", "CONNECT", "OPTIONS", "get", ""])
def test_other_methods_are_refused(guard: Guard, method: str) -> None:
    asked = replace(NEIGHBOUR, method=method, origin="http://192.168.1.5:8080")
    assert guard.refuse(asked) is Refusal.NO_SUCH_METHOD


@pytest.mark.parametrize("path", ["/", "/link", "/board/pawns.js", "/words/de.json", "/style/room.css"])
def test_plain_paths_are_plain(guard: Guard, path: str) -> None:
    assert guard.refuse(replace(NEIGHBOUR, path=path)) is None


@pytest.mark.parametrize(
    "path",
    [
        *["", "..", "/..", "/../server.py", "/board/../../server.py", "/.hidden", "/board/.hidden", "//etc/passwd"],
        *["/%2e%2e/server.py", "/..%2fserver.py", "/board%2f..%2fserver.py", "/a\\b", "/a\0b", "/a b", "/ä", "/a;b"],
        *["http://evil.example/", "*", "/page\n"],
    ],
)
def test_no_other_path_is(guard: Guard, path: str) -> None:
    assert guard.refuse(replace(NEIGHBOUR, path=path)) is Refusal.NO_PLAIN_PATH


@given(st.text(), st.text(), st.text(), st.text())
def test_whatever_is_asked_is_answered(method: str, path: str, host: str, origin: str) -> None:
    guard = Guard([], Devices(Path("/nowhere/devices.json")))
    guard.refuse(replace(NEIGHBOUR, method=method, path=path, host=host, origin=origin))


def test_addresses_are_read_as_sockets_give_them() -> None:
    assert plain_address("::ffff:192.168.1.5") == OWN
    assert plain_address("fe80::1%eth0") == ip_address("fe80::1")


# Who may do what


def test_a_neighbour_watches_and_a_paired_one_acts(guard: Guard) -> None:
    assert not guard.let_in(NEIGHBOUR).may_act
    assert not guard.let_in(replace(NEIGHBOUR, token="guessed")).may_act
    assert guard.let_in(replace(NEIGHBOUR, token=guard.devices.pair())).may_act


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.10", "::1"])
def test_whoever_sits_at_the_machine_acts(guard: Guard, peer: str) -> None:
    here = replace(NEIGHBOUR, peer=ip_address(peer))
    assert guard.let_in(here).may_act
    assert not guard.let_in(replace(here, is_forwarded=True)).may_act


def test_those_who_watch_do_not_take_the_places_of_those_who_play(devices: Devices) -> None:
    guard = Guard([], devices, limits=Limits(watchers=1, players=1))
    watcher = guard.let_in(NEIGHBOUR)
    player = guard.let_in(replace(NEIGHBOUR, token=devices.pair()))
    with guard.seat(watcher), guard.seat(player):
        with pytest.raises(TooMany), guard.seat(watcher):
            pass
        with pytest.raises(TooMany), guard.seat(player):
            pass
    with guard.seat(watcher):
        pass


def test_one_neighbour_cannot_take_all_places(guard: Guard) -> None:
    watcher, another = (guard.let_in(replace(NEIGHBOUR, peer=ip_address(f"10.0.0.{last}"))) for last in (1, 2))
    with ExitStack() as seats:
        for _ in range(USUAL.watchers_each):
            seats.enter_context(guard.seat(watcher))
        with pytest.raises(TooMany):
            seats.enter_context(guard.seat(watcher))
        seats.enter_context(guard.seat(another))


def test_the_machine_has_its_own_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "board.example.org")
    assert own_names(["linja.local"]) == ("linja.local", "board", "board.local")


# The settings


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"host": "localhost"}, "host is 'localhost': it must be an address"),
        ({"port": 80}, "port is 80: it must be from 1024 to 65535"),
        ({"names": ("linja local",)}, "names has 'linja local', which is not the name of a machine"),
        ({"names": ("-linja",)}, "names has '-linja'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        WebSettings(**given)  # type: ignore[arg-type]


def test_only_this_machine_reaches_the_page_unless_told_otherwise() -> None:
    assert WebSettings().is_local
    assert not WebSettings(host="0.0.0.0").is_local


# The page about it


def test_the_page_about_security_names_the_figures_as_they_are() -> None:
    page = " ".join((Path(__file__).parent.parent / "docs" / "security.md").read_text(encoding="utf-8").split())
    guesses, codes = guesses_in_a_year(), LARGEST_DIGIT**DIGITS
    for said in (
        f"{USUAL.message_bytes:,} bytes for a message, {USUAL.request_bytes:,} for what comes with a request",
        f"{USUAL.watchers} that watch, {USUAL.watchers_each} of one neighbour; {USUAL.players} that may act",
        f"{USUAL.connections}, {USUAL.connections_each} of one neighbour",
        f"who says nothing, does not finish or does not take the answer for {USUAL.idle_s:.0f} s",
        f"{USUAL.requests_per_s:.0f} requests and {USUAL.connections_per_s:.0f} new connections a second",
        f"{USUAL.player_messages_per_s:.0f} messages a second for a page that may act",
        f"{USUAL.watcher_messages_per_s:.0f} for one that watches",
        f"for {CODE_S / 60:.0f} minutes",
        f"a wait of {FIRST_GUESS_WAIT_S:.0f} s, then of {2 * FIRST_GUESS_WAIT_S:.0f} s",
        f"{FIRST_CODE_WAIT_S:.0f} s, then twice as long each time, up to a day",
        f"of more than {MOST_DEVICES}, the",
        f"gets {guesses:,} guesses at one of {codes:,} codes: a chance of 1 in {codes / guesses:.0f}",
    ):
        assert said in page
