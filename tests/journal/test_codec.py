"""Every event is written to the journal and read back unchanged, and no error shows a hidden face."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.game.model.cards import DECK
from controller.game.model.events import CardLeftShoe, Event, FaceEntered, Reported
from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Method, Wager
from controller.record.journal.codec import EVENT_CLASSES, CodecError, decode_event, encode_event

_CHOICES = {
    "face": st.sampled_from(DECK),
    "found": st.sampled_from(["face_down", "face_up", "not_read", "impossible"]),
    "wager": st.sampled_from(Wager),
    "key": st.sampled_from(Key),
    "why": st.sampled_from(["silent", "unstable", "not_fitted"]),
    "code": st.sampled_from(Code),
    "method": st.sampled_from(Method) | st.none(),
}


def _event(kind: type) -> st.SearchStrategy[Event]:
    given_fields = {each.name: _CHOICES[each.name] for each in fields(kind) if each.name in _CHOICES}
    return st.builds(kind, **given_fields)


@pytest.mark.parametrize("name", sorted(EVENT_CLASSES))
@given(data=st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_event_is_read_back_unchanged(name: str, data: st.DataObject) -> None:
    event = data.draw(_event(EVENT_CLASSES[name]))
    assert decode_event(*encode_event(event)) == event


def test_all_32_kinds_are_known() -> None:
    assert {
        "CardLeftShoe",
        "CircleRead",
        "KeyPressed",
        "RoundCorrected",
        "Started",
        "TroubleReported",
    } <= set(EVENT_CLASSES)
    assert len(EVENT_CLASSES) == 32


@pytest.mark.parametrize("kind", ["CardLeftShoo", "", "str"])
def test_an_unknown_kind_is_named(kind: str) -> None:
    with pytest.raises(CodecError, match="unknown kind"):
        decode_event(kind, "{}")


@pytest.mark.parametrize(
    "body",
    [
        '{"number": "7", "face": "QH"}',
        '{"number": 7, "face": {"QH": 1}}',
        '{"face": "QH"}',
        '{"number": 7, "face": "QH", "found": "QH"}',
        '"QH"',
        '{"number": 7, "face": "QH"',
    ],
)
def test_the_error_of_an_invalid_body_names_kind_and_field_but_no_face(body: str) -> None:
    with pytest.raises(CodecError, match="CardLeftShoe: cannot be read back") as caught:
        decode_event("CardLeftShoe", body)
    assert "QH" not in str(caught.value)
    assert caught.value.__cause__ is None


FACED = [CardLeftShoe(1, DECK[0]), FaceEntered("middle", DECK[0]), Reported("x", face=DECK[0])]


@pytest.mark.parametrize("event", FACED)
def test_no_event_shows_its_face(event: Event) -> None:
    assert str(DECK[0]) not in repr(event)
