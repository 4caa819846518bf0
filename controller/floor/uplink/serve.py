"""`crisscross uplink tell` and `serve`: the two processes beside the daemon, set up from a table file.

`tell` has the table's key and no network, `serve` a network and no key. On a real table they run as two
users, and `serve` opens no file of the table: it sends requests to `tell` over a Unix socket. Both end at
SIGTERM or SIGINT.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from controller.common.clock import utc_now
from controller.common.files.file_lock import AlreadyLocked, is_locked, lock
from controller.common.files.mistakes import Mistakes
from controller.common.files.openmetrics import Family
from controller.common.files.program import version
from controller.common.ipc.rpc import NoAnswer, RpcClient, RpcFailed, RpcServer, closing_client
from controller.common.ipc.unix_socket import listen
from controller.common.tlog.note import VerifierKey
from controller.floor.uplink import cursor
from controller.floor.uplink.cursor import Cursor, FileCursor
from controller.floor.uplink.journal_follower import JournalFollower, follow_journal
from controller.floor.uplink.metrics import metrics_source, of_file, served
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.on_my_way import OnMyWay
from controller.floor.uplink.outbox import Events, Outbox, OutboxError, outbox_path
from controller.floor.uplink.outbox_client import RemoteCursor, RemoteOutbox
from controller.floor.uplink.outbox_server import OutboxServer
from controller.floor.uplink.presence import Presence
from controller.floor.uplink.publisher import Publisher
from controller.floor.uplink.tls import Pem, PemFiles, context, read_pem
from controller.floor.uplink.wire import OF_PIT
from controller.settings.config import TableConfig
from controller.settings.schema import UplinkSection
from controller.table.daemon.pit_answers import show_at

log = logging.getLogger("crisscross.uplink")

PORT, TLS_PORT = 1883, 8883
_RETRY_DELAY_S = 1.0
"""Seconds between two requests for the settings while the follower does not answer."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a publisher at its start.

    `name`: the table's name at the pit. `file`: the table file, for messages about mistakes.
    """

    file: str
    name: str
    section: UplinkSection
    pem: PemFiles

    @classmethod
    def of(cls, config: TableConfig, section: UplinkSection) -> Settings:
        """Read the settings and PEM files. Raises Mistakes for a PEM file that cannot be read."""
        return cls(str(config.file), name_of(config, section), section, read_pem(config, section))

    def dumped(self) -> dict[str, Any]:
        """Return the settings as JSON data, for the publisher's process."""
        pem = {name: asdict(each) for name, each in self.pem.items()}
        section = self.section.model_dump(mode="json", exclude_unset=True)
        return {"file": self.file, "name": self.name, "section": section, "pem": pem}

    @classmethod
    def loaded(cls, found: Any) -> Settings:  # noqa: ANN401  # JSON
        pem = {name: Pem(**each) for name, each in found["pem"].items()}
        return cls(found["file"], found["name"], UplinkSection.model_validate(found["section"]), pem)


def name_of(config: TableConfig, section: UplinkSection) -> str:
    """Return the table's name at the pit, with its site if it has one. Raises Mistakes for a table of a site
    whose topics would be read as those of a pit."""
    name = section.name or config.keys.table
    if section.site is None:
        return name
    if re.fullmatch(OF_PIT, name):
        words = f"{name}: is a word of the topics; allowed: any other name of a table of a site"
        raise Mistakes([f"{config.file}: uplink.name: {words}"])
    return f"{section.site}.{name}"


# ------------------------------------------------------------------ follower


def tell(config: TableConfig, section: UplinkSection, served_at: tuple[Path, int] | None = None) -> None:
    """Follow the journal until a signal. `served_at`: a socket for the publisher, and the publisher's user.

    Raises JournalError or OutboxError if it cannot go on, Mistakes for a PEM file that cannot be read.
    """
    path = outbox_path(config.journal)
    with ExitStack() as stack:
        stack.enter_context(_held_alone(path))
        outbox = stack.enter_context(closing(Outbox(path)))
        if served_at is not None:
            stack.callback(_serve_outbox(config, section, *served_at).close)
        pits = [pit.name for pit in section.pits]
        name = name_of(config, section)
        follow_journal(JournalFollower(config.journal, config.key_folder, name, outbox, pits), _end_signal())


def _serve_outbox(config: TableConfig, section: UplinkSection, at: Path, user: int) -> RpcServer:
    settings = Settings.of(config, section).dumped()
    served = OutboxServer(
        outbox_path(config.journal), config.journal, FileCursor(cursor.cursor_path(config.journal)),
        frozenset(pit.name for pit in section.pits), lambda: settings,
    )  # fmt: skip
    try:
        server = RpcServer(listen(at), user, served.opened)
    except OSError as error:
        raise OutboxError(f"socket {at}: {error.strerror}; see /usr/lib/tmpfiles.d/crisscross.conf") from None
    server.start()
    return server


