"""What the journal holds in memory of a game: the game itself, and how much of it is on disk."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.journal.kept import KeptGame


@dataclass(slots=True)
class Page:
    """A game in memory, and how much of it is on disk."""

    kept: KeptGame
    sound: int = 0
    """So many of its first actions stand on disk."""
    is_clean: bool = False
    """Nothing of it is missing on disk, and nothing stands there that it has not."""
    has_sound_row: bool = False
    """Its row in the table of games is as it should be."""

    def becomes(self, kept: KeptGame) -> None:
        self.has_sound_row = self.has_sound_row and kept.game.state.outcome == self.kept.game.state.outcome
        self.sound = min(self.sound, len(kept.game.actions))
        self.kept = kept
        self.is_clean = False

    def is_written(self) -> None:
        self.sound = len(self.kept.game.actions)
        self.has_sound_row = self.is_clean = True

    def must_be_written_whole(self) -> None:
        self.sound = 0
        self.has_sound_row = self.is_clean = False
