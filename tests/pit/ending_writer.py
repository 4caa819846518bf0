"""Run `crisscross pit` with a writing thread that ends: `python -m tests.pit.ending_writer FILE pit OPTIONS`.

Once FILE exists, the writing thread removes it and ends with an exception that the pit does not handle.
"""

from __future__ import annotations

import sys
from pathlib import Path

from controller.cli import main
from controller.floor.pit import store_writer
from controller.floor.pit.store_writer import StoreWriter


def _install(file: Path) -> None:
    age = StoreWriter._age

    def failing(writer: StoreWriter) -> None:
        if file.exists():
            file.unlink()
            raise ZeroDivisionError
        age(writer)

    StoreWriter._age = failing  # type: ignore[method-assign]
    store_writer.IDLE_CHECK_S = 0.1


if __name__ == "__main__":
    _install(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
