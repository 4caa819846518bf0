"""The keys of one table's journal: a folder of files that only the table's user may read.

`table.key` signs checkpoints, `table.vkey` is its public half, `faces.key` is the secret that the keys of
faces follow from, `ratchet.key` is today's key of the ratchet. `first.key`, the ratchet's first one, is there
until it has been handed to whoever audits. It must never say a key in an error.
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
    """The keys cannot be had. One line: which file, and what to do."""


class NoKeys(KeysError):
    """There are none."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys with which one journal is signed and sealed."""

    folder: Path
    signing: SigningKey
    faces: bytes = field(repr=False)
    number: int
    """Number of checkpoints that have been sealed before: `ratchet` is the key of the next one."""
    ratchet: bytes = field(repr=False)
    forced: bool = True

    @classmethod
    def new(cls, folder: Path, origin: str, *, forced: bool = True) -> Keys:
        """Made and written. KeysError where that cannot be done, or the name cannot be one of a key."""
        first = os.urandom(SECRET_BYTES)
        with _said(folder):
            signing = SigningKey.new(origin)
            keys = cls(folder, signing, os.urandom(SECRET_BYTES), 0, first, forced)
            folder.mkdir(mode=0o700, exist_ok=True)
            keys._write(PUBLIC, keys.signing.verifier().text())
            keys._write(FIRST, first.hex())
            keys._write(FACES, keys.faces.hex())
            keys._write(RATCHET, f"0 {first.hex()}")
            # the last one: with it the keys are whole
            keys._write(TABLE, signing.text())
        return keys

    @classmethod
    def read(cls, folder: Path, *, forced: bool = True) -> Keys:
        """NoKeys where there are none, KeysError where they cannot be used."""
        if not (folder / TABLE).exists():
            raise NoKeys(f"keys {folder}: there are none")
        with _said(folder):
            if folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
            signing = SigningKey.parse(_text(folder / TABLE))
            number, key = _text(folder / RATCHET).split(" ")
            faces = _secret(_text(folder / FACES))
            return cls(folder, signing, faces, int(number), _secret(key), forced)

    def stepped(self) -> Keys:
        """With the key after this one, for the next checkpoint. `keep` puts it in the place of this one."""
        return replace(self, number=self.number + 1, ratchet=ratchet.following(self.ratchet))

    def keep(self) -> None:
        """KeysError where it cannot be written; it may be done later."""
        with _said(self.folder):
            self._write(RATCHET, f"{self.number} {self.ratchet.hex()}")

    def _write(self, name: str, text: str) -> None:
        replace_text(self.folder / name, f"{text}\n", 0o600, forced=self.forced)


@contextmanager
def handing_over(folder: Path) -> Iterator[str]:
    """The first key, for whoever audits. When that has ended well it is not kept here any more. KeysError."""
    file = folder / FIRST
    with _said(folder):
        first = _secret(_text(file)) if file.exists() else b""
    if not any(first):
        raise KeysError(f"keys {folder}: the first key has been handed over; whoever audits has it")
    yield first.hex()
    with _said(folder):
        file.write_text("0" * len(first.hex()), encoding="ascii")
        file.unlink()


def public(folder: Path) -> str:
    """The table's public key. KeysError."""
    with _said(folder):
        return _text(folder / PUBLIC)


def verifier(folder: Path) -> VerifierKey | None:
    """Return the table's public key, None if this user cannot read one there."""
    try:
        return VerifierKey.parse(public(folder))
    except (KeysError, BadNote):
        return None


def checkpoints_sealed(folder: Path) -> int:
    """Return how many checkpoints the ratchet has sealed; 0 if this user cannot read that."""
    try:
        number = _text(folder / RATCHET).partition(" ")[0]
        return int(number) if number.isascii() and number.isdigit() and len(number) < MAX_DIGITS else 0
    except (OSError, ValueError):
        return 0


def secret_of(folder: Path) -> bytes | None:
    """Return the secret of the keys of faces; None if this user cannot have it."""
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
def _said(folder: Path) -> Iterator[None]:
    """Convert errors of the files of a folder into one line without a word of theirs."""
    try:
        yield
    except OSError as error:
        raise KeysError(f"keys {error.filename or folder}: {error.strerror}") from None
    except BadNote as error:
        raise KeysError(f"keys {folder}: {error}; put the folder back as it was") from None
    except ValueError:
        raise KeysError(f"keys {folder}: a key is damaged; put the folder back as it was") from None
