"""The Pi's header, and the parts connected to a part of a netlist."""

from __future__ import annotations

from hardware.papers.netlist import Netlist

HEADER_PIN = {14: 8, 15: 10, 9: 21, 10: 19, 11: 23, 8: 24, 6: 31, 16: 36, 20: 38, 21: 40, 26: 37}
"""Pin of the 40-pin header by BCM number (Raspberry Pi documentation, GPIO and the 40-pin header)."""
HEADER_GROUNDS, PI_3V3 = {6, 9, 14, 20, 25, 30, 34, 39}, {1, 17}


def beyond(board: Netlist, node: str, kind: str) -> str:
    """Return the net at the other end of the only part of `kind` that is on the node's net."""
    here = board.net_of(node)
    (part,) = {at.split(".")[0] for at in board.nets[here] if board.parts[at.split(".")[0]] == kind}
    (other,) = {board.net_of(f"{part}.1"), board.net_of(f"{part}.2")} - {here}
    return other
