"""Decides when a witness signs and when it must refuse: every refusal of C2SP tlog-witness, in its order.
Pure.

A tree may be signed only if it contains, unchanged, the tree that was signed before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from controller.common.tlog.merkle import EMPTY, is_consistent
from controller.common.tlog.note import BadSignature, Checkpoint, VerifierKey
from controller.record.witness.add_request import AddRequest

Fork = Literal["no", "perhaps", "proven"]
Logs: TypeAlias = Mapping[str, Sequence[VerifierKey]]
"""Keys that sign the checkpoints, by origin."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of a request. `status`: HTTP status. `words`: text of the answer. `size`: size of the last
    cosigned tree, if the answer contains it. `fork`: whether the log has signed another history. Only two
    different trees of the same size prove that: an invalid proof may come from another sender who intercepted
    a checkpoint."""

    status: int
    words: str
    size: int | None = None
    fork: Fork = "no"


def check_log(ask: AddRequest, logs: Logs) -> Refusal | None:
    """Return a refusal if no key of the log signed the checkpoint, else None. Every known key is tried: a
    bad signature of any of them makes the note invalid."""
    keys = logs.get(ask.checkpoint.origin)
    if keys is None:
        return Refusal(404, "this log is not known here")
    try:
        signed = [ask.note.signed_by(key) for key in keys]
    except BadSignature as error:
        return Refusal(403, str(error))
    return None if any(signed) else Refusal(403, "no key of this log has signed the checkpoint")


def check_extension(ask: AddRequest, latest: Checkpoint | None) -> Refusal | None:
    """Return a refusal if the checkpoint does not extend the log's last cosigned one, else None."""
    new, last = ask.checkpoint, latest or Checkpoint(ask.checkpoint.origin, 0, EMPTY)
    if ask.old > new.size:
        return Refusal(400, "the old size is larger than the checkpoint's")
    fork: Fork = "proven" if new.size == last.size > 0 and new.root != last.root else "no"
    if ask.old != last.size:
        return Refusal(409, two_trees(last.size, new.size), last.size, fork)
    if not is_consistent(last.size, last.root, new.size, new.root, ask.proof):
        perhaps: Fork = "perhaps" if 0 < last.size < new.size else fork
        return Refusal(422, two_trees(last.size, new.size), fork=perhaps)
    return None


def two_trees(old: int, new: int) -> str:
    if old == new:
        return f"this is not the tree of {old} leaves that was seen"
    return f"the tree of {new} leaves is not shown to begin with the tree of {old} that was cosigned"
