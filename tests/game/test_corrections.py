"""A difference that the dealer does not correct is signed with name and reason and shown with its round, and
the record of the round itself never changes (controller/COMMANDS.md, `corrections`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.effects import CorrectRecord
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Phase, Wager
from controller.game.model.state import Alert
from controller.game.phases.corrections import at_stake, verify_record
from controller.game.phases.record import with_correction
from tests.game.felt import Felt
from tests.game.settlements import alerts, entry, finish, jacks, tens

SHORT = events.RoundCorrected("B1", 1, 3, Wager.DOWN, 500, "one chip short, seen on tape")


def corrections_of(felt: Felt, event: events.Event) -> list[CorrectRecord]:
    assert felt.refused(event) is None
    felt.ms += 1
    effects = felt.table.handle(event, events.Stamp(felt.ms, "2026-11-20T20:00:09.000Z"))
    return [effect for effect in effects if isinstance(effect, CorrectRecord)]


def over() -> Felt:
    """Return a table whose round has just ended with the payout of seat 3's Middle."""
    felt = jacks()
    finish(felt)
    assert felt.phase is Phase.CLEARING
    return felt


# ------------------------------------------------------------------ signed in the round


def signed(felt: Felt) -> list[dict[str, Any]]:
    return [dict(each) for each in felt.records[-1]["corrections"]]


def test_a_signed_difference_has_name_time_reason_and_amount() -> None:
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    felt.pay(3, "ante_down", 1500)
    felt.stand()
    felt.floor("sign", reason="goodwill")
    when = f"2026-11-20T20:00:{felt.ms:06}Z"
    finish(felt)
    assert signed(felt) == [
        {"code": "overpaid", "seat": 3, "wager": "ante_down", "cents": 500, "with": "player", "who": "B1",
         "when": when, "why": "goodwill"}
    ]  # fmt: skip


def test_a_signature_names_one_circle_of_two() -> None:
    """Two circles of one seat differ. After one is signed, the other still keeps the round from ending."""
    felt = tens(0)
    felt.lay(3, ante_across=20, down=0)
    felt.stand()
    assert {code for code, _, _ in alerts(felt)} == {"overpaid", "push_disturbed"}
    felt.floor("sign", seat=3, wager=Wager.ANTE_ACROSS, reason="agreed")
    assert alerts(felt) == [("push_disturbed", 3, "down")]
    assert felt.refused(events.FloorDecided("B1", "sign", seat=3, wager=Wager.MIDDLE)) is not None
    felt.lay(3, down=10)
    finish(felt)
    assert [each["wager"] for each in signed(felt)] == ["ante_across"]


def test_a_signature_names_the_later_circle_of_two() -> None:
    felt = tens(0)
    felt.lay(3, ante_across=20, down=0)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="agreed")
    assert alerts(felt) == [("overpaid", 3, "ante_across")]


def test_a_signed_step_out_of_order_moves_no_money() -> None:
    felt = jacks()
    felt.pay(3, "down", 1000)
    felt.stand()
    assert ("settled_out_of_order", 3, "down") in alerts(felt)
    felt.floor("sign", wager=Wager.DOWN, reason="seen")
    felt.lay(3, ante_across=0)
    finish(felt)
    assert [(each["code"], each["cents"]) for each in signed(felt)] == [("settled_out_of_order", 0)]


def test_a_payout_does_not_request_chips_signed_to_the_house() -> None:
    """A winning wager is swept too early, and a floorperson signs its chips to the house."""
    felt = jacks()
    felt.lay(3, down=0)
    felt.stand()
    assert alerts(felt) == [("bet_changed", 3, "down")]
    felt.floor("sign", seat=3, wager=Wager.DOWN, holder="house", reason="agreed")
    while felt.phase is Phase.SETTLEMENT:
        felt.settle_one()
        felt.stand()
        assert alerts(felt) == []
    finish(felt)
    found = [(each["wager"], each["cents"], each["with"]) for each in signed(felt)]
    assert found == [("down", -1000, "house")]


def test_a_corrected_difference_needs_no_signature() -> None:
    felt = jacks()
    finish(felt)
    assert signed(felt) == []


# ------------------------------------------------------------------ after the last payout


def test_an_excess_chip_after_the_last_payout_raises_an_alert() -> None:
    felt = over()
    felt.pay(3, "middle", 500)
    felt.stand()
    assert alerts(felt) == [("overpaid", 3, "middle")]
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("hand_back", 2000)
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None
    felt.lay(3, middle=20)
    assert (alerts(felt), felt.prompt["kind"]) == ([], "clear")


