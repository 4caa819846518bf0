"""Every touch becomes exactly one event, or is refused in one line that says why."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from controller.game.model import events
from controller.game.model.irregularities import REPORTS, Code, DealerReport
from controller.game.model.names import Key, Method, Wager
from controller.pages.display import touches
from controller.pages.display.touches import (
    Amount,
    Deck,
    Enter,
    FloorTouch,
    Press,
    Report,
    Touch,
    TouchError,
    parse,
)

ABOUT = "hold 7.31"


def touch(**body: Any) -> events.PeopleEvent:
    """Return the event of a body; a subject is added if the body names none."""
    bound = body.get("prompt") is not None and body["do"] != "floor"
    subject = {} if bound or body.get("key") == "floor" else {"about": ABOUT}
    return parse(json.dumps(body | subject).encode())


def about(event: events.PeopleEvent) -> events.PeopleEvent:
    """Return the event with the subject ABOUT, if an event of its kind needs one and has none."""
    bound = isinstance(event, events.FloorDecided) or getattr(event, "prompt", None) is None
    free = isinstance(event, events.KeyPressed)
    return replace(event, about=ABOUT) if bound and not free else event  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ({"do": "press", "key": "confirm", "prompt": "1/ask/3"}, events.KeyPressed(Key.CONFIRM, "1/ask/3")),
        ({"do": "press", "key": "floor"}, events.KeyPressed(Key.FLOOR)),
        ({"do": "floor", "badge": "B1", "decision": "approve", "outcome": "void", "prompt": "1/held"},
         events.FloorDecided("B1", "approve", "void", prompt="1/held")),
        ({"do": "amount", "seat": 3, "wager": "across", "cents": 3000},
         events.AmountEntered(3, Wager.ACROSS, 3000)),
        ({"do": "enter", "place": "seat_3_1", "face": "TH"}, events.FaceEntered("seat_3_1", "TH")),
        ({"do": "enter", "place": "set_aside", "face": "2C"}, events.FaceEntered("set_aside", "2C")),
        ({"do": "report", "what": "hole_exposed", "seat": 2, "place": None},
         events.Reported(Code.HOLE_EXPOSED, seat=2)),
        ({"do": "report", "what": "stub_count", "number": 33}, events.Reported(DealerReport.STUB_COUNT,
        number=33)), ({"do": "swap", "first": "middle", "second": "down_far"}, events.CardsSwapped("middle",
        "down_far")), ({"do": "sign_on", "number": "D7"}, events.DealerSignedOn("D7")), ({"do": "sign_on",
        "number": "812", "pin": "4711"}, events.DealerSignedOn("812")), ({"do": "relieve"},
        events.DealerRelieved()), ({"do": "relieve", "number": "812", "pin": "4711"},
        events.DealerRelieved("812")), ({"do": "floor", "badge": "B1", "decision": "player", "seats": [2, 3]},
         events.FloorDecided("B1", "player", seats=(2, 3))),
        ({"do": "floor", "badge": "B1", "decision": "method", "method": "hand"},
         events.FloorDecided("B1", "method", method=Method.HAND)),
        ({"do": "deck", "back": "blue", "preshuffled": True}, events.DeckBrought("blue", True)),
        ({"do": "deck", "same": True}, events.DeckBrought(None, same=True)),
    ],
)  # fmt: skip
def test_each_touch_is_one_event(body: dict[str, Any], event: events.PeopleEvent) -> None:
    assert touch(**body) == about(event)


@pytest.mark.parametrize(
    "built",
    [
        Press(key=Key.UNDO, prompt="1/ask/3"),
        Amount(seat=3, wager=Wager.ACROSS, cents=0),
        Enter(place="set_aside", face="2C"),
        Report(what="hole_exposed", seat=2),
        FloorTouch(badge="B1", decision="player", seats=(2, 3)),
        FloorTouch(badge="B1", decision="method", method=Method.HAND),
        Deck(back="blue"),
    ],
)
def test_a_built_touch_is_read_back_unchanged(built: Touch) -> None:
    sent = built.model_copy(update={"about": ABOUT})
    assert parse(json.dumps(sent.body()).encode()) == sent.event()


@pytest.mark.parametrize(
    "body",
    [
        {"do": "press", "key": "undo", "prompt": "1/ask/3"},
        {"do": "amount", "seat": 3, "wager": "across", "cents": 3000},
        {"do": "enter", "place": "set_aside", "face": "2C"},
        {"do": "report", "what": "hole_exposed", "seat": 2},
        {"do": "swap", "first": "middle", "second": "down_far"},
        {"do": "sign_on", "number": "D7"},
        {"do": "relieve"},
        {"do": "floor", "badge": "B1", "decision": "refuse"},
        {"do": "floor", "badge": "B1", "decision": "approve", "outcome": "void", "prompt": "1/held"},
        {"do": "correct", "badge": "B1", "round": 1, "seat": 1, "wager": "across", "cents": 5, "reason": "x"},
        {"do": "deck", "back": "blue"},
    ],
)
def test_a_touch_without_a_subject_is_refused(body: dict[str, Any]) -> None:
    """A screen always names the subject. Files and journals of earlier versions need not."""
    with pytest.raises(TouchError) as refused:
        parse(json.dumps(body).encode())
    assert str(refused.value) == f"about: must be given for {body['do']}"
    assert parse(json.dumps({**body, "about": ABOUT}).encode())


def test_an_approval_names_the_outcome_on_its_key() -> None:
    body = {"do": "floor", "badge": "B1", "decision": "approve", "about": ABOUT}
    with pytest.raises(TouchError) as refused:
        parse(json.dumps(body).encode())
    assert str(refused.value) == "outcome: must be given for floor"
    assert parse(json.dumps({**body, "outcome": None}).encode())


def test_a_face_shows_in_no_repr() -> None:
    assert "2C" not in repr(Enter(place="set_aside", face="2C")) + repr(Report(what="face_seen", face="2C"))
    with pytest.raises(ValidationError) as refused:
        Enter(place="pocket", face="2C")
    assert "2C" not in str(refused.value)


@pytest.mark.parametrize("what", REPORTS)
def test_every_report_can_be_sent(what: str) -> None:
    assert touch(do="report", what=what) == about(events.Reported(what))


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b"", "body: one JSON object in UTF-8"),
        (b"[]", "body: one JSON object"),
        (b"\xff", "body: one JSON object in UTF-8"),
        (b'{"do":"press","do":"press"}', "body: each key once"),
        (b'{"do":"amount","seat":3,"wager":"across","cents":NaN}', "body: numbers are whole"),
        (b'{"do":"steal"}', "do: one of press amount enter"),
        (b'{"do":["press"]}', "do: one of press"),
        (b'{"do":"press"}', "key: must be given for press"),
        (b'{"do":"press","key":"undo"}', "prompt: must be given for press"),
        (b'{"do":"press","key":"undo","prompt":7}', "prompt: the id of a prompt"),
        (b'{"do":"press","key":"win"}', "key: one of no_more_bets confirm fold floor undo"),
        (rb'{"do":"relieve","\ud800":1}', "unknown key: not a key of relieve; allowed are about number pin"),
        (b'{"do":"relieve","x":1}', "x: not a key of relieve; allowed are about number pin"),
        (b'{"do":"amount","seat":7,"wager":"across","cents":1}', "seat: a whole number from 1 to 6"),
        (b'{"do":"amount","seat":true,"wager":"across","cents":1}', "seat: a whole number from 1 to 6"),
        (b'{"do":"amount","seat":1,"wager":"across","cents":1.5}', "cents: a whole number"),
        (b'{"do":"enter","place":"middle","face":"1H"}', "face: a card is a rank"),
        (b'{"do":"enter","place":"pocket","face":"TH"}', "place: one of down_far"),
        (b'{"do":"sign_on","number":"D 7"}', "number: 1 to 16 letters"),
        (b'{"do":"deck"}', "back: must be given unless same is true"),
        (
            b'{"do":"floor","badge":"B1","decision":"player","seats":[2,2]}',
            "seats: a list of seats, each once",
        ),
    ],
)
def test_an_invalid_touch_is_refused_in_one_line(body: bytes, line: str) -> None:
    with pytest.raises(TouchError) as refused:
        parse(body)
    assert str(refused.value).startswith(line)
    assert "\n" not in str(refused.value)


def test_a_refusal_repeats_no_face() -> None:
    with pytest.raises(TouchError) as refused:
        touch(do="enter", place="nowhere", face="QH", QH="QH")
    assert "QH" not in str(refused.value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_NAMES = st.sampled_from(
    ["do", "key", "seat", "wager", "cents", "place", "face", "what", "seats", "badge", "reason"]
)
_DOES = st.sampled_from(["press", "amount", "enter", "report", "swap", "sign_on", "relieve", "floor", "deck"])


@given(st.dictionaries(_NAMES, _JSON, max_size=6), _DOES)
def test_anything_else_is_refused_and_nothing_crashes(body: dict[str, Any], do: str) -> None:
    try:
        parse(json.dumps({**body, "do": do}).encode())
    except TouchError as refused:
        assert ": " in str(refused)  # noqa: PT017  # some bodies are accepted


@given(st.binary(max_size=200))
def test_any_bytes_are_accepted_or_refused_without_an_error(body: bytes) -> None:
    with pytest.raises(TouchError):
        parse(body)


def test_the_floor_page_accepts_reasons_as_long_as_the_daemon() -> None:
    page = Path(touches.__file__).parent / "static/sign.js"
    assert f"const MAX_REASON_CHARS = {touches.MAX_REASON_CHARS};" in page.read_text(encoding="utf-8")
