"""The part of the public view that a floorperson signs, as declared types. Amounts in cents."""

from __future__ import annotations

from typing import TypedDict


class SignatureEffect(TypedDict):
    """One effect of a signature (`phases/signature_effects.py`), in cents; `counts`: of the bet."""

    kind: str
    amount: int
    counts: int


class SignatureKey(TypedDict):
    """One key that signs. `holder`: ``player`` or ``house`` has what is missing, "" if nothing is."""

    holder: str
    effects: list[SignatureEffect]


class Signature(TypedDict):
    """Item that waits for a floorperson's signature; `missing` as in `Alert`; `about`: the subject that the
    signature names; `signs` as in `Alert`."""

    what: str
    seat: int | None
    wager: str | None
    amount: int | None
    missing: int
    about: str
    signs: list[SignatureKey]


class Waiting(Signature):
    """The same, or a difference in the words of its alert (`alert` is its id), or a `step` of the opening."""

    alert: int | None
    step: str | None
