"""Parts of one table: `hardware/parts.yaml` as tables, the cost of a table, and the loads of its supplies.

Prices are rough, in whole US cents. This module must never add a price or a current that the file does not
state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

BOARDS = ("pi4", "pi5")
READER_KINDS = ("seat_board", "pn532_uart", "feig_mux")
PartsData = dict[str, Any]


def markdown(data: PartsData) -> str:
    """Return the tables of hardware/parts.md: one for each group, then costs and currents."""
    lines: list[str] = []
    for group, parts in data["groups"].items():
        lines += [f"### {group}", "", "| part | order | or | Pi 4 | Pi 5 | each, $ | why |"]
        lines += ["|---|---|---|---:|---:|---:|---|", *map(_row, parts), ""]
    return "\n".join([*lines, *_costs(data), "", *_currents(data)])


def _row(part: PartsData) -> str:
    numbers = [str(number(part, board) or "–") for board in BOARDS]
    price = "on request" if "quoted" in part else _dollars(part["cents"])
    cells = [part["what"], part["order"], part.get("or", ""), *numbers, price, part["why"]]
    return f"| {' | '.join(cells)} |"


def number(part: PartsData, board: str) -> int:
    """Return the number of pieces for a table with this board."""
    found = part["number"]
    return int(found[board] if isinstance(found, dict) else found)


def parts_for(data: PartsData, kind: str) -> Iterator[PartsData]:
    """Yield the parts of a table with readers of this kind."""
    for parts in data["groups"].values():
        yield from (part for part in parts if _is_for(part, kind))


def _is_for(entry: PartsData, kind: str) -> bool:
    """Return whether a part or load belongs to a table with readers of this kind."""
    kinds = entry.get("readers", kind)
    return kind == kinds if isinstance(kinds, str) else kind in kinds


def cents(data: PartsData, board: str, kind: str) -> int:
    """Return the price of all parts that have one."""
    return sum(number(part, board) * part.get("cents", 0) for part in parts_for(data, kind))


def carried_ma(rail: PartsData, board: str, kind: str) -> int:
    """Return the maximum current of a supply in mA, all loads at once."""
    found = (load["ma"] for load in rail["loads"] if _is_for(load, kind))
    return sum(ma[board] if isinstance(ma, dict) else ma for ma in found)


def charging_ma(rail: PartsData, kind: str) -> int:
    """Return the current that the loads' capacitors take while the supply rises, in mA: C times dU/dt."""
    microfarads: int = sum(load.get("uf", 0) for load in rail["loads"] if _is_for(load, kind))
    return round(microfarads * float(rail["volts"]) / float(rail["rises_ms"]))


def _costs(data: PartsData) -> Iterator[str]:
    yield f"### What a table costs in parts, roughly, {data['prices']}"
    yield ""
    yield "| readers | with a Pi 4 | with a Pi 5 |"
    yield "|---|---:|---:|"
    for kind in READER_KINDS:
        costs = [f"${round(cents(data, board, kind), -3) // 100:,}" for board in BOARDS]
        quoted = [f"{part['number']} × {part['what']}" for part in parts_for(data, kind) if "quoted" in part]
        beside = f": a part of the cost, without {'; '.join(quoted)}" if quoted else ""
        yield f"| `{kind}`{beside} | {' | '.join(costs)} |"


def _currents(data: PartsData) -> Iterator[str]:
    yield "### What the supplies carry at most"
    yield ""
    yield "| supply | readers | Pi 4: carries, gives | Pi 5: carries, gives | charges its capacitors with |"
    yield "|---|---|---:|---:|---:|"
    for name, rail in data["rails"].items():
        for kind in READER_KINDS:
            gives = rail["gives_ma"]
            both = [f"{carried_ma(rail, board, kind):,} of {gives[board]:,} mA" for board in BOARDS]
            cells = [*both, f"{charging_ma(rail, kind):,} mA"]
            yield f"| {name}, {rail['volts']} V | `{kind}` | {' | '.join(cells)} |"


def _dollars(of: int) -> str:
    return f"{of // 100}.{of % 100:02d}"
