"""The pit's figures for a monitor: OpenMetrics 1.0 text at `/metrics`. No money, and no card."""

from __future__ import annotations

from collections.abc import Iterator

from controller.floor.pit.floor import Floor
from controller.floor.pit.store_writer import Counts

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
NAME = "crisscross_pit"


def text(floor: Floor, counts: Counts) -> str:
    """Return the complete text for `/metrics`."""
    return "".join(f"{line}\n" for line in (*_lines(floor, counts), "# EOF"))


def _lines(floor: Floor, counts: Counts) -> Iterator[str]:
    yield from _family("tables", "gauge", "Tables, by whether they speak.")
    for how, number in floor.counts().items():
        yield f'{NAME}_tables{{speaks="{how}"}} {number}'
    for name, number, words in (
        ("events_kept", counts.stored, "Events that were written to the store."),
        ("events_again", counts.duplicates, "Events that came again and were there."),
        ("payloads_refused", counts.refused, "Payloads that were refused."),
        ("payloads_dropped", counts.dropped, "Payloads for which there was no room, asked for again."),
        ("events_aged", counts.aged, "Events that were dropped because they were old."),
        ("commits", counts.commits, "Commits of the store."),
        ("store_failures", counts.failures, "Times that the store could not be written."),
    ):
        yield from _family(name, "counter", words)
        yield f"{NAME}_{name}_total {number}"
    yield from _family("refused", "counter", "Payloads that were refused, by table and reason.")
    for (table, reason), number in sorted(counts.by_reason.copy().items()):
        yield f'{NAME}_refused_total{{table="{table}",reason="{reason}"}} {number}'
    yield from _family("table_events", "gauge", "Events of a table that are kept.")
    for table, (upto, _) in floor.upto().items():
        yield f'{NAME}_table_events{{table="{table}"}} {upto}'
    yield from _family("table_behind", "gauge", "Events that a table has and the pit has not.")
    for table, (upto, there) in floor.upto().items():
        if there is not None:
            yield f'{NAME}_table_behind{{table="{table}"}} {max(0, there - upto)}'


def _family(name: str, kind: str, words: str) -> Iterator[str]:
    yield f"# TYPE {NAME}_{name} {kind}"
    yield f"# HELP {NAME}_{name} {words}"
