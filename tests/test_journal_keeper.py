"""What happens at the board is what the journal has: every scenario is written down as it is performed, and found
again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, Game
from firmware.events import Event
from firmware.journal import Journal, Keeper, KeptGame
from firmware.session import Session
from hardware.interface import Button, KeyEvent, Snapshot
from simulator import stage
from simulator.scenario import Scenario
from tests.hand_moves import Bench
from tests.journals import AT, hasty

ALL = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))
SCENARIOS = [path for path in ALL if Scenario.read(path).beginning.game is None]
"""Those that begin with the set-up, as every game at the board does."""


class KeptSession(Session):
    """A session whose events go to the journal before anybody else has them."""

    keeper: Keeper

    def kept(self, events: list[Event], now: float) -> list[Event]:
        assert self.keeper.keep(events, self.game, self.match, at=AT + now)
        return events

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        return self.kept(super().see(snapshot, now), now)

    def tick(self, now: float) -> list[Event]:
        return self.kept(super().tick(now), now)

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        return self.kept(super().touch(key, now), now)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_the_game_that_is_found_again_is_the_one_that_was_played(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions: list[KeptSession] = []
    path = tmp_path / "linja.db"
    with closing(Journal.open(path, print, hasty)) as journal:

        def make(*arguments: object) -> Session:
            session = KeptSession(*arguments)  # type: ignore[arg-type]
            session.keeper = Keeper(journal, None)
            sessions.append(session)
            return session

        monkeypatch.setattr(stage, "Session", make)
        assert stage.perform(Scenario.read(scenario)) is None
    (session,) = sessions
    with closing(Journal.open(path, print, hasty)) as journal:
        found = journal.current()
    assert found is None or agrees(found, session)
    assert found is not None or not session.game.actions or session.game.state.outcome is not None


def test_a_game_that_was_given_up_does_not_come_back_while_the_next_is_set_up(tmp_path: Path) -> None:
    bench = Bench("classic")
    bench.move("red", 0, 1)
    path = tmp_path / "linja.db"
    with closing(Journal.open(path, print, hasty)) as journal:
        keeper = Keeper(journal, None)
        keeper.keep(bench.events, bench.session.game, None, at=AT)
        keeper.keep(bench.hold(Button.NEW), bench.session.game, None, at=AT)
    with closing(Journal.open(path, print, hasty)) as journal:
        found = journal.current()
    assert found is not None
    assert found.game == bench.session.game == Game.new(EDITIONS["classic"])


def agrees(found: KeptGame, session: Session) -> bool:
    before = session._sheet
    return (found.game.start, found.game.actions, found.match, found.implied) == (
        session.game.start,
        session.game.actions,
        before._match_before,
        frozenset(before._implied_declines),
    )
