"""Secrets of a service, each in a file of its own that other users may not read.

A secret is never a command-line argument, which the process list would show, nor part of a settings file,
which may be copied. A secret must never appear in a log or an error message.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_SECRET_BYTES = 4096
ALLOWED_SECRETS = "allowed: a file of one line that others may not read"


class SecretError(Exception):
    """Raised if a secret cannot be read from its file. The message is one line without the secret."""


def read_secret(path: Path) -> str:
    """Return the only line of a file. Raises SecretError if there is not exactly one line, or if other users
    may read the file."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(MAX_SECRET_BYTES + 1).decode("utf-8", "replace").removesuffix("\n")
    except OSError as error:
        raise SecretError(f"{path}: {error.strerror}; {ALLOWED_SECRETS}") from None
    if mode & stat.S_IROTH:
        raise SecretError(f"{path}: others may read it; chmod 600 {path}")
    if not text or not text.isprintable() or len(text) > MAX_SECRET_BYTES:
        raise SecretError(f"{path}: is no secret; {ALLOWED_SECRETS}")
    return text


def service_credential(name: str) -> Path | None:
    """Return the file of a credential of this service (systemd's `LoadCredential=`), or None."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    path = Path(folder, name) if folder else None
    return path if path is not None and path.exists() else None
