"""Evidence of sittings in words and as data. It must never name a card or a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

from controller.evidence.factor import RoundEvidence
from controller.evidence.sitting import Sitting
from controller.game.model.names import BETS

TEN = log(10)
KNOWING = ("fold", "make the smallest bet", "make the largest bet")
DECISIONS = 5
"""Number of decisions printed for each sitting, the heaviest."""
HEAD = (
    "Evidence that a seat played as if it knew the middle card before it was turned. If the shuffle is",
    "fair, a player who does not know the card reaches 10^k in a sitting with a chance of at most 1 in 10^k,",
    "however they play.",
)


def as_data(sitting: Sitting) -> dict[str, Any]:
    """Return a sitting by the names in controller/COMMANDS.md; logarithms to base 10."""
    used = [found for _, found in sitting.rounds if found is not None]
    return {
        "hypothesis": "sees_middle", "seat": sitting.seat, "player": sitting.player,
        "first_round": sitting.rounds[0][0], "last_round": sitting.rounds[-1][0],
        "rounds": len(sitting.rounds), "with_evidence": len(used),
        "log10": round(sitting.log / TEN, 4), "peak_log10": round(sitting.peak / TEN, 4),
        "decisions": [_decision(*each) for each in sitting.weights()],
    }  # fmt: skip


def _decision(number: int, found: RoundEvidence, decision: int, weight: float) -> dict[str, Any]:
    return {
        "round": number, "wager": BETS[decision].value, "log10": round(weight / TEN, 4),
        "antes": round(found.bets[decision], 4), "knowing_player": KNOWING[found.best[decision]],
        "cards": found.cards,
    }  # fmt: skip


def in_words(sittings: Sequence[Sitting]) -> Iterator[str]:
    """Yield the lines for a terminal, the strongest evidence first."""
    yield from HEAD
    for sitting in sorted(sittings, key=lambda each: -each.peak):
        yield ""
        yield from _sitting_lines(as_data(sitting))


def _sitting_lines(data: dict[str, Any]) -> Iterator[str]:
    rounds = f"rounds {data['first_round']} to {data['last_round']}"
    yield (
        f"seat {data['seat']}, {rounds}: now 10^{data['log10']:.1f}, at most 10^{data['peak_log10']:.1f}; "
        f"{data['with_evidence']} of {data['rounds']} rounds give evidence"
    )
    for each in data["decisions"][:DECISIONS]:
        yield f"  round {each['round']}, {each['wager']}: {sentence(each)}"


def sentence(decision: dict[str, Any]) -> str:
    """Return one sentence about a decision and its weight."""
    antes, weight = decision["antes"], 10 ** abs(decision["log10"])
    did = f"bet {antes:g} antes" if antes else "folded"
    way = "for" if decision["log10"] >= 0 else "against"
    return (
        f"the seat {did}; a player who knew the card, one of {decision['cards']}, would "
        f"{decision['knowing_player']}: {weight:.1f} to 1 {way} such knowledge"
    )
