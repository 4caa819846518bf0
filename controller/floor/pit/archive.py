"""Archive into which old events are moved before retention deletes them: files
DIR/TABLE/STREAM/FIRST.jsonl.gz.

A file has a header and then one event per line, byte for byte as received. The header has the frontier of the
events before the first one and the root of all events up to the last one, so that the files of a stream are
one chain (archive_check.py). A file is on stable storage before its events are dropped, and is never
overwritten.
"""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass
from math import inf
from pathlib import Path

from controller.common.files.atomic_write import rename_into_place, to_disk
from controller.common.files.strict_json import parse_object
from controller.common.tlog.merkle import LENGTH, BadFrontier, Frontier, leaf_hash
from controller.floor.pit.database import Database
from controller.floor.pit.retention import DAY_S, ArchiveError, events_after, whole_rounds
from controller.floor.pit.streams import tree_at

_FORMAT = 1
SUFFIX = ".jsonl.gz"
MAX_EVENTS = 20_000
"""Maximum number of events in a file."""
LEAF_BYTES = 4
"""Number of bytes of each leaf's hash in a header, by which a changed line is found."""
MAX_LINE_BYTES = 1 << 20
QUOTE = b'"'
"""First byte of the line of an event that contains a line feed. Such an event is written as a JSON string,
which begins with a quotation mark."""


@dataclass(frozen=True, slots=True)
class Header:
    """First line of a file.

    `before`: tree of the events before the first one. `last`: number of the last event. `root`: root of the
    tree of the events up to `last`. `leaves`: the first LEAF_BYTES of the hash of each event.
    """

    table: str
    stream: str
    before: Frontier
    last: int
    root: bytes
    leaves: bytes

    @property
    def first(self) -> int:
        return self.before.size + 1

    def line(self) -> bytes:
        """Return the header as one line of JSON."""
        fields = {
            "format": _FORMAT, "table": self.table, "stream": self.stream, "first": self.first,
            "last": self.last, "frontier": self.before.text(), "root": b64encode(self.root).decode(),
            "leaves": b64encode(self.leaves).decode(),
        }  # fmt: skip
        return json.dumps(fields, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> Header:
        """Read a header. Raises ValueError, with one line, for anything that `line` did not write."""
        found = parse_object(line)
        try:
            header = cls(
                found["table"], found["stream"], Frontier.parse(found["frontier"]), found["last"],
                b64decode(found["root"], validate=True), b64decode(found["leaves"], validate=True),
            )  # fmt: skip
            is_whole = header.line() == line and len(header.root) == LENGTH
            is_whole &= len(header.leaves) == LEAF_BYTES * (header.last - header.before.size)
        except (TypeError, KeyError, AttributeError, BadFrontier) as error:
            raise ValueError("is no header of an archive") from error
        if not is_whole:
            raise ValueError("is no header of an archive")
        return header


def line_of(body: str) -> bytes:
    """Return the line of an event in an archive file, with its newline. `body`: the event as received; one of
    several lines is written as a JSON string."""
    text = json.dumps(body) if "\n" in body else body
    return text.encode() + b"\n"


def body_of(line: bytes) -> bytes:
    """Return the event of a line. Raises ValueError if the line is no event."""
    return str(json.loads(line)).encode() if line[:1] == QUOTE else line.removesuffix(b"\n")


def files_of(folder: Path) -> list[Path]:
    """Return the files of a stream, by the number of their first event."""
    found = (each for each in folder.glob(f"*{SUFFIX}") if first_of(each) is not None)
    return sorted(found, key=lambda each: first_of(each) or 0)


def first_of(file: Path) -> int | None:
    """Return the number of the first event that a file's name states, or None for another file."""
    name = file.name.removesuffix(SUFFIX)
    return int(name) if name.isascii() and name.isdigit() else None


class Archive:
    """Writer of an archive, for one pit and one thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ends: dict[tuple[str, str], int] = {}
        """Number of the last archived event of each stream that this process has written or read."""

    def reach(
        self, database: Database, table: str, stream: str, gone: Frontier, before: float,
        latest: float = inf,
    ) -> int:  # fmt: skip
        """Return the number of the last event of the stream that is in the archive, at least `gone.size`.

        `gone`: tree of the events that were dropped already. If no later event is in the archive, one file is
        written first: complete rounds that ended before the last midnight (UTC) up to `before` (POSIX
        seconds). `latest`: as in `events_after`. Raises ArchiveError and StoreError.
        """
        key = table, stream
        if self._ends.get(key, 0) <= gone.size:
            folder = self._folder / table / stream
            try:
                found = self._found(database, folder, gone)
                if found is None:
                    found = self._written(database, folder, gone, before, latest)
                self._ends[key] = found
            except OSError as error:
                raise ArchiveError(f"archive {folder}: {error.strerror or error}") from error
        return self._ends[key]

    def _found(self, database: Database, folder: Path, gone: Frontier) -> int | None:
        """Return the number of the last event in the file that has the next event after `gone`; None if there
        is no such file.

        Such a file exists after a crash between writing it and dropping its events, and if an older store was
        restored.
        """
        earlier = [each for each in files_of(folder) if (first_of(each) or 0) <= gone.size + 1]
        if not earlier:
            return None
        header = _header(earlier[-1])
        if header.last <= gone.size:
            return None
        tree = tree_at(database, folder.parent.name, folder.name, header.last)
        if tree is None or tree.size < header.last:
            return gone.size
        if tree.root() != header.root:
            words = "has other events than the store; verify it, then move this folder away"
            raise ArchiveError(f"archive {earlier[-1]}: {words}")
        return header.last

    def _written(
        self, database: Database, folder: Path, gone: Frontier, before: float, latest: float
    ) -> int:  # fmt: skip
        """Write the next file after the events in `gone`. Returns the number of its last event, or
        `gone.size` if no round is old enough."""
        rows = events_after(database, folder.parent.name, folder.name, gone.size, MAX_EVENTS, latest)
        old = whole_rounds(rows, before - before % DAY_S, MAX_EVENTS)
        if not old:
            return gone.size
        leaves = [leaf_hash(str(body).encode()) for *_, body in old]
        short = b"".join(leaf[:LEAF_BYTES] for leaf in leaves)
        header = Header(
            folder.parent.name, folder.name, gone, int(old[-1][0]), gone.extend(leaves).root(), short
        )
        _write(folder / f"{header.first}{SUFFIX}", header, [str(body) for *_, body in old])
        return header.last


def _header(file: Path) -> Header:
    try:
        with gzip.open(file) as lines:
            return Header.parse(lines.readline(MAX_LINE_BYTES))
    except (ValueError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        words = "cannot be read; verify the archive, then move this folder away"
        raise ArchiveError(f"archive {file}: {words}") from error


def _write(file: Path, header: Header, bodies: list[str]) -> None:
    """Write a file and wait until it is on stable storage. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    with part.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines:
        lines.write(header.line())
        for body in bodies:
            lines.write(line_of(body))
    rename_into_place(part, file)
    for folder in (file.parent.parent, file.parent.parent.parent):
        to_disk(folder)
