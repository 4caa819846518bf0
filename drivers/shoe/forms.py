"""Frame types and the form of their fields (drivers/shoe/LINK.md, the two tables). Sans-I/O.

Only the form is checked: the controller decides what a frame means and whether a face is a card of the
deck. A frame of the wrong form is malformed: dropped, counted, not answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from drivers.shoe.codec import Frame

_VERSION: Final = "1"
LONG_COMMANDS: Final = frozenset({"DEAL", "STUBOUT", "SHUFFLE"})
"""Commands that run one at a time: the next is sent after DONE or REFUSED."""

FALL_BACK: Final = ("VERSION", ("1",))
"""Pseudo-command of a floorperson to the driver, never sent as a frame: use version 1 until the shoe offers
version 2 again."""

_NUMBER = r"\d+"
_NUMBER_OR_DASH = r"\d+|-"
_BACK = r"RED|BLUE|-"
_ANY = r".*"
_WORD = r".+"

_SHOE: Final[Mapping[str, tuple[str, ...]]] = {
    "ACK": (),
    "ALIVE": (),
    "KNOCK": (_ANY,),
    "WELCOME": (r"[12]", _ANY, _ANY, _ANY, _ANY),
    "STATE": ("EMPTY|SHUFFLING|READY|DEALING|FAULT", _NUMBER_OR_DASH, _NUMBER, _BACK, "STACK|SINGLE"),
    "SHUFFLED": (_NUMBER_OR_DASH, _BACK),
    "READY": (_NUMBER_OR_DASH, _BACK),
    "CARD": (_NUMBER, _WORD),
    "STACK": (_NUMBER,),
    "TAKEN": (),
    "STUB": (_NUMBER_OR_DASH,),
    "FAULT": (_WORD,),
    "CLEARED": (_WORD,),
    "DONE": (_WORD,),
    "REFUSED": (_WORD, _ANY),
}
_CONTROLLER: Final[Mapping[str, tuple[str, ...]]] = {
    "ACK": (),
    "ALIVE": (),
    # any fields are allowed for another version: the shoe answers an unknown version with REFUSED,HELLO
    "HELLO": (_VERSION, _ANY, r"[0-9A-F]{2}|"),
    "DEAL": (r"[1-9]\d*",),
    "STUBOUT": (),
    "SHUFFLE": (),
    "HOLD": (),
    "RELEASE": (),
    "SIGN": ("ON|OFF",),
}

SHOE_KINDS: Final = frozenset(_SHOE)
CONTROLLER_KINDS: Final = frozenset(_CONTROLLER)


def well_formed_from_shoe(frame: Frame, version: str = _VERSION) -> bool:
    """Return whether a frame from the shoe has a valid form. A frame of an unknown TYPE is valid. `version`:
    version of the link; pass the fields as its protection has unwrapped them."""
    if frame.kind == "WELCOME" and frame.fields[:1] != (version,):
        return False
    return _fits(frame.fields, _SHOE.get(frame.kind))


def well_formed_from_controller(frame: Frame) -> bool:
    """Return whether a frame from the controller to the shoe has a valid form. A frame of an unknown TYPE is
    valid."""
    if frame.kind == "HELLO" and frame.fields[:1] != (_VERSION,):
        return frame.fields[:1] not in ((), ("",))
    return _fits(frame.fields, _CONTROLLER.get(frame.kind))


def check_command(kind: str, fields: tuple[str, ...]) -> None:
    """Raise ValueError if `kind` and `fields` are not a command of the link."""
    if (kind, fields) == FALL_BACK:
        return
    if kind in ("ACK", "ALIVE", "HELLO") or kind not in _CONTROLLER or not _fits(fields, _CONTROLLER[kind]):
        raise ValueError(
            f"shoe command {kind} {' '.join(fields)}: DEAL n, STUBOUT, SHUFFLE, HOLD, RELEASE, SIGN ON|OFF"
        )


def _fits(fields: tuple[str, ...], form: tuple[str, ...] | None) -> bool:
    if form is None:
        return True
    return len(fields) == len(form) and all(
        re.fullmatch(pattern, text, re.ASCII) for pattern, text in zip(form, fields, strict=True)
    )
