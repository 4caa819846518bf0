"""The last rounds before this start, for the dealer's recall, replayed from the oldest stored snapshot.

It runs once, as a separate process, when a user recalls rounds before the daemon has played ten: `python -m
controller.table.display_source.earlier_rounds JOURNAL`. It returns only public records.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.game.model.record import Correction, RoundRecord
from controller.game.model.state import TableState
from controller.record.journal.codec import adapter
from controller.record.journal.files import reading
from controller.record.journal.journal import MAX_SNAPSHOTS
from controller.record.journal.replay import beginning, replay
from controller.record.journal.rows import read_settings, read_snapshots, readable_rows
from controller.record.journal.schema import JournalError
from controller.table.display_source.source import RECALLED, add_correction, public_record

log = logging.getLogger("crisscross")


async def fetch_older(journal: Path) -> Sequence[Mapping[str, Any]]:
    """Run `older_rounds` in a process. Returns an empty list, with a warning in the log, if the journal
    cannot be read.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, str(journal),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode:
        log.warning("the recall has no rounds from before this start: they cannot be read")
        return []
    rounds: Sequence[Mapping[str, Any]] = json.loads(output)
    return rounds


def main(arguments: list[str] | None = None) -> int:
    (journal,) = sys.argv[1:] if arguments is None else arguments
    try:
        rounds = older_rounds(Path(journal))
    except JournalError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    json.dump(rounds, sys.stdout)
    return 0


def older_rounds(journal: Path) -> list[Mapping[str, Any]]:
    """Return the public records of the last rounds in the journal, the oldest first."""
    found: deque[Mapping[str, Any]] = deque(maxlen=RECALLED)

    def keep(record: RoundRecord, before: TableState) -> None:
        found.append(public_record(record, before))

    def correct(number: int, entry: Correction) -> None:
        add_correction(found, number, entry)

    with reading(journal) as db:
        at, state = _oldest(db)
        replay(read_settings(db), readable_rows(db, at), state, keep, correct)
    return list(found)


def _oldest(db: sqlite3.Connection) -> tuple[int, TableState | None]:
    snapshots = list(islice(read_snapshots(db), MAX_SNAPSHOTS))
    if not snapshots:
        return beginning(db)
    seq, text = snapshots[-1]
    try:
        return seq, adapter(TableState).validate_json(text)
    except ValidationError:
        # another version wrote this snapshot, and perhaps the newest one too, so the whole journal is
        # replayed
        return beginning(db)


if __name__ == "__main__":
    sys.exit(main())
