"""Identity of this program: the version of the software, and a digest (hash) of all its files that
identifies it.

A commit has the same digest in a checkout and as an installed package; any change of a file changes it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version as installed_version
from pathlib import Path

from controller.common.files.packaged import data_dir

_ROOT = Path(__file__).resolve().parents[3]


def version() -> str:
    """Return the installed version, from pyproject.toml."""
    return installed_version("crisscross-table")


@cache
def digest() -> str:
    """Return the digest of the program and its data, computed once per process: "sha256:" and 64 digits."""
    whole = hashlib.sha256()
    for name, file in sorted(_files()):
        whole.update(f"{name}\0{hashlib.sha256(Path(file).read_bytes()).hexdigest()}\n".encode())
    return f"sha256:{whole.hexdigest()}"


def _files() -> Iterator[tuple[str, str]]:
    """Yield (name in a checkout, path) of each file that the running program consists of."""
    for name in ("controller", "drivers"):
        yield from _in(name, _ROOT / name, but=_ROOT / "controller" / "data")
    for name in ("config", "hardware"):
        yield from _in(name, data_dir(name))


def _in(name: str, folder: Path, but: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield (name in a checkout, path) of the files below a folder. Bytecode is left out, because another
    starting process may be writing it. `but`: a folder to leave out."""
    for at, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__" and Path(at, each) != but]
        for file in files:
            if not file.endswith(".pyc"):
                path = f"{at}/{file}"
                yield f"{name}{path.removeprefix(str(folder))}", path
