"""Helpers that read the figures of a pit as a monitor does, and check their format."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from controller.common.files.openmetrics import exposition
from controller.floor.pit.counts import PitCounters, Waiting
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.metrics import families

PROMTOOL = shutil.which("promtool", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
"""Program of Prometheus, which `make test` copies into the virtual environment; None if it is missing."""
MISSING = "promtool missing: `make browser` fetches it where Debian's package prometheus is offered"
READY = {"broker": "", "writer": "", "store": "", "audit": ""}


def figures(counts: PitCounters, floor: PitFloor | None = None, accept: str = "") -> str:
    """Return the text of `/metrics`."""
    shown = floor or PitFloor(lambda: 0.0, lambda: 0.0)
    return exposition(families(shown, counts, Waiting(), READY), accept)[0].decode()


def check_families(text: str) -> None:
    """Assert that each sample belongs to a family with HELP and TYPE, as promtool requires. The two formats
    name a counter's family differently."""
    lines = text.splitlines()
    helped = {line.split()[2] for line in lines if line.startswith("# HELP")}
    typed = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert helped == typed
    for line in lines:
        if not line.startswith("#"):
            name = re.sub("_(bucket|sum|count)$", "", re.split(r"[{ ]", line)[0])
            assert (name.removesuffix("_total") if lines[-1] == "# EOF" else name) in typed, line


def promtool(*command: str, given: str = "") -> tuple[int, str]:
    """Run promtool with `given` as its input; return its exit status and its messages."""
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, *command], input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr + (done.stdout if done.returncode else "")
