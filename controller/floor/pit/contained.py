"""The one place that catches every exception: around one message, and around the thread that writes.

What one table sends must never stop the pit for the others, whatever this program does wrong with it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def contained(report: Callable[[str], None], *through: type[Exception]) -> Iterator[None]:
    """End the block at an exception that no check foresaw, and report it in one line: its type and the line
    of the program; never its words, which may quote a payload. Exceptions of `through` are raised on."""
    try:
        yield
    except through:
        raise
    except Exception as error:  # noqa: BLE001  # see above
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        report(f"{type(error).__name__} at {where}, an error of the pit's program")
