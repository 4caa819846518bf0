"""Only one process has the lock beside a file, and a process that asks for the state of the lock disturbs no
other.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.common.files.file_lock import AlreadyLocked, is_locked, lock


def test_a_locked_file_is_refused_until_its_lock_is_released(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    assert not is_locked(file)
    first = lock(file)
    assert is_locked(file)
    with pytest.raises(AlreadyLocked):
        lock(file)
    os.close(first)
    assert not is_locked(file)
    os.close(lock(file))


def test_a_lock_can_be_taken_while_another_process_checks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Formerly a daemon that started while its uplink checked the lock ended with the message "another
    process holds the journal"."""
    file, held, close = tmp_path / "journal.db", [], os.close
    close(lock(file))

    def close_late(handle: int) -> None:
        monkeypatch.undo()
        held.append(lock(file))
        close(handle)

    monkeypatch.setattr(os, "close", close_late)
    assert not is_locked(file)
    assert is_locked(file)
    close(held[0])
