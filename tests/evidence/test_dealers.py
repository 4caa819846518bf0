"""The evidence of a dealer is a weighted mean of the evidence of sittings, and so stays a martingale."""

from __future__ import annotations

from itertools import product
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.evidence import running_evidence
from controller.evidence.factor import STRENGTHS, RoundEvidence
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.report import dealer_data, dealers_in_words
from controller.evidence.running_evidence import Chosen, RunningEvidence
from controller.evidence.sitting import DealerEvidence, Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.threshold import Threshold
from tests.evidence.test_evidence_command import record


def factor(value: float) -> dict[Hypothesis, RoundEvidence]:
    """Return evidence of a round with this factor for every hypothesis and strength."""
    weights = np.full((1, len(STRENGTHS)), log(value))
    return {each: RoundEvidence(weights, (1.0,), (1,), 40) for each in Hypothesis}


def test_the_mean_over_all_outcomes_is_one_however_many_sittings_begin() -> None:
    """Each round doubles or halves the evidence, with chances 1/3 and 2/3. A new sitting begins after each
    round that doubled it."""
    total = 0.0
    for outcomes in product((2.0, 0.5), repeat=6):
        dealer = DealerEvidence("D7", [Sitting(1, "1")])
        chance = 1.0
        for value in outcomes:
            chance *= 1 / 3 if value == 2.0 else 2 / 3
            dealer.sittings[-1].add(1, factor(value))
            dealer.add()
            if value == 2.0:
                dealer.sittings.append(Sitting(1, str(len(dealer.sittings))))
        total += chance * exp(dealer.log)
    assert total == pytest.approx(1.0)


def test_one_strong_sitting_is_nearly_the_dealers_evidence() -> None:
    dealer = DealerEvidence("D7", [Sitting(1, "1"), Sitting(2, "2")])
    dealer.sittings[1].add(1, factor(1e9))
    dealer.add()
    assert exp(dealer.log) == pytest.approx(1e9 / 6 + 1 / 2 + 1 / 3)


def dealt(number: int, *dealers: str, **changes: Any) -> Any:
    turns = [{"number": each, "from": "2026-11-20T20:00:00Z"} for each in dealers]
    return record(round=number, dealers=turns, **changes)


def test_a_round_counts_for_the_dealer_who_began_it() -> None:
    every = Sittings({})
    for each in (dealt(1, "D7", "D8"), dealt(2, "D8"), dealt(3)):
        every.add(each)
    assert {name: each.rounds for name, each in every.dealers.items()} == {"D7": 1, "D8": 1}
    assert [part.rounds for part in every.dealers["D8"].sittings] == [[2], [2]]
    assert [each.rounds for each in every.found] == [[1, 2, 3], [1, 2, 3]]


def test_a_choice_of_a_dealer_has_just_the_rounds_that_they_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round belongs to the dealer who began it. The dealer who ends it depends on the cards, because a
    relief may have to wait for settlements that pay."""
    reads(monkeypatch, [dealt(1, "D7", "D8"), dealt(2, "D8", "D7"), dealt(3)])
    found = RunningEvidence(Chosen([Path("x.db")], "D8")).read()
    assert [record["round"] for _, record in found] == [2]


@pytest.mark.parametrize("many", [1, 2, 3, 50])
def test_rounds_of_two_journals_have_one_order_however_many_are_read_at_once(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second table ends a round every ten minutes, the first one every minute. The evidence has the
    rounds of one chosen dealer."""
    fast = [dealt(n, "D7" if n > 8 else "D8", ended=f"2026-11-20T20:{n:02}:30Z") for n in range(1, 31)]
    slow = [dealt(n, "D7", ended=f"2026-11-20T20:{10 * n:02}:00Z") for n in range(1, 6)]
    monkeypatch.setattr(running_evidence, "MAX_READ", many)
    reads(monkeypatch, fast, slow)
    evidence, ends, parts = RunningEvidence(Chosen([Path("a.db"), Path("b.db")], "D7")), [], []
    while ended := evidence.read():
        ends += [record["ended"] for _, record in ended]
        for each in ended:
            evidence.add(each)
        parts = [part.journal for part in evidence.sittings.dealers["D7"].sittings]
    assert ends == sorted(ends)
    assert (len(ends), parts) == (27, [0, 0, 1, 1])


def reads(monkeypatch: pytest.MonkeyPatch, *journals: list[Any]) -> None:
    """Replace the reading of journals: running evidence gets the given rounds."""

    def closed(_chosen: Chosen, at: int, after: int) -> list[Any]:
        return [(at, each) for each in journals[at] if each["round"] > after][: running_evidence.MAX_READ]

    monkeypatch.setattr(running_evidence, "closed_rounds", closed)
    monkeypatch.setattr(running_evidence, "last_row_and_leaf", lambda _journal: (1, 0))


def test_seats_of_two_journals_are_two_sittings_and_one_dealer() -> None:
    every = Sittings({})
    every.add(dealt(1, "D7", table="CC-01"), 0)
    every.add(dealt(1, "D7", table="CC-02"), 1)
    assert [(each.table, each.seat) for each in every.found] == [
        ("CC-01", 1), ("CC-01", 2), ("CC-02", 1), ("CC-02", 2),
    ]  # fmt: skip
    (dealer,) = every.dealers.values()
    assert (dealer.rounds, len(dealer.sittings)) == (2, 4)


def test_a_dealer_above_the_threshold_is_named_with_their_sittings() -> None:
    dealer = DealerEvidence("D7", [Sitting(1, "1", table="CC-02")])
    dealer.sittings[0].add(4, factor(1e6))
    dealer.add()
    threshold = Threshold(1000, 1, 3)
    lines = list(dealers_in_words([dealer_data(dealer, threshold)], threshold))
    assert "dealer D7, 1 rounds, 1 sittings: now 10^5.7, at most 10^5.7; ABOVE THE THRESHOLD" in lines
    assert "  table CC-02, seat 1, rounds 4 to 4: now 10^6.0, at most 10^6.0" in lines
