"""The pit's metrics, exported at `/metrics` for a monitor such as Prometheus. They contain no money and no
card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from controller.common.clock import parse_utc
from controller.common.files.openmetrics import Family, Samples, family
from controller.common.process.machine import resident_bytes
from controller.floor.pit.counts import PitCounters, Waiting
from controller.floor.pit.floor import PitFloor

COUNTERS = (
    ("received", "received", "Messages that were received."),
    ("received_bytes", "received_bytes", "Bytes of payloads that were received."),
    ("events_kept", "stored", "Events that were written to the store."),
    ("events_again", "duplicates", "Events that came again and were there."),
    ("payloads_refused", "refused", "Payloads that were refused."),
    (
        "payloads_dropped",
        "dropped",
        "Payloads without room, or not written in two attempts; asked for again.",
    ),
    ("events_aged", "aged", "Events that were dropped because they were old."),
    ("commits", "commits", "Commits of the store."),
    ("store_failures", "failures", "Times that the store could not be written."),
)
"""Name, attribute of `PitCounters` and help of each counter without labels."""


def families(
    floor: PitFloor, counts: PitCounters, waiting: Waiting, faults: Mapping[str, str]
) -> list[Family]:
    """Return all figures. `faults`: each part of the service with its fault, "" for none."""
    return [*_service(counts, waiting, faults), *_totals(counts), *_tables(floor, counts)]


def _service(counts: PitCounters, waiting: Waiting, faults: Mapping[str, str]) -> Iterator[Family]:
    words = "Start of the process, POSIX seconds."
    yield family("process_start_time_seconds", "gauge", words, [({}, counts.started)], prefix="")
    memory: Samples = [({}, size)] if (size := resident_bytes()) is not None else []
    yield family("process_resident_memory_bytes", "gauge", "Memory of the process.", memory, prefix="")
    ready = [({"part": part}, int(not fault)) for part, fault in faults.items()]
    yield family("pit_ready", "gauge", "Whether a part of the pit works, as at /readyz.", ready)
    yield _gauge("queue_messages", "Messages that wait for the store.", waiting.messages)
    yield _gauge("queue_bytes", "Bytes that wait for the store.", waiting.size)
    words = "Seconds since the oldest message was received that is not written and answered."
    yield _gauge("oldest_unanswered_seconds", words, round(waiting.oldest_s, 3))
    words = "Time of the last commit, POSIX seconds; 0 before the first."
    yield _gauge("last_commit_timestamp_seconds", words, counts.committed_at)
    yield counts.commit_s.family("pit_commit_seconds", "Seconds from the beginning of a batch to its commit.")


def _totals(counts: PitCounters) -> Iterator[Family]:
    for name, attribute, words in COUNTERS:
        yield family(f"pit_{name}", "counter", words, [({}, getattr(counts, attribute))])
    refused = [
        ({"table": table, "reason": reason}, number)
        for (table, reason), number in sorted(counts.by_reason.copy().items())
    ]
    yield family("pit_refused", "counter", "Payloads that were refused, by table and reason.", refused)
    notified = [
        ({"receiver": receiver, "result": result}, number)
        for (receiver, result), number in sorted(counts.notified.copy().items())
    ]
    yield family("pit_notifications", "counter", "Notifications by receiver, sent or dropped.", notified)


def _tables(floor: PitFloor, counts: PitCounters) -> Iterator[Family]:
    speaks = [({"speaks": how}, number) for how, number in floor.counts().items()]
    yield family("pit_tables", "gauge", "Tables, by whether they speak.", speaks)
    upto = floor.upto()
    stored = ((table, number) for table, (number, _) in upto.items())
    yield _by_table("events", "Number of a table's last event that is kept.", stored)
    words = "Number of the last event that was acknowledged to a table, at the start the last one kept."
    yield _by_table("acknowledged", words, sorted(counts.acknowledged.copy().items()))
    behind = ((t, max(0, there - kept)) for t, (kept, there) in upto.items() if there is not None)
    yield _by_table("behind", "Events that a table has and the pit has not.", behind)
    last = ((table, parse_utc(utc)) for table, utc in floor.last().items())
    yield _by_table("last_event_timestamp_seconds", "Time of a table's last event, POSIX seconds.", last)
    words = "Bytes of a table's events that were written since the start."
    sizes = [({"table": table}, size) for table, size in sorted(counts.table_bytes.copy().items())]
    yield family("pit_table_bytes", "counter", words, sizes)


def _gauge(name: str, words: str, value: float) -> Family:
    return family(f"pit_{name}", "gauge", words, [({}, value)])


def _by_table(name: str, words: str, values: Iterable[tuple[str, float]]) -> Family:
    samples: Samples = [({"table": table}, value) for table, value in values]
    return family(f"pit_table_{name}", "gauge", words, samples)
