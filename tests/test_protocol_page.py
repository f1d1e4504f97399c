"""The page about the serial link prints frames; they are the codec's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware import scanner_protocol
from hardware.scanner_protocol import Decoder, Foreign, Message, encode

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```frame\n(.+)\n(.+)\n```$", PAGE, re.MULTILINE)
FOREIGN = re.findall(r"^```foreign\n(.+)\n(.+)\n```$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("written", "frame"), EXAMPLES, ids=[written for written, _ in EXAMPLES])
def test_a_frame_on_the_page_is_what_the_codec_sends_and_reads(written: str, frame: str) -> None:
    message = eval(written, dict(vars(scanner_protocol)))
    assert encode(message).hex(" ") == frame
    assert Decoder().feed(bytes.fromhex(frame)) == [message]


def test_every_message_has_an_example_and_a_heading() -> None:
    kinds = {
        message.__name__: message.KIND
        for message in Message.__subclasses__()
        if message.__module__ == scanner_protocol.__name__
    }
    assert {written.partition("(")[0] for written, _ in EXAMPLES} == set(kinds)
    headings = dict(re.findall(r"^### `(.)` (\w+)", PAGE, re.MULTILINE))
    assert headings == {kind: name for name, kind in kinds.items()}


@pytest.mark.parametrize(("header", "frame"), FOREIGN)
def test_a_frame_of_another_version_on_the_page_is_recognised(header: str, frame: str) -> None:
    assert Decoder().feed(bytes.fromhex(frame)) == [Foreign(*bytes.fromhex(header))]


def test_every_fault_is_on_the_page_with_its_number() -> None:
    printed = dict(re.findall(r"^\| (\d) \| ([A-Z_]+) \|", PAGE, re.MULTILINE))
    assert printed == {str(int(fault)): fault.name for fault in scanner_protocol.FaultKind}
