"""The pit's unit on a real systemd, beside a Mosquitto with default settings that this machine runs."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

from controller.mock.pit.broker import write_settings
from tests.repository.house import ROOT
from tests.serving import get_page
from tests.trials.system.container import Container
from tests.uplink.broker import MOSQUITTO

UNIT = "crisscross-pit.service"
BROKER_PORT = 1883
READYZ = "http://127.0.0.1:8090/readyz"
"""Default address of the pit's pages."""
READY_S = 60.0


def guide() -> list[str]:
    """Return the lines that set up a pit, taken from the install page."""
    text = (ROOT / "systemd/README.md").read_text(encoding="utf-8")
    (block,) = (each for each in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if UNIT in each)
    return [line for line in block.splitlines() if line]


def served_and_killed(container: Container) -> str:
    """Set the pit up by the page, kill it, stop it. Raises AssertionError if systemd does not start it again,
    or if it is not ready in time."""
    with _mosquitto():
        for line in guide():
            output = container.typed(line, [])
            assert output.startswith("0 "), f"{line}: {output}"
        first = _ready(container, "")
        process = _show(container, "MainPID")
        container.run("systemctl", "kill", "-s", "KILL", "--kill-whom=main", UNIT)
        again = _ready(container, process)
        assert _show(container, "NRestarts") == "1", "it was started again more than once"
        container.run("systemctl", "disable", "--now", UNIT)
        assert _show(container, "ActiveState") == "inactive", _last_lines(container)
    store = container.root / "var/lib/crisscross-pit/pit.db"
    assert store.exists(), f"no store {store}"
    return f"{len(guide())} lines typed; ready after {first:.0f} s, {again:.0f} s after kill -9; stopped"


@contextmanager
def _mosquitto() -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="crisscross-broker-") as name:
        settings = write_settings(Path(name) / "mosquitto.conf", BROKER_PORT)
        process = subprocess.Popen(
            [MOSQUITTO, "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()


def _ready(container: Container, former: str) -> float:
    """Wait until a process other than `former` is ready; return the seconds."""
    began, answer = time.monotonic(), ""
    while time.monotonic() - began < READY_S:
        with suppress(OSError, HTTPException):
            status, answer = get_page(READYZ)
            if status == 200 and _show(container, "MainPID") not in ("0", former):
                return time.monotonic() - began
        time.sleep(0.2)
    raise AssertionError(f"{READYZ}: {answer or 'no answer'}: {_last_lines(container)}")


def _show(container: Container, name: str) -> str:
    return container.output_of("systemctl", "show", UNIT, "-p", name, "--value")


def _last_lines(container: Container) -> str:
    return container.output_of("journalctl", "-u", UNIT, "-n", "12", "-o", "cat", "--no-pager")
