"""Two kinds of plot as SVG for a page: bars with their figures, and the grid of the 169 holes.

Every figure of a plot is also written in it, so that a print without colour shows the same. This module must
compute no figure, and a plot must load nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from controller.common.files.svg import SVG, element, text_element
from controller.game.model.cards import RANKS

ROW_HEIGHT, LABEL, WIDE, FIGURE = 22, 170, 720, 100
"""Bars: height of a row, and widths of the label, of the whole plot and of the figure."""
CELL = 54


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. `size`: its length, below 0 to the left. `figure`: its value as text."""

    label: str
    size: float
    figure: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Cell of the grid: a kind of hole, the best bet, its value. `shade`: a class of the page's style."""

    name: str
    words: str
    figure: str
    shade: str


def bars(rows: Sequence[Bar], title: str) -> str:
    """Return horizontal bars from a common zero line; the longest bar fills the space on its side."""
    least, most = min(0.0, *(row.size for row in rows)), max(0.0, *(row.size for row in rows))
    scale = (WIDE - LABEL - FIGURE) / ((most - least) or 1)
    line = LABEL - least * scale
    drawn = "".join(_bar(row, at * ROW_HEIGHT, line, scale) for at, row in enumerate(rows))
    height = len(rows) * ROW_HEIGHT
    axis = element("line", x1=f"{line:.1f}", y1=0, x2=f"{line:.1f}", y2=height)
    return _svg(WIDE, height, title, drawn + axis)


def _bar(row: Bar, top: int, line: float, scale: float) -> str:
    length = abs(row.size) * scale
    left = line if row.size >= 0 else line - length
    kind = "bar" if row.size >= 0 else "bar below"
    middle = top + ROW_HEIGHT * 0.7
    right = f"{max(left + length, line) + 6:.1f}"
    return (
        text_element(row.label, x=LABEL - 10, y=f"{middle:.1f}", text_anchor="end")
        + element(
            "rect", class_=kind, x=f"{left:.1f}", y=top + 3, width=f"{length:.1f}", height=ROW_HEIGHT - 6
        )
        + text_element(row.figure, x=right, y=f"{middle:.1f}")
    )


def grid(cells: Iterable[Cell], title: str) -> str:
    """Return the grid with pairs on the diagonal, suited holes above it and others below, aces first."""
    drawn = "".join(_cell(cell) for cell in cells)
    return _svg(13 * CELL, 13 * CELL, title, drawn)


def _cell(cell: Cell) -> str:
    high, low = (12 - RANKS.index(rank) for rank in cell.name[:2])
    row, column = (low, high) if cell.name.endswith("o") else (high, low)
    x, y = column * CELL, row * CELL
    lines = ((cell.name, 18, "name"), (cell.words, 33, "words"), (cell.figure, 47, "figure"))
    texts = "".join(
        text_element(words, class_=kind, x=x + CELL / 2, y=y + down, text_anchor="middle")
        for words, down, kind in lines
    )
    box = element("rect", x=x, y=y, width=CELL, height=CELL)
    return element("g", box + texts, class_=cell.shade)


def _svg(wide: int, high: int, title: str, drawn: str) -> str:
    named = element("title", escape(title))
    return element(
        "svg", named + drawn, viewBox=f"0 0 {wide} {high}", role="img", aria_label=title, xmlns=SVG
    )
