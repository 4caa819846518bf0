"""Evidence against a fair shuffle as text and as data. It must never name a card."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import Any

import numpy as np

from controller.evidence.chi_squared import Fit, fits
from controller.evidence.shoe_orders import LeftOut, Orders
from controller.evidence.shuffle import HYPOTHESES, ShuffleEvidence

TEN = log(10)
SENTENCES = {
    "rank_by_position": "a rank comes too often at one position",
    "suit_by_position": "a suit comes too often at one position",
    "missing_or_double": "a card is missing from a deck, or is in it twice",
    "keeps_neighbours": "cards that followed each other in a deck's last order do so again",
    "reverses_neighbours": "cards that followed each other in a deck's last order do so in reverse",
    "repeats_order": "three cards follow each other as in an earlier order of the deck",
    "keeps_positions": "cards are at the positions that they had in the deck's last order",
    "as_the_other_deck": "cards follow each other as in the last order of the other deck",
}
REASONS = {
    LeftOut.VOID: "void", LeftOut.HAND: "dealt by hand", LeftOut.SET_ASIDE: "with a card set aside",
    LeftOut.UNREAD: "with a card that the shoe did not read", LeftOut.TWICE: "with a card twice",
}  # fmt: skip
_HEAD = (
    "Evidence that the shuffle was not fair. Under a fair shuffle each line reaches 10^k with a chance of at",
    "most 1 in 10^k, however often one looks.",
)
FIT_HEAD = (
    "Chi-squared goodness of fit at each position, at 95 % confidence (COMAR 36.05.02.17F). A fair shuffle",
    "exceeds the critical value at one position in twenty.",
)


def shoe_data(every: Orders) -> dict[str, Any]:
    """Return the evidence by the names in controller/COMMANDS.md; logarithms to base 10."""
    orders = every.found
    evidence, backs = ShuffleEvidence(), list(dict.fromkeys(order.back for order in orders))
    peak = 0.0
    for order in orders:
        evidence.add(np.array([order.cards], dtype=np.int64), min(backs.index(order.back), 1))
        peak = max(peak, float(evidence.combined()[0]))
    return {
        "orders": len(orders), "cards": sum(len(order.cards) for order in orders),
        "first_round": orders[0].round if orders else None,
        "last_round": orders[-1].round if orders else None,
        "left_out": {why: len(rounds) for why, rounds in every.left_out.items()},
        "log10": _log10(evidence.combined()[0]), "peak_log10": _log10(peak),
        "hypotheses": {
            name: {"log10": _log10(now[0]), "peak_log10": _log10(high[0])}
            for name, now, high in zip(HYPOTHESES, evidence.logs, evidence.peaks, strict=True)
        },
        "chi_squared": [_fit(each) for each in fits([order.cards for order in orders])],
    }  # fmt: skip


def _log10(value: float) -> float:
    return round(float(value) / TEN, 4) + 0.0


def _fit(fit: Fit) -> dict[str, Any]:
    return {
        "kind": fit.kind, "critical": fit.critical, "rounds_needed": fit.needed,
        "values": [round(value, 3) for value in fit.values], "exceeding": list(fit.exceeding),
    }  # fmt: skip


def shoe_lines(every: Orders) -> Iterator[str]:
    """Yield the evidence as lines for a terminal."""
    data = shoe_data(every)
    yield from _HEAD
    yield ""
    if every.left_out:
        many = ", ".join(f"{len(rounds)} {REASONS[why]}" for why, rounds in every.left_out.items())
        yield f"rounds without an order: {many}"
    if not every.found:
        yield "no round has an order of cards that is known"
        return
    yield (
        f"{data['orders']} orders, rounds {data['first_round']} to {data['last_round']}, "
        f"{data['cards']} cards, all hypotheses: {_now(data)}"
    )
    for name, sentence in SENTENCES.items():
        yield f"  {sentence}: {_now(data['hypotheses'][name])}"
    yield ""
    yield from FIT_HEAD
    yield from (f"  {_in_words(each)}" for each in data["chi_squared"])


def _now(data: dict[str, Any]) -> str:
    return f"now 10^{data['log10']:.1f}, at most 10^{data['peak_log10']:.1f}"


def _in_words(fit: dict[str, Any]) -> str:
    if not fit["values"]:
        return f"{fit['kind']}: needs {fit['rounds_needed']} orders"
    places = ", ".join(map(str, fit["exceeding"])) or "none"
    return (
        f"{fit['kind']}: {len(fit['values'])} positions, highest {max(fit['values']):.1f}, critical "
        f"{fit['critical']}, exceeded at {places}"
    )
