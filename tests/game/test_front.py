"""The main message of the dealer's screen is the prompt, unless an alert requires the dealer to handle chips
first."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.irregularities import LOST_MS, Code
from controller.game.model.names import Wager
from controller.game.showing.front import ENTRIES, ICONS, REMEDIES, WAITING_PROMPTS, drawn_parts, ranked
from tests.game.felt import TEXTS, Felt
from tests.game.settlements import jacks, tens
from tests.game.test_irregularities import dealt

URGENT = sorted(code for code in Code if code.kind.urgent)
CAN_WAIT = sorted(code for code in Code if code.kind.grade == "alert" and not code.kind.urgent)


def unread(felt: Felt, seat: int, wager: Wager) -> None:
    felt.event(events.CircleUnreadable(seat, wager, "silent"))
    felt.stand(LOST_MS)


def accused(code: str, number: int = 1, grade: str = "alert", **where: Any) -> dict[str, Any]:
    named = {
        "id": number,
        "code": code,
        "name": code,
        "grade": grade,
        "seat": 3,
        "wager": "across",
        "citation": "house",
    }
    return {
        **named,
        "lies": None,
        "should": None,
        "signable": False,
        "missing": 0,
        "signs": [],
        "first": None,
        **where,
    }


def seen(felt: Felt, *alerts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the derived parts of the felt's view as if it had exactly these alerts; `more` replaces other
    fields."""
    return drawn_parts({**felt.table.view(), "alerts": list(alerts), **more})


