"""Schematic of a board as one SVG: each part a box, each pin with the name of its net.

Pins with the same net name are connected; no line connects two parts. Everything is drawn from the netlist,
so that drawing and netlist cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from controller.common.files.svg import SVG, element, text_element
from hardware.papers.netlist import TWO_ENDS, Netlist

STEP, BOX, LABEL, GAP, COLUMN_HEIGHT = 12, 76, 135, 26, 1240
"""Measures in pixels: distance of pins, width of a box, room for a net's name on either side, distance of
parts, height of a column."""
STYLE = "text{font:9px sans-serif}.n{fill:#06c}.d{font-weight:bold}rect{fill:#ffd}rect,path{stroke:#333}"


def svg(board: Netlist) -> str:
    """Return the schematic as SVG: boxes in columns for parts with many pins, then one line for each part
    with two ends."""
    of = {node: net for net, nodes in board.nets.items() for node in nodes}
    drawn, x, y = list[str](), 0, 0
    for part in sorted(board.parts, key=lambda part: len(board.pins(part)) == len(TWO_ENDS)):
        tall = _height(board, part)
        if y + tall > COLUMN_HEIGHT:
            x, y = x + BOX + 2 * LABEL + GAP, 0
        drawn += _part(board, part, of, x + LABEL, y)
        y += tall
    size = f"-4 -14 {x + BOX + 2 * LABEL + 8} {COLUMN_HEIGHT + 20}"
    head = element("style", STYLE) + "\n" + element("title", escape(board.name))
    return element("svg", "\n".join([head, *drawn, ""]), xmlns=SVG, viewBox=size) + "\n"


def _height(board: Netlist, part: str) -> int:
    pins = board.pins(part)
    return STEP + 4 if len(pins) == len(TWO_ENDS) else (len(pins) + 1) // 2 * STEP + GAP + 14


def _part(board: Netlist, part: str, of: dict[str, str], x: int, y: int) -> Iterator[str]:
    pins, value = board.pins(part), board.kinds[board.parts[part]]["value"]
    name = element("tspan", part, class_="d") + " " + escape(value)
    if len(pins) == len(TWO_ENDS):
        yield element("rect", x=x, y=y, width=BOX, height=STEP)
        yield element("text", name, x=x + 3, y=y + 9)
        yield from _pin(x, y + 9, "", of[f"{part}.{pins[0]}"], left=True)
        yield from _pin(x + BOX, y + 9, "", of[f"{part}.{pins[1]}"], left=False)
        return
    half = (len(pins) + 1) // 2
    yield element("text", name, x=x, y=y + 9)
    yield element("rect", x=x, y=y + 12, width=BOX, height=half * STEP + 4)
    for at, pin in enumerate(pins):
        left = at < half
        down = y + 12 + (at % half + 1) * STEP
        yield from _pin(x if left else x + BOX, down, pin, of[f"{part}.{pin}"], left=left)


def _pin(x: int, y: int, pin: str, net: str, *, left: bool) -> Iterator[str]:
    out, inner = (-8, 3) if left else (8, -3)
    ends = ("end", "start") if left else ("start", "end")
    yield element("path", d=f"M{x} {y - 3}h{out}")
    if pin:
        yield text_element(pin, x=x + inner, y=y, text_anchor=ends[1])
    yield text_element(net, class_="n", x=x + out + (-2 if left else 2), y=y, text_anchor=ends[0])
