"""`crisscross mock --pit`, run as a program, prints the addresses, shows the tables' rounds on the page of
the pit, and ends all its processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from controller.cli import main
from controller.mock.bench import child
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.options import TablePaths
from controller.mock.pit.broker import SBIN, program
from controller.mock.pit.floor import journal_path
from tests.uplink.broker import soon

pytestmark = [pytest.mark.serial, pytest.mark.slow]

ENDS_S = 120
USUAL = ("--speed", "max", "--seed", "4")
TABLES = ("CC-01", "CC-02")


class Floor:
    """One run of the command. Its output and its temporary files are in `folder`."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self.folder = folder
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "controller", "mock", "--pit", *USUAL, *options],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env={**os.environ, "TMPDIR": str(folder), **environment},
            )  # fmt: skip

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def address(self, what: str) -> str:
        """Wait until the output has the line of `what`; return the address in this line."""
        pattern = re.compile(rf"^{re.escape(what)} +(\S+)$", re.MULTILINE)
        soon(
            lambda: pattern.search(self.text("out")) is not None, f"no address of {what}: {self.text('err')}"
        )
        found = pattern.search(self.text("out"))
        assert found is not None
        return found[1]

    def children(self) -> dict[int, str]:
        """Return the commands of the running children by process number."""
        return {number: words for number, parent, words in processes() if parent == self.process.pid}

    def child(self, words: str) -> int:
        """Wait for the child whose command contains `words` and return its process number."""
        soon(lambda: any(words in command for command in self.children().values()), f"no child {words}")
        return next(number for number, command in self.children().items() if words in command)

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(ENDS_S)


