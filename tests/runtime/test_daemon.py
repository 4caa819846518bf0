"""A daemon, observed from outside, starts, resumes after a stop, and reports in one line why it cannot
start."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.record.journal.files import reading
from controller.record.journal.journal import Journal
from tests.runtime.child import USER, Child, run_arguments, started, table_file
from tests.runtime.refusals import Refusals

pytestmark = pytest.mark.serial


@asynccontextmanager
async def with_daemon(folder: Path, **keys: Any) -> AsyncIterator[Child]:
    """Start the daemon and yield it; stop it as systemd would."""
    async with started(folder, run_arguments(table_file(folder, **keys))) as child:
        await child.ready()
        yield child
        assert await child.end() == 0, await child.words()


@pytest.fixture(scope="module")
def refusals() -> Iterator[Refusals]:
    started = Refusals()
    yield started
    started.stop()


# ---------------------------------------------------------------------- four runs of one table


BY_HAND = {"screen": 90, "lamps": 40, "sound": True}


@dataclass
class Runs:
    """Outputs of four runs of one table. The first run is killed and the others are stopped. The third has a
    higher minimum, and the fourth a damaged file of brightness and sound."""

    views: list[dict[str, Any]] = field(default_factory=list)
    """View of each run before its touches."""
    refused: list[tuple[int, Any]] = field(default_factory=list)
    accepted: list[tuple[int, Any]] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    """Kinds of the journal's rows after the refused touches."""
    control: list[Path] = field(default_factory=list)
    modes: dict[str, tuple[bool, int]] = field(default_factory=dict)
    """State of each file of the journal after the second run, by name: whether it is a folder, and its
    mode."""
    packs: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return asyncio.run(_run(tmp_path_factory.mktemp("runs")))


async def _run(folder: Path) -> Runs:
    found = Runs()
    async with started(folder, run_arguments(table_file(folder))) as child:
        await child.ready()
        found.views.append(await child.get("/api/view"))
        prompt = found.views[0]["prompt"]["id"]
        for key, about in (("confirm", prompt), ("confirm", "1/push/3"), ("sing", None)):
            about_prompt = {} if about is None else {"prompt": about}
            found.refused.append(await child.touch(do="press", key=key, **about_prompt))
        with reading(folder / "journal.db") as db:
            found.kinds = {kind for (kind,) in db.execute("SELECT kind FROM events")}
        found.accepted.append(await child.touch(do="sign_on", number="D7"))
        await child.kill()
    async with with_daemon(folder) as child:
        found.views.append(await child.get("/api/view"))
        found.accepted.append(await child.ask("POST", "/api/touch", json.dumps({"do": "room", **BY_HAND})))
        found.control = list(folder.glob("control*"))
    found.modes = {
        each.name: (each.is_dir(), stat.S_IMODE(each.stat().st_mode)) for each in folder.glob("journal*")
    }
    async with with_daemon(folder, minimum_ante=15) as child:
        found.views.append(await child.get("/api/view"))
    journal = Journal(folder / "journal.db")
    found.packs = [json.loads(each.pack) for each in journal.settings()]
    journal.close()
    [file] = folder.glob("*.room")
    file.write_bytes(file.read_bytes()[:20])
    async with with_daemon(folder) as child:
        found.views.append(await child.get("/api/view"))
    return found


def test_the_daemon_serves_its_table(runs: Runs) -> None:
    assert runs.views[0]["table"] == "T-1"


def test_a_refused_touch_gets_a_text_and_is_not_written(runs: Runs) -> None:
    (no_dealer, first), (stale, second), (unknown, third) = runs.refused
    assert (no_dealer, first["code"]) == (409, "no_dealer")
    assert (stale, second["code"]) == (409, "stale")
    assert first["refused"] and second["refused"]
    assert (unknown, list(third)) == (400, ["error"])
    assert "Started" in runs.kinds and runs.kinds <= {"Started", "ShoeLinkLost"}


def test_the_state_is_restored_after_a_kill_and_after_a_stop(runs: Runs) -> None:
    assert runs.accepted[0] == (200, {"ok": True})
    assert [view["dealer"] for view in runs.views] == [None, "D7", "D7", "D7"]


def test_brightness_and_sound_set_by_hand_survive_a_restart_but_not_a_damaged_file(runs: Runs) -> None:
    default = {"screen": 100, "lamps": 100, "sound": False}
    assert runs.accepted[1] == (200, {"ok": True})
    assert [view["room"] for view in runs.views] == [default, default, BY_HAND, default]


def test_the_files_of_the_daemon_are_private(runs: Runs) -> None:
    assert set(runs.modes.values()) == {(True, 0o700), (False, 0o600)}, runs.modes


def test_changed_limits_do_not_affect_rounds_played_before(runs: Runs) -> None:
    assert [view["limits"]["minimum_ante"] for view in runs.views] == [500, 500, 1500, 500]
    assert [pack["minimum_ante"] for pack in runs.packs] == [500, 1500]


def test_a_real_table_has_no_control_socket(runs: Runs) -> None:
    assert runs.control == []


