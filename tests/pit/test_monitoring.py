"""A monitor gets the state of each part of the service by name, figures in both formats, alert rules and a
dashboard.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.common.files.openmetrics import Histogram, exposition, family
from controller.floor.pit import logs
from controller.floor.pit import store_writer as writer_
from controller.floor.pit.counts import PitCounters
from controller.floor.pit.database import StoreError
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.inbox import Inbox, Message
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.pit.tile import Tile
from controller.floor.uplink.wire import read_state
from tests.pit.monitored import MISSING, PROMTOOL, check_families, figures, promtool
from tests.pit.published_tables import Table, pit, played
from tests.pit.served import Served
from tests.pit.test_access import get_page
from tests.uplink.broker import soon

MONITORING = Path(sys.modules["controller.floor.pit"].__path__[0]) / "monitoring"
OPENMETRICS = "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
NAME = re.compile(r"\b(?:crisscross_pit|process)_\w+")
CASES = Path(__file__).with_name("alert_rules.yaml")
"""Input of `promtool test rules` for alerts.yaml."""


def full() -> str:
    """Return every figure, with a sample of each."""
    counts = PitCounters(started=1_795_378_200, stored=17)
    counts.by_reason["CC-01", "form"] = 2
    counts.table_bytes["CC-01"] = 9000
    counts.acknowledged["CC-01"] = 17
    counts.commit_s.observe(0.004)
    floor = PitFloor(lambda: 0.0, lambda: 0.0)
    floor.events_stored({"CC-01": (Tile(at="2026-11-22T20:00:00.000Z"), 17)})
    floor.state(read_state(Table().state()))
    return figures(counts, floor) + figures(counts, floor, OPENMETRICS)


def names() -> set[str]:
    """Return all names of samples."""
    return {re.split(r"[{ ]", line)[0] for line in full().splitlines() if not line.startswith("#")}


# ------------------------------------------------------------------ formats


def test_a_monitor_gets_the_requested_format(served: Served) -> None:
    served.receive(played())
    status, kind, text = get_page(served, "/metrics", accept=OPENMETRICS)
    assert (status, kind) == (200, "application/openmetrics-text; version=1.0.0; charset=utf-8")
    assert text.endswith("# EOF\n") and "# TYPE crisscross_pit_commits counter" in text
    for accept in ("*/*", "text/plain"):
        status, kind, text = get_page(served, "/metrics", accept=accept)
        assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
        assert "# EOF" not in text and "# TYPE crisscross_pit_commits_total counter" in text


@pytest.mark.parametrize("accept", ["", OPENMETRICS])
def test_each_sample_belongs_to_a_family_with_help_and_type_in_both_formats(accept: str) -> None:
    check_families(figures(PitCounters(), None, accept))


@pytest.mark.skipif(PROMTOOL is None, reason=MISSING)
def test_promtool_finds_no_fault_in_figures_and_rules() -> None:
    assert promtool("check", "metrics", given=figures(PitCounters(stored=17))) == (0, "")
    assert promtool("check", "rules", str(MONITORING / "alerts.yaml")) == (0, "")


@pytest.mark.skipif(PROMTOOL is None, reason=MISSING)
def test_promtool_lacks_nothing_in_openmetrics_but_the_help_of_counters() -> None:
    """promtool reads OpenMetrics, but looks for HELP under the names of the text format, which end in
    `_total`."""
    text = figures(PitCounters(stored=17), None, OPENMETRICS)
    samples = {re.split(r"[{ ]", line)[0] for line in text.splitlines() if not line.startswith("#")}
    counters = sorted(name for name in samples if name.endswith("_total"))
    status, found = promtool("check", "metrics", given=text)
    assert status == 3 and sorted(found.splitlines()) == [f"{name} no help text" for name in counters]
    helped = {line.split()[2] for line in text.splitlines() if line.startswith("# HELP")}
    assert len(counters) > 8 and {name.removesuffix("_total") for name in counters} <= helped


def test_each_bucket_includes_the_lower_ones() -> None:
    histogram = Histogram((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 3.0):
        histogram.observe(value)
    text = exposition([histogram.family("x_seconds", "X.")], "")[0].decode()
    assert [line.rpartition(" ")[2] for line in text.splitlines()[2:]] == ["2", "3", "4", "3.65", "4"]
    assert '_bucket{le="+Inf"} 4' in text


def test_a_family_without_a_sample_is_listed() -> None:
    assert (
        exposition([family("x", "gauge", "X.", [])], "")[0]
        == b"# HELP crisscross_x X.\n# TYPE crisscross_x gauge\n"
    )


# ------------------------------------------------------------------ rules and dashboard


def test_each_figure_used_by_a_rule_or_panel_exists() -> None:
    rules = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))
    dashboard = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
    expressions = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    expressions += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    wanted = {name for each in expressions for name in NAME.findall(each)}
    assert wanted - names() == set()
    assert len(wanted) > 15
    exported = {name for name in names() if not name.endswith(("_sum", "_count"))}
    assert exported - wanted == UNREAD, "a figure that nothing reads"


UNREAD = {"crisscross_pit_" + name for name in (
    "commits_total", "events_aged_total", "payloads_refused_total", "queue_messages", "received_total",
)}  # fmt: skip
"""Figures that only people read."""


def test_each_alert_has_a_remedy() -> None:
    rules = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))
    for rule in rules["groups"][0]["rules"]:
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "action"}, rule["alert"]


def test_each_rule_has_cases_in_which_it_fires_and_does_not() -> None:
    rules = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    cases = yaml.safe_load(CASES.read_text(encoding="utf-8"))["tests"]
    checks = [check for case in cases for check in case["alert_rule_test"]]
    found = {(check["alertname"], bool(check.get("exp_alerts"))) for check in checks}
    assert found == {(rule["alert"], fires) for rule in rules for fires in (True, False)}
    series = {each["series"].partition("{")[0] for case in cases for each in case["input_series"]}
    assert series - names() == {"up"}, "a figure that a pit does not have"


@pytest.mark.skipif(PROMTOOL is None, reason=MISSING)
def test_promtool_confirms_the_cases_of_each_rule() -> None:
    assert promtool("test", "rules", str(CASES)) == (0, "")


def test_the_panels_do_not_cover_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24
        taken |= cells


# ------------------------------------------------------------------ parts


def made(folder: Path, **more: Any) -> StoreWriter:
    path = str(folder / "pit.db")
    opened = lambda: Store(open_database(path, writing=True))  # noqa: E731
    return StoreWriter(replace(pit(), **more), opened, lambda _have: None, lambda _told: None)


def test_a_stopped_store_is_detected_without_a_message_and_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_store: Store) -> None:
        raise StoreError("store pit.db: the server closed the connection")

    monkeypatch.setattr(writer_, "IDLE_CHECK_S", 0.01)
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.01)
    writer = made(tmp_path)
    writer.start()
    with monkeypatch.context() as gone:
        gone.setattr(Store, "check", failing)
        gone.setattr(Store, "probe", failing)
        soon(lambda: writer.faults() == {"writer": "", "store": "cannot be written"})
    soon(lambda: writer.faults() == {"writer": "", "store": ""})
    writer.stop()
    failures = [each for each in caplog.records if "server closed" in each.getMessage()]
    assert len(failures) == 1 and failures[0].__dict__["event"] == "store_failed"


def test_a_store_without_an_answer_is_a_fault_before_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    writer = made(tmp_path, now=lambda: now[0])
    table = played()
    seen: list[dict[str, str]] = []
    keep = Store.keep

    def slow(store: Store, *rest: Any) -> None:
        now[0] += 12.0
        seen.append(writer.faults())
        keep(store, *rest)

    monkeypatch.setattr(Store, "keep", slow)
    for payload in table.payloads:
        writer.receive(Message(table.topic, payload))
    writer.start()
    soon(lambda: writer.counts.stored == len(table.payloads))
    writer.stop()
    assert seen[0]["store"] == "has not answered for 12 s"
    text = figures(writer.counts)
    assert 'crisscross_pit_commit_seconds_bucket{le="10.0"} 0' in text
    assert f'crisscross_pit_table_acknowledged{{table="CC-01"}} {len(table.payloads)}' in text
    assert f'table_bytes_total{{table="CC-01"}} {sum(map(len, table.payloads))}' in text


def test_a_silent_table_has_its_acknowledged_number_after_a_restart_and_a_new_connection(
    tmp_path: Path,
) -> None:
    table = played()
    first = made(tmp_path)
    for payload in table.payloads:
        first.receive(Message(table.topic, payload))
    first.start()
    soon(lambda: first.counts.stored == len(table.payloads))
    first.stop()
    again = made(tmp_path)
    sample = f'crisscross_pit_table_acknowledged{{table="CC-01"}} {len(table.payloads)}'
    assert sample in figures(again.counts)
    other = Table("CC-02")
    again.on_connected()
    again.receive(Message(other.topic.replace("events", "state"), other.state()))
    again.start()
    soon(lambda: "CC-02" in again.counts.acknowledged)
    again.stop()
    assert sample in figures(again.counts)


def test_a_batch_with_a_failed_commit_is_written_without_a_resend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch is acknowledged to the broker only after it has been written."""
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.01)
    writer, table, keep = made(tmp_path), played(), Store.keep
    done: list[int] = []
    at_failure: list[int] = []

    def failing_once(store: Store, *rest: Any) -> None:
        if not at_failure:
            at_failure.append(len(done))
            raise StoreError("store pit.db: the disk is full")
        keep(store, *rest)

    monkeypatch.setattr(Store, "keep", failing_once)
    for n, payload in enumerate(table.payloads):
        writer.receive(Message(table.topic, payload, (), lambda n=n: done.append(n)))  # type: ignore[misc]
    writer.start()
    soon(lambda: writer.counts.stored == len(table.payloads))
    writer.stop()
    assert at_failure == [0]
    assert done == list(range(len(table.payloads)))


