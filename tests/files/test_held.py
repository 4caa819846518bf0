"""The lock beside a file: one holder at a time, and whoever asks is in nobody's way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.common.files.file_lock import AlreadyLocked, hold, is_held


def test_a_second_holder_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    assert not is_held(file)
    first = hold(file)
    assert is_held(file)
    with pytest.raises(AlreadyLocked):
        hold(file)
    os.close(first)
    assert not is_held(file)
    os.close(hold(file))


def test_a_holder_that_comes_while_another_asks_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A daemon started while its uplink's speaker asked ended with "another process holds the journal"."""
    file, held, close = tmp_path / "journal.db", [], os.close
    close(hold(file))

    def close_late(handle: int) -> None:
        monkeypatch.undo()
        held.append(hold(file))
        close(handle)

    monkeypatch.setattr(os, "close", close_late)
    assert not is_held(file)
    assert is_held(file)
    close(held[0])
