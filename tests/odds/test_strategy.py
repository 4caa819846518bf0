"""The best first decision is given for every kind of hole, and the best later decisions for given cards."""

from __future__ import annotations

import json

import pytest

from controller.cli import main
from controller.rules.odds import odds_files
from controller.rules.odds.pack import odds_of
from controller.rules.odds.strategy import BadSpot, advice, parse_spot
from controller.rules.odds.tree import Tree, Unseen
from tests.odds.packs import PENNSYLVANIA

ODDS = odds_of(PENNSYLVANIA)


def run_par(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, dict[str, object]]:
    assert main(["par", "pennsylvania", "--json", *options]) == 0
    found: dict[str, dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_the_best_first_decisions_of_all_169_kinds_of_hole(capsys: pytest.CaptureFixture[str]) -> None:
    best = {name: each["best"] for name, each in run_par(capsys, "--strategy")["strategy"].items()}  # type: ignore[index]
    assert len(best) == 169
    threes = {name for name, bet in best.items() if bet == 3}
    assert threes == {*(rank * 2 for rank in "23456789TJQKA"), "QJs"}
    assert {name for name, bet in best.items() if bet == 0} == {"54o", "53o", "52o", "43o", "42o", "32o"}
    assert best["AKs"] == best["T2o"] == best["32s"] == 1


def test_the_value_of_the_first_decision_is_the_mean_over_the_pairs() -> None:
    spot = parse_spot("3H 8S", ODDS.multiples)
    known = odds_files.find_odds(ODDS)
    assert known is not None
    live = tuple(card for card in range(52) if card not in spot.pairs[0])
    tree = Tree(ODDS, Unseen(spot.pairs[0], live))
    found = advice(ODDS, known.counts, spot)
    assert found.worth[1] == pytest.approx(tree.across_worth(1).mean(), abs=1e-12)
    assert found.best == 1 and found.worth[0] == -2


def test_at_the_middle_decision_a_made_hand_bets_three_and_a_losing_one_folds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two pair across win 2 to 1 on ante and bet, whatever the middle card is."""
    made = run_par(capsys, "--strategy", "KH QD 3 KC QS 1 2H 3D")["decision"]
    assert (made["at"], made["best"]) == ("middle", 3)
    hopeless = run_par(capsys, "--strategy", "2H 3D 1 7S 8C 1 TS JD")["decision"]
    assert hopeless["best"] == 0
    assert hopeless["expectation"]["0"] == -4  # type: ignore[index]


def test_the_best_down_decision_of_given_cards_is_as_counted() -> None:
    spot = parse_spot("KH QD 3 9C 9S", ODDS.multiples)
    known = odds_files.find_odds(ODDS)
    assert known is not None
    found = advice(ODDS, known.counts, spot)
    assert found.best == 1
    assert found.worth[1] == pytest.approx(3.0672, abs=5e-5)
    assert found.worth[0] == -5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("KH", "1 words: cards as they come"),
        ("KH QX", "'QX': a card is a rank"),
        ("KH QD 4 9C 9S", "'4': a bet is 1 to 3 antes"),
        ("KH QD 3 9C KH", "a card is named twice"),
    ],
)
def test_an_invalid_decision_is_refused_in_one_line(
    text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadSpot, match=f"^{message}"):
        parse_spot(text, ODDS.multiples)
    assert main(["par", "pennsylvania", "--strategy", text]) == 2
    assert capsys.readouterr().err.startswith(f"--strategy: {message}")
