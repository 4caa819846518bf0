"""Types of the public view for the items that a floorperson signs. Amounts in cents."""

from __future__ import annotations

from typing import TypedDict


class SignatureEffect(TypedDict):
    """One effect of a signature (`phases/signature_effects.py`), in cents; `counts`: cents for which the
    bet counts."""

    kind: str
    amount: int
    counts: int


class SignatureKey(TypedDict):
    """One key that signs. `holder`: ``player`` or ``house`` has the missing chips, "" if none are missing."""

    holder: str
    effects: list[SignatureEffect]


class Signature(TypedDict):
    """Item that waits for a floorperson's signature. `missing` and `signs` are as in `Alert`. `about` is the
    subject that the signature names."""

    what: str
    seat: int | None
    wager: str | None
    amount: int | None
    missing: int
    about: str
    signs: list[SignatureKey]


class Waiting(Signature):
    """Item to sign, or a difference with the words of its alert (`alert` is its id), or a `step` of the
    opening, with the `back` of its deck."""

    alert: int | None
    step: str | None
    back: str | None
