"""TLS (certificates) for the connection to the broker, from PEM texts, so that the process with a network
need not open the table's files.

OpenSSL reads a certificate and its key only from files, so each text is put into a file in memory
(memfd_create(2)).
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.settings.config import TableConfig
from controller.settings.schema import UplinkSection

ALLOWED_FILES = "allowed: a PEM file that this user may read, the certificate's with its key"


@dataclass(frozen=True, slots=True)
class Pem:
    """One PEM file in memory. `text`: its content; `place`: table file and key that name it, for messages
    about mistakes."""

    place: str
    text: str


PemFiles = dict[str, Pem]
"""PEM files by their keys in the table file: ca, certificate, key."""


def read_pem(config: TableConfig, section: UplinkSection) -> PemFiles:
    """Return the files that the section names; none if the broker is on this machine. Raises Mistakes."""
    if not section.broker.startswith("mqtts:"):
        return {}
    found = {}
    for name, file in (("ca", section.ca), ("certificate", section.certificate), ("key", section.key)):
        path = config.path(str(file))
        place = f"{config.file}: uplink.{name}: {path}"
        try:
            found[name] = Pem(place, path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise Mistakes([f"{place}: {error.strerror}; {ALLOWED_FILES}"]) from None
    return found


def context(files: PemFiles) -> ssl.SSLContext | None:
    """Return a client's context with these files, or None without any. Raises Mistakes."""
    if not files:
        return None
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    with _in_memory(files["ca"]) as ca:
        _use(files["ca"], lambda: made.load_verify_locations(ca))
    with _in_memory(files["certificate"]) as certificate, _in_memory(files["key"]) as key:
        _use(files["certificate"], lambda: made.load_cert_chain(certificate, key))
    return made


@contextmanager
def _in_memory(pem: Pem) -> Iterator[Path]:
    handle = os.memfd_create("pem")
    try:
        with open(handle, "w", encoding="utf-8", closefd=False) as file:  # `handle` is a file descriptor
            file.write(pem.text)
        yield Path(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)


def _use(pem: Pem, load: Callable[[], None]) -> None:
    try:
        load()
    except ssl.SSLError as error:
        raise Mistakes([f"{pem.place}: {error.reason or 'no PEM file'}; {ALLOWED_FILES}"]) from None
    except OSError as error:
        raise Mistakes([f"{pem.place}: {error.strerror}; {ALLOWED_FILES}"]) from None
