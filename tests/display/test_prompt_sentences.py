"""Prompts, alerts and holds are shown to dealers in exact sentences of the catalogue."""

from __future__ import annotations

import pytest

from controller.common.texts.catalogue import (
    catalogue,
    languages,
)
from controller.game.model.irregularities import Code
from tests.display import views
from tests.display.test_words import KINDS, prompt_text, render_view
from tests.repository import pages
from tests.repository.house import ROOT


def quoted(page: str, *sentences: str) -> bool:
    """Return whether a page of the repository has these sentences."""
    return all(sentence in pages.text(ROOT / page) for sentence in sentences)


def test_prompts_have_the_sentences_of_the_design() -> None:
    push = prompt_text("push", seat=3, wager="across", amount=3000, hand="pair of 10s")
    assert push == "Seat 3 · Across · PUSH: pair of 10s · leave $30"
    pay = prompt_text(
        "pay", seat=5, wager="middle", amount=36000, hand="full house", odds=12,
        chips=[10000] * 3 + [2500] * 2 + [500] * 2,
    )  # fmt: skip
    assert pay == "Seat 5 · Middle · PAY $360: three $100, two $25, two $5 · full house, 12 to 1"
    assert quoted("controller/pages/display/DISPLAY.md", push, pay)
    assert quoted("README.md", push)
    take = prompt_text("take", seat=2, wager="down", amount=2000, hand="ace high")
    assert take == "Seat 2 · Down · TAKE $20 · ace high"


def test_pushes_of_one_hand_are_named_with_their_sum_and_the_amount_of_each() -> None:
    """Regression test: the single amounts were missing here."""
    words = render_view(views.pushes(1000, 1000, 1000), "en")
    assert words["front"]["where"] == "Seat 3, all three"
    assert words["front"]["do"] == "PUSH $30: pair of 10s"
    assert words["front"]["more"] == "leave all three: Down ante, Down, Middle, $10 each"
    assert words["keys"]["confirm"] == "$30 stays: Down ante, Down, Middle"
    apart = render_view(views.pushes(1000, 3000, 1000), "en")
    assert apart["front"]["more"] == "leave all three: Down ante $10, Down $30, Middle $10"
    assert apart["keys"]["confirm"] == "$50 stays: Down ante, Down, Middle"


@pytest.mark.parametrize("language", languages())
def test_the_prompt_of_a_fold_states_that_the_bonus_plays_on(language: str) -> None:
    short = views.alert("bet_changed", seat=1, wager="five_card_bonus", lies=0, should=500)
    shown = views.view(alerts=[short])
    reason = catalogue(language).plain("alert.plays_on")
    assert render_view(shown, language)["alerts"][0]["what"].endswith(f" · {reason}")
    shown["seats"][0]["folded_at"] = None
    assert reason not in render_view(shown, language)["alerts"][0]["what"]


@pytest.mark.parametrize("language", languages())
def test_a_stopped_shoe_that_waits_for_a_decision_is_named_with_its_fault(language: str) -> None:
    queued = [{"code": "shoe_fault", "seat": None, "place": None}]
    held = views.hold("wrong_count", then=queued, fault="DOOR", number=7)
    (text,) = render_view(views.view(phase="held", hold=held), language)["hold"]["then"]
    assert catalogue(language).plain("faults.DOOR") in text


@pytest.mark.parametrize("language", languages())
def test_no_proposal_contradicts_the_key_of_the_floor(language: str) -> None:
    """The floor's keys keep a differing card or replace it, so a proposal to "go on" would fit neither
    key."""
    differs = views.hold("card_differs", proposed="go_on")
    then = render_view(views.view(phase="held", hold=differs), language)["front"]["then"]
    assert then == catalogue(language).plain("hold.open")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS)
def test_every_prompt_kind_has_a_text(kind: str, language: str) -> None:
    words = render_view(views.prompts()[kind], language)
    assert words["parts"]["prompt"]["do"], kind
    assert words["parts"]["prompt"]["where"], kind
    assert "‹" not in str(words), "a key without a text"
    assert "None" not in str(words["prompt"])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", list(Code))
@pytest.mark.parametrize("bare", [False, True])
def test_every_alert_and_hold_has_a_cause_and_a_remedy(code: str, language: str, bare: bool) -> None:
    nothing = {"seat": None, "wager": None, "lies": None, "should": None} if bare else {}
    shown = views.view(alerts=[views.alert(code, **nothing)], hold=views.hold(code))
    words = render_view(shown, language)
    assert words["alerts"][0]["what"] and words["alerts"][0]["do"]
    assert words["hold"]["text"] and words["hold"]["do"] and words["hold"]["proposed"]
    assert "‹" not in str(words)


def test_an_alert_names_the_difference_in_chips() -> None:
    over = render_view(views.view(alerts=[views.alert("overpaid")]), "en")["alerts"][0]
    assert over["text"] == "Seat 3 · Across · Overpaid by $5"
    assert over["do"] == "Take back $5: one $5"
    assert quoted("controller/pages/display/DISPLAY.md", over["text"], over["do"])
    short = views.alert("underpaid", lies=3000, should=9000)
    assert render_view(views.view(alerts=[short]), "en")["alerts"][0]["do"] == "Add $60: two $25, two $5"
    gone = views.alert("push_disturbed", lies=0, should=3000)
    assert render_view(views.view(alerts=[gone]), "en")["alerts"][0]["do"] == "Put back $30: one $25, one $5"


