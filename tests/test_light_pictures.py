"""The pictures of docs/lights.md are those that the program draws, and the page leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import Color, Position
from firmware.illuminate import meanings
from firmware.looks import Hue, Look
from firmware.palette import PaletteSettings
from hardware.interface import Frame
from simulator.light_pictures import light_pictures, write_light_pictures
from simulator.picture import Scene, draw, standing
from simulator.situations import situations
from tests.lights import LAYOUT

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "lights.md").read_text(encoding="utf-8")
PICTURES = light_pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_in_the_documents_is_the_one_that_the_program_draws(name: str) -> None:
    assert (DOCS / "lights" / f"{name}.svg").read_text(encoding="utf-8") == PICTURES[name]


def test_the_page_shows_every_picture_once_and_no_other_lies_beside_them() -> None:
    assert sorted(re.findall(r"\]\(lights/([\w-]+)\.svg\)", PAGE)) == sorted(PICTURES)
    assert sorted(path.name for path in (DOCS / "lights").iterdir()) == sorted(f"{name}.svg" for name in PICTURES)


def test_the_pictures_show_every_look() -> None:
    lights = [meanings(moment.view, moment.now) for moments in situations().values() for moment in moments]
    assert {look for light in lights for row in range(8) for look in light.looks(row)} == set(Look)


def test_the_page_names_every_look_and_every_colour_of_the_palette() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \| [^`|]+ \|", PAGE, re.MULTILINE) == [look.value for look in Look]
    colours = dict(re.findall(r"^\| `([a-z]+)` \| `(#[0-9a-f]{6})` \|", PAGE, re.MULTILINE))
    assert colours == {hue.value: getattr(PaletteSettings(), hue.value) for hue in Hue}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_whole_and_refers_only_to_itself(name: str) -> None:
    root = ElementTree.fromstring(PICTURES[name])
    defined = {element.get("id") for element in root.iter()}
    used = re.findall(r'(?:url\(|href=")#([\w-]+)', PICTURES[name])
    assert set(used) <= defined
    assert "http" not in PICTURES[name].replace("http://www.w3.org/2000/svg", "")


def test_the_pictures_are_written_as_they_are_drawn(tmp_path: Path) -> None:
    paths = write_light_pictures(tmp_path / "new" / "folder")
    assert {path.stem: path.read_bytes().decode() for path in paths} == PICTURES


def test_a_board_is_drawn_with_every_pawn_and_every_lit_pixel() -> None:
    setup = Position.setup()
    pixels = bytearray(3 * LAYOUT.pixel_count)
    pixels[3:6] = pixels[30:33] = b"\xff\x80\x00"
    drawing = draw(LAYOUT, [Scene(Frame(bytes(pixels)), standing(LAYOUT, setup.red, setup.black))])
    assert [drawing.count(f'href="#{color}-pawn"') for color in Color] == [12, 12]
    core = re.findall(r'<path d="([^"]+)" stroke="#ff[0-9a-f]{4}" stroke-width="4.2"', drawing)
    assert [path.count("h0") for path in core] == [2]


def test_tidy_pawns_stand_on_slots_of_their_rows_and_never_two_on_one() -> None:
    pawns = standing(LAYOUT, (0, 0, 0, 0, 0, 0, 1, 11), (5, 4, 0, 0, 0, 0, 0, 3))
    assert len({pawn.centre_mm for pawn in pawns}) == len(pawns) == 24
    assert {pawn.centre_mm for pawn in pawns} <= set(LAYOUT.centres_mm)
