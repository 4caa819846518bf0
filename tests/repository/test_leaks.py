"""The check for leaks finds everything that a test leaves behind, and reports nothing otherwise."""

from __future__ import annotations

import asyncio
import logging
import os
import pty
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from tests import leaks
from tests.leaks import TaskWatch, left_since, traces

pytestmark = pytest.mark.serial


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for the release of resources, which these tests leave open on purpose."""
    monkeypatch.setattr(leaks, "PATIENCE_STEPS", 1)


@contextmanager
def a_thread() -> Iterator[None]:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()
    yield
    end.set()
    thread.join()


@contextmanager
def a_socket() -> Iterator[None]:
    with socket.socket():
        yield


@contextmanager
def a_terminal() -> Iterator[None]:
    ends = pty.openpty()
    yield
    for end in ends:
        os.close(end)


@contextmanager
def a_child() -> Iterator[None]:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE):
        yield


@contextmanager
def a_silent_log() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize(
    ("what", "word"),
    [
        (a_silent_log, "a log silenced up to 30"),
        (a_thread, "thread forgotten"),
        (a_socket, "socket"),
        (a_terminal, "/dev/pt"),
        (a_child, "child"),
    ],
)
def test_each_kind_of_leak_is_reported(what: Callable[[], AbstractContextManager[None]], word: str) -> None:
    before = traces()
    with what():
        assert any(word in found for found in left_since(before))
    assert left_since(before) == []


def test_a_task_that_asyncio_run_would_cancel_silently_is_reported() -> None:
    async def forgotten() -> None:
        await asyncio.get_running_loop().create_future()

    async def main() -> None:
        main.task = asyncio.create_task(forgotten(), name="adrift")  # type: ignore[attr-defined]
        await asyncio.sleep(0)

    watch = TaskWatch()
    with watch.watching():
        asyncio.run(main())
    assert len(watch.left) == 1
    assert "adrift" in watch.left[0]


def test_an_awaited_task_is_not_reported() -> None:
    async def main() -> None:
        await asyncio.create_task(asyncio.sleep(0))

    watch = TaskWatch()
    with watch.watching():
        asyncio.run(main())
    assert watch.left == []
