"""Every line of a pit's log has an event for a collector, and the line of a refused event has its number."""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.common.process.log_once import LogOnce
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store
from tests.pit.published_tables import AT, Table
from tests.repository.house import ROOT

SOURCES = (
    *sorted((ROOT / "controller/floor/pit").rglob("*.py")), ROOT / "controller/common/notify/sender.py",
    ROOT / "controller/common/http/server_tls.py", ROOT / "controller/floor/uplink/mqtt_client.py",
)  # fmt: skip
"""Modules that log on the pit's logger."""
LEVELS = frozenset({"info", "warning", "error", "critical"})


def is_log(node: ast.AST) -> bool:
    """Return whether the expression is a method that logs a line."""
    return isinstance(node, ast.Attribute) and node.attr in LEVELS and ast.unparse(node.value).endswith("log")


def has_event(call: ast.Call) -> bool:
    """Return whether a call that logs a line passes an event."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "warn":
        return len(call.args) == 2
    extra = next((each.value for each in call.keywords if each.arg == "extra"), None)
    keys = extra.keys if isinstance(extra, ast.Dict) else []
    return any(isinstance(key, ast.Constant) and key.value == "event" for key in keys)


def logging_calls(path: Path) -> Iterator[ast.Call]:
    """Yield the calls that log a line. Calls through `partial` and through `warn` (LogOnce, MqttClient) are
    included."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            is_warn = isinstance(call.func, ast.Attribute) and call.func.attr == "warn"
            if is_warn or is_log(call.func) or any(is_log(each) for each in call.args):
                yield call


def test_each_line_of_the_log_has_an_event() -> None:
    calls = [(path, call) for path in SOURCES for call in logging_calls(path)]
    lacking = [f"{path.name}:{call.lineno}" for path, call in calls if not has_event(call)]
    assert lacking == []
    assert len(calls) > 20


def test_a_fault_that_is_logged_once_has_its_event(caplog: pytest.LogCaptureFixture) -> None:
    LogOnce(logging.getLogger("crisscross.pit")).warn("broker: the line is lost", "connection_lost")
    (record,) = caplog.records
    assert record.__dict__["event"] == "connection_lost"


def test_a_refused_event_has_its_number_as_soon_as_it_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table()
    wrong_data = table.add_event("signed_on", who="7001")
    with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as store:
        for payload in (
            wrong_data.replace(b'"ms":1000', b'"ms":-1'), wrong_data.replace(b".signed_on", b".unheard_of"),
            wrong_data.replace(b"round/1", b"round/2"), b"{",
        ):  # fmt: skip
            Intake(store, "UTC", lambda: AT, {}).take([Payload(table.name, payload)])
    facts = [(each.__dict__["event"], each.__dict__.get("sequence")) for each in caplog.records]
    assert facts == [("form", 1), ("kind", 1), ("form", 1), ("json", None)]
