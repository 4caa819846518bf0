"""Keys of one table's journal: a folder of files that only the table's user may read.

`table.key` signs checkpoints, `table.vkey` is its public half, the keys of faces are derived from the
secret `faces.key`, `ratchet.key` is the current key of the ratchet. `first.key`, the ratchet's first key,
exists until it has been handed over to the auditor. An error must never quote a key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.common.files.atomic_write import replace_text
from controller.common.tlog.note import BadNote, SigningKey, VerifierKey
from controller.record.seal import ratchet

TABLE, PUBLIC, FACES, RATCHET, FIRST = "table.key", "table.vkey", "faces.key", "ratchet.key", "first.key"
SECRET_BYTES = 32
MAX_DIGITS = 19


class KeysError(Exception):
    """Raised if the keys cannot be used. The message is one line: the file, and the remedy."""


class NoKeys(KeysError):
    """Raised if there are no keys."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of one journal, in files of `folder`: `signing` signs its checkpoints, `ratchet` seals each
    checkpoint, and `faces` encrypts the faces of cards."""

    folder: Path
    signing: SigningKey
    faces: bytes = field(repr=False)
    number: int
    """Number of checkpoints sealed so far; `ratchet` is the key for the next one."""
    ratchet: bytes = field(repr=False)
    durable: bool = True

    @classmethod
    def new(cls, folder: Path, origin: str, *, durable: bool = True) -> Keys:
        """Make and write new keys. Raises KeysError if they cannot be written or `origin` is not a valid
        name of a key."""
        first = os.urandom(SECRET_BYTES)
        with _key_errors(folder):
            signing = SigningKey.new(origin)
            keys = cls(folder, signing, os.urandom(SECRET_BYTES), 0, first, durable)
            folder.mkdir(mode=0o700, exist_ok=True)
            keys._write(PUBLIC, keys.signing.verifier().text())
            keys._write(FIRST, first.hex())
            keys._write(FACES, keys.faces.hex())
            keys._write(RATCHET, f"0 {first.hex()}")
            # written last: its presence means that the keys are complete
            keys._write(TABLE, signing.text())
        return keys

    @classmethod
    def read(cls, folder: Path, *, durable: bool = True) -> Keys:
        """Read the keys. `durable`: later changes of the key files wait for the disk. Raises NoKeys if there
        are none, KeysError if they cannot be used."""
        if not (folder / TABLE).exists():
            raise NoKeys(f"keys {folder}: there are none")
        with _key_errors(folder):
            if folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
            signing = SigningKey.parse(_text(folder / TABLE))
            number, key = _text(folder / RATCHET).split(" ")
            faces = _secret(_text(folder / FACES))
            return cls(folder, signing, faces, int(number), _secret(key), durable)

    def next_step(self) -> Keys:
        """Return the keys for the next checkpoint. Call `keep` on them to replace the stored key."""
        return replace(self, number=self.number + 1, ratchet=ratchet.next_key(self.ratchet))

    def keep(self) -> None:
        """Write the ratchet's key. Raises KeysError if that fails; it may be retried later."""
        with _key_errors(self.folder):
            self._write(RATCHET, f"{self.number} {self.ratchet.hex()}")

    def _write(self, name: str, text: str) -> None:
        replace_text(self.folder / name, f"{text}\n", 0o600, durable=self.durable)


@contextmanager
def hand_over(folder: Path) -> Iterator[str]:
    """Yield the first key as text for the auditor, and erase it from the folder if the block ends without an
    error. Raises KeysError if it cannot be read or erased, or was handed over before."""
    file = folder / FIRST
    with _key_errors(folder):
        first = _secret(_text(file)) if file.exists() else b""
    if not any(first):
        raise KeysError(f"keys {folder}: the first key has been handed over; the auditor has it")
    yield first.hex()
    with _key_errors(folder):
        file.write_text("0" * len(first.hex()), encoding="ascii")
        file.unlink()


def public_key(folder: Path) -> str:
    """Return the table's public key as text. Raises KeysError if it cannot be read."""
    with _key_errors(folder):
        return _text(folder / PUBLIC)


def verifier(folder: Path) -> VerifierKey | None:
    """Return the table's public key, or None if this user cannot read one there."""
    try:
        return VerifierKey.parse(public_key(folder))
    except (KeysError, BadNote):
        return None


def checkpoints_sealed(folder: Path) -> int:
    """Return the number of checkpoints that the ratchet has sealed; 0 if this user cannot read it."""
    try:
        number = _text(folder / RATCHET).partition(" ")[0]
        return int(number) if number.isascii() and number.isdigit() and len(number) < MAX_DIGITS else 0
    except (OSError, ValueError):
        return 0


def faces_secret(folder: Path) -> bytes | None:
    """Return the secret for the keys of faces, or None if this user cannot read it."""
    try:
        return _secret(_text(folder / FACES))
    except (OSError, ValueError):
        return None


def _text(file: Path) -> str:
    return file.read_text(encoding="ascii").removesuffix("\n")


def _secret(text: str) -> bytes:
    found = bytes.fromhex(text)
    if len(found) != SECRET_BYTES:
        raise ValueError
    return found


@contextmanager
def _key_errors(folder: Path) -> Iterator[None]:
    """Convert errors of files in a folder to a KeysError of one line, without quoting their content."""
    try:
        yield
    except OSError as error:
        raise KeysError(f"keys {error.filename or folder}: {error.strerror}") from None
    except BadNote as error:
        raise KeysError(f"keys {folder}: {error}; put the folder back as it was") from None
    except ValueError:
        raise KeysError(f"keys {folder}: a key is damaged; put the folder back as it was") from None
