"""A pit whose broker does not answer names the fault in its log and on its page."""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.mock.pit.broker import LOOPBACK, free_port
from tests.trials.pit.machine import Part
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial


class RunningPit:
    """A pit as a process, without a broker at its address. `log`: its lines so far."""

    def __init__(self, folder: Path) -> None:
        port, self._file = free_port(), folder / "pit.log"
        self._pages = f"http://{LOOPBACK}:{port}"
        command = [sys.executable, "-m", "controller", "pit", "--broker", f"mqtt://{LOOPBACK}:{free_port()}"]
        command += ["--store", str(folder / "pit.db"), "--listen", f"{LOOPBACK}:{port}", "--log", "json"]
        self.part = Part(folder, "pit", command, (LOOPBACK, port))

    def log(self) -> list[dict[str, Any]]:
        lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def push(self) -> dict[str, Any]:
        """Return the first message that the pit pushes to a page of the floor."""
        with urllib.request.urlopen(f"{self._pages}/api/live", timeout=10) as stream:  # noqa: S310
            line = next(line for line in stream if line.startswith(b"data: "))
        found: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
        return found


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningPit]:
    made = RunningPit(tmp_path)
    made.part.start()
    yield made
    made.part.stop()


def test_a_broker_that_refuses_connections_is_in_the_log_once_and_on_the_page(running: RunningPit) -> None:
    soon(lambda: running.push()["faults"] == ["broker"])

    def faults() -> list[dict[str, Any]]:
        return [each for each in running.log() if "Connection refused" in each["message"]]

    soon(lambda: bool(faults()))
    (fault,) = faults()
    assert (fault["level"], fault["event"]) == ("warning", "no_connection")
    assert all("event" in each for each in running.log())
    assert fault["message"].endswith("it is tried again")
