"""Leaves of a journal's tree: the bytes of each, and which events hold a face.

A leaf is a JSON list: the table's name, then the fields of a row as they are stored (a sealed text stays
sealed). This is a file format: it must never change, or older journals could not be verified.
"""

from __future__ import annotations

import json
import types
import typing
from dataclasses import fields, is_dataclass
from functools import cache

from controller.common.tlog.merkle import leaf_hash
from controller.game.model.cards import Card
from controller.record.journal.codec import EVENT_CLASSES

COLUMNS = {
    "events": "seq, ms, utc, kind, body, mark",
    "settings": "seq, utc, digest, pack, settings",
    "snapshots": "seq, state",
    "figures": "key, seq, sums",
    "results": "seq, round, kind, body",
    "opened": "period, key",
    "history": "n, act, utc, who, seq, body",
}
"""Tables with leaves, and the columns in a leaf, in order. `n`, a leaf's number, is not among them."""


_written = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def leaf(table: str, row: tuple[object, ...]) -> bytes:
    """Return the bytes of the leaf of a row, which are hashed: the name of its table and its columns, as
    JSON."""
    return _written([table, *row]).encode()


def hash_of(table: str, row: tuple[object, ...]) -> bytes:
    """Return the leaf's hash in the tree (RFC 9162, section 2.1.1)."""
    return leaf_hash(leaf(table, row))


def about_event(journal: str, seq: int, ms: int, utc: str, kind: str, mark: str | None) -> bytes:
    """Return the data that is authenticated with a sealed event but not encrypted: journal, table, row, kind,
    times and the shoe's mark."""
    return json.dumps([journal, "events", seq, ms, utc, kind, mark]).encode()


def about_snapshot(journal: str, seq: int) -> bytes:
    """Return the data that is authenticated with a sealed snapshot but not encrypted: journal, table and
    row."""
    return json.dumps([journal, "snapshots", seq]).encode()


@cache
def holds_face(kind: str) -> bool:
    """Return whether events of that kind can hold a face, judged by their types, so no list is needed."""
    known = EVENT_CLASSES.get(kind)
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