def test_a_dropped_message_of_qos_0_is_logged_once_and_counted_by_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer = made(tmp_path)
    writer.inbox = Inbox(max_table_bytes=5000)
    topic, felt = Table().topic.replace("events", "felt"), b"{}"
    for _ in range(20):
        writer.receive(Message(topic, felt))
    writer.start()
    soon(lambda: writer.counts.by_reason["CC-01", "limit_qos_0"] > 0)
    writer.stop()
    dropped = writer.counts.dropped
    assert 0 < dropped < 20
    assert f'refused_total{{table="CC-01",reason="limit_qos_0"}} {dropped}' in figures(writer.counts)
    lines = [each for each in caplog.records if each.__dict__.get("event") == "limit_qos_0"]
    assert len(lines) == 1 and "table CC-01: sent more than may wait" in lines[0].getMessage()


# ------------------------------------------------------------------ log


def test_a_log_record_is_an_object_with_table_event_and_number(tmp_path: Path) -> None:
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(logs.JsonFormatter().format(record))

    log = logging.getLogger("crisscross.pit")
    handler = Lines()
    log.addHandler(handler)
    try:
        with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as store:
            intake = writer_.Intake(store, "UTC", lambda: "2026-11-22T21:00:00.000Z", {})
            table = played()
            intake.take([writer_.Payload("CC-01", table.payloads[4]), writer_.Payload("CC-01", b"\n{")])
    finally:
        log.removeHandler(handler)
    entries = [json.loads(line) for line in lines]
    assert [(each["table"], each["event"], each.get("sequence")) for each in entries] == [
        ("CC-01", "gap", 5), ("CC-01", "json", None),
    ]  # fmt: skip
    assert {each["level"] for each in entries} == {"warning"} and entries[0]["time"].endswith("Z")
