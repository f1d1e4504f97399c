"""A board that is tried: a table, a scanner on a pseudo-terminal, and a mortal service at it."""

from __future__ import annotations

import multiprocessing
import random
import threading
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path

from engine import Color, Edition
from firmware.inputs import NewGame
from hardware import calibration_file
from hardware.interface import KeyEvent
from simulator.board import SimulatedBoard, calibrated
from simulator.scenario import LAYOUT
from simulator.soak import mortal
from simulator.soak.ledger import Ledger
from simulator.soak.talk import Announced, Ask, Lit, Order, Shown, Told, Warned, Word
from simulator.virtual_scanner import VirtualScanner

NURSERY = multiprocessing.get_context("forkserver")
"""Where services are born: a process that has imported all they need, so that a life begins at once."""
NURSERY.set_forkserver_preload(["__main__", "simulator.soak.mortal"])
ANSWER_S = 60.0
"""After so long without an answer a service hangs."""
SETTINGS_TEXT = """\
[sensors]
port = "{port}"
[pixels]
kind = "none"
[panel]
kind = "none"
"""


class ServiceFailed(Exception):
    """A service ended, or fell silent, without having been killed."""


class TriedBoard:
    """The part of a board that outlives its service. Whoever asks it anything starts the service, if it is dead."""

    def __init__(self, folder: Path, seed: int, *, with_page: bool = False) -> None:
        self.folder = folder
        self.board = SimulatedBoard(LAYOUT, seed, calibration=(calibration := calibrated(LAYOUT, seed)))
        self.board.table.set_up()
        self.ledger = Ledger()
        self.warnings: list[str] = []
        self.wrong: list[str] = []
        self.lives = 0
        self._with_page = with_page
        self._random = random.Random(seed)
        self._service: Service | None = None
        folder.mkdir(parents=True, exist_ok=True)
        calibration_file.save(calibration, folder / "calibration.toml", LAYOUT)
        (folder / mortal.SETTINGS).write_text(SETTINGS_TEXT.format(port=folder / "scanner"), encoding="utf-8")
        self._scanner = VirtualScanner(self.board.table, self.board.faults, folder / "scanner", seed)

    @property
    def journal(self) -> Path:
        return self.folder / mortal.JOURNAL

    @property
    def service(self) -> Service:
        """The living service; a new one, if it was killed."""
        if self._service is None:
            self.lives += 1
            self._service = Service(self.folder, with_page=self._with_page)
            self.service_started(self._service)
        return self._service

    def service_started(self, service: Service) -> None:
        """For trials that do something about it."""

    def service_ended(self) -> None:
        """The same, before the next is started. The journal was compared."""

    def tell(self, order: Order) -> None:
        """An order that gets lost if the service dies meanwhile, as the press of a key does."""
        with suppress(BrokenPipeError):
            self.service.orders.send(order)

    def touch(self, key: KeyEvent) -> None:
        self.tell(key)

    def new_game(self, edition: Edition, first: Color) -> None:
        self.tell(NewGame(edition, first, 0))

    def shown(self) -> Shown:
        """What the board shows, by the service of now or, if that dies before it answers, by the next."""
        while True:
            try:
                number = self.service.ask()
                while not isinstance(word := self.service.word(), Shown) or word.number != number:
                    self._hear(word)
                return word
            except (EOFError, BrokenPipeError):
                self._bury()

    def lit_at(self) -> float:
        """When the next light of an accepted action is on its way, and not before."""
        while not isinstance(word := self.service.word(), Lit):
            self._hear(word)
        return word.at

    def end_service(self) -> None:
        """Stop it as a person would, if it lives."""
        if self._service is not None:
            self._service.orders.close()
            self._bury()

    def close(self) -> None:
        if self._service is not None:
            self._service.kill()
            self._service.close()
        self._scanner.close()

    def heard(self, word: Announced | Told) -> None:
        """The same, when the service has announced or told something."""
        self.ledger.hear(word)

    def _hear(self, word: Word) -> None:
        match word:
            case Warned(text):
                self.warnings.append(text)
            case Announced() | Told():
                self.heard(word)

    def _bury(self) -> None:
        """Hear what the service still said, and hold all of it against its journal."""
        service, self._service = self._service, None
        assert service is not None
        with suppress(EOFError):
            while True:
                self._hear(service.word())
        service.close()
        if wrong := self.ledger.differs(self.journal):
            self.wrong.append(f"life {self.lives}: {wrong}")
        self.service_ended()


class Service:
    """One life of the service's process."""

    def __init__(self, folder: Path, *, with_page: bool) -> None:
        self.words, their_words = Pipe(duplex=False)
        their_orders, self.orders = Pipe(duplex=False)
        self._complaints = folder / mortal.COMPLAINTS
        self._process = NURSERY.Process(target=mortal.live, args=(folder, their_words, their_orders, with_page))
        self._process.start()
        their_words.close()
        their_orders.close()
        self._asked = 0
        self._killer: threading.Timer | None = None
        self._was_killed = False

    def ask(self) -> int:
        """The number that its answer will have; `BrokenPipeError` when it is dead."""
        self._asked += 1
        self.orders.send(Ask(self._asked))
        return self._asked

    def word(self) -> Word:
        """The next thing that it says; `EOFError` when it is dead."""
        if not self.words.poll(ANSWER_S):
            raise ServiceFailed(f"it has said nothing for {ANSWER_S:g} s")
        try:
            word: Word = self.words.recv()
        except OSError as cut_off:  # in the middle of a word, which then was not said
            raise EOFError from cut_off
        return word

    def speaks(self) -> bool:
        """Waits for its first answer, which stays to be heard; False when it died before."""
        try:
            self.ask()
            return self.words.poll(ANSWER_S)
        except BrokenPipeError:
            return False

    def kill_in(self, seconds: float) -> None:
        """Only the first who decides its death is heard."""
        if self._killer is not None:
            return
        self._killer = threading.Timer(seconds, self.kill)
        self._killer.start()

    def limit_files(self, most_bytes: int | None) -> None:
        """From now on no file of its may become longer, or any may: the system refuses to write beyond."""
        import resource  # here, because not every system has it

        assert self._process.pid is not None
        limit = resource.RLIM_INFINITY if most_bytes is None else most_bytes
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def kill(self) -> None:
        self._was_killed = True
        self._process.kill()

    def close(self) -> None:
        """After its end: nothing is left of it."""
        if self._killer is not None:
            self._killer.cancel()
            self._killer.join()
        self.words.close()
        with suppress(OSError):
            self.orders.close()
        self._process.join()
        if self._process.exitcode and not self._was_killed:
            raise ServiceFailed(f"it ended by itself: {self._complaints.read_text()[-2000:]}")
        self._process.close()
