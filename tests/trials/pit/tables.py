"""Tables with their real services, and the comparison of a pit's store with their journals.

The outboxes may be what goes wrong, so the pit is compared with the journals: it must have each public event
of a journal once and in order, with its row, its kind and its facts.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import yaml

from controller.common.files.file_lock import lock
from controller.floor.pit.database import StoreError
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import events_of, load_heads
from controller.floor.pit.streams import streams
from controller.floor.uplink.outbox import outbox_path
from controller.floor.uplink.stream_names import journal_of
from tests.trials.pit.machine import Part
from tests.uplink.night import derived_messages

MOCK = ("--no-wires", "--headless", "--json", "--clumsy", "0.2", "--voids", "0.05")
UPLINK_FILES = ("", "-wal", "-shm", ".have")
Key = tuple[int, str, str, str]
"""Row of the journal, position within the row, kind and facts of an event."""


class Table:
    """Real table: a journal, and the two services of its uplink. `name`: the table's name at the pit."""

    def __init__(self, folder: Path, name: str, uplink: Mapping[str, str]) -> None:
        """`uplink`: the broker and the certificate files, as in the table file."""
        folder.mkdir()
        self.folder, self.name, self.journal = folder, name, folder / "journal.db"
        self._config = folder / "table.yaml"
        more = {"pits": [{"name": "pit-1"}], "events_a_second": 5000}
        keys = {
            "table": name,
            "rules": "pennsylvania",
            "journal": "journal.db",
            "shoe": {"port": "/dev/shoe"},
        }
        self._config.write_text(yaml.safe_dump({**keys, "uplink": {**uplink, **more}}), encoding="utf-8")
        self.tell, self.serve = (self._part(act) for act in ("tell", "serve"))
        self._daemon: int | None = None
        self._derived: tuple[tuple[Path, int], list[Key]] = (self.journal, 0), []

    def _part(self, act: str) -> Part:
        command = [sys.executable, "-m", "controller", "uplink", act, "--config", str(self._config)]
        return Part(self.folder, act, command)

    def play(self, rounds: int, seed: int) -> None:
        """Play `rounds` more rounds into the journal, at full speed. The uplink must be stopped."""
        subprocess.run(self._mock("max", rounds, seed), check=True, capture_output=True)

    def playing(self, speed: int, seed: int) -> Part:
        """Return a process that plays more rounds into the journal without end, at `speed` times the pace of
        people."""
        return Part(self.folder, "daemon", self._mock(str(speed), 1_000_000, seed))

    def _mock(self, speed: str, rounds: int, seed: int) -> list[str]:
        command = [sys.executable, "-m", "controller", "mock", *MOCK, "--speed", speed]
        return [*command, "--rounds", str(rounds), "--seed", str(seed), "--journal", str(self.journal)]

    def start(self, *, serve: bool = True) -> None:
        self.lock_journal()
        self.tell.start()
        if serve:
            self.serve.start()

    def lock_journal(self) -> None:
        """Lock the journal, as a running daemon does. If it is locked already, the lock is renewed, because
        its disk may have been mounted again."""
        self._unlock_journal()
        self._daemon = lock(self.journal)

    def _unlock_journal(self) -> None:
        if self._daemon is not None:
            os.close(self._daemon)
            self._daemon = None

    def stop(self) -> None:
        self.serve.stop()
        self.tell.stop()
        self._unlock_journal()

    def log(self) -> str:
        files = (self.folder / f"{act}.log" for act in ("tell", "serve"))
        return "".join(file.read_text(encoding="utf-8") for file in files if file.exists())

    @property
    def outbox(self) -> Path:
        return outbox_path(self.journal)

    def last_row(self) -> int:
        with closing(sqlite3.connect(self.journal)) as journal:
            return int(journal.execute("SELECT max(seq) FROM events").fetchone()[0])

    def outbox_end(self) -> tuple[str, int] | None:
        """Return the stream and last event of the outbox, or None if it does not have the whole journal."""
        return self.outbox_at(self.last_row())

    def outbox_at(self, row: int) -> tuple[str, int] | None:
        """Return the stream and last event of the outbox, or None if it has not reached `row`."""
        if not self.outbox.exists():
            return None
        with closing(sqlite3.connect(self.outbox)) as box, suppress(sqlite3.OperationalError):
            head = box.execute("SELECT stream, row FROM head").fetchone()
            (last,) = box.execute("SELECT max(sequence) FROM events").fetchone()
            return (str(head[0]), int(last)) if head and last and head[1] >= row else None
        return None

    def forget_outbox(self) -> None:
        """Delete the outbox, as the guide describes. The uplink makes a new one from the journal."""
        for ending in UPLINK_FILES:
            Path(f"{self.outbox}{ending}").unlink(missing_ok=True)

    def events(self) -> list[Key]:
        """Return the public events of the journal, derived from its first row. The cursor's file is left out,
        because it may name another row."""
        if self._derived[0] != (now := (self.journal, self.last_row())):
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "journal"
                shutil.copytree(self.journal.parent, copy, ignore=shutil.ignore_patterns("*.uplink*"))
                found = derived_messages(copy / self.journal.name, Path(folder) / "outbox", self.name)
            self._derived = now, [key_of(each.payload) for each in found]
        return self._derived[1]


def key_of(payload: bytes) -> Key:
    event = json.loads(payload)
    facts = json.dumps(event["data"], sort_keys=True)
    return event["row"], event["id"].rpartition("/")[2], event["type"], facts


# ------------------------------------------------------------------ the pit beside a journal


def had(url: str, table: str) -> list[list[Key]]:
    """Return the pit's events of a table that count for its present journal, a list for each stream."""
    with closing(open_database(url, writing=False)) as database:
        head = load_heads(database).get(table)
        journal = journal_of(head.stream) if head else ""
        return [
            [key_of(each.body.encode()) for each in events_of(database, table, stream)][: cut and cut - 1]
            for stream, cut in streams(database, table).items()
            if journal_of(stream) == journal
        ]


def upto(url: str, table: str) -> tuple[str, int] | None:
    """Return the stream and last event at the pit, or None if it has none or its store does not answer."""
    with suppress(StoreError), closing(open_database(url, writing=False)) as database:
        head = load_heads(database).get(table)
        return (head.stream, head.upto) if head else None
    return None


def compared(parts: list[list[Key]], wanted: list[Key], row: int) -> dict[str, int]:
    """Compare a pit's events with those of the journal. Returns the numbers of lost, doubled and disordered
    ones. `parts`: the pit's events by stream; `wanted`: those of the journal; `row`: the row up to which the
    pit must have them."""
    all_ = [each for part in parts for each in part]
    place = {each: n for n, each in enumerate(wanted)}
    places = [[place.get(each, -1) for each in part] for part in parts]
    missing = {each for each in wanted if each[0] <= row} - set(all_)
    return {
        "events": len(wanted), "lost": len(missing) + len(set(all_) - set(wanted)),
        "doubled": len(all_) - len(set(all_)),
        "out_of_order": sum(each != sorted(each) for each in places),
    }  # fmt: skip
