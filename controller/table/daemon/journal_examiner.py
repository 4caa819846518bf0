"""Verifies the journal's old rows after a start, in another process (controller/record/audit/examine.py).

This module must never read the journal itself: the loop has cards to acknowledge.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path

log = logging.getLogger("crisscross")

EXAMINE = "controller.record.audit.examine"
START_DELAY_S = 3.0
"""Seconds after the start before the verification begins, so that the devices are opened first."""
_RETRY_DELAY_S = 60.0
"""Seconds before the next pass if an archive run interrupted one."""
WHOLE, DAMAGED, LATER = 0, 1, 3
MAX_WORDS = 300
NOT_YET = "it was found at an earlier start, and the old rows have not been checked again yet"


class Examiner:
    """Runs the verification of one journal until a pass has ended. Used on the loop's thread only."""

    def __init__(self, journal: Path, keys: Path) -> None:
        self._command = (sys.executable, "-m", EXAMINE, str(journal), str(keys))
        self._task: asyncio.Task[None] | None = None
        self.damage: str | None = None
        """Damage in one line, "" if there is none, None until a pass has ended."""

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop the verification and wait until its process has ended."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def words(self, *, reported: bool) -> str | None:
        """Return the damage to report now, or None. `reported`: the damage was reported and has not been
        cleared.
        """
        if self.damage is None:
            return NOT_YET if reported else None
        return self.damage or None

    async def _run(self) -> None:
        await asyncio.sleep(START_DELAY_S)
        self.damage = await self._run_once()
        while self.damage is None:
            await asyncio.sleep(_RETRY_DELAY_S)
            self.damage = await self._run_once()

    async def _run_once(self) -> str | None:
        """Return the result of one pass, or None if it must be repeated."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
            )
        except OSError as error:
            log.warning("the old rows of the journal cannot be checked: %s", error.strerror)
            return None
        try:
            output, _ = await process.communicate()
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):  # the process may have ended just now
                process.kill()
            await process.wait()
            raise
        if process.returncode == DAMAGED and output:
            return output.decode("utf-8", "replace").strip().partition("\n")[0][:MAX_WORDS]
        if process.returncode not in {WHOLE, LATER}:
            log.warning("the check of the journal's old rows ended with status %s", process.returncode)
        return None if process.returncode == LATER else ""
