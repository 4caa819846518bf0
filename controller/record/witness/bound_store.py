"""Store of a witness, bound to its key: a file beside the key has the identity of the store.

The file is written before the first cosignature, so a key that has cosigned never begins with an empty store
or with another one. A store without an identity, made by an earlier version, gets one at its first start.
"""

from __future__ import annotations

import logging
from pathlib import Path

from controller.common.files.atomic_write import replace_text
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.record.witness.store import Store, StoreError

log = logging.getLogger("crisscross.witness")


def open_store(path: Path, key: SigningKey, key_file: Path) -> Store:
    """Open the store of a key, which is created if the key has none yet. Raises StoreError if the store is
    missing, empty or not the key's own, or if its identity cannot be read or written."""
    beside_key = key_file.with_name(f"{key_file.name}.store")
    beside_store = path.with_name(beside_key.name)
    name = key.verifier(COSIGNATURE).text()
    bound = _identity(beside_key, name)
    known = bound or _identity(beside_store, name)
    store = Store(path, known)
    try:
        if bound is None:
            _bind(f"{name} {store.identity}\n", beside_key, beside_store)
    except StoreError:
        store.close()
        raise
    return store


def _identity(file: Path, name: str) -> str | None:
    """Return the identity of the store that the file records for the key `name`; None if there is no file, or
    if it is of another key."""
    try:
        words = file.read_text(encoding="utf-8", errors="replace").split()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{file}: cannot be read: {error.strerror}; let the witness read it") from error
    if len(words) != 2:
        raise StoreError(f"{file}: is not a key and the identity of its store; put back a copy of it")
    return words[1] if words[0] == name else None


def _bind(line: str, beside_key: Path, beside_store: Path) -> None:
    """Write the line that binds the store to the key beside the key, or beside the store if the folder of the
    key cannot be written."""
    try:
        replace_text(beside_key, line, 0o600)
    except OSError as error:
        reason = error.strerror
    else:
        return
    try:
        replace_text(beside_store, line, 0o600)
    except OSError as error:
        raise StoreError(
            f"{beside_store}: cannot be written: {error.strerror}; let the witness write there"
        ) from error
    log.warning(
        "%s: cannot be written: %s; the loss of the folder %s would not be noticed: copy %s there",
        beside_key, reason, beside_store.parent, beside_store,
    )  # fmt: skip
