"""The pit as a service: `crisscross pit`, until SIGTERM or SIGINT.

The broker connection, the writing thread and the pages share queues and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from controller.common.clock import SystemClock, posix_now, utc_now
from controller.common.files.zones import machine_zone
from controller.common.http.admitted import LOOPBACK_HOSTS
from controller.common.http.log_rate_limit import rate_limit
from controller.common.http.server import PageServer, address, open_socket
from controller.common.notify.settings import Receiver, read_receivers
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.pit.access.noted_users import as_text, changed_since, noted
from controller.floor.pit.access.options import AccessOptions, OpenAccess, open_access
from controller.floor.pit.app import make_app
from controller.floor.pit.audit.recorder import Recorder
from controller.floor.pit.audit.trail import login
from controller.floor.pit.chip_copies import Copy
from controller.floor.pit.expected_win import Known, shipped_odds
from controller.floor.pit.figures import Shifts
from controller.floor.pit.floor import PitFloor, Streams, UnacceptedStream
from controller.floor.pit.mqtt_subscriber import MqttSubscriber
from controller.floor.pit.notify.notifier import Notifier
from controller.floor.pit.notify.watch import NotifyReason, Reasons
from controller.floor.pit.opening import open_database
from controller.floor.pit.pages import PageSources
from controller.floor.pit.store import Store
from controller.floor.pit.store_writer import FloorUpdate, Pit, StoreWriter
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.wire import Felt, Have, OnTheWay, State

log = logging.getLogger("crisscross.pit")
CHECK_INTERVAL_S = 2.0
Checks: TypeAlias = tuple[Callable[[], None], ...]


@dataclass(frozen=True, slots=True)
class PitOptions:
    """Settings of a pit's service, from the command line."""

    broker: Broker
    store: str
    name: str = "pit-1"
    key: SigningKey | None = None
    host: str = "127.0.0.1"
    port: int = 8090
    names: tuple[str, ...] = ()
    """Host names under which the pages may be requested, in addition to this machine's own."""
    zone: str = ""
    shifts: Shifts = field(default_factory=Shifts)
    language: str = "en"
    packs: Known = field(default_factory=shipped_odds)
    """Rule packs whose expected win can be computed for the figures."""
    days: int | None = None
    """Retention of events in days; None for ever."""
    archive: Path | None = None
    """Folder into which events are written before they are dropped; None without an archive."""
    access: AccessOptions = field(default_factory=AccessOptions)
    notify: Path | None = None
    """File with the webhooks and the mail to notify; None for no notifications."""


class Ended(Exception):
    """Raised if the service ends without a signal, because of a fault. The message is one line."""


def serve(options: PitOptions) -> None:
    """Run the pit until SIGTERM or SIGINT.

    Raises StoreError, ServerError, BrokerError or Mistakes if the start fails, and Ended if events can no
    longer be written.
    """
    rate_limit("uvicorn.error", "asyncio", "crisscross.pit")
    asyncio.run(_serve(options))


async def _serve(options: PitOptions) -> None:
    clock = SystemClock(None)
    recorder = Recorder(utc_now, clock.seconds)
    opened = open_access(options.access, clock.seconds, log, recorder.record)
    receivers = read_receivers(options.notify, options.language, posix_now) if options.notify else []
    with closing(open_socket(options.host, options.port, "--listen")) as sock:
        await _run(options, opened, recorder, receivers, sock, clock)


async def _run(
    options: PitOptions, opened: OpenAccess, recorder: Recorder, receivers: Sequence[Receiver],
    sock: socket.socket, clock: SystemClock,
) -> None:  # fmt: skip
    """Run all parts of the pit until a signal, or until the writing thread has ended."""
    failed, loop, zone = asyncio.Event(), asyncio.get_running_loop(), _zone(options)

    def show(update: FloorUpdate) -> None:
        loop.call_soon_threadsafe(_show, floor, update)

    def answer(have: Have) -> None:
        line.answer(have)

    def ended() -> None:
        loop.call_soon_threadsafe(failed.set)

    def faults() -> dict[str, str]:
        fault = line.faults(floor.names(), is_expected=floor.is_expected())
        return fault | writer.faults() | recorder.faults()

    def reasons() -> Reasons:
        return {**floor.reasons(), **_own_faults(faults())}

    writer = StoreWriter(_pit(options, zone, clock), lambda: _open(options.store), answer, show, ended)
    line = MqttSubscriber(options.broker, options.name, writer.receive, writer.on_connected)
    floor = PitFloor(clock.seconds, lambda: float(posix_now()), options.name, line.on_my_way)
    floor.begin(writer.tiles())
    shown = PageSources(
        floor, writer.open_reader, writer.counts, zone, options.shifts, utc_now, posix_now, options.language,
        faults, writer.waiting, options.days,
    )  # fmt: skip
    server = _page_server(options, opened, shown, sock)
    notifier = Notifier(options.name, receivers, reasons, utc_now, clock.seconds, writer.counts.notified)
    await server.start()
    for part in (writer, notifier):
        part.start()
    _report_start(options, opened, recorder, writer, sock)
    line.connect_later()
    checks = (floor.check_connections, lambda: floor.show_faults(faults()), opened.renew, notifier.check)
    await _until_ended(checks, failed, line, writer, server, (recorder, notifier))


