"""An invalid message affects only its sender: the pit continues, its pages answer, and the events of every
other table are stored and acknowledged.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from controller.common.tlog.merkle import Frontier
from controller.floor.pit import ingest as intake_
from controller.floor.pit import store_writer as writer_
from controller.floor.pit.inbox import Message
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, StoredEvent, events_of, irregularities_of
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.pit.tile import Tile
from controller.floor.uplink import wire
from tests.pit.published_tables import Table, pit, played
from tests.pit.served import Served
from tests.pit.test_wire import Publisher
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.mutating import mutations, old_payloads

EVIL, STREAM = "EVIL", "eeeeeeee"
EACH = 25
READY = 200, "broker: ok\nwriter: ok\nstore: ok\naudit: ok\n"
PAGES = (
    "/", "/refused", "/api/refused", "/metrics", "/api/figures?period=year", "/figures.csv?period=year",
    "/api/figures?period=year&by=dealer", "/figures.csv?period=year&by=dealer",
    "/api/figures?period=year&by=day",
)  # fmt: skip
OF_A_TABLE = ("floor", "rounds", "rounds.csv", "api/rounds", "api/said", "api/rounds/1", "api/rounds/2")


def get_page(port: int, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def from_evil(value: Any, sequence: int) -> bytes:
    """Return the value as the next event of EVIL's stream, except for identity fields that were changed."""
    own = {"source": f"/tables/{EVIL}", "stream": STREAM, "sequence": f"{sequence:012}"}
    if isinstance(value, dict):
        value |= {key: each for key, each in own.items() if type(value.get(key)) is str and value[key]}
    return json.dumps(value).encode()


def poisoned(seed: int) -> Iterator[Any]:
    lots = random.Random(seed)
    table = Table()
    table.play(wrong=("overpaid",))
    events = [each for each in old_payloads() if b'"specversion"' in each]
    for payload in [*events, *table.payloads]:
        yield json.loads(payload)
        yield from mutations(payload, EACH, lots)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_no_changed_event_affects_other_events_or_the_pages(served: Served, seed: int) -> None:
    honest = Table("CC-01")
    refused = count = 0
    for value in poisoned(seed):
        stand = served.intake.head_of(EVIL)
        bad = Payload(EVIL, from_evil(value, (stand.upto if stand else 0) + 1))
        taken = served.intake.take([bad, Payload("CC-01", honest.add_event("phase", phase="betting"))])
        refused, count = refused + taken.refused, count + 1
        assert "CC-01" in taken.answer
    stand = served.intake.head_of("CC-01")
    assert stand is not None and stand.tree == Frontier.of([wire.leaf_of(each) for each in honest.payloads])
    evil = served.intake.head_of(EVIL)
    assert count > 1500 and refused > count // 2 and evil is not None and evil.upto > 50
    assert [key for key in served.intake._refusals._counted if key[1] in ("unexpected", "unfolded")] == []
    assert len(irregularities_of(served.intake._store._db, 9999)) < 40, "one line for each reason"
    served.do(
        lambda: served.floor.events_stored({name: (tile, 1) for name, tile in served.intake.tiles.items()})
    )
    paths = [*PAGES, *(f"/tables/{name}/{path}" for name in (EVIL, "CC-01") for path in OF_A_TABLE)]
    found = {path: get_page(served.port, path) for path in paths}
    assert {path: body[:200] for path, (status, body) in found.items() if status not in (200, 404)} == {}
    assert {path for path, (status, _) in found.items() if status == 404} <= {
        f"/tables/{name}/api/rounds/{n}" for name in (EVIL, "CC-01") for n in (1, 2)
    }
    for path, (status, body) in found.items():
        if "/api/" in path and status == 200:
            json.loads(body, parse_constant=pytest.fail)


