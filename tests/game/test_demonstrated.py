"""The table allows each irregularity only in the phases listed by controller/rules/packs/demonstrated.py, and
its outcome is the ruling of the pack.

Every pack, way of dealing, source and phase is tried.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.events import CardLeftShoe, Event, FloorDecided, Reported, ShoeFaulted
from controller.game.model.irregularities import Asked, Code, Outcome, Ruled, SubRuling
from controller.game.model.names import CROSS, IN_PLAY, PLAYING, Method, Phase
from controller.game.model.state import Hold
from controller.rules.packs.demonstrated import SOURCE_PHASES, Occurrence, Source
from tests.game.felt import Felt, pack
from tests.game.reached import reached
from tests.game.test_properties import WAYS

pytestmark = pytest.mark.slow

REPORTED: Mapping[tuple[Asked, ...], Mapping[str, object]] = {
    (): {},
    (Asked.SEAT,): {"seat": 1},
    (Asked.HAND, Asked.COUNT): {"seat": 1, "number": 3},
    (Asked.BONUS,): {"number": 1},
}
FAULTS = {Code.SHOE_FAULT: "JAM", Code.SHUFFLER_FAULT: "SHUFFLE"}
STOPS = (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.FLOOR)
"""Outcomes that hold play for a floorperson."""
LATE_IN_THE_DEAL = Occurrence(Code.DRAWN_IN_ERROR, Source.DEVICE, Phase.DEALING)
"""Irregularity of a card that a shoe releases when every hand is complete. A device detects a card drawn in
error only then."""
WITH_RULING = [
    Occurrence(code, source, phase)
    for code, sources in SOURCE_PHASES.items() for source, phases in sources.items() for phase in phases
]  # fmt: skip


# ------------------------------------------------------------------ causes


def happening(felt: Felt, code: Code, source: Source) -> Event:
    """Return the event by which this source reports the irregularity at this table."""
    if source is Source.FLOOR:
        other = next(method for method in felt.pack.deals if method is not felt.method)
        return FloorDecided("B1", "method", method=other, reason="broken")
    if source is Source.REPORT:
        return reporting(felt, code)
    if code in FAULTS:
        return ShoeFaulted(FAULTS[code])
    number, face = felt.table.state.shoe.out + 1, Card(felt.unused(1)[0])
    return CardLeftShoe(number, face, "face_up" if code is Code.CARD_FACE_UP else "face_down")


def reporting(felt: Felt, code: Code) -> Reported:
    report = code.kind.report
    assert report is not None
    if report.asks == (Asked.CROSS_PLACE,):
        unturned = [place for place in CROSS if felt.round is None or place not in felt.round.turned]
        return Reported(code, place=(unturned or list(CROSS))[0])
    return Reported(code, **REPORTED[report.asks])  # type: ignore[arg-type]


def entered(felt: Felt) -> list[tuple[Code, str]]:
    state = felt.table.state
    entries = state.round.irregularities if state.round else state.early
    return [(entry.code, entry.citation) for entry in entries]


def held(felt: Felt) -> Hold | None:
    return felt.table.state.hold


# ------------------------------------------------------------------ rulings of the pack


def ruled_by(case: Occurrence, method: Method) -> Ruled:
    if case.code is Code.CARD_FACE_UP:
        return SubRuling.FACE_UP_ONE
    if case.code is Code.SHOE_FAULT and method is Method.MANUAL_SHOE:
        return SubRuling.MANUAL_SHOE_FAULT
    return case.code


def stops(case: Occurrence, outcome: Outcome | None, method: Method) -> bool:
    """Return whether play must be held, by the pack's ruling or because the fault concerns the device or the
    deck in play."""
    if case.code is Code.SHOE_FAULT:
        return case.phase is Phase.DEALING and method is not Method.HAND
    if case.code is Code.SHUFFLER_FAULT:
        return outcome in STOPS and case.phase in (Phase.SHUFFLE, *IN_PLAY)
    late = case.code is Code.CARD_FACE_UP and case.phase in PLAYING
    return outcome in STOPS and not late


def proposed(case: Occurrence, outcome: Outcome | None, method: Method) -> Outcome | None:
    """Return the outcome that the table must propose to the floorperson, or None if it must propose none."""
    if outcome is Outcome.FLOOR:
        return None
    unaffected = method is Method.HAND or case.phase in PLAYING
    return Outcome.GO_ON if case.code is Code.SHUFFLER_FAULT and unaffected else outcome


def phase_after(case: Occurrence, felt: Felt, before: Method) -> Phase:
    if case.phase is Phase.BETTING:
        again = case.code is Code.SHUFFLER_FAULT and case.source is Source.REPORT
        other = case.source is Source.FLOOR and before is Method.HAND
        return Phase.SHUFFLE if again or other else case.phase
    return case.phase


# ------------------------------------------------------------------ the cases


@pytest.mark.parametrize("case", WITH_RULING, ids=lambda case: f"{case.code}-{case.source}-{case.phase}")
def test_the_outcome_is_the_pack_s_ruling(case: Occurrence) -> None:
    for rules, method in WAYS:
        if case.code is Code.BONUS_EXPOSED and not pack(rules).lays_bonus_cards:
            continue
        felt = reached(case.phase, rules, method)
        felt.does_shuffle = False
        if case == LATE_IN_THE_DEAL:
            if method is Method.HAND:
                continue
            felt.deal_cards(list(DECK))
        before = len(entered(felt))
        felt.event(happening(felt, case.code, case.source))
        ruling = felt.pack.rulings[ruled_by(case, method)]
        new, hold = entered(felt)[before:], held(felt)
        if stops(case, ruling.outcome, method):
            assert hold is not None and hold.code is case.code, (rules, method)
            assert hold.proposed == proposed(case, ruling.outcome, method), (rules, method)
            assert hold.citation == ruling.section(method), (rules, method)
        else:
            assert hold is None, (rules, method)
            assert felt.phase is phase_after(case, felt, method), (rules, method)
        if case.phase in IN_PLAY and not (case.code is Code.SHOE_FAULT and method is Method.HAND):
            assert [code for code, _ in new] == [case.code], (rules, method)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.HELD])
def test_a_report_is_accepted_only_in_its_phases(phase: Phase) -> None:
    for rules, method in WAYS:
        felt = reached(phase, rules, method)
        for code, sources in SOURCE_PHASES.items():
            if Source.REPORT in sources:
                dealt = code is not Code.BONUS_EXPOSED or felt.pack.lays_bonus_cards
                allowed = dealt and phase in sources[Source.REPORT]
                taken = felt.refused(reporting(felt, code)) is None
                assert taken is allowed, (code, rules, method)


def test_a_report_during_a_held_deal_is_accepted_as_in_the_deal() -> None:
    for rules, method in WAYS:
        felts = [reached(phase, rules, method) for phase in (Phase.DEALING, Phase.HELD)]
        for code, sources in SOURCE_PHASES.items():
            if Source.REPORT in sources:
                first, second = [felt.refused(reporting(felt, code)) is None for felt in felts]
                assert first is second, (code, rules, method)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.HELD])
def test_the_way_of_dealing_changes_only_in_its_phases(phase: Phase) -> None:
    for rules, method in WAYS:
        felt = reached(phase, rules, method)
        taken = felt.refused(happening(felt, Code.DEVICE_OUT_OF_ORDER, Source.FLOOR)) is None
        assert taken is (phase in SOURCE_PHASES[Code.DEVICE_OUT_OF_ORDER][Source.FLOOR]), (rules, method)


def test_every_report_with_a_ruling_is_listed_or_about_a_player() -> None:
    """A report without a ruling in an irregularity section rests on house procedure or on another section."""
    elsewhere = {Code.DUPLICATE_CARD, Code.CARD_DIFFERS, Code.NOT_A_WAGER}
    reports = {code for code in Code if code.kind.report and not code.kind.of_player}
    assert reports - elsewhere <= set(SOURCE_PHASES)
