"""Licences of the libraries in a package: read from their metadata, checked, written as Debian wants them.

Debian policy 12.5 wants every licence in one file, `copyright`. A library with a licence that is not allowed
stops the build, so that nothing is shipped under terms that were never read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

from packaging.utils import canonicalize_name

ALLOWED = {
    "Apache-2.0 OR BSD-3-Clause", "BSD-3-Clause", "EPL-2.0 OR BSD-3-Clause", "MIT", "MIT-0", "PSF-2.0",
    "Unlicense",
}  # fmt: skip
"""SPDX expressions of licences that allow shipping in a package under Apache-2.0."""
READ_BY_HAND = {"pyserial": "BSD-3-Clause", "lgpio": "Unlicense"}
"""Licences of libraries whose metadata has no SPDX expression, read from their sources."""
TEXTS = ("LICEN[CS]E*", "COPYING*")


def metadata(site: Path) -> Iterator[tuple[Path, Message]]:
    """Yield the metadata of each library below `site` with its folder, by name; the project itself is left
    out."""
    for folder in sorted(site.glob("*.dist-info")):
        read = Parser().parsestr((folder / "METADATA").read_text(encoding="utf-8"))
        if read["Name"] != "crisscross-table":
            yield folder, read


def licence(library: Message) -> str:
    """Return a library's licence as an SPDX expression. Raises SystemExit if it is not allowed."""
    name = canonicalize_name(library["Name"])
    found = READ_BY_HAND.get(name) or library["License-Expression"] or library["License"] or "none"
    if found not in ALLOWED:
        raise SystemExit(f"{name}: licence {found!r:.60}; allowed: {', '.join(sorted(ALLOWED))}")
    return str(found)


def stanzas(site: Path, home: str) -> str:
    """Return the paragraphs of `copyright` for the libraries below `site`, which is installed as `home`."""
    return "".join(_stanza(folder, library, home) for folder, library in metadata(site))


def _stanza(folder: Path, library: Message, home: str) -> str:
    terms = licence(library)
    author = library["Author"] or library["Author-email"] or library["Maintainer-email"] or library["Name"]
    texts = sorted(path for pattern in TEXTS for path in folder.rglob(pattern) if path.is_file())
    where = [f" The text is in /{home}/{folder.name}/{path.relative_to(folder)}." for path in texts]
    body = "\n".join(where or [f" The metadata in /{home}/{folder.name} names it; its authors ship no text."])
    files = "\n ".join(f"{home}/{name}" for name in _files(folder))
    return f"\nFiles: {files}\nCopyright: {' '.join(str(author).split())}\nLicense: {terms}\n{body}\n"


def _files(folder: Path) -> list[str]:
    """Return patterns of a library's files in site-packages, by its RECORD: pyserial has its modules in
    `serial`. Commands are left out, because the package ships none."""
    record = csv.reader((folder / "RECORD").read_text(encoding="utf-8").splitlines())
    parts = [path.partition("/") for path, *_ in record]
    return sorted({f"{top}{slash and '/*'}" for top, slash, _ in parts if top not in {"..", "bin"}})
