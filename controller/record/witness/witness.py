"""One witness: the body of a request in, HTTP status and body of the answer out. It depends on neither an
HTTP server nor a clock.

A witness cosigns only checkpoints that `judge` allows and that are already in the store. A fork is logged on
one line.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from controller.common.tlog.note import Checkpoint, Note, SigningKey
from controller.record.witness.add_request import AddRequest, BadAddRequest
from controller.record.witness.judge import Logs, Refusal, check_extension, check_log
from controller.record.witness.store import Store, StoreError

log = logging.getLogger("crisscross.witness")
client_log = logging.getLogger("crisscross.witness.late")
"""Log with a rate limit, for requests that anyone may repeat. Forks are logged in the main log without a
limit."""

TEXT, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    body: str
    media_type: str = TEXT


class Witness:
    """Witness of several logs. `posix`: returns the time in whole seconds."""

    def __init__(self, key: SigningKey, logs: Logs, store: Store, posix: Callable[[], int]) -> None:
        self._key, self._logs, self._store, self._posix = key, logs, store, posix
        self._origins = {sha256(origin.encode()).hexdigest(): origin for origin in logs}

    def add(self, body: bytes) -> HttpAnswer:
        """Answer with the cosignature of a checkpoint, or with the refusal."""
        try:
            ask = AddRequest.parse(body)
        except BadAddRequest as error:
            return HttpAnswer(400, f"{error}\n")
        refused = check_log(ask, self._logs)
        if refused is not None:
            return _refused(refused)
        try:
            return self._add(ask)
        except StoreError as error:
            log.error("nothing is cosigned: %s", error)  # noqa: TRY400  # one line
            return HttpAnswer(503, "the witness cannot write what it has seen\n")

    def checkpoint(self, origin_hash: str) -> HttpAnswer:
        """Answer with the checkpoint cosigned last, for monitors of a log."""
        try:
            note = self._store.latest(self._origins.get(origin_hash, ""))
        except StoreError as error:
            log.error("%s", error)  # noqa: TRY400  # one line
            return HttpAnswer(503, "the witness cannot read what it has seen\n")
        return (
            HttpAnswer(404, "nothing of this log was cosigned\n")
            if note is None
            else HttpAnswer(200, str(note))
        )

    def _add(self, ask: AddRequest) -> HttpAnswer:
        origin = ask.checkpoint.origin
        with self._store.transaction():
            kept = self._store.latest(origin)
            refused = check_extension(ask, None if kept is None else Checkpoint.parse(kept.text))
            if refused is None:
                line = self._key.cosign(ask.note.text, self._posix())
                self._store.keep(origin, Note.of(ask.note.text, *self._verified(ask), line))
        if refused is None:
            return HttpAnswer(200, f"{line}\n")
        if kept is not None:
            self._report_refusal(ask, refused, kept)
        return _refused(refused)

    def _verified(self, ask: AddRequest) -> list[str]:
        """Return the verified signature lines; others are not stored."""
        known = [(key.name, key.id) for key in self._logs[ask.checkpoint.origin]]
        return [each.line() for each in ask.note.signatures if (each.name, each.id) in known]

    def _report_refusal(self, ask: AddRequest, refused: Refusal, kept: Note) -> None:
        """Log a refusal that has to be investigated, and store a fork."""
        origin, new = ask.checkpoint.origin, ask.checkpoint
        if refused.fork != "no":
            new_note, proven = Note.of(ask.note.text, *self._verified(ask)), refused.fork == "proven"
            with self._store.transaction():
                first = self._store.store_fork(origin, self._posix(), kept, new_note, proven=proven)
            if first and proven:
                log.error("%s: FORK: %s; both are kept in the store", origin, refused.words)
            elif first:
                words = "%s: refused: %s: another past, or only a wrong proof; both are kept in the store"
                log.warning(words, origin, refused.words)
        elif refused.size is not None and new.size < refused.size:
            words = "%s: refused: %d leaves after %d were cosigned: an old copy, a cut tail, or only late"
            client_log.warning(words, origin, new.size, refused.size)


def _refused(refused: Refusal) -> HttpAnswer:
    if refused.status == 409:
        return HttpAnswer(409, f"{refused.size}\n", SIZE)
    return HttpAnswer(refused.status, f"{refused.words}\n")