def test_invalid_data_stored_by_an_older_pit_breaks_no_page(served: Served) -> None:
    """Commit f98257e stored a record that began with "never", and amounts that were texts or fractions."""
    table = Table("CC-01")
    table.play()
    bodies = [json.loads(each) for each in table.payloads]
    for body in bodies:
        if body["type"].endswith(".record"):
            body["data"]["record"] |= {"started": "never", "dealers": []}
        if body["type"].endswith(".bet"):
            body["data"] |= {"amount": "1000", "ms": 17.0}
    rows = [
        StoredEvent(
            "CC-01", table.stream, n, body["type"].rpartition(".")[2], body["time"], 1, json.dumps(body)
        )
        for n, body in enumerate(bodies, 1)
    ]
    served.intake._store.keep(rows, {}, {})
    served.do(lambda: served.floor.events_stored({"CC-01": (Tile(), len(rows))}))
    for path in OF_A_TABLE[:5]:
        assert get_page(served.port, f"/tables/CC-01/{path}")[0] == 200, path
    assert get_page(served.port, "/tables/CC-01/api/rounds/1")[0] in (200, 404)


def test_an_error_of_the_pit_s_own_program_affects_only_the_figures_of_one_event(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The table is acknowledged, so that it does not resend the event for ever."""
    after = intake_.after

    def failing(tile: Tile, kind: str, utc: str, data: Any) -> Tile:
        if kind == "laid":
            raise ZeroDivisionError("QH is the face")
        return after(tile, kind, utc, data)

    monkeypatch.setattr(intake_, "after", failing)
    tables = [Table("CC-01"), Table("CC-02", "22222222")]
    for table in tables:
        table.play()
        served.intake.take([Payload(table.name, each) for each in table.payloads])
    for table in tables:
        stand = served.intake.head_of(table.name)
        assert stand is not None and stand.upto == len(table.payloads)
    assert served.intake._refusals._counted == {("CC-01", "unfolded"): 1, ("CC-02", "unfolded"): 1}
    lines = [line for line in caplog.messages if "ZeroDivisionError" in line]
    assert len(lines) == 2 and "\n" not in "".join(lines) and "QH" not in caplog.text
    assert "test_one_bad_message.py:" in lines[0] and "is kept, and in no figure" in lines[0]


def test_an_error_while_reading_a_message_refuses_only_that_message(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = intake_.read_event

    def failing(payload: bytes, table: str | None = None) -> wire.Event:
        if table == EVIL:
            raise RecursionError
        return read(payload, table)

    monkeypatch.setattr(intake_, "read_event", failing)
    table = played()
    taken = served.intake.take([Payload(EVIL, b"{}"), *(Payload("CC-01", each) for each in table.payloads)])
    assert (taken.refused, len(taken.stored)) == (1, len(table.payloads))


def test_a_table_refused_with_every_message_is_logged_once_an_hour(tmp_path: Path) -> None:
    hours = iter(["2026-11-22T21"] * 800 + ["2026-11-22T22"] * 800)
    with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as store:
        table, other = Table(), Table()
        table.play()
        other.play(dealer="9999")
        intake = Intake(store, "UTC", lambda: f"{next(hours)}:00:00.000Z", {})
        intake.take([Payload("CC-01", each) for each in table.payloads])
        for _ in range(6):
            intake.take([Payload("CC-01", each) for each in other.payloads])
        assert [each.kind for each in irregularities_of(store._db, 999)] == ["other"]
        assert intake._refusals._counted["CC-01", "other"] > 6


@pytest.mark.parametrize("leaf", ["state", "felt"])
def test_no_changed_state_or_felt_sends_invalid_data_to_a_page(tmp_path: Path, leaf: str) -> None:
    updates: list[Any] = []
    opened = Store(open_database(str(tmp_path / "pit.db"), writing=True))
    writer = StoreWriter(pit(), lambda: opened, lambda _have: None, updates.append)
    table, lots = Table(EVIL, STREAM), random.Random(5)
    payloads = [each for each in old_payloads() if b'"felt"' in each] if leaf == "felt" else [table.state()]
    count = 0
    for payload in payloads:
        for value in mutations(payload.replace(b'"CC-01"', b'"EVIL"'), 400, lots):
            count += 1
            writer._work([Message(wire.topic(EVIL, leaf), json.dumps(value).encode())])
    assert writer.counts.refused > count // 2
    assert not any(reason == "unexpected" for _, reason in writer.counts.by_reason)
    for each in updates:
        json.dumps(each.model_dump(mode="json"), allow_nan=False).encode()
    opened.close()


def test_a_failed_writing_thread_ends_the_service_with_a_log_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended: list[bool] = []
    opened = Store(open_database(str(tmp_path / "pit.db"), writing=True))
    writer = StoreWriter(
        pit(), lambda: opened, lambda _have: None, lambda _told: None, lambda: ended.append(True)
    )
    monkeypatch.setattr(StoreWriter, "_age", lambda _writer: 1 // 0)
    writer.start()
    assert not any(writer.faults().values())
    writer.receive(Message(wire.topic("CC-01", "state"), Table().state()))
    soon(lambda: writer.faults() == {"writer": "its thread has ended", "store": ""})
    assert ended == [True]
    assert "ZeroDivisionError" in caplog.text and "Traceback" not in caplog.text
    writer.stop()


# ------------------------------------------------------------------ the process


class Process:
    """`crisscross pit` on a real broker. `errors`: its standard error."""

    def __init__(self, folder: Path, broker: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.folder, self._log = folder, (folder / "pit.log").open("wb")
        command = [
            sys.executable, "-m", "controller", "pit", "--broker", f"mqtt://127.0.0.1:{broker}", "--store",
            str(folder / "pit.db"), "--listen", f"127.0.0.1:{self.port}", "--zone", "UTC",
        ]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=self._log, stderr=self._log, env={**os.environ})

    def readyz(self) -> tuple[int, str]:
        with suppress(OSError):
            return get_page(self.port, "/readyz")
        return 0, ""

    @property
    def errors(self) -> str:
        return (self.folder / "pit.log").read_text()

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self._log.close()


def peak_kb(process: int) -> int:
    """Return the peak memory use of a process in kB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


@contextmanager
def running(folder: Path) -> Iterator[tuple[Process, Mosquitto]]:
    with closing(Mosquitto(folder)) as broker, closing(Process(folder, broker.port)) as process:
        soon(lambda: process.readyz() == READY, "the pit does not come up")
        yield process, broker


def poison() -> dict[str, tuple[bytes, str]]:
    """Return the messages that stopped the pit of commit f98257e for all tables, each with the reason for
    which it is refused now."""
    table = Table(EVIL, STREAM)
    record, phase = (table.add_event(kind, **facts) for kind, facts in (
        ("record", {"record": table.record("NEW")}), ("phase", {"phase": "betting"}),
    ))  # fmt: skip
    first = re.sub(rb'"sequence":"0*2"', b'"sequence":"000000000001"', phase)
    dealt = re.sub(rb'"dealers":\[[^]]*\]', b'"dealers":[]', record)
    subject = first.replace(b"round/1", b"round/" + b"9" * 5000)
    number = first.replace(b'"ms":2000', b'"ms":' + b"9" * 5000)
    text = first.replace(b'"ms":2000', b'"ms":"2000"')
    return {
        "dealers": (dealt, "contradiction"), "subject": (subject, "form"), "digits": (number, "json"),
        "ms": (text, "form"),
    }  # fmt: skip


@pytest.mark.serial
def test_a_pit_continues_after_messages_that_stopped_an_older_one(tmp_path: Path) -> None:
    evil, honest = Table(EVIL, STREAM), Table("CC-02", "22222222")
    honest.play()
    with running(tmp_path) as (process, broker):
        with closing(Publisher(broker.port, evil)) as bad:
            bad.begin()
            for payload, _ in poison().values():
                bad.publish(payload, payload)
            counted = f'crisscross_pit_refused_total{{table="{EVIL}",reason="form"}} 4'
            soon(lambda: counted in get_page(process.port, "/metrics")[1])
        with closing(Publisher(broker.port, honest)) as good:
            good.begin()
            good.publish(*honest.payloads)
            soon(lambda: good.has(len(honest.payloads)), "the honest table is not answered")
        assert process.readyz() == READY
        metrics = get_page(process.port, "/metrics")[1]
        for reason in ("contradiction", "json"):
            assert f'refused_total{{table="{EVIL}",reason="{reason}"}} 2' in metrics
        for path in (*PAGES, *(f"/tables/CC-02/{path}" for path in OF_A_TABLE[:6])):
            assert get_page(process.port, path)[0] == 200, path
        broker.kill()
        soon(lambda: process.readyz() == (503, "broker: no connection\nwriter: ok\nstore: ok\naudit: ok\n"))
        assert get_page(process.port, "/healthz") == (200, "ok\n"), "a restart would not help"
    assert process.process.returncode == 0
    assert "Traceback" not in process.errors
    assert 1 <= process.errors.count(f"table {EVIL}:") <= 3, "one line for each reason at most"
    with closing(open_database(str(tmp_path / "pit.db"), writing=False)) as database:
        kept = [each.body.encode() for each in events_of(database, "CC-02", honest.stream)]
        assert (kept, events_of(database, EVIL, STREAM)) == (honest.payloads, [])
        assert {each.kind for each in irregularities_of(database, 99)} == {"form", "json", "contradiction"}


@pytest.mark.serial
def test_a_flooding_client_fills_no_memory_and_delays_no_other_table(
    tmp_path: Path,
) -> None:
    """The pit of commit f98257e grew by 24 MiB a second, and so by 0.7 GB in 30 s."""
    honest, large = Table("CC-02", "22222222"), b"x" * (wire.MAX_PAYLOAD_BYTES - 100)
    honest.play()
    with running(tmp_path) as (process, broker), closing(Publisher(broker.port, Table(EVIL, STREAM))) as bad:
        before = peak_kb(process.process.pid)
        bad.publish(*[large] * 400)
        with closing(Publisher(broker.port, honest)) as good:
            soon(lambda: get_page(process.port, "/metrics")[1].count(EVIL) > 0)

            def answered() -> bool:
                """Return whether the table has its answer. If not, resend its events, as a table does."""
                good.publish(*honest.payloads)
                return good.has(len(honest.payloads))

            soon(answered, "the honest table is not answered")
        grown = peak_kb(process.process.pid) - before
        assert grown < 40_000, "what waits of one table is bounded by 4 MiB"


def test_a_batch_that_no_store_accepts_costs_the_others_one_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.01)
    keep = Store.keep

    def failing(store: Store, events: list[StoredEvent], *rest: Any) -> None:
        if any(each.table == EVIL for each in events):
            raise writer_.StoreError("store pit.db: a number is out of range")
        keep(store, events, *rest)

    monkeypatch.setattr(Store, "keep", failing)
    answered: list[tuple[str, int]] = []
    path = str(tmp_path / "pit.db")
    writer = StoreWriter(
        pit(), lambda: Store(open_database(path, writing=True)),
        lambda have: answered.append((have.table, have.upto)), lambda _told: None,
    )  # fmt: skip
    evil, honest = Table(EVIL, STREAM), Table("CC-02", "22222222")
    for table in (evil, honest):
        table.play()
    mixed = [(t.topic, each) for pair in zip(evil.payloads, honest.payloads, strict=True)
             for t, each in zip((evil, honest), pair, strict=True)]  # fmt: skip
    writer.start()

    def sent() -> bool:
        """Return whether the honest table has its answer; otherwise both resend, as tables do."""
        for topic, payload in mixed:
            writer.receive(Message(topic, payload))
        return ("CC-02", len(honest.payloads)) in answered

    soon(sent)
    writer.stop()
    assert writer.counts.failures > 0
