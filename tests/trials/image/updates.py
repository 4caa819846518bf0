"""Updates of the booted disk: a valid one, one with a foreign signature, and one that does not start.

A USB stick with the bundles is plugged into the board, and `rauc install` is run as a technician runs it.
U-Boot chooses the system to start without help from the test.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType

from controller.mock.bench.bench import TableStopped
from tests.trials.image.trial import Trial, hold

STICK_MIB, BROKEN_MIB = 1536, 1
INSTALL_S, STARTS_S, GOOD_S, GOES_S, POLL_INTERVAL_S = 1800.0, 3600.0, 900.0, 30.0, 3.0
MOUNT = (
    "mkdir -p /run/stick && { mountpoint -q /run/stick || mount -o ro /dev/disk/by-label/UPDATE /run/stick; }"
)


def stick(maker: ModuleType, update: Path, key: Path, folder: Path) -> Path:
    """Return a FAT disk with the update of `make image`, a copy signed with another key, and one with an
    invalid root."""
    foreign, broken = folder / "foreign.raucb", folder / "broken.raucb"
    nothing = folder / "nothing.img"
    nothing.write_bytes(Random("no root").randbytes(BROKEN_MIB * 1024 * 1024))
    maker.new_key(folder / "another-key")
    small = {"root": nothing, "kernel": nothing}
    maker.bundle(small, "foreign", folder / "another-key", foreign)
    maker.bundle({"root": nothing}, "broken", key, broken)
    made = folder / "stick.fat"
    subprocess.run(["mkfs.vfat", "-C", "-F", "32", "-n", "UPDATE", made, str(STICK_MIB * 1024)], check=True,
                   capture_output=True)  # fmt: skip
    for source, name in ((update, "good"), (foreign, "foreign"), (broken, "broken")):
        subprocess.run(["mcopy", "-i", made, source, f"::{name}.raucb"], check=True)
    return made


class Updates:
    """Steps that update the system. `trial`: a trial whose board runs system A and has the stick plugged
    in."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.table = trial, trial.table

    async def of_another_key(self) -> str:
        status, output = await self._install("foreign")
        hold(status != 0, f"it was installed: {output}")
        hold(await self._stands() == {"good": "A", "trying": "-", "left": "0"}, f"{await self._stands()}")
        return f"refused: {output.splitlines()[-1]}"

    async def good(self) -> str:
        """Install an update whose daemon fails at its first start (table.py), so that the machine restarts.
        At the next start it runs, and after a minute the update is confirmed."""
        outcome, seconds = await self._installed("good", {"good": "A", "trying": "B", "left": "2"})
        began = time.monotonic()
        await self._started_anew(["B?", "B?"])
        await self._until({"good": "B", "trying": "-", "left": "0"})
        took = time.monotonic() - began
        return f"{outcome} in {seconds:.0f} s; good in its second try, {took:.0f} s after the restart"

    async def broken(self) -> str:
        """Install an update that does not start: it is tried as often as boot.cmd allows, and then the former
        system starts by itself."""
        outcome, _ = await self._installed("broken", {"good": "B", "trying": "A", "left": "2"})
        began = time.monotonic()
        await self._started_anew(["A?", "A?", "B"])
        await self._until({"good": "B", "trying": "-", "left": "0"})
        return f"{outcome}; the one before stands again after {time.monotonic() - began:.0f} s and two tries"

    # ------------------------------------------------------------------ by hand

    async def _install(self, name: str) -> tuple[int, str]:
        return await self.table.shell(f"{MOUNT} && rauc install /run/stick/{name}.raucb", INSTALL_S)

    async def _installed(self, name: str, stands: Mapping[str, str]) -> tuple[str, float]:
        began = time.monotonic()
        status, output = await self._install(name)
        hold(status == 0, output)
        hold(await self._stands() == stands, f"the sector says {await self._stands()}, not {stands}")
        return f"{name}.raucb installed", time.monotonic() - began

    async def _stands(self) -> dict[str, str]:
        """Return the variables by which boot.cmd chooses the system."""
        _, output = await self.table.shell("fw_printenv")
        return dict(line.split("=", 1) for line in output.splitlines())

    async def _until(self, stands: Mapping[str, str]) -> None:
        limit = time.monotonic() + GOOD_S
        while (found := await self._stands()) != stands:
            hold(time.monotonic() < limit, f"the sector says {found}, not {stands}")
            await asyncio.sleep(POLL_INTERVAL_S)

    async def _started_anew(self, systems: list[str]) -> None:
        """Restart once by hand and let the board restart by itself; the table continues in the same state."""
        stood, before = self.table.view()["round"], len(self.table.machine.started())
        with suppress(TimeoutError, OSError, TableStopped):  # the connection may be lost before the answer
            await self.table.shell("systemctl --no-block reboot", GOES_S)
        limit = time.monotonic() + STARTS_S
        while len(self.table.machine.started()) < before + len(systems):
            hold(time.monotonic() < limit, f"started: {self.table.machine.started()}")
            await asyncio.sleep(POLL_INTERVAL_S)
        await self.table.started_anew()
        found = self.table.machine.started()[before:]
        hold(found == systems, f"started: {found}, not {systems}")
        stands = self.table.view()["round"]
        hold(stands == stood, f"it stood in round {stood} and stands in round {stands}")
