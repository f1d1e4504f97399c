"""One calibration from the first word to the file: begun anew or resumed, kept step by step, saved when complete.

The calibration that is there stays as it is until the new one is complete.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from firmware.attended import exchange, hear_scans, lead, listening
from firmware.calibrate import draft
from firmware.calibrate.guide import Guide, Phase
from firmware.doctor.link import Watch
from hardware.calibration_file import save

if TYPE_CHECKING:
    from pathlib import Path

    from firmware.attended import GuidedBoard, Line

GREETING_S = 3.0
ASKING = (Phase.EMPTY, Phase.WALK, Phase.RED, Phase.BLACK)


class Ending(Enum):
    """How it went."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    FLAWED = "flawed"


class CalibrationSession:
    """`file` is where the calibration goes. `guide` is there once the scanner has said who it is."""

    def __init__(self, board: GuidedBoard, file: Path, *, anew: bool = False) -> None:
        self._board = board
        self._layout = board.settings.layout
        self._file = file
        self._draft = draft.draft_path(file)
        self._id = ""
        self._kept = 0
        self.guide: Guide | None = None
        if anew:
            draft.remove(self._draft)

    def run(self) -> Ending:
        """`OSError` when the scanner is not there or goes away: what was done until then is kept."""
        watch = Watch()
        with listening(self._board, watch) as line:
            self._id = self._greet(line, watch)
            guide = self.guide = Guide(self._layout, self._id, draft.load(self._draft, self._layout, self._id))
            self._kept = len(guide.answers)
            followed = lead(self._board, lambda: hear_scans(self._board, line, watch), guide, ASKING, self._keep)
        if not followed:
            return Ending.STOPPED
        if guide.calibration is None:
            return Ending.FLAWED
        save(guide.calibration, self._file, self._layout)
        draft.remove(self._draft)
        return Ending.COMPLETE

    def _greet(self, line: Line, watch: Watch) -> str:
        """The id of the scanner's board."""
        start = self._board.clock()
        while self._board.clock() - start < GREETING_S:
            exchange(self._board, line, watch)
            facts = watch.facts()
            if facts.firmware and facts.channels != self._layout.channel_count:
                raise OSError(
                    f"the scanner has {facts.channels} channels, but the board is wired to {self._layout.channel_count}"
                )
            if facts.firmware and facts.frames:
                return facts.board
        raise OSError(f"no scanner answers at {line.name}: linja doctor may know more")

    def _keep(self) -> None:
        assert self.guide
        if len(self.guide.answers) != self._kept:
            self._kept = len(self.guide.answers)
            draft.save(self.guide.answers, self._draft, self._layout, self._id)
