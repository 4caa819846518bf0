"""The feed: `crisscross witness feed`, beside the daemon, which has no network.

For each witness a thread of its own: it sends the newest checkpoint with the proof that it grew out of what
that witness saw last, verifies the cosignature, and has it written beside the journal. It never gives up.
Nothing that a witness says moves the table: the daemon only looks how old the newest cosignature is. On a
real table the feed is a user of its own and opens no file of the table (`checkpoint_server.py`).
"""

from __future__ import annotations

import logging
import re
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from controller.common.tlog.note import BadNote, Note, Signature, VerifierKey
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import Line, cosignatures_path, read_lines
from controller.record.witness.journal_reader import FileShelf, Newest, Shelf
from controller.record.witness.sending import Reply, WitnessUnreachable, post
from controller.settings.config import TableConfig

log = logging.getLogger("crisscross.feed")

POLL_S = 1.0
"""Interval at which a new checkpoint is looked for."""
WAITS_S = (2.0, 5.0, 15.0, 30.0, 60.0)
"""Before each further try; the last one for ever."""
_NUMBERS = re.compile(r"[0-9]+")
_SIZE = re.compile(rb"(0|[1-9][0-9]{0,18})\n")
Send: TypeAlias = Callable[[str, bytes], Reply]


class Refused(Exception):
    """An answer that is no cosignature: one line."""


@dataclass(slots=True)
class Feeder:
    """One witness of one table. `step` once, and again after the seconds that it says."""

    shelf: Shelf
    key: VerifierKey
    url: str
    send: Send = post
    seen: int = 0
    """The size that this witness cosigned last, as far as is known; it corrects that with status 409."""
    failed: int = 0
    said: str | None = ""
    """The trouble that was logged last; None after it is over."""

    def step(self) -> float:
        try:
            checkpoint = self.shelf.newest()
            if checkpoint is not None and checkpoint.size != self.seen:
                self._send(checkpoint)
        except (WitnessUnreachable, Refused, JournalError, OSError) as error:
            return self._wait(f"witness {self.key.name}: {error}")
        self.failed = 0
        return POLL_S

    def _send(self, checkpoint: Newest) -> None:
        _check_not_cut(self.seen, checkpoint)
        reply = self._asked(checkpoint, self.seen)
        if reply.status == 409:
            self.seen = _size(reply)
            _check_not_cut(self.seen, checkpoint)
            reply = self._asked(checkpoint, self.seen)
        if reply.status != 200:
            raise Refused(f"refuses the checkpoint of {checkpoint.size} leaves: {_why(reply)}")
        self.shelf.keep(Line(checkpoint.size, self._cosignature(reply, checkpoint)))
        self.seen = checkpoint.size
        self._well(checkpoint.size)

    def _asked(self, checkpoint: Newest, seen: int) -> Reply:
        return self.send(self.url, self.shelf.ask_for(checkpoint, seen).body())

    def _cosignature(self, reply: Reply, checkpoint: Newest) -> Signature:
        """The line of this witness; those of others in the answer say nothing."""
        try:
            lines = reply.body.decode("utf-8").removesuffix("\n").split("\n")
            for each in map(Signature.parse, lines):
                if Note(checkpoint.note.text, (each,)).cosigned_by(self.key) is not None:
                    return each
        except (BadNote, UnicodeDecodeError):
            raise Refused("answers with what is no cosignature of this checkpoint") from None
        raise Refused("answers without a cosignature of its key; seal.witnesses.key may be another's")

    def _wait(self, words: str) -> float:
        """The same trouble is one line, not one with each try."""
        kind = _NUMBERS.sub("", words)
        if kind != self.said:
            log.warning("%s", words)
        self.said = kind
        self.failed += 1
        return WAITS_S[min(self.failed, len(WAITS_S)) - 1]

    def _well(self, size: int) -> None:
        """The first, and the first after trouble."""
        if self.said is not None:
            log.info("witness %s: has cosigned %d leaves", self.key.name, size)
        self.said, self.failed = None, 0


@dataclass(frozen=True, slots=True)
class Seen:
    """One witness of the table file. `size`: the tree that it cosigned last, as far as is known."""

    key: VerifierKey
    url: str
    size: int


def witnesses(config: TableConfig) -> list[Seen]:
    """Return the witnesses of the table file. Raises BadCosigned for a file that cannot be read."""
    lines, found = read_lines(cosignatures_path(config.journal)), []
    for witness in config.keys.seal.witnesses:
        key = VerifierKey.parse(witness.key)
        seen = max((line.size for line in lines if line.signature.is_of(key)), default=0)
        found.append(Seen(key, witness.url, seen))
    return found


def feed(config: TableConfig) -> bool:
    """Feed as the journal's own user, until SIGTERM or SIGINT. Raises BadCosigned."""
    shelf = FileShelf(config.journal)
    return run(
        [Feeder(shelf, each.key, each.url, seen=each.size) for each in witnesses(config)], asked_to_end()
    )


class Ending:
    """Set by SIGTERM or SIGINT, or by a thread that ends: a thread that is gone feeds no witness."""

    def __init__(self) -> None:
        self.event, self.asked = threading.Event(), False

    def ask(self) -> None:
        self.asked = True
        self.event.set()


def asked_to_end() -> Ending:
    ending = Ending()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: ending.ask())
    return ending


def run(feeders: Sequence[Feeder], ending: Ending) -> bool:
    """Run each feeder in a thread of its own. Return False if one ended unasked."""
    for feeder in feeders:
        threading.Thread(target=_run, args=(feeder, ending.event), name=feeder.key.name, daemon=True).start()
    ending.event.wait()
    return ending.asked


def _run(feeder: Feeder, ended: threading.Event) -> None:
    try:
        while not ended.wait(feeder.step()):
            pass
    finally:
        ended.set()


def _check_not_cut(seen: int, checkpoint: Newest) -> None:
    if seen > checkpoint.size:
        raise Refused(
            f"has cosigned {seen} leaves, and this journal's newest checkpoint has {checkpoint.size}: "
            "its end is missing, or it is not the only journal of this name; put back the right one"
        )


def _size(reply: Reply) -> int:
    """Return the size of the tree that the witness cosigned last."""
    found = _SIZE.fullmatch(reply.body)
    if found is None or reply.media_type != "text/x.tlog.size":
        raise Refused("answers with status 409 and no size")
    return int(found[1])


def _why(reply: Reply) -> str:
    """Return the witness's words on one line: they are another party's text."""
    text = reply.body[:200].decode("ascii", "replace").partition("\n")[0]
    words = "".join(sign if sign.isprintable() else "?" for sign in text)
    return f"status {reply.status} ({words})"
