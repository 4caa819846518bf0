"""Folder of the files that come with the program: in a checkout, or inside the installed package.

This module must never search other folders: a site's own files are named in its table file.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def data_dir(name: str) -> Path:
    """Return the program's directory `name` ("config" or "hardware")."""
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
