"""Verification of an archive: each file continues the chain of the one before, and every line is unchanged.

A fault names the file, the line and the event. The files of a stream prove each other; only the store (or a
copy of it) proves the end of the last one, since its acknowledgements have that root.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.common.files.strict_json import parse_object
from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.archive import LEAF_BYTES, MAX_LINE_BYTES, Header, body_of, files_of, first_of
from controller.floor.pit.database import Database
from controller.floor.pit.retention import ArchiveError, gone_of
from controller.floor.pit.streams import tree_at

DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)


@dataclass
class ArchiveReport:
    """Result of a verification: a line for each intact stream, and a line for each fault."""

    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def verify_archive(folder: Path, against: Database | None = None) -> ArchiveReport:
    """Verify an archive. `against`: the store or a copy of it, with which the archive must agree.

    Raises ArchiveError if the folder cannot be read or contains no archive, and StoreError.
    """
    report, found = ArchiveReport(), set()
    try:
        for stream in sorted(each for each in folder.glob("*/*") if files_of(each)):
            found.add((stream.parent.name, stream.name))
            try:
                report.lines.append(_stream(stream, against))
            except ArchiveError as error:
                report.faults.append(str(error))
    except OSError as error:
        raise ArchiveError(f"archive {folder}: {error.strerror or error}") from error
    if against is not None:
        dropped = {(str(table), str(stream)) for table, stream in against.rows(DROPPED)}
        report.faults += [
            f"table {table}, stream {stream}: events were dropped, and the archive has none of it"
            for table, stream in sorted(dropped - found)
        ]
    if not found and not report.faults:
        raise ArchiveError(f"archive {folder}: has no file; allowed: the folder of --archive of a pit")
    return report


DROPPED = "SELECT name, stream FROM dropped"


def _stream(folder: Path, against: Database | None) -> str:
    """Verify all files of one stream, in order. Returns a line about the stream. `against`: the store, or a
    copy of it, to compare with. Raises ArchiveError."""
    files = files_of(folder)
    tree = _file(files[0], None)
    for file in files[1:]:
        tree = _file(file, tree)
    table, stream = folder.parent.name, folder.name
    if against is not None:
        _agree(against, table, stream, tree)
    count = f"{len(files)} file{'s' if len(files) > 1 else ''}"
    events = f"events {first_of(files[0])} to {tree.size} in {count}"
    return f"table {table}, stream {stream}: {events}, root {tree.root().hex()[:16]}"


def _agree(store: Database, table: str, stream: str, tree: Frontier) -> None:
    """Compare an archive with the store. `tree`: tree of the archived events. Raises ArchiveError unless the
    first events of the store's stream make this tree."""
    place = f"table {table}, stream {stream}"
    stored = tree_at(store, table, stream, tree.size)
    if stored is None:
        gone = gone_of(store, table, stream)
        last = gone.tree.size if gone else 0
        missing = f"events {tree.size + 1} to {last}"
        raise ArchiveError(f"{place}: {missing} were dropped and are not in the archive")
    if stored.size < tree.size:
        raise ArchiveError(f"{place}: the archive has {tree.size} events, and the store {stored.size}")
    if stored.root() != tree.root():
        raise ArchiveError(f"{place}: the archive does not lead to the root that was acknowledged")


def _file(file: Path, before: Frontier | None) -> Frontier:
    """Verify one file; return the tree up to its last event. `before`: tree of the files before it, None for
    the first one. Raises ArchiveError.
    """
    number = 1
    try:
        with gzip.open(file) as lines:
            header = _header(file, lines, before)
            tree, fault = header.before, ""
            for number, line in _numbered(lines):
                leaf = _leaf(line)
                fault = fault or _changed(header, number, line, leaf)
                tree = tree.add(leaf)
    except DAMAGED:
        raise ArchiveError(f"{file}: line {number}: the file is damaged or cut off after it") from None
    except OSError as error:
        raise ArchiveError(f"{file}: {error.strerror or error}") from error
    if not fault and tree.size < header.last:
        fault = f"line {number + 1}: events {tree.size + 1} to {header.last} are missing at the end"
    if tree.size == header.last and tree.root() == header.root:
        fault = fault and "line 1: was altered: its leaves are not those of the events"
    elif not fault:
        fault = "line 1: was altered: its root is not that of the events"
    if fault:
        raise ArchiveError(f"{file}: {fault}")
    return tree


def _numbered(lines: gzip.GzipFile) -> Iterator[tuple[int, bytes]]:
    number = 1
    while line := lines.readline(MAX_LINE_BYTES):
        number += 1
        yield number, line


def _leaf(line: bytes) -> bytes:
    try:
        return leaf_hash(body_of(line))
    except ValueError:
        return leaf_hash(line)


def _header(file: Path, lines: gzip.GzipFile, before: Frontier | None) -> Header:
    """Read the header and compare it with the file's name and with the files before it."""
    try:
        header = Header.parse(lines.readline(MAX_LINE_BYTES))
    except ValueError:
        raise ArchiveError(f"{file}: line 1: was altered: is no header of an archive") from None
    named = file.parent.parent.name, file.parent.name, first_of(file)
    if (header.table, header.stream, header.first) != named:
        of = f"of table {header.table}, stream {header.stream}, event {header.first}"
        raise ArchiveError(f"{file}: line 1: is {of}; the file was renamed or altered")
    if before is not None and header.before.size > before.size:
        gap = f"events {before.size + 1} to {header.before.size} are missing before this file"
        raise ArchiveError(f"{file}: {gap}")
    if before is not None and header.before != before:
        raise ArchiveError(f"{file}: line 1: its frontier is not that of the files before it")
    return header


def _changed(header: Header, number: int, line: bytes, leaf: bytes) -> str:
    """Compare a line with the hash of its event in the header. Returns a text that names the line and the
    difference, or "" if there is none. `leaf`: hash of the line's event."""
    at = LEAF_BYTES * (number - 2)
    if leaf[:LEAF_BYTES] == header.leaves[at : at + LEAF_BYTES]:
        return ""
    expected, event = header.first + number - 2, _event(line)
    if expected > header.last:
        return f"line {number}: was added; the header has events up to {header.last}"
    if event is not None and event > expected:
        return f"line {number}: event {expected} was removed"
    if event is not None and event < expected:
        return f"line {number}: event {event} was moved or added"
    return f"line {number}: event {expected} was altered"


def _event(line: bytes) -> int | None:
    """Return the number of the event in a line, or None if the line has no valid event."""
    try:
        return int(parse_object(body_of(line))["sequence"])
    except (ValueError, TypeError, KeyError):
        return None
