"""File in which the keys of a pairing are stored: this end's secret key and the other end's public key,
readable by the daemon's user only.

The file must never be readable by others or partly written, and no message quotes a key.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from drivers.shoe.handshake import Paired, from_base64, public_key, to_base64
from drivers.shoe.protection import NotAuthentic

MODE: Final = 0o600


class KeysError(Exception):
    """Raised for an unusable key file. The message is one line: the file, the fault, the remedy."""


def read_keys(path: Path) -> Paired:
    """Read the keys of a pairing. Raises KeysError if the file cannot be used."""
    try:
        about = path.stat()
        if about.st_uid not in (0, os.geteuid()):
            raise KeysError(f"{path}: belongs to user {about.st_uid}; allowed: chown root {path}")
        if about.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise KeysError(f"{path}: others may read the shoe's keys; allowed: chmod 600 {path}")
        found = json.loads(path.read_text(encoding="ascii"))
        paired = Paired(from_base64(found["own"]), from_base64(found["other"]))
        (
            public_key(paired.own),
            X25519PublicKey.from_public_bytes(paired.other),
        )  # ValueError for a wrong length
    except FileNotFoundError:
        raise KeysError(f"{path}: no shoe is paired; run crisscross shoe pair with the table file") from None
    except OSError as error:
        raise KeysError(f"{path}: {error.strerror or error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, NotAuthentic):
        raise KeysError(f"{path}: these are no keys of a pairing; run crisscross shoe pair again") from None
    return paired


def write_keys(path: Path, paired: Paired) -> None:
    """Write the file atomically. Raises OSError if it cannot be written."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    text = json.dumps({"own": to_base64(paired.own), "other": to_base64(paired.other)}) + "\n"
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def keys_of_both_ends(controller: bytes, shoe: bytes) -> tuple[Paired, Paired]:
    """Return the keys that the controller and the shoe keep after a pairing of these two secret keys."""
    return Paired(controller, public_key(shoe)), Paired(shoe, public_key(controller))