# ---------------------------------------------------------------------- other runs


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_either_signal_ends_the_daemon_while_a_page_is_open(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        reader, writer = await asyncio.open_connection("127.0.0.1", child.port)
        writer.write(f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{child.port}\r\n\r\n".encode())
        await reader.readuntil(b"data:")
        child.process.send_signal(number)
        assert await child.ended() == 0
        assert f"display: http://127.0.0.1:{child.port}/" in await child.words()
        writer.close()


async def test_a_screen_of_another_user_is_not_answered(tmp_path: Path) -> None:
    display = {"port": 0, "port_file": "port", "user": "nobody"}
    async with with_daemon(tmp_path, display=display) as child:
        for verb, path in (("GET", "/api/view"), ("POST", "/api/touch"), ("GET", "/")):
            status, answer = await child.ask(verb, path)
            assert (status, list(answer)) == (401, ["error"])


# ---------------------------------------------------------------------- the control socket of a mock table


async def test_the_clock_of_a_mock_table_can_be_set(tmp_path: Path) -> None:
    async with with_daemon(tmp_path, mock={"control": "control"}) as child:
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "control"))

        async def ask(line: bytes) -> dict[str, Any]:
            writer.write(line + b"\n")
            answer: dict[str, Any] = json.loads(await reader.readline())
            return answer

        assert await ask(b'{"clock": {"forward_ms": 14100000}}') == {"ok": True}
        assert await ask(b'{"clock": {"utc_ms": -3600000}}') == {"ok": True}
        for wrong in (
            b"",
            b"x",
            b"[]",
            b'{"clock": {}}',
            b'{"clock": {"forward_ms": -1}}',
            b'{"clock": {"forward_ms": 1.5}}',
        ):
            assert "allowed" in (await ask(wrong))["error"]
        writer.close()
        await child.until(lambda view: "clock_fault" in str(view["alerts"]))
        await child.touch(do="sign_on", number="D7")
    assert stat.S_IMODE((tmp_path).stat().st_mode)
    journal = Journal(tmp_path / "journal.db")
    stamp = journal.last_stamp()
    journal.close()
    assert stamp is not None
    assert stamp.ms > 14_100_000


# ---------------------------------------------------------------------- refused starts


def test_every_mistake_in_the_table_file_gives_a_line_and_status_2(
    tmp_path: Path, refusals: Refusals
) -> None:
    file = table_file(tmp_path, tabel="x", rules="nevada", display={"port": "8080"})
    status, lines = refusals.start(file)
    assert status == 2
    assert len(lines) == 3
    assert all(line.startswith(f"{file}:") for line in lines)


def test_an_occupied_port_is_reported(tmp_path: Path, refusals: Refusals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, lines = refusals.start(table_file(tmp_path, display={"port": port}))
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith(f"display: 127.0.0.1 port {port}: Address already in use; ")


def test_a_journal_locked_by_another_daemon_is_reported(tmp_path: Path, refusals: Refusals) -> None:
    journal = Journal(tmp_path / "journal.db")
    status, lines = refusals.start(table_file(tmp_path))
    journal.close()
    assert (status, len(lines)) == (1, 1)
    assert "another daemon holds it" in lines[0]


def test_a_file_that_is_not_a_journal_is_reported(tmp_path: Path, refusals: Refusals) -> None:
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    status, lines = refusals.start(table_file(tmp_path))
    assert (status, len(lines)) == (2, 1)
    assert "not an SQLite database" in lines[0]


async def test_a_forged_row_stops_the_start(tmp_path: Path, refusals: Refusals) -> None:
    async with with_daemon(tmp_path) as child:
        await child.get("/api/view")
    db = sqlite3.connect(tmp_path / "journal.db")
    db.execute(
        "INSERT INTO events SELECT max(seq) + 1, max(ms), max(utc), 'CardFlew', '{}', NULL FROM events"
    )
    db.commit()
    db.close()
    status, lines = refusals.start(table_file(tmp_path))
    assert (status, len(lines)) == (2, 1)
    assert "row 2 was not written by the table" in lines[0]


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))
"""


@pytest.mark.parametrize("room", [0, 512, 4096, 20_000])
def test_a_full_disk_at_the_start_is_reported(tmp_path: Path, refusals: Refusals, room: int) -> None:
    """No file can grow beyond `room` bytes, which SQLite reports as a full disk."""
    status, lines = refusals.start(table_file(tmp_path), before=FULL.format(room))
    assert (status, len(lines)) == (1, 1), lines
    assert lines[0].startswith(f"journal {tmp_path / 'journal.db'}: ")


async def test_the_daemon_starts_when_there_is_room_again(tmp_path: Path, refusals: Refusals) -> None:
    refusals.start(table_file(tmp_path), before=FULL.format(20_000))
    async with with_daemon(tmp_path) as child:
        await child.get("/api/view")


def test_unavailable_pins_are_reported(tmp_path: Path, refusals: Refusals) -> None:
    file = table_file(tmp_path, pins={"factory": "sim", "socket": "nobody.sock"})
    status, lines = refusals.start(file)
    assert (status, len(lines)) == (1, 1), lines
    assert "pin factory sim" in lines[0]


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("display.port_file", {"display": {"port": 0, "port_file": "nowhere/port", "user": USER}}),
        ("mock.control", {"mock": {"control": "nowhere/control"}}),
    ],
)
def test_an_unwritable_path_is_reported(
    tmp_path: Path, refusals: Refusals, key: str, keys: dict[str, Any]
) -> None:
    status, lines = refusals.start(table_file(tmp_path, **keys))
    assert (status, len(lines)) == (1, 1), lines
    assert lines[0].startswith(f"{key}: {tmp_path}/nowhere/")
    assert lines[0].endswith("cannot be written: No such file or directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_is_reported(tmp_path: Path, refusals: Refusals) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    status, lines = refusals.start(table_file(tmp_path, journal="locked/journal.db"))
    assert (status, len(lines)) == (1, 1), lines
