"""Tar archives, extracted with the data filter of PEP 706 if Python has it. Python 3.11.2 of bookworm does
not have it."""

from __future__ import annotations

import tarfile
from pathlib import Path


def opened(path: Path) -> tarfile.TarFile:
    """Return the archive, open for reading. The caller closes it."""
    archive = tarfile.open(path)  # noqa: SIM115  # the caller closes it
    if hasattr(tarfile, "data_filter"):
        archive.extraction_filter = tarfile.data_filter
    return archive
