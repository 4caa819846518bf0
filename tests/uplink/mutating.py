"""Wrong variants of a payload with one change each: any path of its JSON value gets a wrong type or a value
at a limit. The choice follows a seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OLD = Path(__file__).with_name("told_by_f98257e.jsonl")
"""Payloads of tables of commit f98257e, one in each line: mock tables with all packs, with errors and void
rounds, made by `crisscross mock` and the follower of that commit."""
GONE = object()
WRONG: tuple[Any, ...] = (
    GONE, None, True, 0, -1, 7, 2000, 10**13 + 1, 10**30, 17.0, 1e400, float("nan"), "", "2000", "never",
    "win", "across", "KH", "x" * 9000, "a\0b", "\ud800", "=1+1", "\t=1+1", "\u202e<script>", "9" * 5000, [],
    [None], [[]], {}, {"more": 1}, "2026-02-30T20:00:00.000Z", "9999-12-31T23:59:59Z", "void", "settled",
    "returned",
)  # fmt: skip


def old_payloads() -> list[bytes]:
    return OLD.read_bytes().splitlines()


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield every path into the value, except the empty one."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*at, key)
        yield from paths(each, (*at, key))


def changed(value: Any, path: tuple[Any, ...], wrong: Any) -> Any:
    """Return a copy of the value in which the element at `path` is `wrong`, or is missing if `wrong` is
    GONE."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if wrong is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = wrong
    return copy


def mutations(payload: bytes, count: int, lots: random.Random) -> Iterator[Any]:
    """Yield at most `count` variants of a payload with one wrong value each, then up to two variants with an
    additional key."""
    value = json.loads(payload)
    places = list(paths(value))
    every = [(path, wrong) for path in places for wrong in WRONG]
    for path, wrong in lots.sample(every, min(count, len(every))):
        yield changed(value, path, wrong)
    inner = [path for path in places if isinstance(_at(value, path), dict)]
    for path in lots.sample(inner, min(2, len(inner))):
        yield changed(value, (*path, "more"), 1)


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value
