"""Knowledge of other players' cards has no value if none is known, and never a negative value."""

from __future__ import annotations

import random

import pytest

from controller.cli import main
from controller.rules.odds import collusion
from controller.rules.odds.cards import kinds
from controller.rules.odds.collusion import Gain, Kept, collude
from controller.rules.odds.pack import odds_of
from controller.rules.odds.plan import Plan
from controller.rules.odds.tree import Tree, Unseen
from tests.odds.packs import PENNSYLVANIA

pytestmark = pytest.mark.slow

ODDS = odds_of(PENNSYLVANIA)
HOLES = {kind.name: kind for kind in kinds()}


def test_without_known_cards_the_edge_is_that_of_the_base_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert collude(ODDS, 0) == Gain(0, 0.0, 0.0, 0)
    assert main(["par", "pennsylvania", "--collusion", "0"]) == 0
    assert "player's edge    -8.66 % of an ante" in capsys.readouterr().out


def test_without_known_cards_the_plan_is_the_best_play() -> None:
    plan = Plan(ODDS, HOLES["KQs"].hole)
    assert plan.gain(()) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["KJs", "54o"])
def test_the_value_of_known_cards_is_never_negative(name: str) -> None:
    """The best play with known cards is at least as good as keeping to the plan made without them. Keeping to
    this plan loses at most the highest bet, 3 antes, through the known cards."""
    plan = Plan(ODDS, HOLES[name].hole)
    lots = random.Random(3)
    out = tuple(lots.sample(plan.live, 10))
    live = tuple(card for card in plan.live if card not in out)
    kept_to = Tree(ODDS, Unseen(plan.hole, live)).worth() - plan.gain(out)
    assert plan.gain(out) >= -1e-12
    assert kept_to >= plan.worth[plan.across] - 3


def test_the_estimated_effect_of_a_card_approximates_the_exact_one() -> None:
    """The cards 8 and 3 lose the most if another 8 is not in the deck."""
    plan = Plan(ODDS, HOLES["83o"].hole)
    effects = plan.effects()[1]
    eight = next(card for card in plan.live if card % 13 == 6)
    live = tuple(card for card in plan.live if card != eight)
    exact = Tree(ODDS, Unseen(plan.hole, live)).across_worth(1).mean() - plan.worth[1]
    assert effects[eight] == min(effects) == pytest.approx(exact, abs=0.02)


def test_draws_follow_the_seed_and_can_be_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collusion, "CHEAP", 500)
    monkeypatch.setattr(Plan, "gain", lambda _plan, out: float(sum(out)))
    kind, none = HOLES["AA"], Kept(0.01)
    _, once = collusion._drawn(ODDS, 2, 7, 5, kind, none, 2)
    assert collusion._drawn(ODDS, 2, 7, 5, kind, none, 2)[1].rest == once.rest
    assert collusion._drawn(ODDS, 2, 8, 5, kind, none, 2)[1].rest != once.rest
    assert collusion._drawn(ODDS, 2, 7, 5, kind, once, 1)[1].rest[:2] == once.rest


@pytest.mark.parametrize("number", ["1", "11", "two"])
def test_the_number_of_known_cards_is_two_to_ten(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["par", "pennsylvania", "--collusion", number])
    assert ended.value.code == 2
    assert "2 to 10 cards" in capsys.readouterr().err
