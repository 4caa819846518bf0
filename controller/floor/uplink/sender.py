"""Schedule of an uplink: when events are sent, and when lost or unacknowledged ones are sent again to the
pit.

The rate and the number of unacknowledged events are limited. Pure except for its outbox: it opens no
connection and reads no clock. Only a pit's answer with the outbox's own root moves the cursor. Unacknowledged
events are resent on a new connection, after a gap that a pit reports, and after `RESEND_AFTER_S` without an
answer; this timeout doubles each time (backoff). Copies that a slow broker has not yet passed on are answered
too: until an event is acknowledged of which there is no copy, both timeouts stay as long as they have become,
and each further copy of the same events is half as large (congestion control).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.common.tlog.note import VerifierKey
from controller.floor.uplink import wire
from controller.floor.uplink.limit import Flight
from controller.floor.uplink.outbox import Events, Ready
from controller.floor.uplink.wire import Have, InvalidPayload

WINDOW = 500
"""Maximum number of events that are sent and not yet acknowledged by every pit (window)."""
MIN_WINDOW = 8
"""Window after several resends of the same events."""
RESEND_AFTER_S = 10.0
MAX_RESEND_INTERVAL_S = 160.0
GAP_S = 2.0
"""Minimum seconds between two resends that gaps have caused."""
HELD_BACK_S = 5.0
"""Seconds without room for a new event after which a pit's limit is reported."""
ACK_STALLED_S = 5.0
"""Seconds without progress after which a repeated acknowledgement about resent events counts as a gap; they
double with the timeout of a resend."""


class RejectedAcknowledgement(InvalidPayload):
    """Raised for an acknowledgement that does not move the cursor. The message is one line."""


class AnotherHistory(RejectedAcknowledgement):
    """Raised for an acknowledgement with another root than the outbox has. Its signature is valid if the pit
    has a key.

    `sequence`: number of the acknowledged event.
    """

    def __init__(self, words: str, sequence: int) -> None:
        super().__init__(words)
        self.sequence = sequence


