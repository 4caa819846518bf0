"""`crisscross witness checkpoints`: a journal's checkpoints and proofs over a Unix socket, for a feed of
another user.

It runs as the journal's own user and has no network. The feed has network access, so it only receives sizes,
hashes and the witnesses of the table file. It may hand in a cosignature if a key of such a witness verifies
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from controller.common.ipc.rpc import (
    BadRequest,
    Methods,
    RpcFailed,
    RpcServer,
    Values,
    failing_on,
    number,
    text_value,
)
from controller.common.ipc.unix_socket import listen
from controller.common.tlog.note import BadNote, Note
from controller.record.journal.files import reading
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import BadCosigned, CosignedLine, verify_lines
from controller.record.witness.feed import KnownWitness, StopRequest, witnesses
from controller.record.witness.journal_reader import FileSource, Newest
from controller.settings.config import TableConfig

NOTE = "SELECT note FROM checkpoints WHERE size = ?"


class CheckpointServer:
    """Methods by which a feed of another user reads the checkpoints of one journal and hands in
    cosignatures."""

    def __init__(self, journal: Path, seen: list[KnownWitness]) -> None:
        self._journal, self._source = journal, FileSource(journal)
        self._witnesses = seen
        self._kept = {(each.key.name, each.key.id): each.size for each in seen}
        self._one_by_one = Lock()

    @contextmanager
    def opened(self) -> Iterator[Methods]:
        """Yield the methods that a client may call over one connection, by name."""
        methods: Methods = {
            "witnesses": lambda _values: self._named(),
            "newest": lambda _values: _newest(self._source.newest()),
            "proof": self._proof,
            "keep": self._keep,
        }
        yield {name: failing_on((JournalError, BadNote), work) for name, work in methods.items()}

    def _named(self) -> list[dict[str, Any]]:
        return [
            {"key": each.key.text(), "url": each.url, "size": self._kept[each.key.name, each.key.id]}
            for each in self._witnesses
        ]

    def _proof(self, values: Values) -> list[str]:
        """Return the hashes that prove that a checkpoint contains the tree of the first `seen` leaves. The
        request must quote the checkpoint, which has to be one of this journal."""
        size, seen = number(values, "size"), number(values, "seen")
        note = self._note(size)
        if note is None or seen > size or str(note) != text_value(values, "note"):
            raise RpcFailed(
                f"that is no checkpoint of {size} leaves of this journal, with {seen} of them seen"
            )
        ask = self._source.ask_for(Newest(size, note), seen)
        return [each.hex() for each in ask.proof]

    def _keep(self, values: Values) -> None:
        """Store a cosignature if the key of a witness in the table file verifies it. A witness may hand in
        each size once, so that repeated requests cannot fill the disk."""
        try:
            line = CosignedLine.parse(text_value(values, "line"))
            found = verify_lines([line], [each.key for each in self._witnesses], self._text)
        except (BadNote, BadCosigned) as error:
            raise RpcFailed(f"no cosignature: {error}") from None
        if not found:
            raise BadRequest("a line of a witness that the table file does not name")
        of = (line.signature.name, line.signature.id)
        with self._one_by_one:
            if line.size > self._kept[of]:
                self._source.keep(line)
                self._kept[of] = line.size

    def _note(self, size: int) -> Note | None:
        with reading(self._journal) as db:
            row = db.execute(NOTE, (size,)).fetchone()
        return None if row is None else Note.parse(row[0])

    def _text(self, size: int) -> str | None:
        note = self._note(size)
        return None if note is None else note.text


def _newest(found: Newest | None) -> dict[str, Any] | None:
    return None if found is None else {"size": found.size, "note": str(found.note)}


def serve(config: TableConfig, at: Path, user: int, stop: StopRequest) -> None:
    """Serve until `stop` is set. Raises BadCosigned if the file of cosignatures is invalid, OSError if the
    socket cannot be made."""
    server = RpcServer(listen(at), user, CheckpointServer(config.journal, witnesses(config)).opened)
    server.start()
    stop.event.wait()
    server.close()
