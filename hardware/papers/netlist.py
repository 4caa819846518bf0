"""Netlist of a board as text: parsed, and written for KiCad.

``netlist.yaml``: kinds of parts with their order numbers and pins, parts by their designator, nets as lists
of ``PART.PIN``. It never judges a netlist: `checks.faults` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import yaml

TWO_ENDS = ("1", "2")
"""Pins of a kind that names no pins: a resistor, capacitor or fuse."""


@dataclass(frozen=True)
class Netlist:
    """Netlist of a board. `kinds`: facts of each kind; `parts`: designator to kind; `nets`: name to nodes
    ``PART.PIN``."""

    name: str
    kinds: dict[str, dict[str, Any]]
    parts: dict[str, str]
    nets: dict[str, list[str]]
    open: tuple[str, ...] = ()
    """Pins that are not connected on purpose."""
    reachable: tuple[str, ...] = ()
    """Plugs whose lines end where a hand reaches."""

    def net_of(self, node: str) -> str:
        (found,) = (net for net, nodes in self.nets.items() if node in nodes)
        return found

    def all_pins(self, kind: str) -> tuple[str, ...]:
        facts = self.kinds[kind]
        return tuple(map(str, facts.get("pins", facts.get("pads", TWO_ENDS))))

    def pins(self, part: str) -> tuple[str, ...]:
        """Return the pins of the part that must be in a net: all but the open ones."""
        pins = self.all_pins(self.parts[part])
        return tuple(pin for pin in pins if f"{part}.{pin}" not in self.open)

    def is_a(self, node: str, direction: str) -> bool:
        """Return whether the kind of the node's part lists the node's pin under this direction."""
        part, _, pin = node.partition(".")
        return part in self.parts and pin in map(str, self.kinds[self.parts[part]].get(direction, ()))


def read(path: Path) -> Netlist:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    nets = {str(net): [str(node) for node in nodes] for net, nodes in data["nets"].items()}
    open_pins, reachable = (tuple(data.get(name, ())) for name in ("open", "reachable"))
    return Netlist(path.parent.name, data["kinds"], data["parts"], nets, open_pins, reachable)


def kicad(board: Netlist) -> str:
    """Return the netlist for KiCad's Pcbnew (File, Import, Netlist): s-expressions, version E."""
    source = f"hardware/{board.name}/netlist.yaml"
    lines = [
        '(export (version "E")',
        f'  (design (source "{source}") (tool "hardware.papers"))',
        "  (components",
    ]
    for part in board.parts:
        lines += _component(board, part)
    lines[-1] += ")"
    lines.append("  (nets")
    for code, (net, nodes) in enumerate(board.nets.items(), 1):
        lines.append(f'    (net (code "{code}") (name "{net}")')
        lines += [f"      {line}" for node in nodes for line in _nodes(board, *node.split(".", 1))]
        lines[-1] += ")"
    lines[-1] += "))"
    return "\n".join(lines) + "\n"


def _component(board: Netlist, part: str) -> Iterator[str]:
    """Yield a component. Its time stamp stays the same over imports: KiCad finds a footprint by it."""
    of = board.kinds[board.parts[part]]
    stamp = uuid5(NAMESPACE_URL, f"{board.name}/{part}")
    yield f'    (comp (ref "{part}") (value "{of["value"]}") (footprint "{of["footprint"]}")'
    yield f'      (fields (field (name "Order") "{of["order"]}"))'
    yield f'      (sheetpath (names "/") (tstamps "/")) (tstamps "{stamp}"))'


def _nodes(board: Netlist, part: str, pin: str) -> Iterator[str]:
    """Yield a node for each pad of a pin. A pin with a number is its own pad."""
    pads = board.kinds[board.parts[part]].get("pads", {}).get(pin, pin)
    for pad in pads if isinstance(pads, list) else [pads]:
        yield f'(node (ref "{part}") (pin "{pad}"))'
