"""Tables of measured figures: `python -m tests.repository.figures` copies tests/figures.yaml into the pages.

README.md has the figures that are marked `readme`; tests/EVIDENCE.md has all of them, a table for each area.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.repository.house import ROOT

COLUMNS = ("what", "measured", "wanted", "command", "commit", "date")
KEYS = ("area", *COLUMNS)
HEAD = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
README, EVIDENCE = ROOT / "README.md", ROOT / "tests/EVIDENCE.md"


def read() -> list[dict[str, Any]]:
    """Return the figures in the order of their file."""
    return list(yaml.safe_load((ROOT / "tests/figures.yaml").read_text(encoding="utf-8")))


def tables() -> Iterator[tuple[Path, str, str]]:
    """Yield page, block name and table for each table of measured figures."""
    figures = read()
    yield README, "figures", table([figure for figure in figures if figure.get("readme")])
    for area in dict.fromkeys(figure["area"] for figure in figures):
        yield EVIDENCE, area, table([figure for figure in figures if figure["area"] == area])


def table(figures: list[dict[str, Any]]) -> str:
    rows = ({**figure, "command": f"`{figure['command']}`"} for figure in figures)
    return "\n".join([HEAD, *(f"| {' | '.join(str(row[key]) for key in COLUMNS)} |" for row in rows)])


def main() -> None:
    for page, block, wanted in tables():
        text = page.read_text(encoding="utf-8")
        parts = re.compile(rf"(<!-- {block} -->\n).*?(<!-- /{block} -->)", re.DOTALL)
        page.write_text(parts.sub(rf"\g<1>{wanted}\n\g<2>", text), encoding="utf-8")


if __name__ == "__main__":
    main()
