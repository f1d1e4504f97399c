"""The doctor: every fault is found under its right name and place, and sound boards are left in peace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from engine import Position
from firmware.config import SensorSettings, Settings
from firmware.diagnosis import Scan
from firmware.doctor.finding import Finding, Grade, Part, worst
from firmware.doctor.link import Watch, check_link
from firmware.doctor.machine import Machine, check_machine
from firmware.doctor.panel import check_buzzer, check_keys
from firmware.doctor.resident import Chart, Observed, examine
from firmware.doctor.storage import Storage, check_storage
from firmware.doctor.switches import SwitchWatch, check_switches
from firmware.doctor.visit import Visit
from firmware.real_board import RealBoard
from hardware.calibration import Calibration
from hardware.errors import SensorLost
from hardware.interface import Button, Reading
from hardware.layout import STRIPS, BoardSettings
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from hardware.scanner_protocol import Decoder, Levels, encode
from simulator.__main__ import main
from simulator.arrangement import arrange
from simulator.board import SimulatedBoard
from simulator.cable import Cable
from simulator.faults import Faults
from simulator.magnets import HallSensors
from simulator.patient import SimulatedPatient
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner
from tests.healthy_boards import false_alarms
from tests.rigs.gpio import GpioRig

DEFAULT = Settings()
LAYOUT = DEFAULT.layout
QUIET = Settings(pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none"))
ALL = range(LAYOUT.slot_count)
SWITCHES = msgspec.structs.replace(QUIET, sensors=SensorSettings(kind="gpio"))


def bad(findings: list[Finding]) -> list[tuple[str, str | None]]:
    """Name and slot of everything that is wrong with the board."""
    of_the_board = [finding for finding in findings if finding.part not in (Part.MACHINE, Part.STORAGE)]
    return [(each.name, each.slot) for each in of_the_board if each.grade in (Grade.WARNING, Grade.FAULT)]


def visited(*faults: str, seed: int = 0, settings: Settings = QUIET) -> list[Finding]:
    return list(Visit(SimulatedPatient(settings, seed, faults)).findings())


# Sensors


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("dead 3.2", "dead"),
        ("stuck 3.2", "stuck"),
        ("noisy 3.2", "noisy"),
        ("saturated 3.2", "saturated"),
        ("weak 3.2", "weak"),
        ("reversed 3.2", "wrong polarity"),
        ("swapped 3.2 3.3", "swapped"),
        ("swapped 3.2 7.16", "swapped"),
    ],
)
def test_what_ails_a_sensor_is_found_with_its_multiplexer_and_input(fault: str, name: str) -> None:
    findings = visited(fault, seed=len(fault))
    assert bad(findings) == [(name, "3.2")]
    (finding,) = (finding for finding in findings if finding.name == name)
    assert "slot 3.2 (multiplexer 2, input 0)" in finding.text
    assert finding.remedy


def test_several_faults_at_once_are_each_found() -> None:
    assert bad(visited("dead 0.1", "noisy 4.4", "stuck 7.0")) == [("dead", "0.1"), ("noisy", "4.4"), ("stuck", "7.0")]
    crossed = visited("swapped 0.1 0.2", "swapped 5.5 6.0", "reversed 0.2", "reversed 3.3")
    assert bad(crossed) == [
        ("swapped", "0.1"),
        ("swapped", "5.5"),
        ("wrong polarity", "0.2"),
        ("wrong polarity", "3.3"),
    ]


def test_noise_on_all_sensors_is_said_once() -> None:
    assert bad(visited("noise")) == [("noise", None)]


def test_a_multiplexer_without_supply_is_said_once() -> None:
    of_it = [LAYOUT.name(slot) for slot in ALL if LAYOUT.channels[slot] // 16 == 2]
    assert bad(visited(*(f"dead {name}" for name in of_it))) == [("multiplexer 2 dead", None)]


def test_sensors_that_take_turns_in_a_ring_are_told_where_they_really_go() -> None:
    findings = visited("swapped 1.0 1.1", "swapped 1.1 1.2")
    assert bad(findings) == [("miswired", "1.0"), ("miswired", "1.1"), ("miswired", "1.2")]


def test_what_calibration_has_learnt_is_no_fault_any_more() -> None:
    patient = SimulatedPatient(QUIET, 0, ["swapped 3.2 3.3", "reversed 5.0"])
    typical = Calibration.default(LAYOUT).sensors[0]
    face_down = msgspec.structs.replace(typical, red=typical.black, black=typical.red)
    channels = list(LAYOUT.channels)
    a, b = LAYOUT.slot(3, 2), LAYOUT.slot(3, 3)
    channels[a], channels[b] = channels[b], channels[a]
    sensors = [face_down if slot == LAYOUT.slot(5, 0) else typical for slot in ALL]
    patient.calibration = Calibration("", tuple(sensors), tuple(channels))
    assert bad(list(Visit(patient).findings())) == []


def test_sound_boards_of_any_spread_are_left_in_peace() -> None:
    alarms = {seed: findings for seed, findings in false_alarms(range(5000, 5006)) if findings}
    assert alarms == {}


def test_only_the_slots_that_matter_are_looked_at() -> None:
    slots = range(6)
    patient = SimulatedPatient(QUIET, 0, ["dead 3.2", "reversed 0.4", "swapped 7.0 7.1"])
    assert bad(list(Visit(patient, slots).findings())) == [("wrong polarity", "0.4")]


# Sensors without levels


@pytest.mark.parametrize(
    ("fault", "name"),
    [("dead 3.2", "dead"), ("stuck 3.2", "dead"), ("saturated 3.2", "stuck"), ("swapped 3.2 7.16", "swapped")],
)
def test_what_ails_a_switch_is_found_with_its_multiplexer_and_input(fault: str, name: str) -> None:
    """One that is stuck with no pawn on it cannot be told from a dead one."""
    findings = visited(fault, settings=SWITCHES)
    assert bad(findings) == [(name, "3.2")]
    (finding,) = (finding for finding in findings if finding.name == name)
    assert "slot 3.2 (multiplexer 2, input 0)" in finding.text
    assert "calibrate" not in finding.remedy


@pytest.mark.parametrize("seed", range(5))
def test_sound_switches_are_left_in_peace(seed: int) -> None:
    findings = visited(seed=seed, settings=SWITCHES)
    assert bad(findings) == []
    assert [finding.name for finding in findings if finding.part is Part.SENSORS] == ["switches", "walk"]


def test_several_switches_that_ail_are_each_found() -> None:
    assert bad(visited("dead 0.1", "dead 7.0", settings=SWITCHES)) == [("dead", "0.1"), ("dead", "7.0")]
    assert bad(visited("saturated 0.1", "saturated 7.0", settings=SWITCHES)) == [("stuck", "0.1"), ("stuck", "7.0")]


def test_a_multiplexer_that_sees_pawns_everywhere_is_said_once() -> None:
    of_it = [LAYOUT.name(slot) for slot in ALL if LAYOUT.channels[slot] // 16 == 2]
    found = visited(*(f"saturated {name}" for name in of_it), settings=SWITCHES)
    assert bad(found) == [("multiplexer 2 stuck", None)]


def test_more_pawns_than_there_are_and_switches_that_flicker_are_seen_without_a_hand() -> None:
    calm = [[False] * LAYOUT.channel_count for _ in range(20)]
    flickering = [list(scan) for scan in calm]
    for scan in flickering[::2]:
        scan[LAYOUT.channels[LAYOUT.slot(4, 4)]] = True
    assert bad(list(check_switches(flickering, LAYOUT, ALL))) == [("noisy", "4.4")]
    crowded = [[channel % 2 == 0 for channel in range(LAYOUT.channel_count)]] * 20
    assert bad(list(check_switches(crowded, LAYOUT, ALL))) == [("too many pawns", None)]


def test_a_hand_that_puts_a_pawn_down_meanwhile_is_no_flicker() -> None:
    scans = [[False] * LAYOUT.channel_count for _ in range(10)] + [[True] + [False] * 79 for _ in range(10)]
    assert bad(list(check_switches(scans, LAYOUT, ALL))) == []


def test_switches_that_cannot_be_read_are_told() -> None:
    (finding,) = (finding for finding in visited("unplug", settings=SWITCHES) if finding.name == "unreadable")
    assert "unplugged" in finding.text
    assert "[gpio_sensors]" in finding.remedy


def test_without_a_helping_hand_the_report_says_what_was_not_looked_at() -> None:
    patient = SimulatedPatient(SWITCHES)
    patient.person = None  # type: ignore[assignment]
    assert "not walked" in [finding.name for finding in Visit(patient).findings()]


def test_switches_are_watched_through_the_real_driver(tmp_path: Path) -> None:
    rig = GpioRig(tmp_path)
    watch = SwitchWatch(rig.sensors, LAYOUT)
    rig.place(LAYOUT.slot(3, 2), Reading.BLACK)
    assert [channel for channel, seen in enumerate(watch.look()) if seen] == [LAYOUT.channels[LAYOUT.slot(3, 2)]]
    assert sum(watch.look()) == 1, "nothing new means that nothing has changed"
    rig.unplug()
    with pytest.raises(SensorLost):
        watch.look()
    rig.close()


# While the board plays


def examined(*faults: str, settings: Settings = QUIET, observed: Observed | None = None) -> list[Finding]:
    board = SimulatedBoard(LAYOUT)
    arrange(board.table, Position.setup())
    for fault in faults:
        board.faults.command(fault)
    before = board.sensors.report()
    scans = []
    for step in range(30):
        snapshot = board.sensors.sample(step / 5)
        if snapshot:
            scans.append(Scan(step / 5, snapshot.levels, snapshot.faults))
    chart = Chart(settings, board.calibration, Path("nowhere"), Path("nowhere"))
    return examine(chart, observed or Observed(tuple(scans), before, board.sensors.report()))


@pytest.mark.parametrize(
    ("fault", "name", "slot"),
    [
        ("dead 3.2", "dead", "3.2"),
        ("stuck 3.2", "stuck", "3.2"),
        ("noisy 3.2", "noisy", "3.2"),
        ("saturated 3.2", "saturated", "3.2"),
        ("noise", "noise", None),
        ("corrupt", "damaged frames", None),
    ],
)
def test_what_ails_is_found_while_the_board_plays(fault: str, name: str, slot: str | None) -> None:
    assert (name, slot) in bad(examined(fault))


def test_a_sound_board_is_left_in_peace_while_it_plays() -> None:
    assert bad(examined()) == []


def test_a_board_of_which_nothing_is_heard_while_it_plays_is_unplugged() -> None:
    assert bad(examined(observed=Observed((), None, None))) == [("unplugged", None)]


def test_switches_are_looked_at_while_they_play() -> None:
    everywhere = Observed((Scan(0.0, (100,) * LAYOUT.slot_count, ()),) * 3, None, None)
    found = examined(settings=SWITCHES, observed=everywhere)
    assert ("multiplexer 0 stuck", None) in bad(found)
    assert bad(examined(settings=SWITCHES, observed=Observed((), None, None))) == []


# Link


@pytest.mark.parametrize(
    ("fault", "name"),
    [("unplug", "unplugged"), ("silent", "silent"), ("corrupt", "damaged frames"), ("slow", "late")],
)
def test_what_ails_the_link_is_found(fault: str, name: str) -> None:
    assert bad(visited(fault)) == [(name, None)]


class Bench:
    """A cable with a watch on it."""

    def __init__(self) -> None:
        table = Table(LAYOUT)
        self.faults = Faults(LAYOUT)
        self.cable = Cable(HallSensors(table), table, self.faults)
        self.watch = Watch("here")

    def listen(self, seconds: float, drop: int = 0) -> None:
        end = self.cable.now + seconds
        while self.cable.now < end:
            self.cable.write(self.watch.to_send(self.cable.now))
            data = self.cable.read(0.02)
            if drop:
                kept = [m for m in Decoder().feed(data) if not (isinstance(m, Levels) and m.sequence % drop == 0)]
                data = b"".join(encode(message) for message in kept)  # type: ignore[arg-type]
            self.watch.hear(data, self.cable.now)

    def found(self, newest: tuple[int, int, int] = (1, 0, 0)) -> list[tuple[str, str | None]]:
        return bad(list(check_link(self.watch.facts(), LAYOUT, newest, ALL)))


def test_a_scanner_that_restarts_is_told_from_frames_that_get_lost() -> None:
    restarting, losing = Bench(), Bench()
    restarting.listen(1)
    restarting.faults.command("reset")
    restarting.listen(1)
    losing.listen(2, drop=7)
    assert restarting.found() == [("restarts", None)]
    assert losing.found() == [("lost frames", None)]


def test_a_scanner_with_an_older_program_is_told_from_one_that_is_new_enough() -> None:
    bench = Bench()
    bench.listen(1)
    assert bench.found() == []
    assert bench.found((1, 0, 1)) == [("outdated", None)]


def test_a_scanner_of_another_protocol_or_size_is_named() -> None:
    facts = Bench()
    facts.listen(1)
    newer = replace(facts.watch.facts(), other_protocol=2)
    smaller = replace(facts.watch.facts(), channels=64)
    assert [bad(list(check_link(each, LAYOUT, (1, 0, 0), ALL))) for each in (newer, smaller)] == [
        [("other protocol", None)],
        [("channels", None)],
    ]


def test_frames_that_come_too_rarely_are_told() -> None:
    bench = Bench()
    bench.listen(1)
    slow = replace(bench.watch.facts(), watched_s=10.0)
    assert bad(list(check_link(slow, LAYOUT, (1, 0, 0), ALL))) == [("few frames", None)]


# Lights and panel


@pytest.mark.parametrize("believed", ["GRB", "RGB"])
@pytest.mark.parametrize("true", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_the_true_order_of_colours_is_told(believed: str, true: str) -> None:
    settings = Settings(pixels=PixelSettings(order=believed), panel=PanelSettings(kind="none"))
    findings = list(Visit(SimulatedPatient(settings, true_order=true)).findings())
    told = [finding.remedy for finding in findings if finding.name == "colour order"]
    assert told == ([] if true == believed else [f'Set order = "{true}" in [pixels]'])


def test_a_strip_that_is_entered_at_its_other_end_is_told() -> None:
    true = BoardSettings(mirrored=("row 3", "score black"))
    findings = list(Visit(SimulatedPatient(DEFAULT, true_board=true)).findings())
    assert [finding.text for finding in findings if finding.grade is Grade.FAULT] == [
        "row 3 is entered at its other end",
        "score black is entered at its other end",
    ]


def test_another_order_of_the_strips_is_told_with_the_true_one() -> None:
    chain = (*STRIPS[:3], "row 4", "row 3", *STRIPS[5:])
    findings = list(Visit(SimulatedPatient(DEFAULT, true_board=BoardSettings(chain=chain))).findings())
    (finding,) = (finding for finding in findings if finding.grade is Grade.FAULT)
    assert finding.name == "chain order"
    assert ", ".join(chain) in finding.text


@pytest.mark.parametrize(("working", "told"), [(0, "dark"), (36, "chain ends"), (215, ""), (216, "")])
def test_a_chain_that_ends_early_is_told_from_the_strip_on_where_it_does(working: int, told: str) -> None:
    findings = list(Visit(SimulatedPatient(DEFAULT, working_pixels=working)).findings())
    assert ([name for name, _ in bad(findings)] or [""])[0] == told
    assert any("before row 3" in finding.text for finding in findings) == (working == 36)


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        ({}, []),
        ({Button.DONE: None}, ["dead key"]),
        ({Button.DONE: Button.HINT, Button.HINT: Button.DONE}, ["swapped key", "swapped key"]),
    ],
)
def test_keys_that_do_not_do_what_they_should_are_told(
    pressed: Mapping[Button, Button | None], expected: list[str]
) -> None:
    felt = {button: button for button in Button} | dict(pressed)
    assert [finding.name for finding in check_keys(felt) if finding.grade is Grade.FAULT] == expected


def test_a_buzzer_that_nobody_hears_is_told() -> None:
    assert [finding.name for heard in (True, False) for finding in check_buzzer(heard)] == ["buzzer", "silent buzzer"]


# Machine and files

PI_4 = Machine(
    python=(3, 11, 2),
    model="Raspberry Pi 4 Model B Rev 1.5",
    root=True,
    groups={"dialout", "gpio", "spi"},
    devices={"/dev/gpiochip0": True, "/dev/spidev0.0": True},
    spi_buffer=32768,
    sound=False,
    packages={"lgpio", "rpi-ws281x", "adafruit-circuitpython-neopixel-spi"},
)
PI_5 = replace(
    PI_4,
    model="Raspberry Pi 5 Model B Rev 1.0",
    root=False,
    devices={"/dev/gpiochip0": True, "/dev/pio0": True},
    packages={"adafruit-lgpio", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"},
)
SPI = Settings(pixels=PixelSettings(kind="spi"))


@pytest.mark.parametrize(
    ("machine", "settings", "expected"),
    [
        (PI_4, DEFAULT, []),
        (PI_5, DEFAULT, []),
        (replace(PI_4, root=False), SPI, []),
        (replace(PI_4, root=False), DEFAULT, ["root"]),
        (replace(PI_4, sound=True), DEFAULT, ["audio"]),
        (replace(PI_4, sound=True), Settings(pixels=PixelSettings(pin=21)), []),
        (replace(PI_4, sound=True), SPI, []),
        (replace(PI_4, packages={"lgpio"}), DEFAULT, ["package"]),
        (replace(PI_4, packages={"rpi-ws281x"}), DEFAULT, ["package"]),
        (replace(PI_4, python=(3, 9, 2)), DEFAULT, ["python"]),
        (replace(PI_4, root=False, groups={"gpio"}), SPI, ["group"]),
        (replace(PI_4, devices={"/dev/gpiochip0": True}), SPI, ["spi"]),
        (replace(PI_4, devices={"/dev/spidev0.0": True}), SPI, ["gpio"]),
        (replace(PI_4, spi_buffer=4096), SPI, ["spi buffer"]),
        (replace(PI_5, devices={"/dev/gpiochip0": True, "/dev/pio0": False}), DEFAULT, ["pio"]),
        (replace(PI_4, model="", root=False, groups=set(), packages=set(), devices={}), DEFAULT, []),
    ],
)
def test_what_a_computer_lacks_for_these_settings_is_told(
    machine: Machine, settings: Settings, expected: list[str]
) -> None:
    findings = list(check_machine(machine, settings))
    assert [finding.name for finding in findings if finding.grade is Grade.FAULT] == expected
    assert all(finding.remedy for finding in findings if finding.grade is Grade.FAULT)


SOUND = Storage("linja.db", 3, "", True, 5000, "calibration.toml", "")


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        (SOUND, []),
        (replace(SOUND, journal_problem="it is damaged"), ["journal"]),
        (replace(SOUND, writable=False), ["read-only"]),
        (replace(SOUND, free_mb=20), ["disk"]),
        (replace(SOUND, calibration_problem="there is none"), ["calibration"]),
    ],
)
def test_what_is_wrong_with_the_files_is_told(storage: Storage, expected: list[str]) -> None:
    findings = list(check_storage(storage, calibrates=True))
    assert [each.name for each in findings if each.grade in (Grade.WARNING, Grade.FAULT)] == expected


def test_digital_sensors_need_no_calibration() -> None:
    missing = replace(SOUND, calibration_problem="there is none")
    assert worst(check_storage(missing, calibrates=False)) is Grade.OK


# The command


def doctor(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["linja", "doctor", *arguments])
    return main()


def test_the_exit_code_and_a_line_for_each_finding_tell_of_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(monkeypatch, "--simulated") == 0
    sound = capsys.readouterr().out.splitlines()
    assert all(line.split()[0] in ("ok", "note") for line in sound)
    assert doctor(monkeypatch, "--simulated", "--fault", "dead 3.2") == 1
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith("fault")]
    assert faults == [
        "fault   sensors  slot 3.2 (multiplexer 2, input 0) is dead: it gives no voltage. "
        "Check its supply and the wire of its output."
    ]


def test_a_program_gets_the_same_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(monkeypatch, "--simulated", "--json", "--fault", "swapped 0.0 0.1") == 1
    findings = json.loads(capsys.readouterr().out)
    assert [each["slot"] for each in findings if each["name"] == "swapped" and each["grade"] == "fault"] == ["0.0"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--slots", "0.0-9.9"], "there is no slot '9.9'"),
        (["--slots", "3.0-0.0"], "the first slot comes after the last"),
        (["--slots", "x"], "there is no slot 'x'"),
        (["--simulated", "--fault", "explode"], "there is no fault 'explode'"),
    ],
)
def test_arguments_that_make_no_sense_are_a_sentence(
    arguments: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(monkeypatch, *arguments) == 2
    assert complaint in capsys.readouterr().err


def test_a_scanner_on_a_real_port_is_heard(tmp_path: Path) -> None:
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")
    port = tmp_path / "scanner"
    settings = Settings(
        sensors=SensorSettings(port=str(port)), pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none")
    )
    scanner = VirtualScanner(Table(LAYOUT), Faults(LAYOUT), port)
    try:
        findings = list(Visit(RealBoard(settings, tmp_path), watch_s=0.5).findings())
    finally:
        scanner.close()
    assert bad(findings) == []
    assert {"scanner", "traffic", "rest"} <= {finding.name for finding in findings}
    gone = list(Visit(RealBoard(settings, tmp_path), watch_s=0.5).findings())
    assert ("unplugged", None) in bad(gone)
