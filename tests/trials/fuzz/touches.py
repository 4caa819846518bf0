"""Fuzz target for the touches of a page.

Each touch becomes an event that the journal returns unchanged, or is refused in one line that quotes none of
it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from controller.game.model.irregularities import REPORTS
from controller.game.model.names import Key, Place, Wager
from controller.pages.display.touches import (
    FLOOR_DECISIONS,
    HOLDERS,
    Enter,
    FloorTouch,
    Report,
    TouchError,
    pin_of,
    touch_of,
)
from controller.record.journal.codec import decode_event, encode_event
from tests.trials.fuzz.target import Target, faces, guarantee, no_face, one_line

ALLOWED = "for example TH"
"""Example in the error text; the only face that an error may contain."""


def trial(data: bytes) -> None:
    try:
        touch = touch_of(data)
    except TouchError as error:
        one_line(str(error))
        no_face(str(error).replace(ALLOWED, ""), faces(data))
        return
    event = touch.event()
    guarantee(decode_event(*encode_event(event)) == event, "a touch that the journal does not give back")
    guarantee(
        touch_of(json.dumps(touch.body()).encode()) == touch,
        "a touch that is another one when it is sent again",
    )
    if isinstance(touch, Enter | Report):
        bare = touch.model_copy(update={"prompt": None})
        no_face(repr(bare))
        no_face(repr(bare.event()))
    if pin_of(touch):
        guarantee("pin=" not in repr(touch), "a PIN in a repr")


def bodies() -> Iterator[dict[str, object]]:
    yield {"do": "press", "key": "confirm", "prompt": "1/ask/3"}
    yield {"do": "press", "key": "floor"}
    yield {"do": "amount", "seat": 3, "wager": "across", "cents": 3000, "prompt": "2/pay"}
    yield {"do": "enter", "place": "seat_3_1", "face": "TH"}
    yield {"do": "enter", "place": "set_aside", "face": "2C", "prompt": "1/enter_face"}
    yield {"do": "report", "what": "hole_exposed", "seat": 2, "place": None, "once": True}
    yield {"do": "report", "what": "card_differs", "place": "middle", "face": "AS"}
    yield {"do": "report", "what": "stub_count", "number": 33}
    yield {"do": "swap", "first": "middle", "second": "down_far"}
    yield {"do": "sign_on", "number": "D7"}
    yield {"do": "relieve"}
    yield {"do": "relieve", "number": "812", "pin": "4711"}
    yield {"do": "floor", "badge": "B1", "decision": "player", "seats": [2, 3], "pin": "4711", "reason": "é"}
    yield {"do": "floor", "badge": "B1", "decision": "method", "method": "hand"}
    yield {
        "do": "correct",
        "badge": "B1",
        "round": 7,
        "seat": 2,
        "wager": "down",
        "cents": -500,
        "reason": "short",
    }
    yield {"do": "deck", "back": "blue", "preshuffled": True, "same": False}
    yield from ({"do": "floor", "badge": "B1", "decision": decision} for decision in FLOOR_DECISIONS)


def seeds() -> Iterator[bytes]:
    yield from (json.dumps(body, ensure_ascii=False).encode() for body in bodies())


NAMES = (*FloorTouch.model_fields, *REPORTS, *Key, *Place, *Wager, *HOLDERS, *FLOOR_DECISIONS)
WORDS = [f'"{name}"'.encode() for name in dict.fromkeys(map(str, NAMES))]
TARGET = Target("touches", trial, seeds, [*WORDS, b'"QH"', b"null", b"1e9", b"NaN", b"\\ud800", b'"do":'])
