"""Garbage collection of a process: rare while its modules are imported, and none at its end.

Only the entrance of a process may call this module, since the settings are of the whole interpreter.
"""

from __future__ import annotations

import atexit
import gc

_YOUNG_OBJECTS = 10_000
"""Objects allocated before a collection. With Python's default of 700 each import examines the objects of the
imports before it."""
_DEFAULT = gc.get_threshold()


def collect_rarely() -> None:
    """Collect rarely from now on, and not at the end of the process, whose memory the system takes back."""
    gc.set_threshold(_YOUNG_OBJECTS, *_DEFAULT[1:])
    atexit.register(gc.freeze)


def exempt_start() -> None:
    """Exempt all present objects from later collections and collect as Python does by default. A collection
    then examines no module, and delays a card less."""
    gc.collect(0)
    gc.freeze()
    gc.set_threshold(*_DEFAULT)
