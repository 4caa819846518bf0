"""What lies beyond a part of a netlist."""

from __future__ import annotations

from hardware.papers.netlist import Netlist


def beyond(board: Netlist, node: str, kind: str) -> str:
    """The net at the other end of the one part of that kind on the node's net."""
    here = board.net_of(node)
    (part,) = {at.split(".")[0] for at in board.nets[here] if board.parts[at.split(".")[0]] == kind}
    (other,) = {board.net_of(f"{part}.1"), board.net_of(f"{part}.2")} - {here}
    return other
