"""The feed, `crisscross witness feed`: looks every second for a new checkpoint, which is sent to the
witnesses, beside the daemon, which has no network.

Each witness has a thread: it sends the newest checkpoint with a consistency proof from the last one that this
witness signed, verifies the cosignature, and stores it beside the journal. It retries without limit. No
answer of a witness affects play: the daemon only reads the age of the newest cosignature. On a real table the
feed is a user of its own and opens no file of the table (`checkpoint_server.py`).
"""

from __future__ import annotations

import logging
import re
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from controller.common.process.log_once import LogOnce
from controller.common.tlog.note import BadNote, Note, NoteSignature, VerifierKey
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import CosignedLine, cosignatures_path, read_lines
from controller.record.witness.journal_reader import CheckpointSource, FileSource, Newest
from controller.record.witness.sending import HttpReply, WitnessUnreachable, post
from controller.settings.config import TableConfig

log = logging.getLogger("crisscross.feed")

POLL_S = 1.0
"""Interval of checks for a new checkpoint, in seconds."""
RETRY_DELAYS_S = (2.0, 5.0, 15.0, 30.0, 60.0)
"""Delays before each retry in seconds; the last one repeats."""
_SIZE = re.compile(rb"(0|[1-9][0-9]{0,18})\n")
Send: TypeAlias = Callable[[str, bytes], HttpReply]


class FeedRefused(Exception):
    """Raised for an answer that is not a cosignature. The message is one line."""


@dataclass(slots=True)
class Feeder:
    """Feed of one witness of one table. Call `step` to send the newest checkpoint, and again after the
    seconds that it returns."""

    source: CheckpointSource
    key: VerifierKey
    url: str
    send: Send = post
    seen: int = 0
    """Size of the tree that this witness cosigned last, if known. The witness's answer 409 corrects it."""
    failed: int = 0
    faults: LogOnce = field(default_factory=lambda: LogOnce(log))

    def step(self) -> float:
        try:
            checkpoint = self.source.newest()
            if checkpoint is not None and checkpoint.size != self.seen:
                self._send(checkpoint)
        except (WitnessUnreachable, FeedRefused, JournalError, OSError) as error:
            return self._log_fault(f"witness {self.key.name}: {error}")
        self.failed = 0
        return POLL_S

    def _send(self, checkpoint: Newest) -> None:
        _check_not_cut(self.seen, checkpoint)
        reply = self._request(checkpoint, self.seen)
        if reply.status == 409:
            self.seen = _size(reply)
            _check_not_cut(self.seen, checkpoint)
            reply = self._request(checkpoint, self.seen)
        if reply.status != 200:
            raise FeedRefused(f"refuses the checkpoint of {checkpoint.size} leaves: {_why(reply)}")
        self.source.keep(CosignedLine(checkpoint.size, self._cosignature(reply, checkpoint)))
        self.seen = checkpoint.size
        self._log_success(checkpoint.size)

    def _request(self, checkpoint: Newest, seen: int) -> HttpReply:
        return self.send(self.url, self.source.ask_for(checkpoint, seen).body())

    def _cosignature(self, reply: HttpReply, checkpoint: Newest) -> NoteSignature:
        """Return the cosignature of this witness; lines of others are ignored. Raises FeedRefused if there is
        none."""
        try:
            lines = reply.body.decode("utf-8").removesuffix("\n").split("\n")
            for each in map(NoteSignature.parse, lines):
                if Note(checkpoint.note.text, (each,)).cosigned_by(self.key) is not None:
                    return each
        except (BadNote, UnicodeDecodeError):
            raise FeedRefused("answers with what is no cosignature of this checkpoint") from None
        raise FeedRefused("answers without a cosignature of its key; seal.witnesses.key may be another's")

    def _log_fault(self, words: str) -> float:
        """Log a fault, unless it is the same as at the last try, and return the delay before the next one in
        seconds."""
        self.faults.warn(words)
        self.failed += 1
        return RETRY_DELAYS_S[min(self.failed, len(RETRY_DELAYS_S)) - 1]

    def _log_success(self, size: int) -> None:
        """Log the first success, and the first one after a fault."""
        if self.faults.over():
            log.info("witness %s: has cosigned %d leaves", self.key.name, size)
        self.failed = 0


@dataclass(frozen=True, slots=True)
class KnownWitness:
    """Witness named in the table file. `size`: number of leaves of the tree that it cosigned last, 0 if
    unknown."""

    key: VerifierKey
    url: str
    size: int


def witnesses(config: TableConfig) -> list[KnownWitness]:
    """Return the witnesses of the table file. Raises BadCosigned if the file of cosignatures is
    unreadable."""
    lines, found = read_lines(cosignatures_path(config.journal)), []
    for witness in config.keys.seal.witnesses:
        key = VerifierKey.parse(witness.key)
        seen = max((line.size for line in lines if line.signature.is_of(key)), default=0)
        found.append(KnownWitness(key, witness.url, seen))
    return found


def feed(config: TableConfig) -> bool:
    """Send checkpoints to all witnesses until SIGTERM or SIGINT, as the user who owns the journal. Returns
    whether a signal ended it. Raises BadCosigned if the file of cosignatures is unreadable."""
    source = FileSource(config.journal)
    return run_feeders(
        [Feeder(source, each.key, each.url, seen=each.size) for each in witnesses(config)], stop_on_signal()
    )


class StopRequest:
    """Request to stop the feed. It is made by SIGTERM or SIGINT, and by the end of a witness's thread, after
    which that witness would get no more checkpoints."""

    def __init__(self) -> None:
        self.event, self.requested = threading.Event(), False

    def ask(self) -> None:
        self.requested = True
        self.event.set()


def stop_on_signal() -> StopRequest:
    stop = StopRequest()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.ask())
    return stop


def run_feeders(feeders: Sequence[Feeder], stop: StopRequest) -> bool:
    """Run each feeder in a thread of its own until `stop` is set. Returns False if the end of a thread set
    it."""
    for feeder in feeders:
        threading.Thread(target=_run, args=(feeder, stop.event), name=feeder.key.name, daemon=True).start()
    stop.event.wait()
    return stop.requested


def _run(feeder: Feeder, ended: threading.Event) -> None:
    try:
        while not ended.wait(feeder.step()):
            pass
    finally:
        ended.set()


def _check_not_cut(seen: int, checkpoint: Newest) -> None:
    if seen > checkpoint.size:
        raise FeedRefused(
            f"has cosigned {seen} leaves, and this journal's newest checkpoint has {checkpoint.size}: "
            "its end is missing, or it is not the only journal of this name; put back the right one"
        )


def _size(reply: HttpReply) -> int:
    """Return the size of the tree that the witness cosigned last. Raises FeedRefused if the answer is not a
    size."""
    found = _SIZE.fullmatch(reply.body)
    if found is None or reply.media_type != "text/x.tlog.size":
        raise FeedRefused("answers with status 409 and no size")
    return int(found[1])


def _why(reply: HttpReply) -> str:
    """Return the witness's message as one printable line, since another party wrote it."""
    text = reply.body[:200].decode("ascii", "replace").partition("\n")[0]
    words = "".join(sign if sign.isprintable() else "?" for sign in text)
    return f"status {reply.status} ({words})"
