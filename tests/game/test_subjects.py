"""A decision acts only if its hold, amount, step or round is still the one that the person has read."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.names import Key, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from controller.game.model.record import record_subject
from controller.game.model.state import Hold, TableState
from controller.game.phases.corrections import verify_record
from controller.game.phases.stub import expected_stub
from controller.game.phases.subjects import COUNTED, subject, with_revisions
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H", 3: "5S 6S"}


def dealt(**settings: Any) -> Felt:
    return Felt(**settings).dealt(CROSS, HANDS)


def decided(decision: str, about: str, badge: str = "B1", **more: Any) -> events.FloorDecided:
    return events.FloorDecided(badge, decision, about=about, **more)


def code(felt: Felt, event: events.Event) -> str | None:
    """Return the code of the refusal, or None. Checks that a refused event changes nothing."""
    refusal, before = felt.refused(event), felt.table.state
    if refusal is not None:
        felt.table.handle(event, events.Stamp(felt.ms, "2026-11-20T20:00:00.000Z"))
        assert dataclasses.replace(felt.table.state, version=before.version) == before
    return None if refusal is None else refusal.code


def held(felt: Felt) -> Hold:
    hold = felt.table.state.hold
    assert hold is not None
    return hold


def about(felt: Felt, kind: str = "hold") -> str:
    return subject(felt.table.state, kind)


# ------------------------------------------------------------------ holds


def test_two_decisions_for_one_hold_decide_it_once() -> None:
    """Two wrong counts are held. B1 and B2 both refuse the first one, and this must not refuse the second."""
    felt = dealt()
    felt.report("wrong_count", seat=1, number=3)
    felt.report("wrong_count", seat=2, number=3)
    read = about(felt)
    felt.event(decided("refuse", read))
    assert (held(felt).seat, felt.phase) == (2, Phase.HELD)
    assert code(felt, decided("refuse", read, badge="B2")) == "another_hold"
    assert held(felt).seat == 2, "B2 has not read this one"
    felt.event(decided("refuse", about(felt), badge="B2"))
    assert code(felt, decided("refuse", read, badge="B2")) == "hold_decided"


def test_an_amended_hold_has_to_be_read_again() -> None:
    """A floorperson has read a proposed void, and then a recount comes out right and changes the proposal.
    The approval of the void must not let play continue (58 Pa. Code § 674a.10(d))."""
    felt = Felt().closed(*HANDS)
    felt.deal(CROSS, HANDS, stub=40)
    hold, read = held(felt), about(felt)
    felt.report("stub_count", number=expected_stub(felt.round))
    assert (held(felt).id, held(felt).proposed) != (hold.id, hold.proposed)
    assert held(felt).id == hold.id
    assert code(felt, decided("approve", read, outcome=str(hold.proposed))) == "hold_changed"
    proposed = str(held(felt).proposed)
    assert code(felt, decided("approve", about(felt), outcome=str(hold.proposed))) == "not_offered"
    assert code(felt, decided("approve", about(felt))) == "not_offered", "the key named an outcome"
    assert code(felt, decided("approve", about(felt), outcome=proposed)) is None


def test_a_further_hold_changes_the_revision() -> None:
    """A void also ends the holds that wait, so the floorperson must have read a new hold before approving the
    void."""
    felt = dealt()
    felt.report("community_exposed", place="middle")
    read = about(felt)
    felt.report("hole_exposed", seat=1)
    assert code(felt, decided("approve", read, outcome="void")) == "hold_changed"


def test_an_acceptance_applies_only_to_the_shoe_that_was_read() -> None:
    felt = dealt(shoe_serial="")
    felt.event(events.ShoeLinkOpened("TEST", "STRANGER", "1", "boot2"))
    read = about(felt)
    felt.event(events.ShoeLinkOpened("TEST", "ANOTHER", "1", "boot3"))
    assert code(felt, decided("approve", read, outcome="go_on")) == "hold_changed"
    felt.event(decided("approve", about(felt), outcome="go_on", reason="exchanged"))
    assert felt.table.state.shoe.serial == "ANOTHER"


def test_a_repeated_irregularity_is_another_hold() -> None:
    felt = dealt()
    felt.report("wrong_count", seat=1, number=3)
    read = about(felt)
    felt.event(decided("refuse", read))
    felt.report("wrong_count", seat=1, number=3)
    assert code(felt, decided("refuse", read)) == "another_hold"


def test_a_direction_chosen_before_a_hold_is_refused_until_the_decision() -> None:
    felt = dealt()
    void = decided("outcome", about(felt, "round"), outcome="void")
    assert code(felt, void) is None
    felt.report("wrong_count", seat=1, number=3)
    assert code(felt, void) == "held_meanwhile"


def test_a_forfeit_can_name_only_the_held_seat() -> None:
    felt = dealt()
    felt.report("players_conferred", seat=1)
    other = decided("outcome", about(felt), outcome="forfeit", seat=2)
    assert code(felt, other) == "not_offered"


# ------------------------------------------------------------------ signatures


def entered(felt: Felt, cents: int) -> None:
    felt.event(events.AmountEntered(1, Wager.ACROSS, cents))


def waiting(felt: Felt) -> list[dict[str, Any]]:
    return [dict(item) for item in felt.table.view()["waiting"]]


def dead_reader() -> Felt:
    felt = dealt()
    felt.event(events.CircleUnreadable(1, Wager.ACROSS, "silent"))
    entered(felt, 1000)
    return felt


def test_a_signature_applies_only_to_the_amount_that_was_read() -> None:
    felt = dead_reader()
    [item] = waiting(felt)
    sign = decided("sign", item["about"], seat=1, wager=Wager.ACROSS)
    entered(felt, 2000)
    assert code(felt, sign) == "another_amount"
    entered(felt, 1000)
    assert code(felt, sign) is None, "it is the same amount again"
    felt.event(sign)
    assert waiting(felt) == []
    assert code(felt, sign) == "another_amount"


def test_one_key_signs_only_one_row() -> None:
    """An amount entered by the dealer and a difference at the same circle need one signature each."""
    felt = dead_reader()
    felt.event(events.CircleUnreadable(2, Wager.ANTE_DOWN, "silent"))
    felt.event(events.AmountEntered(2, Wager.ANTE_DOWN, 500))
    items = waiting(felt)
    assert len(items) > 1
    for left in range(len(items), 0, -1):
        now = waiting(felt)
        assert len(now) == left
        item = now[0]
        felt.event(decided("sign", item["about"], seat=item["seat"], wager=Wager(item["wager"])))
        assert item["about"] not in [each["about"] for each in waiting(felt)]


def test_a_signature_for_the_alert_at_one_circle_signs_no_other() -> None:
    felt = dealt()
    felt.lay(1, ante_across=5, ante_down=5)
    felt.stand()
    items = waiting(felt)
    assert [item["wager"] for item in items] == [Wager.ANTE_ACROSS, Wager.ANTE_DOWN]
    first = items[0]["about"]
    assert code(felt, decided("sign", first)) == "circle_not_named"
    assert code(felt, decided("sign", first, seat=1, wager=Wager.ANTE_DOWN)) is not None
    felt.event(decided("sign", first, seat=1, wager=Wager.ANTE_ACROSS))
    assert [item["wager"] for item in waiting(felt)] == [Wager.ANTE_DOWN]


def test_an_opening_step_is_signed_once() -> None:
    felt = Felt(decks=2)
    felt.event(decided("close", about(felt, "round")))
    felt.press("confirm")
    read = []
    for back in ("RED", "BLUE"):
        felt.event(events.DeckBrought(back))
        while felt.refused(events.KeyPressed(Key.CONFIRM)) is None:
            felt.press("confirm")
        assert felt.table.view()["waiting"][0]["about"] == about(felt, "step")
        read.append(about(felt, "step"))
        assert [code(felt, decided("sign", each)) for each in read[:-1]] == ["another_step"] * (len(read) - 1)
        felt.event(decided("sign", read[-1]))
        while felt.table.state.deck.present and felt.phase is Phase.OPENING:
            felt.press("confirm")


# ------------------------------------------------------------------ other subjects


def test_an_answer_applies_only_to_the_call_that_was_read() -> None:
    felt = dealt()
    felt.press("floor")
    first = about(felt, "call")
    felt.event(decided("answer", first))
    felt.press("floor")
    assert code(felt, decided("answer", first, badge="B2")) == "another_call"
    assert code(felt, decided("answer", about(felt, "call"))) is None


def test_undo_withdraws_only_the_act_that_it_named() -> None:
    felt = dealt()
    felt.press("fold")
    read = about(felt, "undo")
    felt.press("undo")
    prompt = felt.table.prompt_id()
    felt.press("fold")
    felt.press("undo")
    assert felt.table.prompt_id() != prompt
    felt.press("fold")
    assert code(felt, events.KeyPressed(Key.UNDO, felt.table.prompt_id(), about=read)) == "another_undo"
    assert code(felt, events.KeyPressed(Key.UNDO, felt.table.prompt_id(), about=about(felt, "undo"))) is None


def test_a_relief_applies_only_to_the_dealer_that_was_read() -> None:
    felt = dealt()
    felt.event(events.DealerSignedOn("D7", about=about(felt, "dealer")))
    read = about(felt, "dealer")
    felt.event(events.DealerRelieved(about=read))
    felt.event(events.DealerSignedOn("D8", about=about(felt, "dealer")))
    assert code(felt, events.DealerRelieved(about=read)) == "another_dealer"
    assert code(felt, events.DealerSignedOn("D9", about=read)) == "another_dealer"


def test_a_repeated_correction_does_not_swap_cards_back() -> None:
    felt = dealt()
    for number in HANDS:
        felt.bet(10) if number else None
    felt.press("confirm")
    first, second = "across_left", "across_right"
    swap = events.CardsSwapped(first, second, about=about(felt, "cards"))
    felt.event(swap)
    felt.event(decided("approve", about(felt), outcome="go_on"))
    assert code(felt, swap) == "another_state"


def test_an_entry_of_one_round_is_refused_in_the_next() -> None:
    felt = dealt()
    subjects = {kind: about(felt, kind) for kind in ("round", "cards", "deck", "boxes", "folds")}
    felt.event(decided("outcome", about(felt, "round"), outcome="void"))
    felt.clear()
    felt.next_round()
    assert all(about(felt, kind) != read for kind, read in subjects.items())


def test_an_amount_applies_only_to_the_circle_as_read() -> None:
    felt = dead_reader()
    [seat] = [seat for seat in felt.table.view()["seats"] if seat["seat"] == 1]
    read = seat["circles"]["across"]["about"]
    assert code(felt, events.AmountEntered(1, Wager.ACROSS, 3000, about=read)) is None
    entered(felt, 2000)
    assert code(felt, events.AmountEntered(1, Wager.ACROSS, 3000, about=read)) == "another_amount"


def test_a_correction_applies_only_to_the_round_as_read() -> None:
    felt = dealt()
    felt.decide(s1=10, s2=10, s3=10)
    felt.decide(s1=10, s2=10, s3=10)
    felt.decide(s1=10, s2=10, s3=10)
    felt.settle()
    record = felt.records[-1]
    correction = events.RoundCorrected("B1", 1, 1, Wager.ACROSS, 500, "why", about=record_subject(record))
    assert verify_record(felt.pack, felt.table.settings, record, correction) is None
    entry = {"seat": 1, "wager": "across", "cents": 500, "code": "mispaid"}
    since = {**record, "corrections": [*record["corrections"], entry]}
    refusal = verify_record(felt.pack, felt.table.settings, since, correction)
    assert refusal is not None and refusal.code == "already_corrected"


# ------------------------------------------------------------------ revisions


@pytest.mark.parametrize("kind", COUNTED)
def test_an_event_without_effect_changes_no_revision(kind: str) -> None:
    felt = dealt()
    before = about(felt, kind)
    felt.stand()
    assert about(felt, kind) == before


def test_an_older_state_has_subjects_too() -> None:
    """A snapshot of an earlier version contains neither ids nor revisions; the table counts them from its
    next start."""
    old = TableState()
    assert with_revisions(old, dataclasses.replace(old, floor_called=True)).revisions == {}
    old = TableState(procedures=PROCEDURES)
    assert subject(old, "hold") == "hold 0"
    assert with_revisions(old, old) is old
    assert with_revisions(old, dataclasses.replace(old, floor_called=True)).revisions == {"call": 1}
