"""The outbox waits for the disk only when it begins a new stream, which must survive a power cut."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from controller.common.files import atomic_write
from controller.common.tlog.merkle import Frontier
from controller.floor.uplink.outbox import Head, Outbox, OutboxError

NORMAL, FULL = 1, 2
"""Values of PRAGMA synchronous: with NORMAL a commit into the WAL needs no fsync, with FULL it does."""


def head(stream: str) -> Head:
    return Head(stream, "CC-01", 0, 0, Frontier())


def test_a_new_stream_and_the_copy_of_the_former_are_on_the_disk_before_it_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the outbox could be in the former stream again after a power cut, and would begin a third
    one."""
    steps: list[tuple[str, object]] = []
    with closing(Outbox(tmp_path / "journal.db.uplink")) as outbox:

        def write(head: Head) -> None:
            found = outbox._db.execute("PRAGMA synchronous").fetchone()[0]
            steps.append((f"commit of {head.stream}", found))
            put(head)

        put = outbox._put
        monkeypatch.setattr(outbox, "_put", write)
        monkeypatch.setattr(atomic_write, "to_disk", lambda place: steps.append(("fsync", place)))
        outbox.add(head("aa"), [], None)
        copy = outbox.begin_stream(head("bb"))
        outbox.add(head("bb"), [], None)
    part = tmp_path / "journal.db.uplink.part"
    assert steps == [
        ("commit of aa", NORMAL), ("fsync", part), ("fsync", tmp_path), ("commit of bb", FULL),
        ("commit of bb", NORMAL),
    ]  # fmt: skip
    assert copy.exists() and not part.exists()


def test_a_failed_beginning_of_a_stream_leaves_the_commits_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Outbox(tmp_path / "journal.db.uplink")) as outbox:
        outbox.add(head("aa"), [], None)

        def fail(_head: Head) -> None:
            raise OSError("no space")

        monkeypatch.setattr(outbox, "_put", fail)
        with pytest.raises(OutboxError, match="no space"):
            outbox.begin_stream(head("bb"))
        monkeypatch.undo()
        found = outbox.head()
        assert found is not None and found.stream == "aa"
        assert outbox._db.execute("PRAGMA synchronous").fetchone() == (NORMAL,)
