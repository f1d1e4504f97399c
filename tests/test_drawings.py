"""The builder's drawings: they agree with the settings, follow them when they change, and can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.config import Settings
from firmware.drawing_files import drawings_of
from firmware.scanner import board as scanner_board
from hardware.budget import Budget, OverBudget
from hardware.layout import STRIPS, BoardSettings
from hardware.light import LightSettings
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from simulator.__main__ import main

SVG = "{http://www.w3.org/2000/svg}"
ZIGZAG = Settings(board=BoardSettings(mirrored=("row 1", "row 3", "row 5", "row 7")))
BUILDS = {
    "as designed": Settings(),
    "zigzag": ZIGZAG,
    "small": Settings(
        board=BoardSettings(inner_slots=1, start_slots=2, start_ranks=1, multiplexers=1, row_pixels=1, score_pixels=0)
    ),
    "wide": Settings(board=BoardSettings(inner_slots=8, slot_pitch_mm=40, multiplexers=6)),
    "bare": Settings(pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none")),
    "spi": Settings(pixels=PixelSettings(kind="spi")),
}
AIR = 0.8
EACH_BUILD = pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)


def drawn(name: str, build: Settings) -> ElementTree.Element:
    return ElementTree.fromstring(drawings_of(build)[name])


def words(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


def places(drawing: ElementTree.Element) -> dict[str, tuple[float, float]]:
    """Where each text stands."""
    return {text.text or "": (float(text.attrib["x"]), float(text.attrib["y"])) for text in drawing.iter(f"{SVG}text")}


def extent(text: ElementTree.Element) -> tuple[float, float]:
    """From where to where a text goes along its line, for letters of ordinary width."""
    x = float(text.attrib["x"])
    width = 0.5 * float(text.attrib["font-size"]) * len(text.text or "")
    return {"start": (x, x + width), "middle": (x - width / 2, x + width / 2), "end": (x - width, x)}[
        text.attrib["text-anchor"]
    ]


@EACH_BUILD
def test_every_drawing_is_sound_and_holds_all_its_words(build: Settings) -> None:
    for name, content in drawings_of(build).items():
        drawing = ElementTree.fromstring(content)
        _, _, width, height = map(float, drawing.attrib["viewBox"].split())
        for text in drawing.iter(f"{SVG}text"):
            left, right = extent(text) if "transform" not in text.attrib else (0, 0)
            assert left >= 0, (name, text.text)
            assert right <= width, (name, text.text)
            assert 0 <= float(text.attrib["y"]) <= height, (name, text.text)
        assert "nan" not in content, name


def box(text: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is written, with a little air around it."""
    (left, right), line, size = extent(text), float(text.attrib["y"]), float(text.attrib["font-size"])
    return left - AIR, line - 0.7 * size - AIR, right + AIR, line + AIR


def wires(drawing: ElementTree.Element) -> Iterator[tuple[float, ...]]:
    """The straight pieces of every line, as left, top, right and bottom."""
    for path in drawing.iter(f"{SVG}path"):
        if path.attrib["fill"] == "none":
            points = [tuple(map(float, point.split())) for point in path.attrib["d"].removeprefix("M").split("L")]
            for (x0, y0), (x1, y1) in pairwise(points):
                yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@EACH_BUILD
@pytest.mark.parametrize("name", ["scanner.svg", "pi.svg", "small-build.svg", "first-taste.svg"])
def test_in_a_drawing_of_wires_no_wire_and_no_word_lies_over_a_word(name: str, build: Settings) -> None:
    drawing = drawn(name, build)
    written = [(text.text, box(text)) for text in drawing.iter(f"{SVG}text")]
    lines = list(wires(drawing))
    assert [word for word, place in written if any(meet(place, line) for line in lines)] == []
    assert [(word, other) for (word, one), (other, two) in combinations(written, 2) if meet(one, two)] == []


@EACH_BUILD
def test_the_same_settings_give_the_same_drawings(build: Settings) -> None:
    assert drawings_of(build) == drawings_of(build)


@EACH_BUILD
def test_the_top_view_has_every_slot_where_the_layout_has_it(build: Settings) -> None:
    layout = build.layout
    drawing = drawn("top-view.svg", build)
    shown = places(drawing)
    origin = shown[layout.name(0)]
    for slot, (x, y) in enumerate(layout.centres_mm):
        right, up = shown[layout.name(slot)][0] - origin[0], origin[1] - shown[layout.name(slot)][1]
        assert (right, up) == pytest.approx((x - layout.centres_mm[0][0], y - layout.centres_mm[0][1]), abs=0.11), (
            layout.name(slot)
        )
    assert len(list(drawing.iter(f"{SVG}circle"))) == layout.slot_count


def test_the_top_view_is_printed_as_large_as_the_board() -> None:
    drawing = drawn("top-view.svg", Settings())
    assert drawing.attrib["viewBox"] == "0 0 438 496"
    assert (drawing.attrib["width"], drawing.attrib["height"]) == ("438mm", "496mm")


def test_the_top_view_measures_what_the_settings_say() -> None:
    build = Settings(board=BoardSettings(slot_pitch_mm=33, row_pitch_mm=47, rank_pitch_mm=29))
    assert {"33", "47", "29", "264"} <= set(words(drawn("top-view.svg", build)))


