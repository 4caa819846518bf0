"""Three pages at one table send touches that may be late, repeated or meant for another page, and a touch
acts only if it answers the current prompt.

Property: a touch acts only if its subject is still as its page showed it. Any other touch has no effect and
is refused with a text, and an accepted touch is not accepted twice. The bodies are those that the pages send
(`tests/display/test_subjects_of_pages.py` compares them), read in the strict form of a screen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.game.model.events import CircleRead, CircleUnreadable, Event, KeyPressed, ShoeFaulted, Stamp
from controller.game.model.names import Key, Wager
from controller.mock.bench.touch_subjects import with_subject
from controller.pages.display.touches import parse
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H", 3: "5S 6S"}
PAGES = 3
View = Mapping[str, Any]
Body = dict[str, Any]


def table() -> Felt:
    return Felt(settle_ms=1200).dealt(CROSS, HANDS)


# ------------------------------------------------------------------ touches of the pages


def bodies(view: View) -> Iterator[Body]:
    """Yield every touch that a page with this view offers, as the page sends it."""
    for body in (*decisions(view), *entries(view)):
        yield with_subject(view, body)


def decisions(view: View) -> Iterator[Body]:
    """Yield the touches that the floor page can send."""
    floor: Body = {"do": "floor", "badge": "B1", "reason": "seen"}
    for key in view["hold"]["decisions"] if view["hold"] else ():
        yield {**floor, "decision": key["decision"], "outcome": key["outcome"]}
    for item in view["waiting"]:
        yield {**floor, "decision": "sign", **{key: item[key] for key in ("seat", "wager", "about")}}
    for act in ("answer", "recut", "shuffle", "close"):
        if act not in view["floor"]["acts"]:
            continue
        yield {**floor, "decision": act}
    for outcome in view["floor"]["stops"]:
        yield {**floor, "decision": "outcome", "outcome": outcome}
    for kind, decision in (("seats", "forfeit"), ("folded", "restore")):
        for seat in view["floor"][kind]:
            yield {**floor, "decision": decision, "seat": seat}


def entries(view: View) -> Iterator[Body]:
    """Yield the touches that the dealer's page can send."""
    prompt = view["prompt"]["id"] if view["prompt"] else "none"
    for key in Key:
        if key is not Key.FLOOR:
            yield {"do": "press", "key": key.value, "prompt": prompt}
    for seat in view["seats"]:
        for wager, circle in seat["circles"].items():
            if circle["about"]:
                yield {"do": "amount", "seat": seat["seat"], "wager": wager, "cents": 1000}
    yield {"do": "report", "what": "wrong_count", "seat": 1, "number": 3}
    yield {"do": "report", "what": "community_exposed", "place": "middle"}
    yield {"do": "report", "what": "card_differs", "place": "down_far", "face": "AC"}
    yield {"do": "swap", "first": "down_far", "second": "down_near"}
    yield {"do": "relieve"} if view["dealer"] else {"do": "sign_on", "number": "D7"}
    yield {"do": "deck", "back": "red"}


def read(view: View, body: Body) -> object:
    """Return those fields of the touch's subject that this view shows, or None if it does not show the
    subject."""
    about = body.get("about")
    if body.get("prompt") is not None and about is None:
        return view["prompt"]["id"] if view["prompt"] else "none"
    if view["hold"] and about == view["hold"]["about"]:
        return view["hold"]
    items = [item for item in view["waiting"] if item["about"] == about]
    if items:
        return items, view["hold"]
    circles = (circle for seat in view["seats"] for circle in seat["circles"].values())
    amounts = [(each["amount"], each["by_hand"]) for each in circles if about and each["about"] == about]
    return amounts or [kind for kind, name in view["about"].items() if name == about] or None


# ------------------------------------------------------------------ the table


def touched(felt: Felt, event: Event) -> bool:
    """Apply a touch and return whether it was accepted. Checks that a refused touch leaves the state
    unchanged, journalled or not."""
    before, refusal = felt.table.state, felt.refused(event)
    if refusal is None:
        felt.event(event)
        return True
    felt.table.handle(event, Stamp(felt.ms, "2026-11-20T20:00:00.000Z"))
    after = felt.table.state
    assert replace(after, version=before.version) == before
    return False


def goes_on(felt: Felt, how: int) -> None:
    """Change the situation: chips move, a reader is lost, the shoe stops, or the floor is called."""
    seat = felt.round.decisions.asked if felt.round else None
    phase = felt.table.state.phase.value
    if how == 0:
        felt.event(CircleUnreadable(2, Wager.ACROSS, "silent"))
    elif how == 1:
        felt.event(CircleRead(2, Wager.ACROSS, ()))
    elif how == 2:
        felt.event(ShoeFaulted("JAM"))
    elif how == 3 and felt.refused(KeyPressed(Key.FLOOR)) is None:
        felt.event(KeyPressed(Key.FLOOR))
    elif how == 4:
        felt.lay(3, ante_down=15)
    elif seat is not None and phase in ("across", "down", "middle"):
        felt.lay(seat, **{phase: (0, 10, 20)[how % 3]})
    else:
        felt.stand(1200)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_stale_repeated_late_and_foreign_touches_have_no_effect(data: st.DataObject) -> None:
    felt = table()
    seen: list[Any] = [felt.table.view()] * PAGES
    for _ in range(data.draw(st.integers(5, 25), label="steps")):
        page = data.draw(st.integers(0, PAGES - 1), label="page")
        act = data.draw(st.sampled_from(["look", "touch", "touch", "touch", "twice", "table"]), label="act")
        if act == "look":
            seen[page] = felt.table.view()
        elif act == "table":
            goes_on(felt, data.draw(st.integers(0, 8), label="how"))
        else:
            body = data.draw(st.sampled_from(list(bodies(seen[page]))), label="body")
            event, now = parse(json.dumps(body).encode()), felt.table.view()
            taken = touched(felt, event)
            assert not taken or read(now, body) == read(seen[page], body) is not None, "it acted unread"
            after = felt.table.view()
            if act == "twice" and taken and read(after, body) != read(now, body):
                assert not touched(felt, event), "it was taken twice"
