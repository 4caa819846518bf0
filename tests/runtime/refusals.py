"""Starts of the daemon that it is expected to refuse.

One process has imported the program and forks itself for each start, because importing takes ten times as
long as a refusal.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.runtime.child import ROOT, run_arguments

STARTS = """
import json, os, sys
from controller.cli import main
from controller.record.journal import journal
from controller.settings import config
from controller.table.daemon import daemon
for line in sys.stdin:
    folder, arguments, before = json.loads(line)
    out, into = os.pipe()
    if not (child := os.fork()):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(into, 2)
        os.close(into)
        os.close(out)
        os.chdir(folder)
        exec(before)
        sys.exit(main(arguments))
    os.close(into)
    with open(out, encoding="utf-8") as pipe:
        words = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, words]), flush=True)
"""
"""Program that reads a line for each start and answers with its exit status and its output."""


class Refusals:
    """Process that forks itself for each start, until `stop`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", STARTS],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    def start(self, file: Path, *, before: str = "") -> tuple[int, list[str]]:
        """Start a daemon on a table file, in the file's folder; return its exit status and the lines of its
        output. `before`: Python code that the process runs first."""
        assert self._process.stdin is not None and self._process.stdout is not None
        arguments = run_arguments(file)[2:]
        self._process.stdin.write(json.dumps([str(file.parent), arguments, before]) + "\n")
        self._process.stdin.flush()
        status, words = json.loads(self._process.stdout.readline())
        return status, words.splitlines()

    def stop(self) -> None:
        self._process.communicate(timeout=30)
