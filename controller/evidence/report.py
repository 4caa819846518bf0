"""Evidence of sittings in words and as data. It must never name a card or a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

from controller.evidence.factor import KNOWING, RoundEvidence
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.sitting import Sitting, Strand
from controller.evidence.threshold import Threshold
from controller.game.model.names import BETS, Wager
from controller.game.model.side_bets import BONUSES

TEN = log(10)
DECISIONS = 5
"""Number of decisions printed for each sitting, the heaviest."""
HEAD = (
    "Evidence that a seat played as if it knew a card before it was turned. If the shuffle is fair, a player",
    "who knows none reaches 10^k in a sitting with a chance of at most 1 in 10^k, however they play: by one",
    "hypothesis that was chosen before, or by all together.",
)


def as_data(sitting: Sitting, threshold: Threshold | None = None) -> dict[str, Any]:
    """Return a sitting by the names in controller/COMMANDS.md; logarithms to base 10. The first fields are
    those of `sees_middle`."""
    above = None if threshold is None else threshold.reached(sitting.peak / TEN)
    strands = {name.value: _strand(name, strand) for name, strand in sitting.strands.items()}
    return {
        "hypothesis": Hypothesis.MIDDLE.value, "seat": sitting.seat, "player": sitting.player,
        "first_round": sitting.rounds[0], "last_round": sitting.rounds[-1], "rounds": len(sitting.rounds),
        "round_numbers": sitting.rounds, **strands[Hypothesis.MIDDLE],
        "combined": {"log10": _tens(sitting.log), "peak_log10": _tens(sitting.peak)},
        "hypotheses": strands, "threshold_log10": threshold and round(threshold.log10, 4), "above": above,
    }  # fmt: skip


def _strand(hypothesis: Hypothesis, strand: Strand) -> dict[str, Any]:
    return {
        "with_evidence": len(strand.rounds),
        "log10": _tens(strand.log), "peak_log10": _tens(strand.peak),
        "decisions": [_decision(hypothesis, *each) for each in strand.weights()],
    }  # fmt: skip


def _tens(logarithm: float) -> float:
    return round(logarithm / TEN, 4)


def _decision(
    hypothesis: Hypothesis, number: int, found: RoundEvidence, decision: int, weight: float
) -> dict[str, Any]:
    data = {
        "round": number, "wager": found.wagers[decision].value, "log10": _tens(weight),
        "antes": round(found.bets[decision], 4), "knowing_player": KNOWING[found.best[decision]],
        "cards": found.cards,
    }  # fmt: skip
    return {**data, "sentence": sentence(hypothesis, data)}


def in_words(found: Sequence[dict[str, Any]], threshold: Threshold | None = None) -> Iterator[str]:
    """Yield the lines for a terminal, the strongest evidence first. `found`: sittings as data."""
    yield from HEAD
    if threshold is not None:
        yield threshold.words
    for data in sorted(found, key=lambda each: -float(each["combined"]["peak_log10"])):
        yield ""
        yield from _sitting_lines(data)


def _sitting_lines(data: dict[str, Any]) -> Iterator[str]:
    rounds = f"rounds {data['first_round']} to {data['last_round']}"
    over = "; ABOVE THE THRESHOLD" if data["above"] else ""
    yield f"seat {data['seat']}, {rounds}: all hypotheses {_now(data['combined'])}{over}"
    for name, strand in data["hypotheses"].items():
        many = f"{strand['with_evidence']} of {data['rounds']} rounds give evidence"
        yield f"  {name}: {_now(strand)}; {many}"
    name, strand = max(data["hypotheses"].items(), key=lambda each: float(each[1]["peak_log10"]))
    yield f"  heaviest decisions for {name}:"
    for each in strand["decisions"][:DECISIONS]:
        yield f"  round {each['round']}, {each['wager']}: {each['sentence']}"


def _now(data: dict[str, Any]) -> str:
    return f"now 10^{data['log10']:.1f}, at most 10^{data['peak_log10']:.1f}"


def sentence(hypothesis: Hypothesis, decision: dict[str, Any]) -> str:
    """Return one sentence about a decision and its weight."""
    weight, way = 10 ** abs(decision["log10"]), "for" if decision["log10"] >= 0 else "against"
    return (
        f"the seat {_deed(decision)}; a player who {hypothesis.words}{_one_of(hypothesis, decision)} would "
        f"{decision['knowing_player']}: {weight:.1f} to 1 {way} such knowledge"
    )


def _deed(decision: dict[str, Any]) -> str:
    wager, antes = Wager(decision["wager"]), decision["antes"]
    if wager in BETS:
        return f"bet {antes:g} antes" if antes else "folded"
    if wager in BONUSES:
        return "laid a bonus bet" if antes else "laid no bonus bet"
    return f"anted {antes:.2f} times its mean"


def _one_of(hypothesis: Hypothesis, decision: dict[str, Any]) -> str:
    things = {Hypothesis.BONUS: "", Hypothesis.CROSS: "crosses", Hypothesis.ANTE: "pairs"}
    name = things.get(hypothesis, "cards")
    return f", one of {decision['cards']:,} {name}," if name else ""
