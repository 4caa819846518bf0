"""A round is played correctly from the first chip to its record, by 58 Pa. Code § 674a.7 to .12."""

from __future__ import annotations

from controller.game.model.names import Phase
from tests.game.felt import Felt

TENS_PUSH = "2C 7D TH JS 4C"
"""Cross whose row is 7D TH JS and whose column is 2C TH 4C."""


def tens(felt: Felt | None = None) -> Felt:
    """Return a table in settlement whose seat 3 has TD 9S, which makes a pair of 10s across and down."""
    felt = felt or Felt()
    felt.closed(3, five_card_bonus=5)
    felt.deal(TENS_PUSH, {3: "TD 9S"})
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.decide(s3=30)
    return felt


def test_a_pair_of_tens_is_a_push_for_every_wager() -> None:
    """§ 674a.12(a) and (b): a pair of 6s through 10s is a push; the bonus is decided by the five community
    cards alone."""
    felt = tens()
    felt.settle()
    for wager in ("ante_across", "ante_down", "across", "down", "middle"):
        assert felt.result(3, wager)["result"] == "push"
        assert felt.result(3, wager)["payout"] == 0
    assert felt.result(3, "five_card_bonus")["result"] == "lose"
    assert felt.records[-1]["seats"][0]["hands"] == {
        "across": "pair of 10s", "down": "pair of 10s",
        "five_card_bonus": "jack high", "six_card_bonus": None,
    }  # fmt: skip


def test_a_push_never_passes_by_itself() -> None:
    felt = tens()
    felt.settle_one()
    assert felt.prompt["kind"] == "push"
    felt.stand(10_000)
    assert (felt.prompt["wager"], felt.codes()) == ("ante_across", [])


def test_a_push_is_passed_by_the_next_step() -> None:
    """The dealer takes the bonus, which is the next step after the five pushes; this passes all of them."""
    felt = tens()
    felt.settle_one()
    felt.lay(3, five_card_bonus=0)
    assert felt.phase is Phase.CLEARING
    assert felt.result(3, "middle") == {
        "amount": 3000, "result": "push", "odds": None, "payout": 0, "uncut": 0, "verified": True,
    }  # fmt: skip


def test_settlement_goes_from_seat_six_to_seat_one_and_across_before_down() -> None:
    """§ 674a.11(g), (h): the dealer's right comes first; each seat has Across (ante, bet), Down, Middle, then
    the bonus."""
    felt = Felt().dealt("2C 7D TH JS 4C", {1: "AS KD", 6: "JH 3H"}, five_card_bonus=5)
    for _ in range(3):
        felt.decide(s1=10, s6=20)
    felt.settle()
    order = felt.records[-1]["settlement_order"]
    wagers = ["ante_across", "across", "ante_down", "down", "middle", "five_card_bonus"]
    assert order == [[6, wager] for wager in wagers] + [[1, wager] for wager in wagers]


def test_middle_is_decided_by_the_higher_hand() -> None:
    """§ 674a.11(h)(3), (4): Middle pushes if one hand pushes and the other loses, and loses only if both
    lose."""
    felt = Felt().dealt("2C 9D 3H JS 4C", {2: "9S KH"})
    for _ in range(3):
        felt.decide(s2=10)
    felt.settle()
    results = {wager: felt.result(2, wager)["result"] for wager in ("across", "down", "middle")}
    assert results == {"across": "push", "down": "lose", "middle": "push"}


def test_a_win_is_paid_beside_the_wager() -> None:
    """The seat has jacks across and down: antes and bets pay even money."""
    felt = Felt().dealt("2C 7D 8H QS 4C", {4: "JH JD"}, ante=25)
    for _ in range(3):
        felt.decide(s4=50)
    assert felt.settle_one()["kind"] == "turn_seat"
    prompts = felt.settle()
    assert [(p["kind"], p["wager"], p["amount"]) for p in prompts] == [
        ("pay", "ante_across", 2500), ("pay", "across", 5000), ("pay", "ante_down", 2500),
        ("pay", "down", 5000), ("pay", "middle", 5000),
    ]  # fmt: skip
    assert prompts[1]["chips"] == [2500, 2500]
    assert felt.records[-1]["seats"][0]["paid"] == 20_000


def test_a_fold_forfeits_antes_and_bets_but_not_the_bonus() -> None:
    """§ 674a.11(b), (d): the wagers are collected before the next cards are turned; the bonus stays."""
    felt = Felt().dealt("6C 7D 6H JS 4C", {2: "AS KD", 5: "2H 3H"}, five_card_bonus=5)
    felt.fold()
    felt.bet(10)
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("collect", 2)
    assert felt.table.view()["cross"]["across_left"]["lies"] == "down"
    felt.collect()
    felt.press("confirm")
    felt.decide(s5=None)
    felt.press("confirm")
    felt.press("confirm") if felt.prompt["kind"] == "turn" else None
    felt.settle()
    assert felt.records[-1]["seats"][0]["folded_at"] == "across"
    assert felt.result(2, "ante_across")["result"] == "forfeit"
    assert felt.result(5, "across")["result"] == "forfeit"
    assert felt.result(2, "five_card_bonus")["result"] == "win"
    assert felt.records[-1]["settlement_order"] == [[5, "five_card_bonus"], [2, "five_card_bonus"]]


