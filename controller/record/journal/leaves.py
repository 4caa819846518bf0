"""Leaves of a journal's tree: the bytes of each, and the events that hold a face.

The fields of a row, as they are stored (a sealed text stays sealed), as a JSON list that begins with the
table's name. This is a file format: it must never change, or no journal of before could be verified.
"""

from __future__ import annotations

import json
import types
import typing
from dataclasses import fields, is_dataclass
from functools import cache

from controller.common.tlog.merkle import leaf_hash
from controller.game.model.cards import Card
from controller.record.journal.codec import KINDS

COLUMNS = {
    "events": "seq, ms, utc, kind, body, mark",
    "settings": "seq, utc, digest, pack, settings",
    "snapshots": "seq, state",
    "figures": "key, seq, sums",
    "results": "seq, round, kind, body",
    "opened": "period, key",
    "history": "n, act, utc, who, seq, body",
}
"""The tables whose rows are leaves, and the fields that count, in order. `n`, a leaf's number, is not among
them."""


def leaf(table: str, row: tuple[object, ...]) -> bytes:
    """The bytes of one row's leaf."""
    return json.dumps([table, *row], separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(table: str, row: tuple[object, ...]) -> bytes:
    """Return the hash of its leaf, as in the tree (RFC 9162, section 2.1.1)."""
    return leaf_hash(leaf(table, row))


def about_event(journal: str, seq: int, ms: int, utc: str, kind: str, mark: str | None) -> bytes:
    """Return the data bound to a sealed event: journal, table, row, kind, times and the shoe's mark."""
    return json.dumps([journal, "events", seq, ms, utc, kind, mark]).encode()


def about_snapshot(journal: str, seq: int) -> bytes:
    """The same of a sealed snapshot."""
    return json.dumps([journal, "snapshots", seq]).encode()


@cache
def holds_face(kind: str) -> bool:
    """Whether events of that kind can hold a face: by their types, so that no list has to be kept."""
    known = KINDS.get(kind)
    return known is not None and _may_hold(known)


def _may_hold(kind: object) -> bool:
    if kind is Card:
        return True
    if isinstance(kind, type) and is_dataclass(kind):
        own = typing.get_type_hints(kind)
        return any(_may_hold(own[each.name]) for each in fields(kind))
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is not None:
        return any(_may_hold(part) for part in typing.get_args(kind))
    return False
