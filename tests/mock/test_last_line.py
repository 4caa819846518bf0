"""If a process of the mock ends, the reported reason is the last line that this process itself wrote."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from controller.mock.bench.child import Child

NOTIFY = "WARNING controller: cannot notify systemd (STOPPING=1): check its NotifyAccess="


@pytest.mark.parametrize(
    ("writes", "reason"),
    [
        ("", "no line was written"),
        (NOTIFY, "no line was written"),
        (f"ERROR disk is full\n{NOTIFY}", "ERROR disk is full"),
    ],
)
async def test_warnings_and_lines_of_earlier_processes_are_not_given_as_the_reason(
    tmp_path: Path, writes: str, reason: str
) -> None:
    log = tmp_path / "log"
    log.write_text("INFO of the process before\n", encoding="utf-8")
    child = Child((sys.executable, "-c", f"import sys; sys.exit(print({writes!r}) or 3)"), log)
    await child.spawn(os.environ)
    await child.ended()
    assert child.end_reason("the daemon ended") == f"the daemon ended (status 3): {reason}"
