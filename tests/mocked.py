"""`crisscross mock` as a separate process, which is started, whose records are read, and whose end is
awaited.

The bench, the soak and the tests of records use it. Only the output of the command and the process numbers
are used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

Record = dict[str, Any]


class MockEnded(Exception):
    """Raised if the mock table ended with a status other than 0. The message is the last line of the table's
    output."""


class Mocked:
    """One run of the command. The caller must read `records()` to the end or call `stop()`."""

    SILENT = ("--speed", "max", "--json", "--headless")
    """Options of each run: it has no pace and no page, and prints records on standard output."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = (*arguments, *self.SILENT)
        # standard error is a file, since an unread pipe would fill and stop the mock
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", "controller", "mock", *self.arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def records(self) -> Iterator[Record]:
        """Yield each record as soon as the mock has printed it. Raises MockEnded if the run fails."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)
        status = self._process.wait()
        if status:
            raise MockEnded(f"mock {' '.join(self.arguments)}: status {status}: {self._last_words()}")

    def error_lines(self) -> list[str]:
        """Return the lines that the run has written to standard error."""
        self._errors.seek(0)
        return self._errors.read().strip().splitlines()

    def _last_words(self) -> str:
        lines = self.error_lines()
        return lines[-1] if lines else "it printed nothing"

    def stop(self) -> None:
        """Stop the run as Ctrl-C does, unless it has ended by itself, and close its files."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def daemon(self) -> int:
        """Return the process number of the daemon that the mock has started on its wires."""
        found = [pid for pid, parent in _processes() if parent == self._process.pid and _is_daemon(pid)]
        if len(found) != 1:
            raise MockEnded(f"mock {self._process.pid}: {len(found)} daemons")
        return found[0]


def _processes() -> Iterator[tuple[int, int]]:
    """Yield the number and the parent's number of each process (proc(5), stat: the name in brackets may
    contain any character)."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
                yield int(folder.name), int(fields.split()[1])


def _is_daemon(pid: int) -> bool:
    try:
        words: Sequence[bytes] = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"controller" in words and b"run" in words


def resident_mib(pid: int) -> float:
    """Return the VmRSS of a process in MiB (proc(5))."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise MockEnded(f"process {pid} has ended")


def cpu_s(pid: int) -> float:
    """Return the processor time of a process in s, in user and kernel mode (proc(5), stat: utime and
    stime)."""
    fields = (
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_files(pid: int) -> int:
    """Return the number of open descriptors of a process (proc(5), fd)."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