def test_if_all_fold_and_a_bonus_remains_cards_are_turned_without_decisions() -> None:
    felt = Felt()
    felt.antes(1, five_card_bonus=5)
    felt.closed(2)
    felt.deal("6C 7D 6H JS 4C", {1: "AS KD", 2: "2H 3H"})
    felt.decide(s1=None, s2=None)
    turned = []
    while felt.phase in (Phase.DOWN, Phase.MIDDLE):
        turned.append(tuple(felt.prompt["places"]))
        felt.press("confirm")
    assert turned == [("down_far", "down_near"), ("middle",)]
    assert [p["kind"] for p in felt.settle()] == ["pay"]


def test_if_all_fold_without_a_bonus_no_card_is_turned() -> None:
    felt = Felt().dealt("6C 7D 6H JS 4C", {1: "AS KD", 2: "2H 3H"})
    felt.decide(s1=None, s2=None)
    assert felt.phase is Phase.CLEARING
    assert felt.table.view()["cross"]["middle"] == {"lies": "down", "face": None}
    assert felt.records[-1]["settlement_order"] == []


def test_the_next_round_opens_after_the_shuffle() -> None:
    felt = tens()
    felt.settle()
    felt.next_round()
    assert felt.table.view()["round"] == 2


def test_bets_close_by_themselves_once_unequal_antes_are_corrected() -> None:
    """§ 674a.7(d): antes must be equal. The press stays in force, so the bets close once the difference is
    corrected."""
    felt = Felt()
    felt.lay(3, ante_across=10, ante_down=15)
    assert felt.table.view()["seats"][2]["circles"]["ante_down"]["lamp"] == "refused"
    felt.close()
    assert (felt.phase, set(felt.codes())) == (Phase.BETTING, {"unequal_antes"})
    felt.lay(3, ante_down=10)
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_without_antes_there_is_no_round() -> None:
    felt = Felt()
    felt.close()
    assert felt.phase is Phase.BETTING
    assert felt.prompt["kind"] == "bets_open"


def test_a_bet_laid_early_counts_when_its_seat_is_asked() -> None:
    felt = Felt().dealt(TENS_PUSH, {1: "AS KD", 2: "2H 3H"})
    felt.lay(2, across=20)
    felt.stand()
    assert felt.codes() == []
    felt.bet(10)
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("confirm_bet", 2000)


def test_a_bet_off_the_multiple_is_refused() -> None:
    """§ 674a.11(b) permits bets of one to three antes. That only whole multiples are allowed is the reading
    of the house."""
    felt = Felt().dealt(TENS_PUSH, {1: "AS KD"})
    felt.lay(1, across=15)
    assert felt.table.view()["seats"][0]["circles"]["across"]["lamp"] == "refused"
    assert not felt.table.view()["keys"]["confirm"]
    assert felt.prompt["options"] == [1000, 2000, 3000]


def test_undo_withdraws_folds_of_several_seats() -> None:
    felt = Felt().dealt(TENS_PUSH, {1: "AS KD", 2: "2H 3H"})
    felt.press("fold")
    felt.press("undo")
    assert felt.prompt["kind"] == "ask"
    felt.fold()
    felt.press("fold")
    for seat in (2, 1):
        felt.press("undo")
        assert (felt.prompt["kind"], felt.prompt["seat"]) == ("ask", seat)
    assert not felt.table.view()["keys"]["undo"]


def test_chips_laid_after_fold_replace_the_fold() -> None:
    felt = Felt().dealt(TENS_PUSH, {1: "AS KD"})
    felt.press("fold")
    felt.lay(1, across=10)
    assert felt.prompt["kind"] == "confirm_bet"


def test_the_view_never_contains_an_unturned_face() -> None:
    felt = Felt().closed(1, 6)
    hidden = {"2C", "7D", "TH", "JS", "4C", "AS", "KD", "2H", "3H"}

    def shown() -> set[str]:
        text = str(felt.table.view())
        return {face for face in hidden if f"'{face}'" in text}

    felt.deal(TENS_PUSH, {1: "AS KD", 6: "2H 3H"})
    assert shown() == set()
    felt.decide(s1=10, s6=10)
    assert shown() == {"7D", "JS"}
    felt.decide(s1=10, s6=10)
    assert shown() == {"7D", "JS", "2C", "4C"}
    felt.decide(s1=10, s6=10)
    assert shown() == {"7D", "JS", "2C", "4C", "TH"}
    felt.settle_one()
    assert shown() == {"7D", "JS", "2C", "4C", "TH", "2H", "3H"}


def test_no_repr_of_the_state_shows_a_face() -> None:
    """A crash report that contains the state must show no face."""
    felt = tens(Felt())
    text = repr(felt.table.state)
    assert not [face for face in ("2C", "7D", "TH", "JS", "4C", "TD", "9S") if f"'{face}'" in text]
