"""Measure each step of a start after a number of rows: `python -m tests.trials.bench.recovery --rows
1000000`.

The rows are sign-ons, signed and with a snapshot every 500 rows, as between rounds. They are not synced to
the disk, and the journal is in the page cache when it is opened.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.common.clock import utc_text
from controller.game.model.events import DealerSignedOn, Stamp, Started
from controller.game.model.state import TableSettings
from controller.game.table import Table
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.replay import restore_table, snapshot, store_settings
from controller.record.journal.results import RoundResult
from controller.rules.packs.loader import find_pack, load_pack

BATCH = 1000
UTC = utc_text(1_795_206_000.0)
AFTER = 500
"""Number of rows after the last snapshot, which a start replays."""


def written(path: Path, count: int) -> None:
    pack, settings = load_pack(find_pack("pennsylvania")), TableSettings()
    table = Table(pack, settings)
    with closing(Journal(path, durable=False)) as journal:
        store_settings(journal, Stamp(0, UTC), pack, settings)
        journal.append([JournalEntry(Started(()))], Stamp(1, UTC))
        table.handle(Started(()), Stamp(1, UTC))
        while journal.head < count:
            stamp = Stamp(journal.head + 1, UTC)
            few = count - journal.head <= AFTER
            batch = [
                JournalEntry(DealerSignedOn(f"D{number % 9}"))
                for number in range(AFTER if few else BATCH - AFTER)
            ]
            journal.append(batch, stamp)
            table.handle(DealerSignedOn("D1"), stamp)
            if not few:
                journal.sign([RoundResult(journal.head, journal.head // BATCH, "record", "{}")])
                journal.store_snapshot(snapshot(table.state))
                journal.checkpoint_wal()


def measured(path: Path) -> list[tuple[str, float]]:
    pack = load_pack(find_pack("pennsylvania"))
    began = time.perf_counter()
    with closing(Journal(path, durable=False)) as journal:
        opened = time.perf_counter()
        restore_table(journal, pack, TableSettings())
        restored = time.perf_counter()
        journal.last_mark()
        marked = time.perf_counter()
    return [("open", opened - began), ("table restored", restored - opened), ("last mark", marked - restored)]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.trials.bench.recovery", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--rows", type=int, default=100_000, metavar="N")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        began = time.perf_counter()
        written(path, args.rows)
        size = path.stat().st_size / 2**20
        print(
            f"{args.rows:,} rows, {size:.0f} MiB, written in {time.perf_counter() - began:.0f} s", flush=True
        )
        for turn in range(3):
            print(turn + 1, *(f"{what} {seconds:.3f} s;" for what, seconds in measured(path)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
