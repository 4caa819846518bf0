"""Check that a test leaves no thread, file, socket, terminal, child process, task or log setting behind.

It inspects the process from outside (/proc), so that it finds resources of any library. A test must never
fail because a resource is released slowly: the check waits up to three seconds.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

PATIENCE_STEPS, STEP_S = 150, 0.02
"""Number of checks, and seconds between two checks. Only a test that leaks spends the full three seconds."""
OF_THE_LIBRARIES = ("pytest_timeout", "asyncio_")
"""Name prefixes of threads that pytest-timeout and an event loop's own executor keep."""
CANCEL_ALL: Callable[[asyncio.AbstractEventLoop], None] = asyncio.runners._cancel_all_tasks


@dataclass(frozen=True)
class Traces:
    """Resources of the process at one moment."""

    threads: frozenset[threading.Thread]
    files: frozenset[tuple[str, str]]
    children: frozenset[str]
    silenced: int
    """Level up to which all logging is disabled."""

    def since(self, before: Traces) -> list[str]:
        """Return a text for each resource opened since `before`."""
        threads = [f"thread {thread.name}" for thread in self.threads - before.threads]
        files = [f"file descriptor {number}: {target}" for number, target in self.files - before.files]
        children = [f"child process {number}" for number in self.children - before.children]
        log = [] if self.silenced == before.silenced else [f"a log silenced up to {self.silenced}"]
        return sorted(threads + files + children + log)


def traces() -> Traces:
    threads = [t for t in threading.enumerate() if not t.name.startswith(OF_THE_LIBRARIES)]
    silenced = logging.root.manager.disable
    return Traces(frozenset(threads), frozenset(_files()), frozenset(_children()), silenced)


def left_since(before: Traces) -> list[str]:
    """Return the resources opened since `before` that are still open after time for their release."""
    if not traces().since(before):
        return []
    gc.collect()
    pause = threading.Event()
    for _ in range(PATIENCE_STEPS):
        left = traces().since(before)
        if not left:
            break
        pause.wait(STEP_S)
    return left


def _files() -> Iterator[tuple[str, str]]:
    """Yield the number and the target of each descriptor. The function runs twice in each test, so it does
    not use `Path`, which takes three times as long."""
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            yield number, os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115
        except FileNotFoundError:
            continue  # this is the descriptor of the listing itself


def _children() -> Iterator[str]:
    for task in os.listdir("/proc/self/task"):  # noqa: PTH208
        try:
            with open(f"/proc/self/task/{task}/children", "rb", buffering=0) as children:  # noqa: PTH123
                yield from children.read().decode("ascii").split()
        except FileNotFoundError:
            continue  # the thread has ended meanwhile


@dataclass
class TaskWatch:
    """Recorder of the tasks that `asyncio.run` cancelled silently at its end."""

    left: list[str] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record cancelled tasks within the block. If watches are nested, only the innermost one records, so
        that no task is reported twice."""
        before = asyncio.runners._cancel_all_tasks

        def noted(loop: asyncio.AbstractEventLoop) -> None:
            self.left += [f"task {task.get_name()}: {task.get_coro()}" for task in asyncio.all_tasks(loop)]
            CANCEL_ALL(loop)

        asyncio.runners._cancel_all_tasks = noted
        try:
            yield
        finally:
            asyncio.runners._cancel_all_tasks = before
