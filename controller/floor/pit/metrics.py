"""The pit's figures for a monitor: OpenMetrics 1.0 text at `/metrics`. No money, and no card."""

from __future__ import annotations

from collections.abc import Iterator

from controller.common.files import openmetrics
from controller.common.files.openmetrics import family
from controller.floor.pit.floor import Floor
from controller.floor.pit.store_writer import Counts


def text(floor: Floor, counts: Counts) -> str:
    """Return the complete text for `/metrics`."""
    return openmetrics.text(_families(floor, counts))


def _families(floor: Floor, counts: Counts) -> Iterator[str]:
    speaks = [({"speaks": how}, number) for how, number in floor.counts().items()]
    yield family("pit_tables", "gauge", "Tables, by whether they speak.", speaks)
    for name, number, words in (
        ("events_kept", counts.stored, "Events that were written to the store."),
        ("events_again", counts.duplicates, "Events that came again and were there."),
        ("payloads_refused", counts.refused, "Payloads that were refused."),
        ("payloads_dropped", counts.dropped, "Payloads for which there was no room, asked for again."),
        ("events_aged", counts.aged, "Events that were dropped because they were old."),
        ("commits", counts.commits, "Commits of the store."),
        ("store_failures", counts.failures, "Times that the store could not be written."),
    ):
        yield family(f"pit_{name}", "counter", words, [({}, number)])
    refused = [
        ({"table": table, "reason": reason}, number)
        for (table, reason), number in sorted(counts.by_reason.copy().items())
    ]
    yield family("pit_refused", "counter", "Payloads that were refused, by table and reason.", refused)
    upto = floor.upto()
    events = [({"table": table}, stored) for table, (stored, _) in upto.items()]
    yield family("pit_table_events", "gauge", "Events of a table that are kept.", events)
    behind = [
        ({"table": table}, max(0, there - stored))
        for table, (stored, there) in upto.items()
        if there is not None
    ]
    yield family("pit_table_behind", "gauge", "Events that a table has and the pit has not.", behind)