def _page_server(
    options: PitOptions, opened: OpenAccess, shown: PageSources, sock: socket.socket
) -> PageServer:
    app = make_app(shown, (*LOOPBACK_HOSTS, *options.names), opened.access)
    return PageServer(app, sock, app.state.close, tls=opened.context)


def _pit(options: PitOptions, zone: str, clock: SystemClock) -> Pit:
    return Pit(
        options.name, zone, options.key, utc_now, posix_now, clock.seconds, options.packs, options.days,
        options.archive,
    )  # fmt: skip


def _zone(options: PitOptions) -> str:
    with closing(_open(options.store)) as store:
        return store.clock(options.zone, machine_zone())


def _own_faults(faults: Mapping[str, str]) -> Reasons:
    """Return the faults of the pit's own parts as one reason to notify; {} without a fault."""
    parts = tuple(part for part, fault in faults.items() if fault)
    return {("", "fault"): NotifyReason(utc_now(), parts, frozenset(parts))} if parts else {}


def _report_start(
    options: PitOptions, opened: OpenAccess, recorder: Recorder, writer: StoreWriter, sock: socket.socket
) -> None:
    """Record the start with its settings and users, and log the address of the pages. Raises StoreError."""
    recorder.start(writer.open_reader)
    recorder.record(login(), "", "start", _settings(options))
    _record_users(options, opened, recorder, writer)
    log.info("%s", _first_line(options, address(sock, opened.scheme), opened.known), extra={"event": "ready"})


def _record_users(options: PitOptions, opened: OpenAccess, recorder: Recorder, writer: StoreWriter) -> None:
    """Record the users, and each change since the last start. Raises StoreError."""
    if opened.access.is_open:
        return
    users = noted(opened.access.users())
    with closing(writer.open_reader()) as database:
        found = changed_since(database, users)
    for words in found:
        recorder.record(f"file:{options.access.users}", "", "user_changed", words)
    recorder.record(login(), "", "users", as_text(users))


def _first_line(options: PitOptions, at: str, known: str) -> str:
    signs = f", signs as {options.key.verifier(COSIGNATURE).text()}" if options.key else ""
    return f"pit {options.name}: pages at {at}; {known}{signs}"


def _settings(options: PitOptions) -> str:
    """Return the settings that matter to an audit, without secrets."""
    days = "for ever" if options.days is None else f"{options.days} days"
    users, pages = options.access.users or "none", f"{options.host}:{options.port}"
    notify, archive = options.notify or "none", options.archive or "none"
    kept = f"events kept {days}, archive {archive}"
    return f"pit {options.name}, pages {pages}, users {users}, notify {notify}, {kept}"


def _open(url: str) -> Store:
    return Store(open_database(url, writing=True))


def _show(floor: PitFloor, update: FloorUpdate) -> None:
    if isinstance(update, Streams):
        floor.streams(update)
    elif isinstance(update, UnacceptedStream):
        floor.show_unaccepted(update)
    elif isinstance(update, State):
        floor.state(update)
    elif isinstance(update, Felt):
        floor.felt(update)
    elif isinstance(update, OnTheWay):
        floor.on_the_way(update)
    elif isinstance(update, Copy):
        floor.copied(update)
    else:
        floor.events_stored(update)


async def _until_ended(
    checks: Checks, failed: asyncio.Event, line: MqttSubscriber, writer: StoreWriter, server: PageServer,
    queues: Sequence[Recorder | Notifier],
) -> None:  # fmt: skip
    """Wait for a signal or `failed`, then stop the parts in the order of their dependencies. Raises Ended
    after `failed`."""
    try:
        await _first(_until_signal(checks), failed.wait())
    finally:
        await asyncio.to_thread(line.close)
        await asyncio.to_thread(writer.stop)
        await server.stop()
        for queue in queues:
            await asyncio.to_thread(queue.stop)
    if failed.is_set():
        raise Ended("the writing thread has ended; the service has to be started again")


async def _first(*ends: Coroutine[Any, Any, object]) -> None:
    """Wait until one of the coroutines ends, cancel the others, and raise its exception if it has one."""
    tasks = [asyncio.create_task(each) for each in ends]
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    for task in done:
        task.result()


async def _until_signal(checks: Checks) -> None:
    """Wait for SIGTERM or SIGINT, calling `checks` every CHECK_INTERVAL_S."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    while not stopping.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_INTERVAL_S):
                await stopping.wait()
        for check in checks:
            check()