@contextmanager
def _held_alone(outbox: Path) -> Iterator[None]:
    """Lock the outbox while the block runs. The publisher sees by the lock that a follower runs."""
    try:
        handle = lock(outbox)
    except AlreadyLocked as error:
        raise OutboxError(f"outbox {outbox}: another `uplink tell` writes it; end that one first") from error
    except OSError as error:
        raise OutboxError(f"outbox {outbox}: {error}") from error
    try:
        yield
    finally:
        os.close(handle)


def is_playing(journal: Path) -> bool:
    """Return whether a daemon plays with this journal now and a follower reads it. Raises OutboxError."""
    try:
        return is_locked(journal) and is_locked(outbox_path(journal))
    except OSError as error:
        raise OutboxError(f"{error.filename}: {error.strerror}; this user has to read it") from error


# ------------------------------------------------------------------ publisher


def publish(config: TableConfig, section: UplinkSection) -> None:
    """Publish from the outbox file beside the journal, as the journal's own user. Raises Mistakes or
    OutboxError.
    """
    with closing(Outbox(outbox_path(config.journal))) as outbox:
        publisher = publisher_of(
            Settings.of(config, section), outbox,
            FileCursor(cursor.cursor_path(config.journal), outbox.root),
            lambda: is_playing(config.journal), partial(show_at, config.journal),
        )  # fmt: skip
        _run(publisher, config.file, section, of_file(publisher), _end_signal())


def publish_for(teller: Path) -> None:
    """Publish from the outbox behind the follower's socket `teller`, as any user. Raises Mistakes or
    OutboxError.
    """
    ended = _end_signal()
    with closing_client(teller) as client:
        settings = _settings(client, ended)
        if settings is None:
            return
        outbox = RemoteOutbox(client)
        publisher = publisher_of(settings, outbox, RemoteCursor(client), outbox.plays, outbox.on_my_way)
        metrics = metrics_source(publisher, lambda: nullcontext(outbox))
        _run(publisher, Path(settings.file), settings.section, metrics, ended)


def _settings(client: RpcClient, ended: threading.Event) -> Settings | None:
    """Wait until the follower answers and return the settings, or None after a signal to end.

    Raises OutboxError if the follower is of another version.
    """
    reported = False
    while not ended.is_set():
        try:
            return Settings.loaded(client.ask("settings"))
        except NoAnswer as error:
            if not reported:
                log.warning("%s; waiting for `crisscross uplink tell`", error.strerror)
            reported = True
            ended.wait(_RETRY_DELAY_S)
        except (RpcFailed, LookupError, TypeError, ValueError):
            raise OutboxError(f"{client.path}: `uplink tell` is of another version; restart both") from None
    return None


def _run(
    publisher: Publisher,
    file: Path,
    section: UplinkSection,
    families: Callable[[], list[Family]],
    ended: threading.Event,
) -> None:
    with ExitStack() as stack:
        if section.metrics_port is not None:
            _serve_metrics(file, section.metrics_port, families, stack)
        publisher.run(ended)


def _serve_metrics(file: Path, port: int, families: Callable[[], list[Family]], stack: ExitStack) -> None:
    try:
        found = stack.enter_context(served(port, families))
    except OSError as error:
        raise Mistakes(
            [f"{file}: uplink.metrics_port: {port}: {error.strerror}; allowed: a free port"]
        ) from None
    log.info("figures at http://127.0.0.1:%d/metrics", found)


def publisher_of(
    settings: Settings, outbox: Events, kept: Cursor, plays: Callable[[], bool],
    show: Callable[[str, str], bool],
) -> Publisher:  # fmt: skip
    """Return the publisher of a table. Raises Mistakes for a PEM file that cannot be used.

    `kept`: the stored cursor. `plays`: returns whether daemon and follower run. `show`: shows "on my way" of
    a pit at the table (`OnMyWay.ask`).
    """
    section = settings.section
    pits = [pit.name for pit in section.pits]
    return Publisher(
        broker_of(section, settings.pem), outbox, settings.name,
        {pit.name: VerifierKey.parse(pit.key) if pit.key else None for pit in section.pits},
        kept, section.events_a_second, f"crisscross {version()}", time.monotonic, utc_now, Presence(plays),
        OnMyWay(settings.name, pits, show), section.chips,
    )  # fmt: skip


def broker_of(section: UplinkSection, pem: PemFiles) -> Broker:
    """Return the broker. Raises Mistakes naming the PEM file that cannot be used."""
    parts = urlsplit(section.broker)
    tls = context(pem)
    return Broker(parts.hostname or "", parts.port or (TLS_PORT if tls else PORT), tls)


def _end_signal() -> threading.Event:
    ended = threading.Event()

    def stop(_number: int, _frame: object) -> None:
        ended.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return ended