def test_excess_is_named_in_chips_that_lie_there() -> None:
    shown = views.view(alerts=[views.alert("overpaid", lies=3000, should=2500)])
    lies = shown["seats"][2]["circles"]["across"]
    for chips, excess in (([2500, 500], "one $5"), ([2500, *[100] * 5], "five $1"), ([1500, 1500], None)):
        lies["chips"] = chips
        remedy = render_view(shown, "en")["alerts"][0]["do"]
        assert remedy == (f"Take back $5: {excess}" if excess else "Take one $15, add two $5")


def test_a_remedy_serves_too_much_and_too_little() -> None:
    for lies, remedy in ((9500, "Take back $5: one $5"), (6500, "Add $25: one $25")):
        shown = views.settling("hand_back", 9000, code="overpaid" if lies > 9000 else "underpaid")
        shown["seats"][2]["circles"]["across"] = views.circle(lies, "refused")
        words = render_view(shown, "en")["parts"]["prompt"]
        assert words["do"] == remedy
        assert words["more"] in ("Overpaid by $5", "Underpaid: $25 of the payout is missing")
        assert words["confirm"] == "$90 stays there"


def test_an_empty_circle_is_described_as_empty() -> None:
    shown = views.view(alerts=[views.alert("bet_out_of_turn", lies=0, should=1000)])
    shown["seats"][2]["circles"]["across"] = views.circle(0)
    assert render_view(shown, "en")["alerts"][0]["what"] == "Bet out of turn: nothing"


def test_the_alert_of_a_paid_or_swept_push_names_its_hand() -> None:
    tens = {"category": "pair", "ranks": [10, 14, 8, 3]}
    paid = views.alert("overpaid", lies=5000, should=2500, push_hand=tens)
    swept = views.alert("push_disturbed", number=8, lies=0, should=2500, push_hand=tens)
    one, other = render_view(views.view(alerts=[paid, swept]), "en")["alerts"]
    assert (one["what"], one["do"]) == ("Overpaid PUSH: pair of 10s pays nothing", "Take back $25: one $25")
    assert (other["what"], other["do"]) == (
        "PUSH touched: pair of 10s, the bet stays",
        "Put back $25: one $25",
    )


def test_the_alert_of_misplaced_chips_names_the_right_circle() -> None:
    there = views.alert("wrong_circle", lies=2500, should=0, home={"seat": 5, "wager": "middle"})
    prompt_text = render_view(views.view(alerts=[there]), "en")["alerts"][0]
    assert (prompt_text["what"], prompt_text["do"]) == (
        "Wrong circle: it belongs to Seat 5 · Middle", "Take out $25: one $25",
    )  # fmt: skip


def test_the_alert_of_an_early_step_names_the_due_step() -> None:
    first = {"verb": "take", "seat": 3, "wager": "across", "cents": 3000}
    alert = views.alert("settled_out_of_order", wager="middle", first=first)
    front = render_view(views.settling("take", 3000) | {"alerts": [alert]}, "en")["front"]
    assert (front["where"], front["do"]) == ("First: Seat 3 · Across", "TAKE $30")
    assert front["more"] == "Done before its turn: Seat 3 · Middle"


def test_a_bet_between_two_multiples_is_in_range_and_no_multiple() -> None:
    question = views.prompt("ask", seat=3, wager="across", options=[500, 1000, 1500], code="bet_out_of_range")
    shown = views.view(prompt=question)
    for lies, line in ((600, "No whole multiple of the ante: $6"), (2000, "Bet out of range: $20")):
        shown["seats"][2]["circles"]["across"] = views.circle(lies)
        assert render_view(shown, "en")["parts"]["prompt"]["more"].startswith(line)


def test_the_table_is_opened_in_two_steps() -> None:
    first = views.view(phase="closed", dealer=None, prompt=views.prompt("open_table"))
    assert render_view(first, "en")["parts"]["prompt"]["more"] == "sign on with your number"
    then = first | {"dealer": "D7"}
    assert render_view(then, "en")["parts"]["prompt"]["more"] == "dealer D7 · CONFIRM when it is open"


def test_an_invalid_wager_is_shown_with_its_required_amount() -> None:
    shown = views.view(alerts=[views.alert("unequal_antes", wager="ante_down", lies=1500, should=None)])
    shown["seats"][2]["circles"]["ante_down"] = views.circle(1500)
    alert_texts = render_view(shown, "en")["alerts"][0]
    assert alert_texts["text"] == "Seat 3 · Down ante · Antes differ: Across $10, Down $15"
    out = views.alert("bet_out_of_range", wager="ante_across", lies=700, should=None)
    assert render_view(views.view(alerts=[out]), "en")["alerts"][0]["do"] == "Make it $5 to $100"
