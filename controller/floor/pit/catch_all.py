"""The only place of the pit that catches every exception: around one message, and around the writing thread.

A message of one table must never stop the pit for the other tables, even if it exposes a fault of this
program.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def contained(report: Callable[[str], None], *through: type[Exception]) -> Iterator[None]:
    """Run the block. If an unforeseen exception ends it, pass one line about it to `report`. Exceptions of
    the types in `through` are raised again. The line has the exception's type and its place in the program,
    never its message, which may quote a payload.
    """
    try:
        yield
    except through:
        raise
    except Exception as error:  # noqa: BLE001  # see above
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        report(f"{type(error).__name__} at {where}, an error of the pit's program")
