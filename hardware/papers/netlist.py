"""Netlist of a board as text: parsed, checked for rules of every board, written for KiCad.

``netlist.yaml``: kinds of parts with their order numbers and pins, parts by their designator, nets as lists
of ``PART.PIN``. It never repairs a netlist: `Netlist.faults` reports the faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

TWO_ENDS = ("1", "2")
"""Pins of a kind that names none: resistor, capacitor, fuse."""


@dataclass(frozen=True)
class Netlist:
    """Netlist of a board. `kinds`: facts of each kind; `parts`: designator to kind; `nets`: name to nodes
    ``PART.PIN``."""

    name: str
    kinds: dict[str, dict[str, Any]]
    parts: dict[str, str]
    nets: dict[str, list[str]]
    open: tuple[str, ...] = ()
    """Pins left open on purpose."""

    def net_of(self, node: str) -> str:
        (found,) = (net for net, nodes in self.nets.items() if node in nodes)
        return found

    def pins(self, part: str) -> tuple[str, ...]:
        """Return the pins of the part that must be in a net; of a module, those that are in one."""
        kind = self.kinds[self.parts[part]]
        if kind.get("module"):
            return tuple(node.partition(".")[2] for node in self._nodes() if node.partition(".")[0] == part)
        return tuple(pin for pin in map(str, kind.get("pins", TWO_ENDS)) if f"{part}.{pin}" not in self.open)

    def faults(self) -> Iterator[str]:
        """Yield the faults: a kind without a footprint, a pin in two nets or in none, a net of one pin, a pin
        of an unknown part."""
        yield from (
            f"{kind} has no footprint" for kind, facts in self.kinds.items() if not facts["footprint"]
        )
        nodes = list(self._nodes())
        yield from (f"{node} is in two nets" for node, times in Counter(nodes).items() if times > 1)
        yield from (f"net {net} joins nothing" for net, found in self.nets.items() if len(found) < 2)
        there = {f"{part}.{pin}" for part in self.parts for pin in self.pins(part)}
        yield from (f"{node}: there is no such pin" for node in sorted(set(nodes) - there))
        yield from (f"{node} is in no net" for node in sorted(there - set(nodes)))

    def _nodes(self) -> Iterator[str]:
        for found in self.nets.values():
            yield from found


def read(path: Path) -> Netlist:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    nets = {str(net): [str(node) for node in nodes] for net, nodes in data["nets"].items()}
    return Netlist(path.parent.name, data["kinds"], data["parts"], nets, tuple(data.get("open", ())))


def kicad(board: Netlist) -> str:
    """Return the netlist for KiCad's Pcbnew (File, Import, Netlist): s-expressions, version E."""
    source = f"hardware/{board.name}/netlist.yaml"
    lines = [
        '(export (version "E")',
        f'  (design (source "{source}") (tool "hardware.papers"))',
        "  (components",
    ]
    for part, kind in board.parts.items():
        of = board.kinds[kind]
        lines.append(f'    (comp (ref "{part}") (value "{of["value"]}") (footprint "{of["footprint"]}")')
        lines.append(f'      (fields (field (name "Order") "{of["order"]}")))')
    lines[-1] += ")"
    lines.append("  (nets")
    for code, (net, nodes) in enumerate(board.nets.items(), 1):
        lines.append(f'    (net (code "{code}") (name "{net}")')
        lines += [f"      {_node(board, *node.split('.', 1))}" for node in nodes]
        lines[-1] += ")"
    lines[-1] += "))"
    return "\n".join(lines) + "\n"


def _node(board: Netlist, part: str, pin: str) -> str:
    """Return a node; a named pin is translated to its pad's number, a numbered pin is its own pad."""
    pad = board.kinds[board.parts[part]].get("pads", {}).get(pin, pin)
    return f'(node (ref "{part}") (pin "{pad}"))'
