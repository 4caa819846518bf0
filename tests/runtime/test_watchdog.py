"""The watchdog is notified only while the readers deliver readings and the shoe's link carries frames."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path
from typing import NoReturn

import pytest

from controller.common.clock import ManualClock
from controller.record.journal.schema import JournalFault
from controller.table.daemon.watchdog import SHOE_STALLED_S, ProgressCheck, Watchdog
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import LinkStatistics
from tests.runtime.child import PATIENCE_S, Child, started, table_file
from tests.runtime.fakes import bench, pump, reading

pytestmark = pytest.mark.serial


class CountedNotifications:
    """Counter of the notifications that would be sent to systemd."""

    def __init__(self) -> None:
        self.fed = 0

    def watchdog(self) -> None:
        self.fed += 1


def look(clock: ManualClock, watchdog: Watchdog, seconds: int, readings: int, link: LinkStatistics) -> None:
    """Check the watchdog once a second for `seconds` seconds, in each of which the readers deliver `readings`
    readings."""
    put_readings = watchdog.counting(lambda _: None)
    for _ in range(seconds):
        clock.forward(1000)
        put_readings([reading()] * readings)
        watchdog.check(link)


UP = LinkStatistics({"frames_in": 7}, up=True)
DOWN = LinkStatistics({"frames_in": 7}, up=False)
PLAIN = LinkStatistics({"frames_in": 7}, up=True, protocol="plain")


@pytest.mark.parametrize(
    ("fitted", "readings", "link", "goes_on"),
    [
        (True, 1, DOWN, True),
        (True, 0, DOWN, False),
        (False, 0, DOWN, True),
        (False, 0, UP, False),
        (False, 0, PLAIN, True),
        (True, 1, UP, False),
    ],
)
def test_missing_progress_stops_the_notifications(
    fitted: bool, readings: int, link: LinkStatistics, goes_on: bool
) -> None:
    clock, notifications = ManualClock(), CountedNotifications()
    enough = int(SHOE_STALLED_S) + 2
    look(clock, Watchdog(clock, notifications, fitted), enough, readings, link)
    assert (notifications.fed == enough) is goes_on


def test_progress_is_a_recent_change_of_a_count() -> None:
    clock = ManualClock()
    progress = ProgressCheck(clock)
    assert progress.is_recent(1)
    clock.forward(int(SHOE_STALLED_S * 1000))
    assert not progress.is_recent(1)
    assert progress.is_recent(2)


def test_a_table_that_waits_on_a_full_disk_is_healthy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the journal cannot be written, no event is processed, but the readers continue to deliver
    readings."""
    table, notifications = bench(tmp_path / "journal.db"), CountedNotifications()
    watchdog = Watchdog(table.clock, notifications, fitted=True)
    put_readings = watchdog.counting(table.engine.inbox.put_readings)
    for act in ("append", "recover"):
        monkeypatch.setattr(table.journal, act, disk_full)
    for second in range(30):
        put_readings([reading(f"{second:02X}")])
        pump(table.engine)
        table.clock.forward(1000)
        watchdog.check(DOWN)
    assert table.engine.fault == "the disk is full"
    assert notifications.fed == 30
    table.journal.close()


def disk_full(*_: object) -> NoReturn:
    raise JournalFault("the disk is full")


HASTY = """
import sys
import controller.table.daemon.watchdog as watchdog
watchdog.SHOE_STALLED_S = 0.5
from controller.cli import main
raise SystemExit(main(sys.argv[1:]))
"""
"""Program that runs the daemon with a watchdog that tolerates no progress for only half a second."""


async def test_the_daemon_notifies_while_its_disk_is_full(tmp_path: Path) -> None:
    circle = (1, "ante_across")
    port = str(tmp_path / "reader-1-ante_across")
    file = table_file(tmp_path, shoe=None, method="hand", readers={"ports": {1: {"ante_across": port}}})

    async def run() -> None:
        arguments = ["-c", HASTY, "run", "--config", str(file)]
        async with started(tmp_path, arguments, WATCHDOG_USEC="10000000") as child:
            await child.ready()
            await fed(child)
            resource.prlimit(child.process.pid, resource.RLIMIT_FSIZE, (0, 0))
            assert (await child.touch(do="sign_on", number="D7"))[1]["code"] == "journal_fault"
            for _ in range(3):
                await fed(child)
            assert (await child.get("/api/view"))["alerts"][0]["code"] == "journal_fault"

    with ReaderBank(tmp_path, [circle], 0.0):
        await run()


async def fed(child: Child) -> None:
    """Wait for a notification of systemd by the daemon."""
    async with asyncio.timeout(PATIENCE_S):
        await child.notified(b"WATCHDOG=1")
