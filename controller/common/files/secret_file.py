"""Secrets of a service, each in a file of its own that other users may not read, and the check of
who may read or change a file on which a right depends.

A secret is never a command-line argument, which the process list would show, nor part of a settings file,
which may be copied. A secret must never appear in a log or an error message.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

MAX_SECRET_BYTES = 4096
ALLOWED_SECRETS = "allowed: a file of one line that others may not read"


class SecretError(Exception):
    """Raised if a secret cannot be read from its file. The message is one line without the secret."""


BY_OTHERS, BY_GROUP = stat.S_IROTH | stat.S_IWOTH, stat.S_IRWXG | stat.S_IRWXO
"""Rights of all other users to a file, and these with the rights of its group."""


def make_private(*paths: Path) -> None:
    """Remove other users' access to those of the files that exist. Raises OSError, with the name of the file,
    if that fails."""
    for path in paths:
        with suppress(FileNotFoundError):
            if path.stat().st_mode & BY_GROUP:
                path.chmod(0o600)


def exposure(
    path: Path | str, about: os.stat_result, mode: str = "600", refused: int = BY_OTHERS
) -> str | None:
    """Return how other users may read or change a file, with the remedy, or None if they may not. Its owner
    must be root or this process's user. `mode`: mode of the remedy; `refused`: rights that the file must not
    have."""
    if about.st_uid not in (0, os.geteuid()):
        return f"it belongs to user {about.st_uid}, who may change it; chown root {path}"
    if found := about.st_mode & refused:
        verb = "read" if found & (stat.S_IROTH | stat.S_IRGRP) else "change"
        return f"others may {verb} it; chmod {mode} {path}"
    return None


def write_new_secret(path: Path, line: str) -> None:
    """Write a secret of one ASCII line to a new file of mode 600, on stable storage on return. Raises OSError
    if the file exists or cannot be written."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(handle)


def read_secret(path: Path) -> str:
    """Return the only line of a file. Raises SecretError if there is not exactly one line, or if other users
    may read or change the file."""
    try:
        with path.open("rb") as file:
            exposed = exposure(path, os.fstat(file.fileno()))
            text = file.read(MAX_SECRET_BYTES + 1).decode("utf-8", "replace").removesuffix("\n")
    except OSError as error:
        raise SecretError(f"{path}: {error.strerror}; {ALLOWED_SECRETS}") from None
    if exposed is not None:
        raise SecretError(f"{path}: {exposed}")
    if not text or not text.isprintable() or len(text) > MAX_SECRET_BYTES:
        raise SecretError(f"{path}: is no secret; {ALLOWED_SECRETS}")
    return text


def service_credential(name: str) -> Path | None:
    """Return the file of a credential of this service (systemd's `LoadCredential=`), or None."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    path = Path(folder, name) if folder else None
    return path if path is not None and path.exists() else None
