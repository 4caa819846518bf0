"""The last rounds can be recalled as pictures, with the result of each wager and without any face that was
not turned."""

from __future__ import annotations

from typing import Any

from controller.game.model.names import Phase
from controller.game.showing.public import turned_record
from controller.game.showing.recalled import picture
from controller.table.display_source.source import round_in_progress
from tests.game.felt import Felt
from tests.game.settlements import finish, jacks, tens


def ended(felt: Felt | None = None) -> dict[str, Any]:
    felt = felt or jacks()
    finish(felt)
    return dict(felt.records[-1])


def test_each_wager_shows_its_result() -> None:
    shown = picture(ended())["seats"][2]
    assert {name: circle["lamp"] for name, circle in shown["circles"].items()} == {
        "ante_across": "take", "across": "take", "ante_down": "pay", "down": "pay", "middle": "pay",
    }  # fmt: skip
    assert (shown["in_round"], shown["circles"]["middle"]["amount"]) == (True, 1000)


def test_a_push_stays_and_a_forfeit_is_taken() -> None:
    lamps = {circle["lamp"] for circle in picture(ended(tens()))["seats"][2]["circles"].values()}
    assert lamps == {"push", "take"}
    record = ended()
    record["seats"][0]["wagers"]["middle"]["result"] = "forfeit"
    assert picture(record)["seats"][2]["circles"]["middle"]["lamp"] == "take"


def test_seats_that_did_not_play_are_empty() -> None:
    seats = picture(ended())["seats"]
    assert [seat["seat"] for seat in seats] == [1, 2, 3, 4, 5, 6]
    assert [(seat["in_round"], seat["cards"], seat["circles"]) for seat in seats if seat["seat"] != 3] == [
        (False, [], {})
    ] * 5


def test_totals_paid_and_taken_are_shown() -> None:
    record = ended()
    shown = picture(record)
    assert (shown["paid"], shown["taken"]) == (record["seats"][0]["paid"], record["seats"][0]["taken"])
    assert shown["taken"] == 2000


def test_the_round_in_progress_shows_settled_wagers() -> None:
    """Formerly the picture showed "paid $0, taken $0" after everything had been paid."""
    felt = jacks()
    while felt.prompt["wager"] != "down":
        felt.settle_one()
    shown = round_in_progress(felt.table.view())
    assert shown is not None
    found = picture(shown)
    assert (found["paid"], found["taken"]) == (1000, 2000)
    lamps = {name: circle["lamp"] for name, circle in found["seats"][2]["circles"].items()}
    assert lamps == {
        "ante_across": "take",
        "across": "take",
        "ante_down": "pay",
        "down": "off",
        "middle": "off",
    }


def test_final_totals_of_a_round_in_progress_equal_the_record_s() -> None:
    felt, last = jacks(), None
    while felt.phase is Phase.SETTLEMENT:
        last = round_in_progress(felt.table.view())
        felt.settle_one()
    record, after = felt.records[-1], round_in_progress(felt.table.view())
    assert last is not None and after is not None
    for name in ("paid", "taken"):
        assert picture(after)[name] == picture(record)[name] >= picture(last)[name]


def test_a_collected_fold_counts_as_taken() -> None:
    felt = Felt().dealt("2C 7D TH JS 4C", {2: "TD 9S", 3: "5H 6S"})
    felt.press("fold")
    felt.press("confirm")
    felt.lay(felt.prompt["seat"], across=10)
    felt.press("confirm")
    assert felt.prompt["kind"] == "collect"
    felt.lay(felt.prompt["seat"], ante_across=0)
    shown = round_in_progress(felt.table.view())
    assert shown is not None and picture(shown)["taken"] == 1000


def test_an_unturned_card_is_not_shown() -> None:
    shown = picture(turned_record(ended(), frozenset({"across_left", "seat_3_1"})))
    assert [place for place, card in shown["cross"].items() if card["lies"] == "up"] == ["across_left"]
    assert [card["face"] for card in shown["seats"][2]["cards"]] == ["JH", None]
