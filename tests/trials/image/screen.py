"""Dealer's screen of the booted disk: the picture that the board outputs while the kiosk runs.

The board has no GPU, so compositor and browser render in software, unlike on a Pi.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.trials.image.trial import Trial, hold

DRAWN = "CRISSCROSS_DISPLAY=http://127.0.0.1:{port}/\nWLR_RENDERER=pixman\n"
BROWSER = 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --disable-gpu"\n'
SHOWN_S, POLL_INTERVAL_S, ANSWER_S = 900.0, 3.0, 30.0
WARNING = bytes((0xFF, 0x5F, 0x57))
"""Background of a screen without its table (systemd/waiting.html, and the page itself)."""
FEWEST, BORDER, DARK = 20, 0.01, 0x180


def settings(etc: Path, port: int) -> None:
    """Write the settings for a board without a GPU, and for this table's port."""
    (etc / "crisscross/display.env").write_text(DRAWN.format(port=port), encoding="utf-8")
    (etc / "chromium.d").mkdir()
    (etc / "chromium.d/no-gpu").write_text(BROWSER, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Picture:
    """Picture of the screen: three bytes a pixel, row by row."""

    points: bytes

    @classmethod
    def taken(cls, line: Path, to: Path) -> Picture:
        """Take a picture over QEMU's own connection (QMP)."""
        _ask(line, {"execute": "screendump", "arguments": {"filename": str(to)}})
        _kind, _size, _depth, points = to.read_bytes().split(b"\n", 3)
        return cls(points)

    def shows(self) -> str:
        """Return what the picture shows: `nothing` (one colour), `warning`, the dark `page` of a table, or
        `something else`."""
        found = Counter(self.points[at : at + 3] for at in range(0, len(self.points), 3))
        if len(found) < FEWEST:
            return "nothing"
        if found[WARNING] > BORDER * found.total():
            return "warning"
        return "page" if sum(found.most_common(1)[0][0]) < DARK else "something else"


def _ask(line: Path, command: dict[str, object]) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as connection:
        connection.settimeout(ANSWER_S)
        connection.connect(str(line))
        with connection.makefile("rw", encoding="utf-8") as qmp:
            qmp.readline()
            for each in ({"execute": "qmp_capabilities"}, command):
                qmp.write(json.dumps(each) + "\n")
                qmp.flush()
                answer = json.loads(qmp.readline())
                if "error" in answer:
                    raise OSError(f"QEMU: {answer['error']}")


class Screen:
    """Steps with the dealer's screen. `trial`: a trial whose board is off and whose disk has the display."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.table = trial, trial.table
        self._line = trial.folder / "qmp"

    async def page(self) -> str:
        """Wait after a boot until the page is shown, without any touch."""
        self.table.machine.screen = self._line
        await self.trial.booted()
        return f"the table's page {await self._until('page'):.0f} s after the table"

    async def without_its_table(self) -> str:
        """Check that the screen warns when the table is gone and recovers without help."""
        await self._told("systemctl stop crisscross")
        lost = await self._until("warning")
        await self._told("systemctl start crisscross")
        back = await self._until("page")
        await self.table.cut()
        self.table.machine.screen = None
        return f"warned after {lost:.0f} s; the table's page {back:.0f} s after the table"

    async def _told(self, command: str) -> None:
        status, output = await self.table.shell(command, SHOWN_S)
        hold(status == 0, f"{command}: {output}")

    async def _until(self, wanted: str) -> float:
        began = time.monotonic()
        while (shown := await asyncio.to_thread(self._shows)) != wanted:
            waited = time.monotonic() - began
            hold(waited < SHOWN_S, f"the screen shows {shown}, and {wanted} is wanted")
            await asyncio.sleep(POLL_INTERVAL_S)
        return time.monotonic() - began

    def _shows(self) -> str:
        return Picture.taken(self._line, self.trial.folder / "screen.ppm").shows()
