"""Which program this is: its version, and a digest of every file that it is made of.

The same commit has the same digest in a checkout and installed; one changed letter has another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.metadata import version as installed_version
from pathlib import Path

from controller.files.data import data_dir

_ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """As in pyproject.toml when it was installed."""
    return installed_version("crisscross-table")


def digest() -> str:
    """Of the program and of what comes with it: "sha256:" and 64 digits."""
    whole = hashlib.sha256()
    for name, file in sorted(_files()):
        whole.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return f"sha256:{whole.hexdigest()}"


def _files() -> Iterator[tuple[str, Path]]:
    """Each file under the name that it has in a checkout."""
    for name in ("controller", "drivers"):
        yield from _in(name, _ROOT / name, but=_ROOT / "controller" / "data")
    for name in ("config", "hardware"):
        yield from _in(name, data_dir(name))


def _in(name: str, folder: Path, but: Path | None = None) -> Iterator[tuple[str, Path]]:
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".pyc" and but not in file.parents:
            yield f"{name}/{file.relative_to(folder)}", file