def test_an_excess_chip_signed_after_the_end_is_a_correction() -> None:
    felt = over()
    felt.pay(3, "middle", 500)
    felt.stand()
    [correction] = corrections_of(felt, events.FloorDecided("B1", "sign", reason="let it be"))
    assert correction.round == 1
    assert (correction.entry["code"], correction.entry["cents"], correction.entry["why"]) == (
        "overpaid",
        500,
        "let it be",
    )
    assert felt.table.next_deadline() is None or alerts(felt) == []
    felt.next_round()


def test_taking_winnings_and_laying_the_next_bet_raises_no_alert() -> None:
    felt = over()
    felt.stand(2_100)
    felt.pay(3, "ante_down", 500)
    felt.lay(3, ante_across=25, middle=0)
    felt.stand(2_000)
    assert alerts(felt) == []
    felt.clear()
    felt.press("confirm")


# ------------------------------------------------------------------ found later


def test_a_mispay_found_later_is_a_separate_entry() -> None:
    felt = over()
    [correction] = corrections_of(felt, SHORT)
    assert (correction.round, dict(correction.entry)) == (
        1,
        {"code": "mispaid", "seat": 3, "wager": "down", "cents": 500, "with": "player", "who": "B1",
         "when": "2026-11-20T20:00:09.000Z", "why": "one chip short, seen on tape"},
    )  # fmt: skip


def test_a_correction_does_not_alter_the_record() -> None:
    felt = over()
    before = felt.records[-1]
    [correction] = corrections_of(felt, SHORT)
    after = with_correction(before, correction.entry)
    assert after["corrections"] == [correction.entry]
    assert {**after, "corrections": []} == before


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (events.RoundCorrected("", 1, 3, Wager.DOWN, 500, "why"), "unknown_badge"),
        (events.RoundCorrected("B1", 0, 3, Wager.DOWN, 500, "why"), "round_not_closed"),
        (events.RoundCorrected("B1", 2, 3, Wager.DOWN, 500, "why"), "round_not_closed"),
        (events.RoundCorrected("B1", 1, 7, Wager.DOWN, 500, "why"), "seat_not_in_round"),
        (events.RoundCorrected("B1", 1, 3, Wager.SIX_CARD_BONUS, 500, "why"), "seat_not_in_round"),
        (events.RoundCorrected("B1", 1, 3, Wager.DOWN, 0, "why"), "nothing_to_correct"),
        (events.RoundCorrected("B1", 1, 3, Wager.DOWN, -500, " "), "reason_needed"),
        (events.RoundCorrected("B1", 1, 4, Wager.DOWN, 500, "why"), "wager_not_in_round"),
        (events.RoundCorrected("B1", 1, 3, Wager.FIVE_CARD_BONUS, 500, "why"), "wager_not_in_round"),
        (events.RoundCorrected("B1", 1, 3, Wager.DOWN, 501_001, "why"), "beyond_the_stake"),
        (events.RoundCorrected("B1", 1, 3, Wager.ANTE_DOWN, -2_001, "why"), "beyond_the_stake"),
    ],
)
def test_a_correction_needs_a_name_a_closed_round_a_wager_a_sum_and_a_reason(
    event: events.RoundCorrected, code: str
) -> None:
    refusal = over().refused(event)
    assert refusal is not None
    assert refusal.code == code


def test_a_correction_is_limited_to_the_wager_and_its_highest_payout() -> None:
    """The limit for $10 on Down is the wager and its payout of 500 to 1 (58 Pa. Code § 674a.12(b)). Earlier
    corrections count too, even if only the record of the round is known."""
    felt = over()
    assert at_stake(felt.pack, Wager.DOWN, 1000) == 501_000
    assert at_stake(felt.pack, Wager.ANTE_DOWN, 1000) == 2000
    assert felt.refused(events.RoundCorrected("B1", 1, 3, Wager.DOWN, -501_000, "why")) is None
    [correction] = corrections_of(felt, SHORT)
    record = with_correction(felt.records[-1], correction.entry)
    settings = felt.table.settings
    for cents, code in ((500_500, None), (500_501, "beyond_the_stake"), (-501_500, None)):
        refusal = verify_record(
            felt.pack, settings, record, events.RoundCorrected("B1", 1, 3, Wager.DOWN, cents, "why")
        )
        assert (refusal and refusal.code) == code
    for seat, wager in ((4, Wager.DOWN), (3, Wager.FIVE_CARD_BONUS)):
        refusal = verify_record(
            felt.pack, settings, record, events.RoundCorrected("B1", 1, seat, wager, 1, "why")
        )
        assert refusal is not None and refusal.code == "wager_not_in_round"


