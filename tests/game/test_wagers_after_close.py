"""A wager made late or changed after "no more bets" is named and never counted, and decisions and UNDO keep
to this: 58 Pa. Code § 674a.7(c), .11(b)-(g), Md. 7.D, tests/scenarios/FORMAT.md "Meaning of some steps"."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code, DealerReport
from controller.game.model.names import SEATS, Circle, Key, Phase, Wager
from controller.game.model.rules import citation_for
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H"}


def at_across(rules: str = "pennsylvania", bonus: int = 0) -> Felt:
    """Return a table with players at seats 1 and 2; seat 1 is asked for its Across bet."""
    return Felt(rules).dealt(CROSS, HANDS, five_card_bonus=bonus)


def alerts(felt: Felt) -> list[tuple[str, int | None, str | None]]:
    felt.stand()
    return [(a.code, a.seat, a.wager.value if a.wager else None) for a in felt.table.state.alerts]


# ------------------------------------------------------------------ late, changed, out of turn


@pytest.mark.parametrize("wager", ["ante_across", "ante_down", "five_card_bonus"])
def test_a_chip_in_an_ante_or_bonus_circle_that_was_empty_is_late(wager: str) -> None:
    """§ 674a.7(c): no wager is made after the close. The rule includes boxes that are not in the round."""
    felt = at_across()
    felt.lay(5, **{wager: 5})
    assert felt.codes() == []
    assert alerts(felt) == [("late_bet", 5, wager)]
    assert felt.table.view()["seats"][4]["circles"][wager]["lamp"] == "refused"
    felt.lay(5, **{wager: 0})
    assert felt.codes() == []


def test_a_bonus_laid_after_the_close_by_a_player_in_the_round_is_late_and_never_counts() -> None:
    felt = at_across()
    felt.lay(1, five_card_bonus=5)
    assert alerts(felt) == [("late_bet", 1, "five_card_bonus")]
    felt.lay(1, five_card_bonus=0)
    for _ in range(3):
        felt.decide(s1=10, s2=10)
    felt.settle()
    assert "five_card_bonus" not in felt.records[-1]["seats"][0]["wagers"]
    assert [e["code"] for e in felt.records[-1]["irregularities"]] == ["late_bet"]


@pytest.mark.parametrize("dollars", [15, 5, 11, 9])
@pytest.mark.parametrize("wager", ["ante_across", "five_card_bonus"])
def test_an_ante_or_bonus_that_grows_or_shrinks_by_one_chip_is_changed(wager: str, dollars: int) -> None:
    felt = at_across(bonus=10)
    felt.lay(2, **{wager: dollars})
    assert alerts(felt) == [("bet_changed", 2, wager)]
    assert felt.table.view()["alerts"][0]["should"] == 1000
    felt.lay(2, **{wager: 10})
    assert felt.codes() == []
    felt.decide(s1=10, s2=10)
    assert felt.round.irregularities[-1].resolved


def test_a_change_after_the_close_cites_the_text_under_maryland_alone() -> None:
    """Maryland forbids the change (Md. 7.D). Elsewhere it is house procedure (config/rules/RULES.md,
    Wagers)."""
    assert "7.D" in citation_for(at_across("maryland").pack, "bet_changed")
    for rules in ("pennsylvania", "massachusetts", "six_card_bonus"):
        assert citation_for(Felt(rules).pack, Code.BET_CHANGED) == "house procedure"


@pytest.mark.parametrize("wager", ["down", "middle"])
def test_a_bet_before_its_decision_is_out_of_turn(wager: str) -> None:
    felt = at_across()
    felt.lay(1, **{wager: 10})
    assert alerts(felt) == [("bet_out_of_turn", 1, wager)]


def test_a_bet_after_its_decision_is_out_of_turn() -> None:
    felt = at_across()
    felt.decide(s1=10, s2=10)
    felt.lay(1, across=20)
    assert alerts(felt) == [("bet_out_of_turn", 1, "across")]
    assert felt.table.view()["alerts"][0]["should"] == 1000
    felt.lay(1, across=10)
    assert felt.codes() == []


def test_a_bet_reduced_after_its_decision_is_changed() -> None:
    felt = at_across()
    felt.decide(s1=20, s2=10)
    felt.lay(1, across=10)
    assert alerts(felt) == [("bet_changed", 1, "across")]


def test_a_bet_before_any_decision_is_out_of_turn() -> None:
    felt = Felt().closed(1)
    felt.lay(1, across=10)
    assert alerts(felt) == [("bet_out_of_turn", 1, "across")]


def test_a_bet_by_a_box_that_is_not_in_the_round_is_out_of_turn() -> None:
    felt = at_across()
    felt.lay(6, across=10)
    assert alerts(felt) == [("bet_out_of_turn", 6, "across")]


def test_a_bet_of_a_folded_seat_raises_an_alert() -> None:
    felt = at_across()
    felt.fold()
    felt.lay(1, across=10)
    assert alerts(felt) == [("bet_out_of_turn", 1, "across")]


def test_an_ante_of_a_folded_seat_raises_an_alert() -> None:
    felt = at_across()
    felt.decide(s1=None, s2=10)
    felt.lay(1, ante_across=10)
    assert alerts(felt) == [("late_bet", 1, "ante_across")]


def test_wagers_of_a_fold_may_be_collected_chip_by_chip() -> None:
    """§ 674a.11(c): the dealer collects the wagers of a fold, and no alert is raised meanwhile."""
    felt = Felt()
    felt.lay(1, ante_across=10, ante_down=10)
    felt.event(events.CircleRead(1, Wager.ANTE_ACROSS, (felt.chip(500), felt.chip(500))))
    felt.closed(2)
    felt.deal(CROSS, HANDS)
    felt.fold()
    felt.bet(10)
    felt.lay(1, ante_across=5)
    assert alerts(felt) == []
    felt.collect()
    assert felt.prompt["kind"] == "turn"


def test_maryland_collects_a_fold_at_once() -> None:
    """Md. 11.B(2): the dealer collects a fold before the next player is asked."""
    felt = at_across("maryland")
    felt.fold()
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("collect", 1)
    felt.collect()
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("ask", 2)


def test_a_fold_without_readings_is_collected_by_confirm() -> None:
    felt = at_across()
    felt.fold()
    felt.bet(10)
    assert not felt.table.view()["keys"]["confirm"]
    from_reader = felt.prompt["wager"]
    felt.event(events.CircleUnreadable(1, Wager(from_reader), "silent"))
    felt.press("confirm")
    felt.collect()
    seen = {
        w: Circle(1, w) not in felt.round.ledger.unverified_circles()
        for w in (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)
    }
    assert seen == {Wager.ANTE_ACROSS: False, Wager.ANTE_DOWN: True}


# ------------------------------------------------------------------ changed decisions


def test_a_bet_may_be_changed_until_it_is_confirmed() -> None:
    felt = at_across()
    for dollars in (10, 30, 20):
        felt.lay(1, across=dollars)
        assert alerts(felt) == []
    felt.press("confirm")
    assert felt.round.seats[1].wagers[Wager.ACROSS] == 2000


def test_the_confirm_of_a_fold_shows_its_cost() -> None:
    """§ 674a.11(d): a fold at the Down decision also forfeits the antes and the Across bet."""
    felt = at_across(bonus=5)
    felt.decide(s1=20, s2=10)
    felt.press("fold")
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("confirm_fold", 4000)


def test_a_second_press_of_fold_has_no_effect() -> None:
    """A fold requires CONFIRM; a key that bounced or was pressed twice does not fold the next seat."""
    felt = at_across()
    felt.press("fold")
    assert felt.refusal_code(events.KeyPressed(Key.FOLD)) == "already_folding"
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("confirm_fold", 1)
    assert felt.round.seats[1].folded_at is None
    assert felt.table.view()["keys"]["fold"] is False


def test_a_bet_not_read_since_the_start_is_awaited() -> None:
    felt = at_across()
    felt.lay(felt.prompt["seat"], across=10)
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    assert felt.refusal_code(events.KeyPressed(Key.CONFIRM)) == "reading_wait"


# ------------------------------------------------------------------ before the close


def test_lamps_show_where_a_wager_may_be_laid() -> None:
    felt = Felt()

    def lamps() -> dict[str, str]:
        return {name: c["lamp"] for name, c in felt.table.view()["seats"][0]["circles"].items()}

    assert lamps() == {
        "ante_across": "open", "ante_down": "open", "across": "off", "down": "off", "middle": "off",
        "five_card_bonus": "off",
    }  # fmt: skip
    felt.antes(1)
    assert (lamps()["ante_across"], lamps()["five_card_bonus"]) == ("accepted", "open")
    felt.closed(2)
    felt.deal(CROSS, HANDS)
    assert lamps()["across"] == "call"
    assert felt.table.view()["seats"][1]["circles"]["across"]["lamp"] == "open"
    felt.lay(2, across=20)
    assert felt.table.view()["seats"][1]["circles"]["across"]["lamp"] == "accepted"
    felt.lay(2, across=25)
    assert felt.table.view()["seats"][1]["circles"]["across"]["lamp"] == "refused"


def test_an_unknown_chip_does_not_delay_the_close() -> None:
    felt = Felt()
    felt.antes(1)
    stranger = felt.chip(0)
    felt.event(events.CircleRead(4, Wager.ANTE_ACROSS, (type(stranger)(stranger.uid, None, "withdrawn"),)))
    assert alerts(felt) == [("chip_withdrawn", 4, "ante_across")]
    felt.close()
    assert felt.phase is Phase.DEALING


def test_invalid_wagers_are_dropped_when_another_deck_is_brought() -> None:
    felt = Felt()
    felt.lay(3, ante_across=10, ante_down=15)
    felt.close()
    felt.floor("shuffle")
    assert (felt.phase, felt.codes()) == (Phase.BETTING, [])
    assert felt.prompt["kind"] == "bets_open"


# ------------------------------------------------------------------ prompt of a touch


def test_a_touch_for_another_prompt_has_no_effect() -> None:
    felt = at_across()
    meant = felt.prompt["id"]
    for event in (
        events.KeyPressed(Key.FOLD, "1/ask/9"),
        events.AmountEntered(1, Wager.ACROSS, 1000, "none"),
        events.Reported(DealerReport.STUB_COUNT, number=30, prompt="1/count_stub"),
        events.FloorDecided("B1", "approve", prompt="1/held"),
    ):
        assert felt.refusal_code(event) == "stale"
    felt.event(events.KeyPressed(Key.FOLD, meant))
    assert felt.refusal_code(events.KeyPressed(Key.FOLD, meant)) == "stale", "the second tap of two"


def test_the_prompt_of_another_round_is_another_prompt() -> None:
    felt = at_across()
    prompt_id = felt.prompt["id"]
    assert prompt_id.startswith("1/ask/1/across/")
    felt.lay(6, five_card_bonus=5)
    assert felt.prompt["id"] == prompt_id, "a chip elsewhere changes nothing about what is asked"


# ------------------------------------------------------------------ a fold withdrawn by the floor


def test_a_floorperson_can_withdraw_a_fold() -> None:
    felt = at_across()
    felt.fold()
    felt.event(events.FloorDecided("B1", "restore", seat=1))
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("ask", 1)
    assert felt.round.seats[1].folded_at is None and not felt.table.view()["keys"]["undo"]


@pytest.mark.parametrize(
    ("seat", "taken", "code"), [(2, None, "not_folded"), (9, None, "not_folded"), (1, 0, "fold_stands")]
)
def test_a_missing_or_collected_fold_cannot_be_withdrawn(seat: int, taken: int | None, code: str) -> None:
    felt = at_across()
    felt.fold()
    if taken is not None:
        felt.lay(1, ante_across=taken)
    assert felt.refusal_code(events.FloorDecided("B1", "restore", seat=seat)) == code
