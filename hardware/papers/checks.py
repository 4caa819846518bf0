"""Electrical rules of every board, as KiCad checks them: pins joined, outputs apart, supplies driven.

A kind of part names its pins by direction: `inputs`, `outputs`, `needs` (takes a supply), `gives` (is a
supply), `guards` (protects its line against static); a pin without a direction is passive. The checks never
repair a netlist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hardware.papers.netlist import Netlist


def faults(board: Netlist) -> Iterator[str]:
    """Yield a line for each fault of a board."""
    yield from _parts(board)
    yield from _joins(board)
    for net, nodes in board.nets.items():
        yield from _drivers(board, net, nodes)
    yield from _unguarded(board)


def _parts(board: Netlist) -> Iterator[str]:
    for kind, facts in board.kinds.items():
        if not facts["footprint"]:
            yield f"{kind} has no footprint"


def _joins(board: Netlist) -> Iterator[str]:
    """Yield a line for each pin in two nets or in none, net of one pin, unknown pin, and open pin that is
    joined."""
    nodes = [node for found in board.nets.values() for node in found]
    yield from (f"{node} is in two nets" for node, times in Counter(nodes).items() if times > 1)
    yield from (f"net {net} joins nothing" for net, found in board.nets.items() if len(found) < 2)
    there = {f"{part}.{pin}" for part in board.parts for pin in board.pins(part)}
    yield from (f"{node}: there is no such pin" for node in sorted(set(nodes) - there))
    yield from (f"{node} is in no net" for node in sorted(there - set(nodes)))
    known = {f"{part}.{pin}" for part, kind in board.parts.items() for pin in board.all_pins(kind)}
    yield from (f"{node} is open: there is no such pin" for node in sorted(set(board.open) - known))


def _drivers(board: Netlist, net: str, nodes: list[str]) -> Iterator[str]:
    """Yield a line for a net with two outputs, an input that nothing drives, and a supply pin without a
    supply."""
    driving = [node for node in nodes if board.is_a(node, "outputs") or board.is_a(node, "gives")]
    if len(driving) > 1:
        yield f"net {net} has more than one output: {', '.join(driving)}"
    taking = [node for node in nodes if board.is_a(node, "inputs")]
    needing = [node for node in nodes if board.is_a(node, "needs")]
    if taking and len(taking) + len(needing) == len(nodes):
        yield f"net {net}: nothing drives {', '.join(taking)}"
    if needing and not any(board.is_a(node, "gives") for node in nodes):
        yield f"net {net}: nothing supplies {', '.join(needing)}"


def _unguarded(board: Netlist) -> Iterator[str]:
    """Yield a line for each pin of a reachable plug whose line is not protected; a supply or a ground needs
    no protection."""
    for nodes in board.nets.values():
        if not any(board.is_a(node, "gives") or board.is_a(node, "guards") for node in nodes):
            reached = (node for node in nodes if node.partition(".")[0] in board.reachable)
            yield from (f"{node} can be reached and is not protected" for node in reached)
