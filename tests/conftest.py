"""For every test: it leaves nothing behind, what it writes is in memory where there is room, and generated
cases are judged by what they show, not by pace."""

from __future__ import annotations

import asyncio
import inspect
import os
import shutil
import tempfile
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from hypothesis import settings

from tests.leaks import TaskWatch, left_since, traces

settings.register_profile("house", deadline=None, print_blob=True)
settings.register_profile("check", parent=settings.get_profile("house"), max_examples=10)
settings.load_profile("house")

CHECK_SIZE = "7in"
"""Screen size at which `make check` tests the pages: that of the dealer's display."""

MEMORY, ROOM_MIB = Path("/dev/shm"), 1024  # noqa: S108  # the very folder is meant


# multiprocessing starts it with the first child and keeps it to the end; here it is before any test looks
resource_tracker.ensure_running()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples of a property, fewer for `make check`, and the folder of temporary files: tests of
    play sync their journals some fifty times each, and a disk is slow. Workers and children inherit it."""
    if config.getoption("markexpr") == "check":
        settings.load_profile("check")
    if "TMPDIR" not in os.environ and _room_mib() >= ROOM_MIB:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


def _room_mib() -> int:
    there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    return shutil.disk_usage(MEMORY).free // 2**20 if there else 0


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if "TMPDIR" not in os.environ:
        where = tempfile.gettempdir()
        words = f"{_room_mib()} MiB are free in {MEMORY} and {ROOM_MIB} wanted: the tests waited for {where}"
        terminalreporter.write_line(words, yellow=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On several processors a file stays together. What must not be disturbed follows one another; so do the
    pages of a scripted table, beside it."""
    for item in items:
        group = _group(item)
        if _in_check(item):
            item.add_marker("check")
        if item.get_closest_marker("browser"):
            item.add_marker("serial")
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(group))


def _in_check(item: pytest.Item) -> bool:
    """Return whether `make check` runs a test: every test without a marker that excludes it, and the pages at
    one size. No list names tests, so a new one is included."""
    if item.get_closest_marker("browser"):
        call = getattr(item, "callspec", None)
        return call is not None and CHECK_SIZE in call.params.values()
    return not any(item.get_closest_marker(name) for name in ("serial", "slow", "complete"))


def _group(item: pytest.Item) -> str:
    file = item.nodeid.partition("::")[0]
    if item.get_closest_marker("serial"):
        return "serial"
    if item.get_closest_marker("browser"):
        return "pages" if file.startswith("tests/display/") else "serial"
    return file


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an `async def` test in an event loop of its own, which has ended when the leaks are counted."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fixtures of a module or the session are there before it looks, so they are not counted."""
    tasks = TaskWatch()
    before = traces()
    with tasks.watching():
        yield
    left = tasks.left + left_since(before)
    if left:
        pytest.fail("the test left behind: " + "; ".join(left))
