"""Listings of the packages: `python -m tests.repository.listings` writes them.

The docstring of each package states its purpose and lists its modules with the first sentence of their
docstrings; the table on the page of the architecture holds their purposes.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.repository.house import ROOT

ROOTS = ("controller", "drivers", "hardware")
WIDTH = 110
FIRST_SENTENCE = re.compile(r"(.+?[.])(\s|$)", re.DOTALL)
ARCHITECTURE = ROOT / "controller/ARCHITECTURE.md"
ROOMS = re.compile(r"(<!-- rooms -->\n).*?(<!-- /rooms -->)", re.DOTALL)


def packages() -> list[Path]:
    """Return the folder of each package, wings before their rooms."""
    return [
        folder
        for root in ROOTS
        for folder in sorted(file.parent for file in (ROOT / root).rglob("__init__.py"))
    ]


def docstring(file: Path) -> str:
    """Return the docstring of a module, empty if there is none."""
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def purpose(folder: Path) -> str:
    """Return the first paragraph of a package's docstring, on one line."""
    return " ".join(docstring(folder / "__init__.py").partition("\n\n")[0].split())


def first_sentence(text: str) -> str:
    found = FIRST_SENTENCE.match(" ".join(text.split()))
    return found[1] if found else ""


def members(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and first sentence of each package and module in a folder."""
    for path in sorted(folder.iterdir()):
        if (path / "__init__.py").is_file():
            yield f"{path.name}/", first_sentence(purpose(path))
        elif path.suffix == ".py" and not path.name.startswith("__"):
            yield path.stem, first_sentence(docstring(path))


def listing(folder: Path) -> str:
    """Return the text that the package's `__init__.py` must have."""
    head = docstring(folder / "__init__.py").partition("\n\n- `")[0]
    items = [
        textwrap.fill(f"- `{name}`: {sentence}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for name, sentence in members(folder)
    ]
    return "\n".join([f'"""{head}', "", *items, '"""', ""]) if items else f'"""{head}"""\n'


def rooms() -> str:
    """Return the table of packages for the page of the architecture."""
    rows = [f"| `{folder.relative_to(ROOT)}` | {purpose(folder)} |" for folder in packages()]
    return "\n".join(["| room | purpose |", "|---|---|", *rows, ""])


def main() -> None:
    for folder in packages():
        (folder / "__init__.py").write_text(listing(folder), encoding="utf-8")
    text = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(ROOMS.sub(lambda found: found[1] + rooms() + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
