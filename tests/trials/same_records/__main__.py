"""`python -m tests.trials.same_records OLD`: the records of another checkout compared with those of this one.

Both play the same runs with this environment's Python, side by side. With --keep the old records are written
to a file, from which the next run reads them.

With --journals only OLD plays, into journals, and this checkout replays them, each by its own revision of the
procedures. This is the comparison after a change of procedure, which alters a round played anew.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from controller.record.audit.integrity import verify_journal
from controller.record.journal.schema import JournalError
from tests.trials.same_records.differing import difference, timeless
from tests.trials.same_records.runs import runs

HERE = Path(__file__).resolve().parents[3]
PLAYING = Path(__file__).with_name("playing.py")
SHOWN = 20

Played = dict[str, Any]


class NotComparable(Exception):
    """Raised if one of the two records cannot be read to its end."""


def played(checkout: Path, wanted: list[list[str]]) -> Iterator[Played]:
    """Yield each run as that checkout plays it. Raises NotComparable if one fails."""
    with TemporaryFile("w+", encoding="utf-8") as arguments:
        arguments.writelines(json.dumps(run) + "\n" for run in wanted)
        arguments.seek(0)
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        process = subprocess.Popen(
            [sys.executable, "-P", PLAYING],
            stdin=arguments,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert process.stdout is not None
        with process:
            yield from map(json.loads, process.stdout)
    if process.returncode:
        raise NotComparable(f"{checkout}: ended with status {process.returncode}")


def kept(checkout: Path, wanted: list[list[str]], file: Path) -> Iterator[Played]:
    """Yield the runs of `checkout` from a file. If the file does not exist, the runs are played and written
    first."""
    if not file.exists():
        part = file.with_suffix(".part")
        with part.open("w", encoding="utf-8") as out:
            for one in played(checkout, wanted):
                out.write(json.dumps(timeless(one)) + "\n")
        part.rename(file)
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def compare(old: Iterator[Played], new: Iterator[Played], wanted: list[list[str]]) -> Iterator[str]:
    """Yield a line for each run that differs. Raises NotComparable if the stored records are of other
    runs."""
    for run, before, now in zip(wanted, old, new, strict=True):
        if before["run"] != run:
            raise NotComparable(f"the kept records are of other runs, {' '.join(before['run'])}: remove them")
        found = difference(before["records"], now["records"])
        if found:
            yield f"{' '.join(run)}\n    {found}"


def replay(checkout: Path, wanted: list[list[str]]) -> Iterator[str]:
    """Yield a line for each journal of `checkout` whose replay here gives other records."""
    with TemporaryDirectory() as folder:
        journals = [Path(folder, f"{number}.db") for number in range(len(wanted))]
        runs_of_old = [[*run, "--journal", str(file)] for run, file in zip(wanted, journals, strict=True)]
        for run, one, file in zip(wanted, played(checkout, runs_of_old), journals, strict=True):
            try:
                rounds = verify_journal(file).rounds
            except JournalError as error:
                yield f"{' '.join(run)}\n    {error}"
            else:
                if rounds != len(one["records"]):
                    yield f"{' '.join(run)}\n    {rounds} rounds in the journal of {len(one['records'])}"
            for each in Path(folder).glob(f"{file.stem}.*"):
                shutil.rmtree(each) if each.is_dir() else each.unlink()


def main() -> int:
    about = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m tests.trials.same_records", description=about)
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout of the state before")
    parser.add_argument("--seeds", type=int, default=50, metavar="N")
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="of each run")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--keep", type=Path, metavar="FILE", help="keep the old records in this file")
    source.add_argument("--journals", action="store_true", help="replay the journals of OLD")
    args = parser.parse_args()
    wanted = list(runs(args.seeds, args.rounds))
    try:
        if args.journals:
            found = list(replay(args.old, wanted))
        else:
            old = kept(args.old, wanted, args.keep) if args.keep else played(args.old, wanted)
            found = list(compare(old, played(HERE, wanted), wanted))
    except NotComparable as error:
        sys.exit(str(error))
    for line in islice(found, SHOWN):
        print(line)
    print(f"{len(wanted)} runs of {args.rounds} rounds, {len(found)} with another record")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
