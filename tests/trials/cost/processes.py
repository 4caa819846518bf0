"""Parts of the program that are separate processes: `python -m tests.trials.cost.processes PART FOLDER`.

Only modules that the interpreter has loaded anyway are imported at the top, since the imports are counted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

DAEMON = (
    "controller.rules.odds.advantage", "controller.table.daemon.daemon", "drivers.chips.kinds",
    "drivers.chips.scanner", "drivers.keys.buttons", "drivers.lamps.chain", "drivers.pins.factory",
    "drivers.shoe.driver",
)  # fmt: skip


def nothing(_folder: Path) -> None:
    """Do nothing: this count is subtracted from the others."""


def import_daemon(_folder: Path) -> None:
    """Import all modules of `crisscross run` on a table with all devices."""
    for name in DAEMON:
        import_module(name)


def import_pages(_folder: Path) -> None:
    """Import all modules of the process of the pages."""
    import_module("controller.pages.page_process.main")
    import_module("controller.pages.display.web")


def start(folder: Path) -> None:
    """Start the daemon of a table without devices on the journal of an earlier start; end it at READY."""
    from controller.cli import main
    from controller.common.process.sd_notify import Notifier
    from tests.runtime.child import table_file

    def ready(_notifier: Notifier, _status: str = "") -> None:
        os._exit(0)

    Notifier.ready = ready  # type: ignore[method-assign, assignment]
    sys.exit(main(["run", "--mock", "--config", str(table_file(folder))]))


PARTS: Mapping[str, Callable[[Path], None]] = {
    each.__name__: each for each in (nothing, import_daemon, import_pages, start)
}


if __name__ == "__main__":
    PARTS[sys.argv[1]](Path(sys.argv[2]))