@dataclass(slots=True)
class EventSender:
    """Sender of one table. `pits`: pits whose acknowledgements count, each with its key or None."""

    outbox: Events
    table: str
    stream: str
    pits: Mapping[str, VerifierKey | None]
    a_second: int
    acknowledged: dict[str, int] = field(default_factory=dict)
    """Number of events that each pit has acknowledged."""
    sent: int = 0
    """Number of the last event sent on this connection."""
    again: int = 0
    """Number of times since the start that unacknowledged events were sent again."""
    flight: Flight = field(default_factory=Flight)
    _confirmed: set[str] = field(default_factory=set)
    """Pits that have acknowledged since the start."""
    _full_since: float | None = None
    """Time since which a pit's limit has left no room for a new event."""
    _credit: float = 0.0
    _credited_at: float | None = None
    _progress_at: float = 0.0
    _waiting_since: float = 0.0
    """Time at which the wait began for the answer whose absence caused the last resend."""
    _answered_at: dict[str, float] = field(default_factory=dict)
    """Time of the last acknowledgement of each pit."""
    _resent_at: float = 0.0
    _resent_to: int = 0
    """Number of the last event that was sent more than once; its acknowledgements may be repeated too."""
    _copied_to: int = 0
    """Number of the last event of which several copies may be on the way."""
    _resend_after_s: float = RESEND_AFTER_S
    _window: int = WINDOW

    @property
    def low(self) -> int:
        """Number of events that every pit has acknowledged."""
        return min(self.acknowledged.get(pit, 0) for pit in self.pits)

    @property
    def confirmed(self) -> int:
        """Number of events that every pit has acknowledged since the start; 0 until each pit has answered.

        Only these may be deleted: a pit may have restored an older store than the cursor knows.
        """
        return self.low if self._confirmed >= self.pits.keys() else 0

    def begin(self, now: float) -> None:
        """Start on a new connection, after the last event that every pit has acknowledged.

        A pit that connects later than the table has missed events; its first repeated acknowledgement counts
        as a gap at once.
        """
        self.sent, self._resent_at = self.low, now - GAP_S
        self._resend_after_s, self._window = RESEND_AFTER_S, WINDOW
        self._progress_at = self._waiting_since = now
        self._full_since = None

    def due(self, now: float) -> list[Ready]:
        """Return the events that may be sent now, and count them as sent."""
        if self.sent > self.low and now - self._progress_at >= self._resend_after_s:
            self._double_timeouts()
            self._go_back(now)
        passed = 0.0 if self._credited_at is None else max(0.0, now - self._credited_at)
        self._credited_at = now
        self._credit = min(float(self.a_second), self._credit + passed * self.a_second)
        most = min(int(self._credit), self.low + self._window - self.sent)
        ready = self.outbox.events(self.sent, most) if most > 0 else []
        if most > 0 and not ready and self.sent == self.low:
            # all are acknowledged: the initial values
            self._resend_after_s, self._window = RESEND_AFTER_S, WINDOW
        if ready:
            ready = self.flight.fitting(ready, self.low, self.sent)
            self._note_room(ready, now)
        if ready:
            if self.sent == self.low:
                self._progress_at = now
            self._credit -= len(ready)
            self.sent = ready[-1].sequence
        return ready

    def _note_room(self, fitting: list[Ready], now: float) -> None:
        if self.flight.is_full and self._full_since is None:
            self._full_since = now
        elif fitting and fitting[-1].sequence > self._resent_to:
            self._full_since = None

    def held_back_by(self, now: float) -> tuple[str, int] | None:
        """Return the pit whose limit prevents the sending of this table's events, with the limit in bytes, or
        None."""
        held = self._full_since is not None and now - self._full_since >= HELD_BACK_S
        return self.flight.fullest() if held else None

    def answered(self, pit: str, payload: bytes, now: float, limit: int | None = None) -> bool:
        """Handle a pit's acknowledgement; return whether it moved the cursor. `limit`: the pit's limit in
        bytes. Raises InvalidPayload if the acknowledgement is not accepted."""
        answer = wire.read_have(payload, self.table)
        if answer.pit != pit:
            raise RejectedAcknowledgement(f"an answer on the topic of {pit} names another pit")
        if pit not in self.pits:
            return False
        self._check(answer)
        self._confirmed.add(pit)
        if limit is not None:
            self.flight.limits[pit] = limit
        before, self.acknowledged[pit] = self.acknowledged.get(pit, 0), answer.upto
        was_away, self._answered_at[pit] = self._answered_at.get(pit, 0.0) <= self._waiting_since, now
        if answer.upto == before and self._gap(answer.upto, now, was_away=was_away):
            # a repeated acknowledgement: the pit refused the events after it and needs them again
            if answer.upto < self._resent_to and not was_away:
                self._double_timeouts()
                self._window = max(MIN_WINDOW, self._window // 2)
            self._go_back(now)
        if answer.upto < before:
            self._copied_to = 0
            self._go_back(now)  # the pit has fewer events than before: it has restored an older store
        if answer.upto > before:
            self._progress_at = now
            if self.low > self._copied_to:
                self._resend_after_s, self._window = RESEND_AFTER_S, min(WINDOW, 2 * self._window)
            self.sent = max(self.sent, self.low)  # events that every pit has acknowledged are not resent
        return answer.upto != before

    def _gap(self, upto: int, now: float, *, was_away: bool) -> bool:
        """Return whether a repeated acknowledgement reports a gap.

        A pit that is slow with resent events is given ACK_STALLED_S, since a third copy would make it slower.
        The first acknowledgement of a pit that answered neither of the last two copies always reports a gap:
        such a pit was restarted and has neither copy.
        """
        stalled_s = ACK_STALLED_S * self._resend_after_s / RESEND_AFTER_S
        stalled = upto >= self._resent_to or now - self._progress_at >= stalled_s
        return upto < self.sent and (was_away or (now - self._resent_at >= GAP_S and stalled))

    def _double_timeouts(self) -> None:
        self._resend_after_s = min(2 * self._resend_after_s, MAX_RESEND_INTERVAL_S)

    def _go_back(self, now: float) -> None:
        self._resent_to = max(self._resent_to, self.sent)
        self._copied_to = max(self._copied_to, min(self.sent, self.low + WINDOW))
        if self.sent > self.low:
            self.again += 1
        self.sent, self._waiting_since = min(self.sent, self.low), self._progress_at
        self._progress_at = self._resent_at = now

    def _check(self, answer: Have) -> None:
        name, key = f"pit {answer.pit}", self.pits[answer.pit]
        if answer.stream != self.stream:
            raise RejectedAcknowledgement(
                f"{name}: answers about another journal of a table named {self.table}"
            )
        if key is not None and not wire.proven(answer, key):
            raise RejectedAcknowledgement(
                f"{name}: its answer is not signed by the key in uplink.pits; not believed"
            )
        head = self.outbox.head()
        if head is None or answer.upto > head.sequence:
            sent = head.sequence if head else 0
            raise RejectedAcknowledgement(
                f"{name}: has {answer.upto} events, but this table has sent {sent}: is its journal older?"
            )
        root = self.outbox.root(answer.upto)
        if root is None or (answer.upto == 0 and self.outbox.first() > 1):
            raise RejectedAcknowledgement(
                f"{name}: has {answer.upto} events, and the outbox begins at {self.outbox.first()}; "
                f"delete {self.outbox.path} and start again: it is made anew from the journal"
            )
        if b64encode(root).decode() != answer.root:
            words = f"{name}: what it has of the first {answer.upto} events is not what was sent"
            raise AnotherHistory(f"{words}: it holds another history of this table", answer.upto)
