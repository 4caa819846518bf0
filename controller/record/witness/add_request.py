"""Request to a witness: the body of `add-checkpoint` (C2SP tlog-witness). Pure; strict in both directions."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass

from controller.common.tlog.note import MAX_NOTE_BYTES, BadNote, Checkpoint, Note, from_base64

MAX_STEPS = 63
MAX_BODY_BYTES = MAX_NOTE_BYTES + 4096
"""Limit of a body: a note, and up to 63 hashes of 45 bytes before it."""
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})")


class BadAddRequest(ValueError):
    """Raised if a body is not a request for a cosignature. The message never quotes it."""


@dataclass(frozen=True, slots=True)
class AddRequest:
    """Request to a witness to cosign a checkpoint. `proof` shows that its tree contains the tree of `old`
    leaves, which the witness cosigned last."""

    old: int
    proof: tuple[bytes, ...]
    note: Note
    checkpoint: Checkpoint

    @classmethod
    def of(cls, old: int, proof: list[bytes], note: Note) -> AddRequest:
        return cls(old, tuple(proof), note, Checkpoint.parse(note.text))

    @classmethod
    def parse(cls, body: bytes) -> AddRequest:
        head, gap, rest = body.partition(b"\n\n")
        first, *steps = head.decode("ascii", "replace").split("\n")
        found = _OLD.fullmatch(first)
        if not gap or found is None:
            raise BadAddRequest(
                "the first line is not that of an old size; allowed: old SIZE, a proof, a checkpoint"
            )
        if len(steps) > MAX_STEPS:
            raise BadAddRequest(f"a proof is too long; allowed: {MAX_STEPS} lines")
        try:
            proof = [from_base64(step) for step in steps]
            note = Note.parse(rest)
            ask = cls.of(int(found[1]), proof, note)
        except BadNote as error:
            raise BadAddRequest(str(error)) from None
        if any(len(step) != len(ask.checkpoint.root) for step in proof):
            raise BadAddRequest("a line of a proof is no hash; allowed: 32 bytes in base64")
        return ask

    def body(self) -> bytes:
        steps = "".join(f"{b64encode(step).decode()}\n" for step in self.proof)
        return f"old {self.old}\n{steps}\n{self.note}".encode()
