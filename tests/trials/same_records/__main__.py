"""`python -m tests.trials.same_records OLD`: the records of another checkout beside those of this one.

Both play the same runs with this environment's Python, side by side. With --keep the old records are
written to a file and read from it the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from tests.trials.same_records.differing import difference, timeless
from tests.trials.same_records.runs import runs

HERE = Path(__file__).resolve().parents[3]
PLAYING = Path(__file__).with_name("playing.py")
SHOWN = 20

Played = dict[str, Any]


class NotComparable(Exception):
    """One of the two cannot be read to its end."""


def played(checkout: Path, wanted: list[list[str]]) -> Iterator[Played]:
    """The runs as that checkout plays them, each as it ends."""
    with TemporaryFile("w+", encoding="utf-8") as asked:
        asked.writelines(json.dumps(run) + "\n" for run in wanted)
        asked.seek(0)
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        process = subprocess.Popen(
            [sys.executable, "-P", PLAYING], stdin=asked, stdout=subprocess.PIPE, env=environment, text=True
        )
        assert process.stdout is not None
        with process:
            yield from map(json.loads, process.stdout)
    if process.returncode:
        raise NotComparable(f"{checkout}: ended with status {process.returncode}")


def kept(checkout: Path, wanted: list[list[str]], file: Path) -> Iterator[Played]:
    """The runs of `checkout` from the file, which is written first where it is not there."""
    if not file.exists():
        part = file.with_suffix(".part")
        with part.open("w", encoding="utf-8") as out:
            for one in played(checkout, wanted):
                out.write(json.dumps(timeless(one)) + "\n")
        part.rename(file)
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def compare(old: Iterator[Played], new: Iterator[Played], wanted: list[list[str]]) -> Iterator[str]:
    """One line for each run that differs."""
    for run, before, now in zip(wanted, old, new, strict=True):
        if before["run"] != run:
            raise NotComparable(f"the kept records are of other runs, {' '.join(before['run'])}: remove them")
        told = difference(before["records"], now["records"])
        if told:
            yield f"{' '.join(run)}\n    {told}"


def main() -> int:
    about = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m tests.trials.same_records", description=about)
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout of the state before")
    parser.add_argument("--seeds", type=int, default=50, metavar="N")
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="of each run")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="where the old records are kept")
    asked = parser.parse_args()
    wanted = list(runs(asked.seeds, asked.rounds))
    old = kept(asked.old, wanted, asked.keep) if asked.keep else played(asked.old, wanted)
    try:
        found = list(compare(old, played(HERE, wanted), wanted))
    except NotComparable as error:
        sys.exit(str(error))
    for told in islice(found, SHOWN):
        print(told)
    print(f"{len(wanted)} runs of {asked.rounds} rounds, {len(found)} with another record")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
