"""Prints tables, KiCad netlists, schematics and drawings of the felt from their data; with ``--wiring`` also
the harnesses.

`python -m hardware.papers` from the top of the repository; `make drawings` does all of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import yaml

from hardware.papers import felt, harness, netlist, parts, schematic

TOP = Path(__file__).parents[2]
HERE = TOP / "hardware"
PAGE = TOP / "hardware/parts.md"
BOARDS = ("seat_board", "lamp_board", "pi_board")
PARTS = "<!-- parts -->"


def papers() -> dict[Path, Callable[[], str]]:
    """Return the function that makes the content of each file, for files that need no other program."""
    found: dict[Path, Callable[[], str]] = {PAGE: lambda: page(PAGE.read_text(encoding="utf-8"))}
    circles = yaml.safe_load((HERE / "felt.yaml").read_text(encoding="utf-8"))
    for drawing in felt.drawings(circles):
        found[HERE / f"{drawing}.svg"] = partial(felt.svg, circles, drawing)
    for name in BOARDS:
        found[HERE / name / f"{name}.net"] = partial(_of, netlist.kicad, HERE / name)
        found[HERE / name / f"{name}.svg"] = partial(_of, schematic.svg, HERE / name)
    return found


def _of(made: Callable[[netlist.Netlist], str], folder: Path) -> str:
    return made(netlist.read(folder / "netlist.yaml"))


def page(text: str) -> str:
    """Return the page of parts with its tables printed from the data."""
    head, _, rest = text.partition(PARTS)
    _, end, foot = rest.partition(PARTS.replace("<!-- ", "<!-- /"))
    data = yaml.safe_load((HERE / "parts.yaml").read_text(encoding="utf-8"))
    return f"{head}{PARTS}\n{parts.markdown(data)}\n{end}{foot}"


def main(arguments: list[str]) -> None:
    for path, made in papers().items():
        path.write_text(made(), encoding="utf-8")
    if arguments == ["--wiring"]:
        for file in sorted((HERE / "wiring").glob("*.yaml")):
            file.with_suffix(".svg").write_text(harness.draw(file), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