def processes() -> Iterator[tuple[int, int, str]]:
    """Yield the number, the parent's number and the command of each process."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                yield int(entry.name), parent, words


@contextmanager
def running(*options: str, **environment: str) -> Iterator[Floor]:
    """Run the command in a temporary folder, then end it and delete the folder. The folder's path is short,
    because the path of a socket is limited."""
    folder = Path(tempfile.mkdtemp(prefix="cc-", dir="/tmp"))
    floor = Floor(folder, *options, **environment)
    try:
        yield floor
    finally:
        if floor.process.poll() is None:
            floor.end(signal.SIGTERM)
        shutil.rmtree(folder)


def refusal(capsys: pytest.CaptureFixture[str], options: Sequence[str]) -> list[str]:
    assert main(["mock", "--pit", *options]) == 2
    return [line for line in capsys.readouterr().err.splitlines() if not line.startswith("seed ")]


def rounds_of(pit: str, table: str) -> set[int]:
    """Return the numbers of the rounds of a table on the page of the pit; the set is empty while the page
    does not have the table."""
    try:
        with urlopen(f"{pit}tables/{table}/api/rounds", timeout=10) as answer:  # noqa: S310  # http
            return {each["number"] for each in json.load(answer)["rounds"]}
    except URLError:
        return set()


def test_rounds_of_each_table_reach_the_pit_and_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    """The command is run twice, and the second run continues the journals of the tables and of the pit."""
    journal = tmp_path / "night.db"
    options = ("--tables", "2", "--seats", "1", "--journal", str(journal))
    with running(*options, "--rounds", "1", "--headless") as floor:
        assert floor.process.wait(ENDS_S) == 0, floor.text("err")
        lines = [line.split(":")[:2] for line in floor.text("out").splitlines()[2:]]
        assert lines == [[name, " round 1"] for name in TABLES]
    with running(*options, "--speed", "60") as floor:
        pit = floor.address("pit")
        for table in TABLES:
            assert floor.address(f"{table}: dealer display").startswith("http://127.0.0.1:")
            soon(lambda name=table: {1, 2} <= rounds_of(pit, name), f"no round 1 and 2 of {table} at the pit")  # type: ignore[misc]
        with urlopen(pit, timeout=10) as page:  # noqa: S310  # http
            assert page.status == 200
        children = floor.children()
        # the children are the broker and the pit, and two daemons with two services each
        assert len(children) == 8, children
        assert floor.end() == 0
        left = {number for number, _, _ in processes()} & set(children)
        assert left == set()
        assert sorted(each.name for each in floor.folder.iterdir()) == ["err", "out"]
        assert "Traceback" not in floor.text("err")
    for name in TABLES:
        assert main(["verify", str(journal_path(journal, name))]) == 0
    assert journal_path(journal, "pit").name == "night-pit.db"
    assert journal_path(journal, "pit").is_file()


@pytest.mark.parametrize(
    ("words", "until", "line"),
    [
        ("mosquitto", "controller pit", "crisscross mock: the broker ended (signal SIGKILL)"),
        ("controller pit", "controller run", "crisscross mock: the pit ended (signal SIGKILL)"),
        ("uplink serve", "uplink serve", "crisscross mock: CC-01: uplink serve ended (signal SIGKILL)"),
        ("controller run", "uplink serve", "crisscross mock: CC-01: the daemon ended (signal SIGKILL)"),
    ],
)
def test_a_killed_child_ends_the_command_with_one_line(words: str, until: str, line: str) -> None:
    """The child is killed as soon as the child `until` runs. The pit or the table is still starting then, or
    the table is in play."""
    with running("--tables", "1", "--seats", "1", "--headless") as floor:
        floor.child(until)
        os.kill(floor.child(words), signal.SIGKILL)
        assert floor.process.wait(ENDS_S) == 1
        message = [each for each in floor.text("err").splitlines() if each.startswith("crisscross mock:")]
        assert message == [line]
        assert sorted(each.name for each in floor.folder.iterdir()) == ["err", "out"]
        assert "Traceback" not in floor.text("err")


async def test_a_daemon_that_is_not_ready_in_time_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CRISSCROSS_READY_TIMEOUT_S")
    monkeypatch.setattr(child, "READY_TIMEOUT_S", 0.2)
    daemon = child.Daemon(TablePaths(tmp_path), ("-c", "import threading; threading.Event().wait()"))
    with pytest.raises(TableStopped, match="was not ready after 0 s and was ended"):
        await daemon.start()


async def test_the_message_about_a_late_daemon_names_the_timeout_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRISSCROSS_READY_TIMEOUT_S", "1")
    daemon = child.Daemon(TablePaths(tmp_path), ("-c", "import threading; threading.Event().wait()"))
    with pytest.raises(
        TableStopped, match="after 1 s and was ended; CRISSCROSS_READY_TIMEOUT_S=3 waits longer"
    ):
        await daemon.start()


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "3601", "soon", "٣", "9" * 5000])
def test_an_invalid_ready_timeout_is_reported_in_one_line(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRISSCROSS_READY_TIMEOUT_S", text)
    with pytest.raises(
        TableStopped, match="CRISSCROSS_READY_TIMEOUT_S: allowed: whole seconds from 1 to 3600"
    ):
        child.ready_timeout_s()


def test_an_invalid_ready_timeout_ends_the_command_with_one_line() -> None:
    """The timeout applies to the broker first, because it is started first."""
    with running("--tables", "1", CRISSCROSS_READY_TIMEOUT_S="0") as floor:
        assert floor.process.wait(ENDS_S) == 1
        (line,) = floor.text("err").splitlines()
        assert line == "crisscross mock: CRISSCROSS_READY_TIMEOUT_S: allowed: whole seconds from 1 to 3600"


def test_a_killed_command_leaves_no_child() -> None:
    with running("--tables", "1", "--seats", "1", "--headless") as floor:
        floor.child("uplink serve")
        children = set(floor.children())
        floor.end(signal.SIGKILL)
        soon(lambda: not {number for number, _, _ in processes()} & children, "a child goes on")


def test_without_the_broker_its_package_is_named_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("controller.mock.pit.broker.SBIN", str(tmp_path))
    (line,) = refusal(capsys, ["--seed", "1"])
    assert line == "crisscross mock: --pit needs the MQTT broker Mosquitto: sudo apt-get install mosquitto"


def test_the_broker_is_found_in_sbin_without_path(tmp_path: Path) -> None:
    assert "/usr/sbin" in SBIN.split(":")
    assert program(str(tmp_path)) == program(SBIN)


def test_a_port_in_use_is_reported_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with running("--pit-port", port) as floor:
            assert floor.process.wait(ENDS_S) == 1
            (line,) = floor.text("err").splitlines()
            assert line.startswith(
                f"crisscross mock: --pit-port: 127.0.0.1 port {port}: Address already in use"
            )
        with running("--port", port, "--tables", "1") as floor:
            assert floor.process.wait(ENDS_S) == 1
            (line,) = (each for each in floor.text("err").splitlines() if "crisscross mock" in each)
            assert line.startswith("crisscross mock: CC-01: the daemon did not start (status 1): ")
            assert "Address already in use" in line


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--no-wires"], "--pit needs wires; leave --no-wires out"),
        (["--bench-port", "9000"], "--bench-port is for one table; with --pit each felt has the port after"),
        (["--port", "65534"], "--port: each table of --pit takes two ports from there on"),
        (["--rules", "no_such"], "no_such"),
    ],
)
def test_options_of_a_single_table_are_refused(
    options: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (message,) = refusal(capsys, options)
    assert line in message


@pytest.mark.parametrize("option", ["--tables", "--pit-port"])
def test_options_of_the_pit_require_the_option_pit(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mock", option, "2", "--seed", "1"]) == 2
    assert capsys.readouterr().err == f"crisscross mock: {option} is for --pit; add --pit\n"
