"""Schedule of sending: the next events at a bounded rate, never far ahead of what the pits have. Pure but for
the outbox; it opens no line and reads no clock.

The cursor is moved by a pit's answer with the outbox's own root, and by nothing else. What was sent and not
answered is sent again: after a new line, after a gap that a pit speaks of, and after `RESEND_AFTER_S` of
silence, which is twice as long each time.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.common.tlog.note import VerifierKey
from controller.floor.uplink import wire
from controller.floor.uplink.outbox import Events, Ready
from controller.floor.uplink.wire import Have, InvalidPayload

WINDOW = 500
"""Events that may be on their way: sent, and not answered by every pit."""
RESEND_AFTER_S = 10.0
MAX_RESEND_INTERVAL_S = 160.0
GAP_S = 2.0
"""At least between two times that a gap makes it go back."""
STALLED_S = 5.0
"""So long nothing moves before an answer about what went out twice is taken for a gap."""


class Unbelieved(InvalidPayload):
    """A pit's answer that does not move the cursor. One line."""


class AnotherHistory(Unbelieved):
    """A pit's answer, authenticated where it has a key, with another root than the outbox has.

    `sequence`: the events that it acknowledges."""

    def __init__(self, words: str, sequence: int) -> None:
        super().__init__(words)
        self.sequence = sequence


@dataclass(slots=True)
class Sender:
    """Sender of one table. `pits`: those whose answers count, with the key of each, if it has one."""

    outbox: Events
    table: str
    stream: str
    pits: Mapping[str, VerifierKey | None]
    a_second: int
    had: dict[str, int] = field(default_factory=dict)
    """Events that each pit has, as far as is known."""
    sent: int = 0
    """The last that went out on this line."""
    again: int = 0
    """Number of times that it went back."""
    _credit: float = 0.0
    _seen: float | None = None
    _moved: float = 0.0
    _back: float = 0.0
    _twice: int = 0
    """Up to this one they have gone out more than once, and so are answered more than once."""
    _silence: float = RESEND_AFTER_S

    @property
    def low(self) -> int:
        """Return the number of events that every pit has."""
        return min(self.had.get(pit, 0) for pit in self.pits)

    def begin(self, now: float) -> None:
        """A new line: on from what every pit has."""
        self.sent, self._moved, self._back, self._silence = self.low, now, now, RESEND_AFTER_S

    def due(self, now: float) -> list[Ready]:
        """Return the events that may go out now. They count as sent."""
        if self.sent > self.low and now - self._moved >= self._silence:
            self._silence = min(2 * self._silence, MAX_RESEND_INTERVAL_S)
            self._go_back(now)
        passed = 0.0 if self._seen is None else max(0.0, now - self._seen)
        self._seen = now
        self._credit = min(float(self.a_second), self._credit + passed * self.a_second)
        most = min(int(self._credit), self.low + WINDOW - self.sent)
        ready = self.outbox.events(self.sent, most) if most > 0 else []
        if ready:
            if self.sent == self.low:
                self._moved = now
            self._credit -= len(ready)
            self.sent = ready[-1].sequence
        return ready

    def answered(self, pit: str, payload: bytes, now: float) -> bool:
        """A pit's answer; whether it moved the cursor. Foreign says why it is not believed."""
        answer = wire.read_have(payload, self.table)
        if answer.pit != pit:
            raise Unbelieved(f"an answer on the topic of {pit} names another pit")
        if pit not in self.pits:
            return False
        self._check(answer)
        before, self.had[pit] = self.had.get(pit, 0), answer.upto
        if answer.upto == before and self._gap(answer.upto, now):
            self._go_back(now)  # said again: it refused what came after, and wants that
        if answer.upto < before:
            self._go_back(now)  # its store is an older one
        if answer.upto > before:
            self._moved, self._silence = now, RESEND_AFTER_S
            self.sent = max(self.sent, self.low)  # what every pit has is not sent once more
        return answer.upto != before

    def _gap(self, upto: int, now: float) -> bool:
        """Whether an answer that says nothing new says that. A pit that is slow with what came twice is given
        time: sent a third time, it would be slower yet."""
        stalled = upto >= self._twice or now - self._moved >= STALLED_S
        return upto < self.sent and now - self._back >= GAP_S and stalled

    def _go_back(self, now: float) -> None:
        self._twice = max(self._twice, self.sent)
        if self.sent > self.low:
            self.again += 1
        self.sent, self._moved, self._back = min(self.sent, self.low), now, now

    def _check(self, answer: Have) -> None:
        name, key = f"pit {answer.pit}", self.pits[answer.pit]
        if answer.stream != self.stream:
            raise Unbelieved(f"{name}: answers about another journal of a table named {self.table}")
        if key is not None and not wire.proven(answer, key):
            raise Unbelieved(f"{name}: its answer is not signed by the key in uplink.pits; not believed")
        head = self.outbox.head()
        if head is None or answer.upto > head.sequence:
            told = head.sequence if head else 0
            raise Unbelieved(
                f"{name}: has {answer.upto} events and this table has told {told}: is its journal older?"
            )
        root = self.outbox.root(answer.upto)
        if root is None:
            raise Unbelieved(
                f"{name}: has {answer.upto} events, and the outbox begins at {self.outbox.first()}; "
                f"delete {self.outbox.path} and start again: it is made anew from the journal"
            )
        if b64encode(root).decode() != answer.root:
            words = f"{name}: what it has of the first {answer.upto} events is not what was sent"
            raise AnotherHistory(f"{words}: it holds another history of this table", answer.upto)
