"""Edits of a sealed journal by the machine's owner, flipped bits and a cut end: `python -m
tests.trials.edits`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.trials.edits.box import trusted
from tests.trials.edits.flips import Torn, silent
from tests.trials.edits.play import played, schema_tries, tries


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.edits", description=__doc__)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--bits", type=int, default=1_000, help="turned, one at a time, anywhere in the file")
    parser.add_argument("--turns", type=int, default=4, help="of every edit that the schema has room for")
    parser.add_argument("--rounds", type=int, default=8, help="in the journal")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        unnamed = generated(place / "generated", args)
        unnamed += edited(place / "edits", args) + bits(place / "bits", args) + torn(place / "torn", args)
    print(f"{unnamed} not named, {time.monotonic() - began:.0f} s")
    return 1 if unnamed else 0


def edited(folder: Path, args: argparse.Namespace) -> int:
    with _quiet(folder):
        found = list(tries(folder, args.edits, args.seed, args.rounds))
    named = Counter(each.kind for each in found if each.reported)
    exact = Counter(each.kind for each in found if each.row and f"row {each.row} " in each.reported)
    for kind, count in Counter(each.kind for each in found).items():
        print(f"{named[kind]:>6} of {count:<4} {kind:<16} {exact[kind] or '-':>4} by the row's own number")
    unnamed = [each for each in found if not each.reported]
    for each in unnamed:
        print(f"not named: {each.kind}, row {each.row}")
    return len(unnamed)


def generated(folder: Path, args: argparse.Namespace) -> int:
    with _quiet(folder):
        box = played(folder / "box", args.rounds, args.seed)
        found = list(schema_tries(box, trusted(box), folder, args.turns, args.seed))
    silent = [each for each in found if not each.reported]
    print(f"{len(found)} edits made from the schema: {len(found) - len(silent)} named")
    for name, count in Counter(each.kind for each in silent if each.same).items():
        print(f"{count:>6} without effect: {name}")
    unnamed = [each for each in silent if not each.same]
    for each in unnamed:
        print(f"not named: {each.kind}")
    return len(unnamed)


def bits(folder: Path, args: argparse.Namespace) -> int:
    with _quiet(folder):
        box = played(folder / "box", args.rounds, args.seed)
        trust = trusted(box)
        places = random.Random(args.seed).sample(range(box.journal.stat().st_size), args.bits)
        found = list(silent(box, folder, trust, places))
    print(f"{args.bits} bits turned in a journal of {args.rounds} rounds: silent {found}")
    return len(found)


def torn(folder: Path, args: argparse.Namespace) -> int:
    with _quiet(folder):
        end = Torn(played(folder / "box", 1, args.seed), folder)
        cut = [at for at in end.record if not end.cut_at(at).startswith("journal ")]
        turned = [at for at in end.record if end.turned_at(at) == "rows are gone, and no error is reported"]
    print(f"{len(end.record)} bytes of the last record: cut off silently {cut}, turned silently {turned}")
    return len(cut) + len(turned)


@contextmanager
def _quiet(folder: Path) -> Iterator[None]:
    """Suppress the output of the tables that are played in the block."""
    folder.mkdir()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


if __name__ == "__main__":
    sys.exit(main())