@settings(max_examples=20)
@given(st.permutations(range(80)))
def test_each_sensor_is_drawn_at_the_input_that_the_layout_gives_it(channels: list[int]) -> None:
    build = Settings(board=BoardSettings(channels=tuple(channels[:72])))
    layout = build.layout
    from_below = words(drawn("multiplexers.svg", build))
    for slot, channel in enumerate(layout.channels):
        mark = from_below.index(layout.name(slot)) - 1
        assert from_below[mark] == f"{channel // 16}·C{channel % 16}"
    # In the scanner's drawing, each input is followed by its slot, multiplexer by multiplexer.
    inputs = [word for word in words(drawn("scanner.svg", build)) if re.fullmatch(r"\d+\.\d+|-", word)]
    slots = {channel: layout.name(slot) for slot, channel in enumerate(layout.channels)}
    assert inputs == [slots.get(channel, "-") for channel in range(80)]


def test_seen_from_below_left_and_right_are_exchanged() -> None:
    above, below = places(drawn("top-view.svg", Settings())), places(drawn("multiplexers.svg", Settings()))
    assert above["3.0"][0] < above["3.5"][0]
    assert below["3.0"][0] > below["3.5"][0]


@pytest.mark.parametrize("build", [Settings(), ZIGZAG], ids=["straight", "zigzag"])
def test_the_chain_names_the_places_of_every_strip_in_their_order(build: Settings) -> None:
    layout = build.layout
    strips = [*layout.row_pixels, *layout.score_pixels]
    expected = []
    for number, name in enumerate(build.board.chain):
        on_chain = [layout.wire[pixel] for pixel in strips[STRIPS.index(name)]]
        expected.append(f"{number + 1} · {name} · {min(on_chain)} to {max(on_chain)}")
    assert [word for word in words(drawn("chain.svg", build)) if " · " in word] == expected


def test_a_mirrored_strip_is_entered_at_its_other_end() -> None:
    def entries(build: Settings) -> list[float]:
        big = [disc for disc in drawn("chain.svg", build).iter(f"{SVG}circle") if disc.attrib["r"] == "2.4"]
        return [float(disc.attrib["cx"]) for disc in big]

    straight, zigzag = entries(Settings()), entries(ZIGZAG)
    assert [a == b for a, b in zip(straight, zigzag, strict=True)] == [True, False] * 4 + [True, True]


def test_the_scanner_is_drawn_with_the_pins_of_its_program() -> None:
    text = " ".join(words(drawn("scanner.svg", Settings())))
    assert f"S0-S3: {', '.join(f'GP{pin}' for pin in scanner_board.SELECT_PINS)}" in text
    shown = words(drawn("scanner.svg", Settings()))
    enable_labels = [word for word in shown[shown.index("common line") - 7 :] if word.startswith("GP")]
    assert enable_labels[-5:] == [f"GP{pin}" for pin in scanner_board.ENABLE_PINS]


def test_the_pi_is_drawn_with_the_pins_of_the_settings() -> None:
    def in_use(build: Settings) -> set[str]:
        bold = [text for text in drawn("pi.svg", build).iter(f"{SVG}text") if text.attrib.get("font-weight")]
        return {text.text or "" for text in bold if (text.text or "").startswith("GPIO")}

    assert in_use(Settings()) == {"GPIO 5", "GPIO 6", "GPIO 13", "GPIO 19", "GPIO 16", "GPIO 18", "GPIO 10"}
    assert in_use(BUILDS["spi"]) == {"GPIO 5", "GPIO 6", "GPIO 13", "GPIO 19", "GPIO 16", "GPIO 10"}
    assert in_use(BUILDS["bare"]) == set()
    moved = Settings(panel=PanelSettings(new=20, buzzer=21))
    assert {"GPIO 20", "GPIO 21"} <= in_use(moved)


# The budget behind the drawing of the power


def test_the_fuse_holds_what_is_allowed_and_the_wire_holds_the_fuse() -> None:
    for limit_ma in range(300, 9000, 100):
        light = LightSettings(limit_ma=limit_ma)
        budget = Budget.of(Settings().layout, light)
        assert budget.fuse_a * 1000 > limit_ma + budget.sensors_ma
        assert budget.main_mm2 * 8 >= budget.fuse_a
        assert budget.supply_a > budget.fuse_a
        assert budget.drop_v <= 0.15


def test_the_default_board_needs_what_the_documents_say() -> None:
    budget = Budget.of(Settings().layout, LightSettings())
    assert (budget.fuse_a, budget.supply_a, budget.main_mm2, budget.sensors_ma) == (3.15, 5.0, 0.75, 432)
    assert f"{budget.fuse_a:g} A slow" in words(drawn("power.svg", Settings()))


def test_a_budget_beyond_ordinary_parts_is_refused() -> None:
    with pytest.raises(OverBudget, match="lower limit_ma"):
        Budget.of(Settings().layout, LightSettings(limit_ma=90_000))


# The command


def test_draw_writes_every_drawing_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "linja.toml"
    config.write_text("[board]\nslot_pitch_mm = 35.0\n")
    folder = tmp_path / "new" / "folder"
    monkeypatch.setattr("sys.argv", ["linja", "draw", str(folder), "--config", str(config)])
    assert main() == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == drawings_of(
        Settings(board=BoardSettings(slot_pitch_mm=35.0))
    )
    assert sorted(capsys.readouterr().out.split()) == sorted(str(path) for path in folder.iterdir())


def test_a_folder_that_cannot_be_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setattr("sys.argv", ["linja", "draw", str(tmp_path / "taken")])
    assert main() == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
