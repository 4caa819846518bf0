"""`make cost`: instructions of each part of the program, compared with those in the file.

A run names each count that rose by more than 1 % and then ends with status 1. With --write the file is
replaced by the counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from controller.common.clock import utc_now
from tests.trials.cost.counting import NotCounted, counts, tool
from tests.trials.cost.processors import PROCESSORS, READINGS_A_SECOND

ROOT = Path(__file__).resolve().parents[3]
FILE = Path(__file__).with_name("counts.yaml")
COMMAND = "make cost ARGS=--write"
TOLERANCE = 0.01
Kept = Mapping[str, Any]


def risen(kept: Kept, found: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each count that exceeds the one in the file by more than the tolerance."""
    for name, count in found.items():
        before = kept["counts"].get(name)
        if before and count > before * (1 + TOLERANCE):
            yield f"{name}: {before:,} became {count:,} instructions, {100 * (count / before - 1):+.1f} %"


def table(kept: Kept, found: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each count with its change and the times that follow from it, and lines for the share
    of a core that readings take."""
    names = "".join(f"  {each.name:>26}" for each in PROCESSORS)
    yield f"{'part':<16}{'instructions':>15}{'change':>9}{names}"
    for name, count in found.items():
        before = kept["counts"].get(name)
        change = f"{100 * (count / before - 1):+.1f} %" if before else "new"
        times = "".join(f"  {'{:.3g} to {:.3g} ms'.format(*each.ms(count)):>26}" for each in PROCESSORS)
        yield f"{name:<16}{count:>15,}{change:>9}{times}"
    for name, rate in READINGS_A_SECOND.items():
        if name in found:
            shares = ("{:.1f} to {:.1f} %".format(*each.percent(found[name], rate)) for each in PROCESSORS)
            yield f"{name}, {rate:.0f} a second:" + "".join(f"  {share} of a core" for share in shares)


def written(found: Mapping[str, int], made_by: str) -> str:
    """Return the text of the file of counts: command, commit, date, tool, and the counts."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    facts = {"command": COMMAND, "commit": commit.stdout.strip(), "date": utc_now()[:10], "tool": made_by}
    return yaml.safe_dump({**facts, "counts": dict(found)}, sort_keys=False)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.cost", description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the counts into the file")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    kept: Kept = yaml.safe_load(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"counts": {}}
    try:
        made_by = tool()
        found = counts(ROOT)
    except NotCounted as error:
        sys.exit(str(error))
    if not args.write and kept.get("tool") not in (None, made_by):
        sys.exit(f"{FILE.name} was counted by {kept['tool']}, and here is {made_by}: count anew with --write")
    print("\n".join(table(kept, found)))
    if args.write:
        FILE.write_text(written(found, made_by), encoding="utf-8")
        return 0
    lines = list(risen(kept, found))
    print("\n".join(lines or ["no count rose by more than 1 %"]))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
