"""On one day an operator can upgrade a real pit, scrape it, read its dashboard and alerts, downgrade it and
upgrade it again, without losing an event.
"""

from __future__ import annotations

import json
import re
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.cli import main
from controller.floor.pit import schema
from controller.floor.pit.copies import verify_copy
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import events_of
from controller.mock.pit.broker import free_port
from tests.pit.monitored import PROMTOOL, check_families, promtool
from tests.pit.older import written_by_version_2
from tests.pit.published_tables import Table
from tests.pit.test_monitoring import MONITORING, NAME
from tests.pit.test_wire import Publisher
from tests.trials.pit.machine import Mosquitto, Part, pit
from tests.trials.pit.night import Night, play
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial
OLD = 2
"""Version of the store at the beginning of the day."""
INTERVAL_S, UTC = 30, "2026-11-26T20:00:00.000Z"
RULES = MONITORING / "alerts.yaml"
JOB = {"job": "crisscross-pit", "instance": "pit-1"}
VALUE = "value"
"""Name of an alert's value among its labels."""


class Monitor:
    """Minimal Prometheus. `scrapes`: text of each scrape, or "" if the pit did not answer."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/metrics"
        self.scrapes: list[str] = []

    def read(self) -> str:
        with suppress(OSError), urllib.request.urlopen(self._url, timeout=10) as answer:  # noqa: S310
            return str(answer.read().decode())
        return ""

    def scrape(self) -> str:
        self.scrapes.append(self.read())
        return self.scrapes[-1]

    def series(self) -> list[dict[str, str]]:
        """Return the scraped samples and `up` as the input of `promtool test rules`."""
        found: dict[str, list[str]] = {_series("up"): [str(int(bool(text))) for text in self.scrapes]}
        for n, text in enumerate(self.scrapes):
            for line in text.splitlines():
                if not line.startswith("#"):
                    name, _, value = line.rpartition(" ")
                    found.setdefault(_series(name), ["_"] * len(self.scrapes))[n] = value
        return [{"series": name, "values": " ".join(values)} for name, values in found.items()]


def _series(sample: str) -> str:
    name, _, labels = sample.rstrip("}").partition("{")
    own = ",".join(f'{key}="{value}"' for key, value in JOB.items())
    return f"{name}{{{labels}{',' if labels else ''}{own}}}"


def fires(rule: dict[str, Any], monitor: Monitor) -> list[dict[str, str]]:
    """Return the labels of each series for which a rule of the form `NAME == 0` has held for its time, or one
    of the form `changes(NAME[15m]) > 2` holds; the latter with the value."""
    if rule["expr"].startswith("changes("):
        return changed(rule, monitor)
    found = re.fullmatch(r"(\w+)(?:\{.*\})? == 0", rule["expr"])
    assert found is not None, rule["expr"]
    needed = int(rule["for"].removesuffix("m")) * 60 // INTERVAL_S + 1
    return [
        dict(re.findall(r'(\w+)="([^"]*)"', each["series"])) | rule["labels"]
        for each in monitor.series()
        if each["series"].startswith(f"{found[1]}{{")
        and [float(value) if value != "_" else 1.0 for value in each["values"].split()[-needed:]]
        == [0.0] * needed
    ]


def changed(rule: dict[str, Any], monitor: Monitor) -> list[dict[str, str]]:
    found = re.fullmatch(r"changes\((\w+)(?:\{.*\})?\[(\d+)m\]\) > (\d+)", rule["expr"])
    assert found is not None and int(found[2]) * 60 > INTERVAL_S * len(monitor.scrapes), rule["expr"]
    alerts = []
    for each in monitor.series():
        values = [value for value in each["values"].split() if value != "_"]
        changes = sum(former != later for former, later in pairwise(values))
        if each["series"].startswith(f"{found[1]}{{") and changes > int(found[3]):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', each["series"]))
            alerts.append(labels | rule["labels"] | {VALUE: str(changes)})
    return alerts


def alerted(monitor: Monitor, folder: Path, name: str) -> list[dict[str, str]]:
    """Return the labels of each alert of a shipped rule after the last scrape, which promtool must
    confirm."""
    groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    (rule,) = (each for each in groups[0]["rules"] if each["alert"] == name)
    found = fires(rule, monitor)
    alerts = [{key: label for key, label in each.items() if key != VALUE} for each in found]
    if PROMTOOL is not None:
        at = f"{INTERVAL_S * (len(monitor.scrapes) - 1)}s"
        wanted = [
            {"exp_labels": each, "exp_annotations": {
                key: re.sub(r"{{ \$(?:labels\.)?(\w+) }}", lambda name: values[name[1]], words)  # noqa: B023
                for key, words in rule["annotations"].items()
            }} for each, values in zip(alerts, found, strict=True)
        ]  # fmt: skip
        case = {"interval": f"{INTERVAL_S}s", "input_series": monitor.series(), "alert_rule_test": [
            {"eval_time": at, "alertname": name, "exp_alerts": wanted},
        ]}  # fmt: skip
        file = folder / "rules.test.yaml"
        file.write_text(
            yaml.safe_dump(
                {"rule_files": [str(RULES)], "evaluation_interval": f"{INTERVAL_S}s", "tests": [case]}
            ),
            encoding="utf-8",
        )
        assert promtool("test", "rules", str(file)) == (0, "")
    return alerts


class Day:
    """Broker, pit, and a table that publishes the events of a mock table."""

    def __init__(self, folder: Path) -> None:
        self.store, self.port = str(folder / "pit.db"), (port := free_port())
        written_by_version_2(self.store)
        self.broker = Mosquitto(folder, None)
        self.pit: Part = pit(folder, self.broker, port, self.store)
        self.fault = folder / "fault"
        """File that ends the writer of `failing`."""
        program = ("tests.pit.ending_writer", str(self.fault))
        self.failing: Part = pit(folder, self.broker, port, self.store, program)
        self.monitor = Monitor(port)
        self.table, self._night = Table("CC-07", "7a" * 16), Night(play(folder))

    def make(self, count: int) -> None:
        for _ in range(count):
            number = len(self.table.payloads) + 1
            made = self._night.payload(self.table.name, self.table.stream, number, UTC)
            self.table.payloads.append(made)

    def publish(self, until: Callable[[], bool]) -> None:
        """Publish every event, and stay connected until the condition is true."""
        soon(lambda: self.works("broker"))
        with closing(Publisher(self.broker.ports[0], self.table)) as table:
            table.publish(self.table.state(), leaf="state")
            soon(lambda: bool(table.had))
            table.publish(*self.table.payloads)
            soon(until)

    def kill_writer(self, times: int, alerts: Callable[[], list[dict[str, str]]], monitor: Monitor) -> None:
        """Start a pit, end its writer, which ends the process, and start it again as systemd does. There must
        be no alert before the last start."""
        self.failing.start()
        for _ in range(times):
            monitor.scrape()
            assert alerts() == []
            self.fault.touch()
            assert self.failing.ended() == 1
            self.failing.start()
        monitor.scrape()
        self.failing.stop()

    def is_stored(self) -> bool:
        with closing(open_database(self.store, writing=False)) as database:
            kept = [each.body.encode() for each in events_of(database, self.table.name, self.table.stream)]
            return schema.version_of(database) == schema.SCHEMA_VERSION and kept == self.table.payloads

    def works(self, part: str) -> bool:
        """Return whether a part of the pit works, without a scrape of the monitor."""
        return f'crisscross_pit_ready{{part="{part}"}} 1' in self.monitor.read()


@pytest.fixture
def day(tmp_path: Path) -> Iterator[Day]:
    made = Day(tmp_path)
    made.broker.start()
    made.pit.start()
    yield made
    for part in (made.pit, made.failing):
        part.kill()
    made.broker.stop()


@contextmanager
def locked(store: str) -> Iterator[None]:
    """Lock the store as another program would, so that the pit's writer cannot write."""
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def test_an_operator_upgrades_monitors_and_downgrades_a_pit(
    day: Day, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monitor = day.monitor
    # morning: the first start upgrades the store of the former version, after a copy
    day.make(60)
    day.publish(day.is_stored)
    with closing(sqlite3.connect(f"{day.store}.version-{OLD}")) as copy:
        assert copy.execute("SELECT number FROM version").fetchone() == (OLD,)

    # a scrape, and what the dashboard and the rules read is in it
    text = monitor.scrape()
    check_families(text)
    if PROMTOOL is not None:
        assert promtool("check", "metrics", given=text) == (0, "")
    dashboard = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
    read = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in NAME.findall(target["expr"])
    }
    typed = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert len(read) > 12 and {name.removesuffix("_bucket") for name in read} <= typed
    assert alerted(monitor, tmp_path, "CrisscrossPitNotReady") == []

    # noon: the writer writes nothing; the alert names the part, and ends with the fault
    with locked(day.store):
        day.make(40)
        day.publish(lambda: not day.works("store"))
        for _ in range(60 // INTERVAL_S + 1):
            assert alerted(monitor, tmp_path, "CrisscrossPitNotReady") == [], "only after a minute"
            monitor.scrape()
        critical = JOB | {"severity": "critical"}
        assert alerted(monitor, tmp_path, "CrisscrossPitNotReady") == [critical | {"part": "store"}]
    soon(lambda: day.works("store"))
    soon(day.is_stored)
    monitor.scrape()
    assert alerted(monitor, tmp_path, "CrisscrossPitNotReady") == []

    # afternoon: the process is dead
    day.pit.kill()
    for _ in range(60 // INTERVAL_S + 1):
        monitor.scrape()
    assert alerted(monitor, tmp_path, "CrisscrossPitDown") == [critical]

    # later: the writer dies three times, and the process with it
    restarts = Monitor(day.port)
    day.kill_writer(3, lambda: alerted(restarts, tmp_path, "CrisscrossPitRestarts"), restarts)
    assert alerted(restarts, tmp_path, "CrisscrossPitRestarts") == [critical]

    # evening: back by one version, with a copy, and up again; no event is lost
    capsys.readouterr()
    assert main(["pit", "downgrade", "--store", day.store]) == 0
    copied = Path(f"{day.store}.version-{schema.SCHEMA_VERSION}")
    assert f"as it was: {copied}" in capsys.readouterr().out
    ends = f"stream {day.table.stream}: events 1 to {len(day.table.payloads)}, root "
    assert any(ends in line for line in verify_copy(copied))
    with closing(open_database(day.store, writing=False)) as database:
        assert schema.version_of(database) == schema.SCHEMA_VERSION - 1
    day.pit.start()
    day.make(30)
    day.publish(day.is_stored)
    assert Path(f"{day.store}.version-{schema.SCHEMA_VERSION - 1}").exists()
    monitor.scrape()
    assert alerted(monitor, tmp_path, "CrisscrossPitDown") == []
