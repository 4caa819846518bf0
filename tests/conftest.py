"""Fixtures of every test: a test must leave nothing behind, its files are in memory if there is room, and
generated cases have no time limit."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from hypothesis import settings

from tests.leaks import TaskWatch, left_since, traces
from tests.shared_browser import SHARED

settings.register_profile("house", deadline=None, print_blob=True)
settings.register_profile("check", parent=settings.get_profile("house"), max_examples=10)
settings.load_profile("house")

CHECK_SIZE = "7in"
"""Screen size at which `make check` tests the pages, that of the dealer's display. A test of several sizes at
once uses the fixture `sizes`."""

YOUNG_OBJECTS = 10_000
"""Number of allocated objects after which Python collects garbage. With the default of 700, tests that hold
syntax trees take half as long again."""

READY_TIMEOUT_S = "240"
"""Seconds in which a daemon of a mock table must be ready. They are fewer than pytest gives a test, and
enough on a busy machine."""

MEMORY, ROOM_MIB = Path("/dev/shm"), 1024  # noqa: S108  # this folder and no other is meant


# multiprocessing starts its resource tracker with its first child and keeps it. It is started here, so that
# no test counts it as left behind.
resource_tracker.ensure_running()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples of a property, the folder of temporary files and the threads of NumPy.

    `make check` uses fewer examples. Temporary files are in memory if there is room, because tests of play
    sync their journals some fifty times each and a disk is slow. NumPy multiplies in one thread, because more
    threads would compete with the other worker for the processors. Workers and child processes inherit these
    settings.
    """
    if config.getoption("markexpr") == "check":
        settings.load_profile("check")
    if "TMPDIR" not in os.environ and _room_mib() >= ROOM_MIB:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("CRISSCROSS_READY_TIMEOUT_S", READY_TIMEOUT_S)


def _room_mib() -> int:
    there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    return shutil.disk_usage(MEMORY).free // 2**20 if there else 0


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if "TMPDIR" not in os.environ:
        where = tempfile.gettempdir()
        words = f"{_room_mib()} MiB are free in {MEMORY} and {ROOM_MIB} wanted: the tests waited for {where}"
        terminalreporter.write_line(words, yellow=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests. Files with pages come first and share a browser; files with few short tests come last,
    so that no processor waits for another at the end."""
    tests_in_file = Counter(item.path for item in items)
    turns: dict[Path, int] = {}
    for item in items:
        turns[item.path] = min(_turn(item), turns.get(item.path, _LAST_TURN))
        if _in_check(item):
            item.add_marker("check")
        if item.get_closest_marker("browser"):
            item.add_marker("serial")
    items.sort(key=lambda item: (turns[item.path], -tests_in_file[item.path]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable garbage collection while pytest collects the tests, because it took half of that time. The
    collected modules and items are exempt from later garbage collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS)
        gc.enable()


_LAST_TURN = 3


def _turn(item: pytest.Item) -> int:
    """Return the sorting key of a test. Tests that take longer have a lower key."""
    if _shares_browser(item):
        return 0
    return 1 if item.get_closest_marker("serial") else 2 if item.get_closest_marker("slow") else _LAST_TURN


def _shares_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """End the browser after a file if the next test does not share it."""
    yield
    if nextitem is None or (nextitem.path != item.path and not _shares_browser(nextitem)):
        SHARED.end()


def pytest_sessionfinish() -> None:
    """End the browser of a run that stopped between two tests that share it."""
    SHARED.end()


def _in_check(item: pytest.Item) -> bool:
    """Return whether `make check` runs a test. It runs the pages at one size and every other test without a
    marker that excludes it. No list names tests, so a new test is included."""
    if item.get_closest_marker("browser"):
        call = getattr(item, "callspec", None)
        sized = call is not None and CHECK_SIZE in call.params.values()
        return sized or "sizes" in getattr(item, "fixturenames", ())
    return not any(item.get_closest_marker(name) for name in ("serial", "slow", "complete"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an `async def` test in an event loop of its own, which ends before the leaks are counted."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fail a test that leaves a resource open. Fixtures of a module or the session start before the count, so
    their resources do not count."""
    tasks = TaskWatch()
    before = traces()
    with tasks.watching():
        yield
    left = tasks.left + left_since(before)
    if left:
        pytest.fail("the test left behind: " + "; ".join(left))