def test_a_round_in_play_cannot_be_corrected() -> None:
    felt = jacks()
    refusal = felt.refused(SHORT)
    assert refusal is not None
    assert (refusal.code, dict(refusal.params)) == ("round_not_closed", {"number": 1})


def test_a_signature_for_chips_in_an_empty_circle_covers_all_of_them() -> None:
    felt = tens(0)
    felt.event(events.CircleRead(6, Wager.DOWN, (events.Chip("04AA", 2500),)))
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 6, "down")]
    felt.floor("sign", seat=6, wager=Wager.DOWN, reason="left for the next player")
    finish(felt)
    assert [(each["code"], each["seat"], each["cents"]) for each in signed(felt)] == [
        ("wrong_circle", 6, 2500)
    ]


def test_a_correction_during_another_round_does_not_affect_it() -> None:
    felt = over()
    felt.next_round()
    felt.closed(2)
    before = felt.table.state
    assert len(corrections_of(felt, SHORT)) == 1
    assert felt.table.state.round == before.round


def test_the_record_has_a_settlement_alert_with_its_signature() -> None:
    felt = jacks()
    felt.lay(3, ante_across=30)
    felt.stand()
    felt.floor("sign", reason="r")
    finish(felt)
    assert entry(felt, "overpaid")["resolved"]


def test_no_difference_is_signed_between_rounds() -> None:
    """An alert about a circle that cannot be read blocks no step between rounds and needs no signature."""
    felt = over()
    felt.table.state = evolve(
        felt.table.state, round=None, alerts=(Alert(9, Code.OVERPAID, 3, Wager.MIDDLE),)
    )
    assert felt.refusal_code(events.FloorDecided("B1", "sign")) == "nothing_held"
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is None


# ------------------------------------------------------------------ the limit, and reasons


def with_settings(felt: Felt, **settings: Any) -> None:
    felt.table.settings = replace(felt.table.settings, **settings)
    felt.stand(1)


def test_a_correction_is_limited_by_the_table_file() -> None:
    felt = over()
    with_settings(felt, correction_limit=100_000)
    assert felt.refused(events.RoundCorrected("B1", 1, 3, Wager.DOWN, -100_000, "why")) is None
    refusal = felt.refused(events.RoundCorrected("B1", 1, 3, Wager.DOWN, 100_001, "why"))
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("beyond_the_limit", {"most": 100_000})


@pytest.mark.parametrize(
    ("cents", "code"), [(99_500, None), (99_501, "beyond_the_limit"), (-99_501, "beyond_the_limit")]
)
def test_the_limit_applies_to_all_corrections_of_a_round_together(cents: int, code: str | None) -> None:
    """A reversal counts as a second correction."""
    felt = over()
    [correction] = corrections_of(felt, SHORT)
    record = with_correction(felt.records[-1], correction.entry)
    settings = replace(felt.table.settings, correction_limit=100_000)
    refusal = verify_record(
        felt.pack, settings, record, events.RoundCorrected("B1", 1, 3, Wager.DOWN, cents, "why")
    )
    assert (refusal and refusal.code) == code


@pytest.mark.parametrize("reason", ["", "  "])
def test_every_decision_of_the_floor_needs_a_reason(reason: str) -> None:
    felt = jacks()
    with_settings(felt, reasons=True)
    for decided in (
        events.FloorDecided("B1", "outcome", outcome="void", reason=reason),
        events.FloorDecided("B1", "forfeit", seat=3, reason=reason),
    ):
        assert felt.refusal_code(decided) == "reason_needed"
        assert felt.refused(replace(decided, reason="seen on tape")) is None


def test_a_routine_decision_needs_no_reason() -> None:
    felt = jacks()
    with_settings(felt, reasons=True)
    felt.press("floor")
    assert felt.refused(events.FloorDecided("B1", "answer")) is None


def test_an_older_journal_needs_no_reasons() -> None:
    assert jacks().refused(events.FloorDecided("B1", "outcome", outcome="void")) is None
