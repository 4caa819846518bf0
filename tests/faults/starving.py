"""Daemon for the tests of faults that uses up its memory at SIGUSR1.

python -m tests.faults.starving TABLE_FILE
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

from controller.cli import main

BLOCKS = (2**20, 2**16, 2**12)
"""Sizes of blocks by which the free memory of the heap is used up, down to the size of a page."""
held: list[bytearray] = []


def starve(_number: int, _frame: object) -> None:
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used, resource.RLIM_INFINITY))
    for size in BLOCKS:
        try:
            while True:
                held.append(bytearray(size))
        except MemoryError:
            continue


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, starve)
    raise SystemExit(main(["run", "--mock", "--config", sys.argv[1]]))
