"""A complete table on wires, started as a user starts it, writes the right records, ends correctly and leaves
no file or process behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from controller.cli import main
from controller.mock.bench import http
from controller.mock.bench.bench import TableStopped, TouchAnswer
from controller.mock.bench.options import PIN, MockOptions
from controller.mock.bench.wired import WiresBench

pytestmark = pytest.mark.serial

TIMES = ("started", "ended")
SEED = "11"
UNTIL_STOPPED = ("mock", "--speed", "max", "--seed", SEED, "--headless", "--json")


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Yield a folder with a short path: the path of a socket is limited to 107 characters, and pytest's
    folders are deep."""
    with TemporaryDirectory(prefix="cc-") as folder:
        yield Path(folder)


def start(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)}, start_new_session=True,
    )  # fmt: skip


def records(text: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in record.items() if key not in TIMES} for record in found]


def mock_arguments(rounds: int, *arguments: str) -> tuple[str, ...]:
    return "mock", "--rounds", str(rounds), "--seed", SEED, "--headless", "--json", *arguments


def without_wires(capsys: pytest.CaptureFixture[str], rounds: int) -> list[dict[str, Any]]:
    """Return the records of the same rounds, played without wires in this process."""
    assert main(mock_arguments(rounds, "--no-wires")) == 0
    return records(capsys.readouterr().out)


def test_wires_and_ports_give_the_same_records_for_the_same_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    process = start(tmp_path, *mock_arguments(2, "--speed", "max"))
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    found = records(out)
    assert found == without_wires(capsys, 2)
    assert [record["round"] for record in found] == [1, 2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("readers", "number"), [("seat_board", signal.SIGTERM), ("feig_mux", signal.SIGINT)])
def test_a_stopped_mock_has_written_the_same_records_and_leaves_nothing_behind(
    readers: str, number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With FEIG readers only the digest of the settings differs, because the register has other UIDs for
    chips of their standard."""
    mock = start(tmp_path, *UNTIL_STOPPED, "--readers", readers)
    assert mock.stdout is not None
    (found,) = records(mock.stdout.readline())
    mock.send_signal(number)
    _, err = mock.communicate(timeout=30)
    assert mock.returncode == 0, err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
    (expected,) = without_wires(capsys, 1)
    same_register = readers != "feig_mux"
    assert (found.pop("settings_digest") == expected.pop("settings_digest")) is same_register
    assert found == expected


def test_an_ended_daemon_is_reported_in_one_line_with_its_reason_and_status_1(tmp_path: Path) -> None:
    """The daemon is ended by SIGTERM. tests/mock/test_pit.py kills one, and then the reason is the signal."""
    mock = start(tmp_path, *UNTIL_STOPPED)
    assert mock.stdout is not None
    mock.stdout.readline()
    children = Path(f"/proc/{mock.pid}/task/{mock.pid}/children").read_text(encoding="ascii").split()
    for child in children:
        os.kill(int(child), signal.SIGTERM)
    _, err = mock.communicate(timeout=30)
    assert mock.returncode == 1
    (line,) = (line for line in err.splitlines() if line.startswith("crisscross mock:"))
    assert line.startswith("crisscross mock: the daemon ended")
    assert line.endswith("(status 0): INFO crisscross: stopping")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_scenario_passes_on_wires(tmp_path: Path) -> None:
    file = Path(__file__).parent.parent / "scenarios" / "misdeals" / "manual_shoe_face_up.yaml"
    scenario = start(tmp_path, "scenario", "--json", str(file))
    out, err = scenario.communicate(timeout=100)
    assert scenario.returncode == 0, out + err
    results = [line for line in map(json.loads, out.splitlines()) if line["type"] == "scenario"]
    assert all(result["passed"] for result in results)
    assert err.splitlines()[-1] == f"{len(results)} passed, 0 failed"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mock", "--rules", "nevada"), "no such rule pack; allowed: maryland"),
        (("mock", "--rules", "six_card_bonus", "--method", "automated_shoe", "--headless"), "automated_shoe"),
        (("mock", "--no-wires", "--readers", "seat_board"), "--readers seat_board needs wires"),
        (("mock", "--no-wires", "--manual"), "leave --no-wires out"),
        (("mock", "--speed", "fast"), "a number above 0, or max"),
        (("mock", "--clumsy", "2"), "a number from 0 to 1"),
        (("scenario", "/nowhere.yaml"), "/nowhere.yaml:1: cannot be read"),
    ],
)
def test_unusable_input_is_reported_in_one_line_with_status_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(arguments) == 2
    assert words in capsys.readouterr().err


def status(arguments: tuple[str, ...]) -> int:
    """Return the exit status of the command, even if the parser of its options exits by itself."""
    try:
        return main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)


async def test_a_touch_at_a_suspended_daemon_is_taken_when_it_goes_on(tmp_path: Path) -> None:
    """The test also kills the daemon: hands that wait for the shoe then end with TableStopped."""
    bench = WiresBench(MockOptions(seed=1))
    await bench.start()
    try:
        os.kill(bench.daemon.pid or 0, signal.SIGSTOP)
        pages = http.Client(bench.port)
        while (await pages.get("/api/view"))[0] != http.UNAVAILABLE:
            continue
        touching = asyncio.ensure_future(bench.touch({"do": "sign_on", "number": "D7", "pin": PIN}))
        for _ in range(20):
            assert (await pages.get("/api/view"))[0] == http.UNAVAILABLE
        assert not touching.done()
        os.kill(bench.daemon.pid or 0, signal.SIGCONT)
        assert await touching == TouchAnswer()
        assert (await pages.get("/api/view"))[1]["dealer"] == "D7"
        await pages.close()
        waiting = asyncio.ensure_future(bench.until_exit("stub"))
        await bench.daemon.kill()
        with pytest.raises(TableStopped):
            await waiting
    finally:
        await bench.stop()


@pytest.mark.parametrize("given", [0, 12])
def test_a_system_without_pseudo_terminals_is_named_in_one_line(
    given: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`given`: number of pseudo-terminals that the system provides before it fails."""
    pairs = iter([os.openpty() for _ in range(given)])

    def openpty() -> tuple[int, int]:
        try:
            return next(pairs)
        except StopIteration:
            raise OSError("out of pty devices") from None

    monkeypatch.setattr(os, "openpty", openpty)
    assert main([*mock_arguments(1)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = [line for line in err.splitlines() if "seed" not in line]
    assert "no pseudo-terminal for a simulated device (out of pty devices): mount devpts at /dev/pts" in line
