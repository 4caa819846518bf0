"""No chip makes a screen fail: a chip without value has a text in every circle.

If a text is missing, its code is shown and the rest of the page is unaffected.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from typing import Any

import pytest

from controller.common.texts.catalogue import languages
from controller.game.model.events import Chip, CircleRead, Event, KeyPressed, Stamp, TimePassed
from controller.game.model.irregularities import Code
from controller.game.model.names import SEATS, Circle, Key
from controller.game.table import Table
from controller.pages.display import fallback_text, words
from controller.pages.display.floor_words import floor_words
from controller.pages.display.live import with_words
from controller.pages.display.words import refusal_text, render
from tests.display import views
from tests.game.felt import Felt
from tests.game.test_properties import Players

pytestmark = pytest.mark.slow

TAGS = (Chip("99", None, "unknown"), Chip("98", None, "withdrawn"), Chip("97", None, "foreign"))


def moments(rules: str) -> Iterator[Table]:
    """Yield the table at each prompt of a complete round."""
    felt, seen = Felt(rules), set()
    players = Players(felt, random.Random(11))
    players.bet()
    yield felt.table
    felt.close()
    players.deal()
    going = True
    while going:
        moment = felt.phase, felt.prompt["kind"]
        if moment not in seen:
            seen.add(moment)
            yield felt.table
        going = players.step()


def after(table: Table, *events: Event) -> Table:
    """Return a copy of the table after these events, half a second apart."""
    copy = Table(table.pack, table.settings, table.state)
    for number, event in enumerate(events):
        copy.handle(event, Stamp(10**6 + 500 * number, "2026-11-20T20:00:00.000Z"))
    return copy


@pytest.mark.parametrize("rules", ["pennsylvania", "six_card_bonus"])
def test_a_chip_without_value_has_a_text_in_every_circle_and_phase(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test covers tables with and without a displayed mistake of the dealer."""
    monkeypatch.setattr(fallback_text, "RENDER_ERRORS", ())
    dice = random.Random(5)
    for table in moments(rules):
        offered = table.context(Stamp(0, "")).offered()
        for circle in (Circle(seat, wager) for seat in SEATS for wager in offered):
            before = dice.choice([[], [KeyPressed(Key.CONFIRM)]])
            chips = (*table.state.holding(*circle).chips, dice.choice(TAGS))
            view = after(table, *before, CircleRead(*circle, chips), TimePassed(), TimePassed()).view()
            rendered = render(view, dice.choice(languages()))
            assert "‹" not in str(rendered), circle
            assert [alert["what"] for alert in rendered["alerts"]], circle


def test_a_losing_wager_left_under_an_unknown_chip_is_named() -> None:
    shown = views.view(alerts=[views.alert("losing_bet_left", lies=1000, should=0)])
    shown["seats"][2]["circles"]["across"] = views.circle(1000)
    shown["seats"][2]["circles"]["across"]["chips"] = [500, 500, None]
    alert = render(views.whole(shown), "en")["alerts"][0]
    assert "$10" in str(alert)


# ------------------------------------------------------------------ texts that cannot be made

SENTENCES = ("_prompt", "_alert", "_hold", "_front", "_aside", "_keys", "_waiting")


def full() -> Any:
    alerts = [views.alert("overpaid", signable=True), views.alert("late_bet", number=8)]
    return views.whole(views.view(alerts=alerts, hold=views.hold("community_exposed")))


def fails(*_about: object) -> None:
    raise TypeError("500 QH")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_other_sentence_is_unaffected(
    sentence: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shown = full()
    whole = render(shown, "en")
    monkeypatch.setattr(words, sentence, fails)
    with caplog.at_level(logging.DEBUG):
        bare = with_words(shown, "en")["words"]
    assert bare.keys() == whole.keys()
    assert sum(bare[part] == whole[part] for part in whole) >= len(whole) - 5
    assert "TypeError" in caplog.text and "QH" not in caplog.text


def test_only_the_alert_without_a_text_shows_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    made = words._alert
    monkeypatch.setattr(
        words, "_alert", lambda *about: fails() if about[2]["code"] == Code.OVERPAID else made(*about)
    )
    one, other = render(full(), "en")["alerts"]
    assert (one["id"], one["text"], one["what"], one["do"]) == (7, "‹overpaid›", "‹overpaid›", None)
    assert other["what"].startswith("Late bet")


def test_a_refusal_and_an_event_without_a_text_show_their_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("words", "floor_words"):
        monkeypatch.setattr(f"controller.pages.display.{module}.text_values", fails)
    assert refusal_text("not_yet", {"missing": None}, "en") == "‹not_yet›"
    events = [{"kind": "chips_read", "seat": 3, "wager": "across", "amount": None}]
    assert floor_words({"events": events}, "en")["events"][0]["text"] == "‹chips_read›"
