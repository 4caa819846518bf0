"""TLS (HTTPS) of a server of pages, from PEM files of a certificate that may be renewed while it runs."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path

from controller.common.http.server import ServerError
from controller.common.process.log_once import LogOnce

ALLOWED_PEM = "allowed: a PEM file with the certificate and those above it, and one with its key"
Version = tuple[int, ...]


class ServerTls:
    """Certificate and key of a server. `context`: TLS context for its connections."""

    def __init__(self, certificate: Path, key: Path, log: logging.Logger) -> None:
        """Read the files. Raises ServerError if they cannot be used."""
        self._certificate, self._key, self._faults = certificate, key, LogOnce(log)
        self._seen = self._version()
        try:
            self.context = self._read()
        except OSError as error:
            raise ServerError(self._words(error)) from None

    def renew(self) -> None:
        """Use the files for new connections if they have changed. Files that do not match are reported once,
        and the previous pair stays in use."""
        seen = self._version()
        if seen == self._seen:
            return
        try:
            self._read()  # files that do not match would remove the key from the context in use
            self.context.load_cert_chain(self._certificate, self._key)
        except OSError as error:
            self._faults.warn(f"{self._words(error)}; the pair before it stays", "tls")
            return
        self._seen = seen
        self._faults.over()

    def _read(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self._certificate, self._key)
        return context

    def _version(self) -> Version | None:
        try:
            found = [path.stat() for path in (self._certificate, self._key)]
        except OSError:
            return None
        return tuple(part for each in found for part in (each.st_ino, each.st_mtime_ns))

    def _words(self, error: OSError) -> str:
        """Return one line about an error of the operating system or of ssl."""
        why = getattr(error, "reason", None) or error.strerror or "cannot be read"
        return f"--tls-certificate, --tls-key: {self._certificate}, {self._key}: {why}; {ALLOWED_PEM}"