def front(felt: Felt, *alerts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return dict(seen(felt, *alerts, **more)["front"])


# ------------------------------------------------------------------ main message


def test_the_prompt_is_shown_with_its_section_and_the_next_step() -> None:
    felt = jacks()
    assert felt.table.view()["front"] == {
        "look": "take", "icon": "take", "rhythm": "steady", "alert": None,
        "citation": felt.prompt["citation"], "then": "next",
    }  # fmt: skip


def test_a_prompt_is_coloured_only_if_chips_change_hands() -> None:
    felt = Felt()
    assert (front(felt)["look"], front(felt)["icon"]) == ("quiet", "bets")
    assert front(tens())["look"] == "push"


def test_a_mispay_replaces_the_prompt_with_the_next_step_below() -> None:
    felt = jacks()
    felt.press("confirm")
    [alert] = felt.table.view()["alerts"]
    assert felt.table.view()["front"] == {
        "look": "alert", "icon": "alert", "rhythm": "even", "alert": alert["id"],
        "citation": alert["citation"], "then": "next",
    }  # fmt: skip


@pytest.mark.parametrize("code", URGENT)
def test_an_alert_that_needs_chips_moved_is_the_main_message(code: str) -> None:
    assert front(dealt(), accused(code))["alert"] == 1


@pytest.mark.parametrize("code", CAN_WAIT)
def test_a_lasting_alert_is_the_main_message_only_while_the_dealer_waits(code: str) -> None:
    felt = dealt()
    assert front(felt, accused(code))["alert"] is None
    for kind in WAITING_PROMPTS:
        assert front(felt, accused(code), prompt=felt.prompt | {"kind": kind})["alert"] == 1
    assert front(felt, accused(code), prompt=None)["alert"] == 1


def test_a_notice_is_never_the_main_message() -> None:
    assert front(dealt(), accused("stub_count_due", grade="notice"), prompt=None)["alert"] is None


@pytest.mark.parametrize("kind", REMEDIES)
def test_a_prompt_that_names_the_remedy_is_not_replaced(kind: str) -> None:
    felt = dealt()
    assert front(felt, accused("overpaid"), prompt=felt.prompt | {"kind": kind})["alert"] is None


def test_an_unreadable_circle_has_no_other_message() -> None:
    felt = dealt()
    both = accused("underpaid"), accused("reader_lost", 2)
    assert front(felt, *both)["alert"] == 2
    elsewhere = accused("reader_lost", 2, seat=5)
    assert front(felt, accused("underpaid"), elsewhere)["alert"] == 1


def test_an_alert_that_the_prompt_resolves_has_the_next_step_below() -> None:
    felt = dealt()
    mends = felt.prompt | {"kind": "hand_back", "seat": 3, "wager": "across"}
    assert front(felt, accused("overpaid"), prompt=mends)["then"] == "next"
    assert front(felt, accused("overpaid", seat=5), prompt=mends)["then"] == "prompt"


@pytest.mark.parametrize(
    ("kind", "code", "then"),
    [
        ("pay", "underpaid", "next"),
        ("pay", "overpaid", "next"),
        ("pay", "late_bet", "prompt"),
        ("take", "losing_bet_left", "next"),
        ("push", "overpaid", "prompt"),
    ],
)
def test_a_payout_being_completed_is_not_requested_again(kind: str, code: str, then: str) -> None:
    """While the screen shows *Add $5*, it does not also show *PAY $10* for the same wager. A push still has
    to be confirmed."""
    felt = jacks()
    due = felt.prompt | {"kind": kind, "seat": 3, "wager": "across"}
    assert front(felt, accused(code), prompt=due)["then"] == then
    assert front(felt, accused(code, wager="down"), prompt=due)["then"] == "prompt"


def test_an_omitted_step_has_no_next_step_below() -> None:
    felt = jacks()
    left = {"verb": "add", "seat": 3, "wager": "ante_across", "cents": 500}
    assert front(felt, accused("settled_out_of_order", first=left))["then"] is None


def test_a_hold_precedes_every_other_message() -> None:
    felt = jacks()
    felt.press("confirm")
    felt.report("face_seen")
    view = felt.table.view()
    assert view["alerts"]
    assert view["front"] == {
        "look": "hold", "icon": "hold", "rhythm": "quick", "alert": None,
        "citation": view["hold"]["citation"], "then": "proposed",
    }  # fmt: skip


def test_every_shape_and_entry_belongs_to_an_existing_prompt() -> None:
    assert {*ICONS, *ENTRIES, *REMEDIES, *WAITING_PROMPTS} <= TEXTS["prompts"].keys()


def test_the_gravest_alert_comes_first_and_among_equals_the_oldest() -> None:
    shown = ranked([accused("a", 4), accused("b", 2, "notice"), accused("c", 3), accused("d", 1, "notice")])
    assert [alert["id"] for alert in shown] == [3, 4, 1, 2]


def test_the_view_lists_alerts_in_display_order() -> None:
    felt = Felt(deck_notice_minutes=15)
    felt.stand(8 * 3_600_000 - 15 * 60_000)
    felt.event(events.ShoeLinkLost())
    felt.stand(60_000)
    assert felt.codes() == ["deck_change_due", "shoe_lost"]
    assert [alert["code"] for alert in felt.table.view()["alerts"]] == ["shoe_lost", "deck_change_due"]


# ------------------------------------------------------------------ side message


def test_the_side_message_is_the_gravest_other_alert_with_the_number_of_the_rest() -> None:
    shown = seen(dealt(), accused("overpaid"), accused("reader_lost", 2, seat=5), accused("shoe_lost", 3))
    assert shown["front"]["alert"] == 1
    assert shown["beside"] == {"grade": "alert", "alert": 2, "more": 1, "unfit": []}


def test_a_fault_named_by_the_prompt_is_not_repeated_beside_it() -> None:
    felt = dealt()
    mend = felt.prompt | {"kind": "fix_wagers", "seat": 3, "code": "unequal_antes"}
    assert seen(felt, accused("unequal_antes"), prompt=mend)["beside"]["alert"] is None
    assert seen(felt, accused("unequal_antes", seat=5), prompt=mend)["beside"]["alert"] == 1


def test_a_card_set_aside_is_a_notice_while_the_deal_lasts() -> None:
    felt = Felt().closed(3)
    felt.event(events.CardLeftShoe(1, None, "face_up"))
    assert felt.table.view()["set_aside"] == 1
    assert felt.table.view()["beside"]["grade"] == "notice"
    assert seen(felt, phase="across")["beside"]["grade"] is None


def test_invalid_wagers_are_named_while_bets_are_open() -> None:
    felt = Felt()
    felt.antes(2)
    felt.lay(5, ante_across=10, ante_down=15)
    assert felt.table.view()["beside"] == {"grade": None, "alert": None, "more": 0, "unfit": [5]}
    felt.lay(5, ante_down=10)
    assert felt.table.view()["beside"]["unfit"] == []


def test_the_side_message_may_be_a_notice_without_an_alert() -> None:
    felt = dealt()
    due = felt.table.view()["deck"] | {"change_due": True}
    assert (seen(felt)["standing"], seen(felt, deck=due)["standing"]) == (None, "change_due")
    unread(felt, 3, Wager.ACROSS)
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    assert seen(felt, deck=due)["standing"] == "waiting"
    felt.press("floor")
    assert seen(felt, deck=due)["standing"] == "floor_called"


# ------------------------------------------------------------------ the keys


def test_confirm_is_lit_but_not_highlighted_during_an_alert() -> None:
    felt = tens()
    assert felt.table.view()["shines"] == ["confirm"]
    shown = seen(felt, accused("overpaid"))
    assert shown["shines"] == []


def test_no_more_bets_is_highlighted_despite_alerts() -> None:
    felt = Felt()
    felt.antes(3)
    shown = seen(felt, accused("wrong_deck"))
    assert shown["shines"] == ["no_more_bets"]


def test_no_key_is_highlighted_if_none_has_an_effect() -> None:
    felt = dealt()
    assert felt.table.view()["shines"] == []


# ------------------------------------------------------------------ entries and signatures


def test_the_dealer_s_number_is_requested_until_one_signs_on() -> None:
    felt = Felt()
    felt.floor("close")
    assert (felt.prompt["kind"], felt.prompt["entry"]) == ("open_table", "sign_on")
    assert (felt.prompt["entry_key"], "confirm" in felt.table.view()["shines"]) == (None, False)
    felt.event(events.DealerSignedOn("D7"))
    assert (felt.prompt["kind"], felt.prompt["entry"]) == ("open_table", None)
    assert felt.table.view()["shines"] == ["confirm"]


@pytest.mark.parametrize("rules", ["pennsylvania", "six_card_bonus"])
def test_the_form_of_a_bet_offers_valid_amounts(rules: str) -> None:
    felt = dealt(rules)
    unread(felt, felt.prompt["seat"], Wager.ACROSS)
    assert (felt.prompt["entry"], felt.prompt["quick"]) == ("amount", felt.prompt["options"])
    assert felt.prompt["entry_key"] == "confirm"
    assert felt.prompt["quick"] == [1000, 2000, 3000]


def test_a_prompt_without_an_entry_has_no_form() -> None:
    assert (jacks().prompt["entry"], jacks().prompt["quick"]) == (None, None)


def test_a_prompt_keeps_its_number_while_its_request_is_unchanged() -> None:
    felt = dealt()
    before = felt.prompt["id"]
    felt.lay(5, ante_across=10)
    assert felt.prompt["id"] == before
    felt.lay(felt.prompt["seat"], across=10)
    assert (felt.prompt["kind"], felt.prompt["id"] == before) == ("confirm_bet", False)


def test_entered_amounts_and_permitted_differences_are_signed() -> None:
    felt = jacks()
    felt.press("confirm")
    [difference] = felt.table.view()["alerts"]
    unread(felt, 3, Wager.MIDDLE)
    felt.event(events.AmountEntered(3, Wager.MIDDLE, 1000))
    waiting = felt.table.view()["waiting"]
    assert [(item["what"], item["wager"], item["alert"]) for item in waiting] == [
        ("amount", "middle", None), ("difference", "ante_across", difference["id"]),
    ]  # fmt: skip


def test_a_dead_reader_cannot_be_signed() -> None:
    felt = jacks()
    unread(felt, 3, Wager.MIDDLE)
    assert felt.codes() == ["reader_lost"]
    assert felt.table.view()["waiting"] == []


def test_an_amount_may_be_entered_for_a_circle_without_a_reading() -> None:
    felt = dealt()
    circles = felt.table.view()["seats"][2]["circles"]
    assert [name for name, circle in circles.items() if circle["by_hand"]] == []
    unread(felt, 3, Wager.ACROSS)
    assert felt.table.view()["seats"][2]["circles"]["across"]["by_hand"]
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    assert felt.table.view()["seats"][2]["circles"]["across"]["by_hand"], "it may be put right"


def test_a_circle_named_by_an_alert_is_marked_as_wrong() -> None:
    felt = jacks()
    felt.press("confirm")
    circles = felt.table.view()["seats"][2]["circles"]
    assert [name for name, circle in circles.items() if circle["wrong"]] == ["ante_across"]


def test_a_hold_offers_the_proposal_its_refusal_and_then_other_outcomes() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    hold = felt.table.view()["hold"]
    named = [(key["decision"], key["outcome"]) for key in hold["decisions"]]
    assert named[0] == ("approve", hold["proposed"])
    assert (("refuse", None) in named) == hold["refusable"]
    rest = [outcome for outcome in hold["outcomes"] if outcome != hold["proposed"]]
    assert [outcome for decision, outcome in named if decision == "outcome"] == rest


def test_a_hold_without_a_proposal_has_no_refusal() -> None:
    felt = dealt()
    felt.report("player_left", seat=felt.prompt["seat"])
    hold = felt.table.view()["hold"]
    assert hold["proposed"] is None
    assert [(key["decision"], key["outcome"]) for key in hold["decisions"]] == [
        ("outcome", "go_on"), ("forfeit", "forfeit")
    ]  # fmt: skip


def test_suggested_corrections_use_the_house_s_chip_values() -> None:
    assert Felt().table.view()["corrections"] == [100, 500, 2500]
    assert Felt(chip_values=(10_000, 500, 2_000, 100)).table.view()["corrections"] == [100, 500, 2000]


def test_a_deck_of_a_third_colour_is_offered_again() -> None:
    felt = Felt()
    assert felt.table.view()["deck"]["backs"] == ["red", "blue"]
    felt.event(events.DeckBrought("GREEN", preshuffled=True))
    assert felt.table.view()["deck"]["backs"] == ["red", "blue", "green"]
