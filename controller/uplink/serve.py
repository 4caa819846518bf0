"""`crisscross uplink tell` and `serve`: the two processes beside the daemon, made of a table file.

`tell` has the table's key and no network, `serve` a network and no key. Both end at SIGTERM or SIGINT.
"""

from __future__ import annotations

import logging
import os
import signal
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from controller.files.held import HeldByAnother, hold, is_held
from controller.files.mistakes import Mistakes
from controller.files.program import version
from controller.runtime.clock import utc_now
from controller.seal.note import VerifierKey
from controller.settings.config import TableConfig
from controller.settings.schema import UplinkSection
from controller.uplink import cursor
from controller.uplink.line import Broker
from controller.uplink.metrics import figures, served
from controller.uplink.outbox import Outbox, OutboxError, beside
from controller.uplink.presence import Presence
from controller.uplink.speaking import Speaker
from controller.uplink.teller import Teller, follow

log = logging.getLogger("crisscross.uplink")

PORT, TLS_PORT = 1883, 8883


def name_of(config: TableConfig, section: UplinkSection) -> str:
    """What the pit calls this table."""
    return section.name or config.keys.table


def tell(config: TableConfig, section: UplinkSection) -> None:
    """JournalError, OutboxError where it cannot go on."""
    path = beside(config.journal)
    with _held_alone(path), closing(Outbox(path)) as outbox:
        follow(Teller(config.journal, config.key_folder, name_of(config, section), outbox), _asked_to_end())


@contextmanager
def _held_alone(outbox: Path) -> Iterator[None]:
    """The speaker sees by it that a teller lives."""
    try:
        handle = hold(outbox)
    except HeldByAnother as error:
        raise OutboxError(f"outbox {outbox}: another teller writes it; end that one first") from error
    except OSError as error:
        raise OutboxError(f"outbox {outbox}: {error}") from error
    try:
        yield
    finally:
        os.close(handle)


def is_told(journal: Path) -> bool:
    """Whether a daemon plays by this journal now and a teller follows it. OutboxError."""
    try:
        return is_held(journal) and is_held(beside(journal))
    except OSError as error:
        raise OutboxError(f"{error.filename}: {error.strerror}; this user has to read it") from error


def speak(config: TableConfig, section: UplinkSection) -> None:
    """Mistakes, OutboxError."""
    with ExitStack() as stack:
        outbox = stack.enter_context(closing(Outbox(beside(config.journal))))
        speaker = speaker_of(config, section, outbox)
        if section.metrics_port is not None:
            _serve_metrics(config, section.metrics_port, speaker, stack)
        speaker.run(_asked_to_end())


def _serve_metrics(config: TableConfig, port: int, speaker: Speaker, stack: ExitStack) -> None:
    try:
        found = stack.enter_context(served(port, figures(speaker)))
    except OSError as error:
        words = f"{config.file}: uplink.metrics_port: {port}: {error.strerror}; allowed: a free port"
        raise Mistakes([words]) from None
    log.info("figures at http://127.0.0.1:%d/metrics", found)


def speaker_of(config: TableConfig, section: UplinkSection, outbox: Outbox) -> Speaker:
    return Speaker(
        broker_of(config, section), outbox, name_of(config, section),
        {pit.name: VerifierKey.parse(pit.key) if pit.key else None for pit in section.pits},
        cursor.beside(config.journal), section.events_a_second, f"crisscross {version()}", time.monotonic,
        utc_now, Presence(lambda: is_told(config.journal)),
    )  # fmt: skip


def broker_of(config: TableConfig, section: UplinkSection) -> Broker:
    """Mistakes name the file that cannot be used."""
    parts = urlsplit(section.broker)
    tls = _tls(config, section) if parts.scheme == "mqtts" else None
    return Broker(parts.hostname or "", parts.port or (TLS_PORT if tls else PORT), tls)


def _tls(config: TableConfig, section: UplinkSection) -> ssl.SSLContext:
    ca, certificate, key = (config.path(str(each)) for each in (section.ca, section.certificate, section.key))
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    _use(config, "ca", ca, lambda: made.load_verify_locations(ca))
    _use(config, "certificate", certificate, lambda: made.load_cert_chain(certificate, key))
    return made


def _use(config: TableConfig, name: str, file: Path, load: Callable[[], None]) -> None:
    allowed = "allowed: a PEM file that this user may read, the certificate's with its key"
    try:
        load()
    except ssl.SSLError as error:
        words = error.reason or "no PEM file"
        raise Mistakes([f"{config.file}: uplink.{name}: {file}: {words}; {allowed}"]) from None
    except OSError as error:
        raise Mistakes([f"{config.file}: uplink.{name}: {file}: {error.strerror}; {allowed}"]) from None


def _asked_to_end() -> threading.Event:
    ended = threading.Event()

    def stop(_number: int, _frame: object) -> None:
        ended.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return ended
