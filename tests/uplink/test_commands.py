"""`crisscross uplink` runs its services as processes, prints its lists, and reports each mistake in one
line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.cli import main
from controller.common.files.file_lock import lock
from controller.floor.uplink import asyncapi
from controller.floor.uplink.outbox import Outbox, outbox_path
from tests.uplink.broker import Mosquitto, Pit, soon

ROOT = Path(__file__).parents[2]


def table_file(journal: Path, port: int, **more: Any) -> Path:
    file = journal.with_name("table.yaml")
    uplink = {"broker": f"mqtt://127.0.0.1:{port}", "pits": [{"name": "pit-1"}], "events_a_second": 5000}
    keys = {
        "table": "CC-01", "rules": "pennsylvania", "journal": journal.name, "shoe": {"port": "/dev/shoe"},
        "uplink": {**uplink, **more},
    }  # fmt: skip
    file.write_text(yaml.safe_dump(keys))
    return file


@contextmanager
def running(act: str, file: Path) -> Iterator[subprocess.Popen[str]]:
    run = "import sys; from controller.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", run, "uplink", act, "--config", str(file)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.serial
@pytest.mark.parametrize(("more", "name"), [({}, "CC-01"), ({"site": "north"}, "north.CC-01")])
def test_both_services_deliver_all_events_and_the_will_reports_a_killed_publisher(
    own: Path, tmp_path: Path, more: dict[str, Any], name: str
) -> None:
    for file in own.parent.glob(f"{own.name}.uplink*"):
        file.unlink()
    with ExitStack() as daemon, closing(Mosquitto(tmp_path)) as broker, closing(Pit(broker.port)) as pit:
        daemon.callback(os.close, lock(own))
        pit.open()
        file = table_file(own, broker.port, metrics_port=0, **more)
        with running("tell", file) as teller, running("serve", file) as publisher:
            soon(lambda: bool(pit.states) and pit.states[-1].sequence > 0)
            soon(lambda: len(pit.events) == pit.states[-1].sequence)
            assert publisher.stderr is not None
            port = publisher.stderr.readline().strip().removesuffix("/metrics").rpartition(":")[2]
            soon(lambda: f'uplink_had{{table="{name}",pit="pit-1"}} {len(pit.events)}' in figures(port))
            soon(lambda: pit.states[-1].state == "here")
            publisher.send_signal(signal.SIGKILL)
            soon(lambda: pit.states[-1].state == "gone")
            teller.send_signal(signal.SIGTERM)
            assert teller.wait(20) == 0
    with closing(Outbox(outbox_path(own))) as outbox:
        assert pit.events == [each.payload for each in outbox.events(0, 10**9)]


def figures(port: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
    return text


def test_sent_events_can_be_listed(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(own, 1883)
    assert main(["uplink", "sent", "--config", str(file), "--after", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[0])["sequence"] == "000000000003"
    with closing(Outbox(outbox_path(own))) as outbox:
        assert [line.encode() for line in lines] == [each.payload for each in outbox.events(2, 10**9)]


def test_without_an_outbox_the_command_that_creates_it_is_named(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outbox_path(own).unlink()
    assert main(["uplink", "sent", "--config", str(table_file(own, 1883))]) == 1
    assert "`crisscross uplink tell` begins it" in capsys.readouterr().err


def test_the_document_and_the_acl_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["uplink", "asyncapi"]) == 0
    assert capsys.readouterr().out == asyncapi.document_text()
    assert main(["uplink", "acl", "--table", "CC-01", "--pit", "pit-1"]) == 0
    acl = capsys.readouterr().out
    assert "user CC-01\ntopic write crisscross/1/CC-01/events\n" in acl
    assert "topic write crisscross/1/+/have/pit-1\n" in acl
    for name in ("CC/01", "a.b.CC-01", ".CC-01"):
        assert main(["uplink", "acl", "--table", name, "--pit", "pit-1"]) == 2
        refused = (
            f"--table {name}; allowed: letters, digits, - and _, 64 at most; a table of a site: SITE.TABLE"
        )
        assert refused in capsys.readouterr().err
    assert main(["uplink", "acl", "--table", "CC-01", "--table", "north.CC-01", "--pit", "pit-1"]) == 0
    own, sited = capsys.readouterr().out, "user north.CC-01\ntopic write crisscross/1/north/CC-01/events\n"
    pit = "topic write crisscross/1/north/+/have/pit-1\n"
    assert sited in own and pit in own and own.startswith(acl.partition("user pit-1")[0])
    assert set(acl.splitlines()) < set(own.splitlines())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"broker": "mqtt://broker.example"}, "uplink.broker: allowed: mqtts://HOST:PORT"),
        ({"broker": "mqtts://broker.example"}, "uplink.ca: missing; allowed with mqtts: a PEM file"),
        ({"pits": []}, "uplink.pits"),
        ({"pits": [{"name": "a"}, {"name": "a"}]}, "a stands twice; each pit once"),
        ({"name": "CC.01"}, "letters, digits, - and _"),
        ({"site": "a.b"}, "uplink.site"),
        ({"site": "north", "name": "have"}, "uplink.name: have: is a word of the topics; allowed"),
        (
            {"broker": "mqtts://localhost", "ca": "no.pem", "certificate": "no.pem", "key": "no.key"},
            "uplink.ca: ",
        ),
    ],
)
def test_a_mistake_in_the_uplink_section_is_reported_in_one_line(
    own: Path, more: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["uplink", "serve", "--config", str(table_file(own, 1883, **more))]) == 2
    (line,) = capsys.readouterr().err.splitlines()[:1]
    assert words in line


def test_a_table_file_without_the_uplink_section_is_reported(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(own, 1883)
    keys = yaml.safe_load(file.read_text())
    del keys["uplink"]
    file.write_text(yaml.safe_dump(keys))
    assert main(["uplink", "tell", "--config", str(file)]) == 2
    assert "uplink: missing; allowed: a section with broker and pits" in capsys.readouterr().err
