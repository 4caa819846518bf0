"""Play many runs of `crisscross mock` in one process: each line of input has the arguments of a run, each
line of output its records.

It is started as a file, with the PYTHONPATH of the checkout that plays. It must import only the command line,
which is the same in all checkouts.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from controller.cli import main


def records(arguments: list[str]) -> list[Any]:
    """Return the records that the run prints. A failed run ends the program with its message."""
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors):
        status = main(["mock", *arguments])
    if status:
        sys.exit(f"crisscross mock {' '.join(arguments)}: status {status}: {errors.getvalue().strip()}")
    return [json.loads(line) for line in printed.getvalue().splitlines()]


if __name__ == "__main__":
    for line in sys.stdin:
        run = json.loads(line)
        sys.stdout.write(json.dumps({"run": run, "records": records(run)}) + "\n")
        sys.stdout.flush()
