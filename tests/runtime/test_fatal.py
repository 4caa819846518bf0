"""An unforeseen error ends the daemon, and the log contains its type and place but not its message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from controller.common.process.fatal import FatalError, LoopErrorHandler, report_task_error
from tests.drivers.pins.fake_lgpio import NotifyThread

FACE = "QH"


async def ended_by(wrong: Callable[[asyncio.AbstractEventLoop], object]) -> LoopErrorHandler:
    """Cause an error by calling `wrong`, and run the loop until its error handler has stopped it; return the
    handler."""
    stopping = asyncio.Event()
    fatal = LoopErrorHandler(stopping)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(fatal)
    with fatal.watching_threads(loop):
        kept = wrong(loop)
        async with asyncio.timeout(5):
            await stopping.wait()
    del kept
    return fatal


def fails(_error: type[Exception] = KeyError) -> None:
    raise _error(FACE)


async def ends_badly() -> None:
    fails()


def watched(loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
    task = loop.create_task(ends_badly())
    task.add_done_callback(report_task_error)
    return task


def of_keys(loop: asyncio.AbstractEventLoop) -> NotifyThread:
    """Return lgpio's thread, which serves all keys, after an edge for which its callback fails."""
    thread = NotifyThread()
    thread.callbacks.append((16, lambda *edge: fails()))
    thread.queue.put((16, 0))
    return thread


@pytest.mark.parametrize(
    "wrong", [lambda loop: loop.call_soon(fails), watched, of_keys], ids=["callback", "task", "thread"]
)
async def test_an_unforeseen_error_ends_the_daemon_with_one_line(
    wrong: Callable[[asyncio.AbstractEventLoop], object], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        fatal = await ended_by(wrong)
    with pytest.raises(FatalError, match=r"^ended by an error of the program: KeyError in .*, line \d+$"):
        fatal.raise_error()
    assert "test_fatal.py" in caplog.text
    assert FACE not in caplog.text


async def test_a_lack_of_memory_is_logged_as_such() -> None:
    with pytest.raises(MemoryError):
        (await ended_by(lambda loop: loop.call_soon(fails, MemoryError))).raise_error()


async def test_a_failing_thread_during_the_stop_is_ignored() -> None:
    stopping = asyncio.Event()
    fatal = LoopErrorHandler(stopping)
    stopping.set()
    with fatal.watching_threads(asyncio.get_running_loop()):
        await asyncio.to_thread(of_keys(asyncio.get_running_loop()).join)
    fatal.raise_error()
