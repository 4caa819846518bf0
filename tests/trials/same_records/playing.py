"""Plays many runs of `crisscross mock` in one process: a line of arguments in, a line of records out.

Started as a file, with the PYTHONPATH of whichever checkout is to play; so it may import nothing but the
command line, which is the same in all of them.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from controller.cli import main


def records(arguments: list[str]) -> list[Any]:
    """What the run prints. A run that fails ends everything, with its own words."""
    printed, said = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(said):
        status = main(["mock", *arguments])
    if status:
        sys.exit(f"crisscross mock {' '.join(arguments)}: status {status}: {said.getvalue().strip()}")
    return [json.loads(line) for line in printed.getvalue().splitlines()]


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(json.dumps({"run": asked, "records": records(asked)}) + "\n")
        sys.stdout.flush()
