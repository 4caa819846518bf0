"""If a violation is found after a wager was paid, the floorperson decides under every way of dealing in
Maryland whether the paid wager is taken too.

Md. 11.A(5) takes all wagers on that round, but 11.H(1) excepts resolved ones. The other texts have no such
choice.
"""

from __future__ import annotations

import pytest

from controller.game.model.events import FloorDecided, Started
from controller.game.model.names import SEATS, Method, Phase, Wager
from tests.audit.opened import Seen
from tests.game.felt import pack
from tests.game.test_properties import PACKS, WAYS

VIOLATIONS = ("players_conferred", "cards_touched", "out_of_view", "hand_left")
WINS, LOSES = "6C 7D 8H JS 6D", "2C 7D 9H JS 4C"
BOTH = ("go_on", "forfeit", "forfeit_all")
MD = "Md. Standard Rules Criss Cross Poker "
MD_WAYS = [method for key, method in WAYS if key == "maryland"]


def paid(method: Method | None = None, rules: str = "maryland", cross: str = WINS) -> Seen:
    """Return a table on which the first wager of seat 3 is settled and its other wagers are not."""
    felt = Seen(pack(rules), method or next(iter(pack(rules).deals)))
    felt.laid(3)
    felt.dealt(cross, "AS KD")
    while felt.phase is not Phase.SETTLEMENT or not felt.round.ledger.row(_first(felt)).settled:
        prompt = felt.prompt
        if prompt["kind"] == "ask":
            felt.bet(felt.pack.minimum_ante // 100)
        elif prompt["kind"] == "enter_face":
            place = prompt["places"][0]
            felt._entered(place)
        elif felt.phase is Phase.SETTLEMENT:
            felt.settle_one()
        else:
            felt.press("confirm")
    return felt


def _first(felt: Seen) -> tuple[int, Wager]:
    due = next((step for step in felt.round.settlement.steps.get(3, {})), Wager.FIVE_CARD_BONUS)
    return (3, due)


def ended(felt: Seen) -> dict[str, object]:
    """Collect the forfeited chips and return the seat's part of the record."""
    while felt.phase is Phase.SETTLEMENT:
        prompt = felt.prompt
        if prompt["kind"] == "collect":
            felt.lay(3, **{prompt["wager"]: 0})
        else:
            felt.press("confirm")
    return dict(felt.records[-1]["seats"][0])


@pytest.mark.parametrize("method", MD_WAYS)
@pytest.mark.parametrize("code", VIOLATIONS)
def test_the_floor_is_offered_both_outcomes_with_their_sections(method: Method, code: str) -> None:
    felt = paid(method)
    felt.report(code, seat=3)
    hold = felt.table.state.hold
    assert (hold.proposed, hold.outcomes) == ("forfeit", BOTH)
    keys = felt.table.view()["hold"]["decisions"]
    assert [(key["outcome"], key["section"]) for key in keys if key["outcome"] in BOTH[1:]] == [
        ("forfeit", "11.H(1)"), ("forfeit_all", "11.A(5)"),
    ]  # fmt: skip


@pytest.mark.parametrize("method", MD_WAYS)
@pytest.mark.parametrize("picked_up", [False, True])
def test_all_wagers_on_the_round_can_be_taken_including_a_paid_bonus(method: Method, picked_up: bool) -> None:
    felt = paid(method)
    stake = felt.round.seats[3].wagers[Wager.FIVE_CARD_BONUS]
    if picked_up:
        felt.lay(3, five_card_bonus=0)
    felt.report("hand_left", seat=3)
    felt.floor("forfeit", seat=3, outcome="forfeit_all", reason="the partner played it")
    box = ended(felt)
    assert {entry["result"] for entry in box["wagers"].values()} == {"forfeit"}
    assert (box["paid"], box["taken"]) == (0, stake + 500 * 5)
    row = felt.round.ledger.of_seat(3)[Wager.FIVE_CARD_BONUS]
    assert (row.tray, row.player) == (stake, -stake)
    assert box["forfeited"] == {
        "phase": "settlement", "code": "hand_left",
        "settled": {"does": "taken", "citation": MD + "11.A(5)", "approved_by": "B1"},
    }  # fmt: skip


@pytest.mark.parametrize("decision", ["approve", "forfeit"])
def test_by_default_the_paid_bonus_stays_and_the_record_names_who_decided(decision: str) -> None:
    felt = paid()
    felt.report("out_of_view", seat=3)
    felt.floor(decision)
    box = ended(felt)
    assert box["wagers"]["five_card_bonus"]["result"] == "win"
    assert box["forfeited"]["settled"] == {"does": "kept", "citation": MD + "11.H(1)", "approved_by": "B1"}


@pytest.mark.parametrize(
    ("outcome", "result"), [(None, "win"), ("forfeit", "win"), ("forfeit_all", "forfeit")]
)
def test_the_floor_may_choose_without_a_report(outcome: str | None, result: str) -> None:
    felt = paid()
    assert {"seat": 3, "code": "hand_left"} in felt.table.view()["floor"]["both"]
    felt.floor("forfeit", seat=3, code="hand_left", outcome=outcome)
    assert ended(felt)["wagers"]["five_card_bonus"]["result"] == result


def test_a_player_who_left_or_a_lost_bonus_gives_no_choice() -> None:
    felt = paid()
    felt.report("player_left", seat=3)
    assert felt.table.state.hold.outcomes == ("go_on", "forfeit")
    felt = paid(cross=LOSES)
    felt.report("hand_left", seat=3)
    assert felt.table.state.hold.outcomes == ("go_on", "forfeit")
    assert felt.refused(FloorDecided("B1", "forfeit", seat=3, outcome="forfeit_all")) is not None


def test_an_older_journal_offers_no_choice() -> None:
    felt = paid()
    felt.event(Started(tuple((seat, wager) for seat in SEATS for wager in Wager), procedures=1))
    felt.report("hand_left", seat=3)
    assert felt.table.state.hold.outcomes == ("go_on", "forfeit")
    felt.floor("approve")
    assert felt.round.seats[3].settled_part is None


@pytest.mark.parametrize(("rules", "method"), [way for way in WAYS if way[0] != "maryland"])
def test_other_texts_offer_no_such_choice(rules: str, method: Method) -> None:
    felt = paid(method, rules)
    for code in VIOLATIONS:
        assert (
            felt.refused(FloorDecided("B1", "forfeit", seat=3, outcome="forfeit_all", code=code)) is not None
        )
    assert felt.table.view()["floor"]["both"] == []


@pytest.mark.parametrize("rules", PACKS)
def test_a_report_without_a_forfeit_offers_no_forfeit_for_another_violation(rules: str) -> None:
    felt = paid(rules=rules)
    if "player_left" in felt.pack.forfeits:
        assert felt.table.view()["floor"]["seats"] == [3]
    felt.report("cards_touched", seat=3)
    felt.floor("outcome", outcome="go_on")
    allowed = "cards_touched" in felt.pack.forfeits
    assert felt.table.view()["floor"]["seats"] == ([3] if allowed else [])
