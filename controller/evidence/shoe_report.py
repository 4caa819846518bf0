"""Evidence against a fair shuffle as text and as data. It must never name a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log
from textwrap import wrap
from typing import Any

import numpy as np

from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue
from controller.evidence.chi_squared import Fit, fits
from controller.evidence.shoe_orders import LeftOut, Order, Orders
from controller.evidence.shuffle import HYPOTHESES, ShuffleEvidence
from controller.evidence.words import text_of

TEN = log(10)
WIDTH = 105
ENGLISH = catalogue(FIRST_LANGUAGE)


class ShoeEvidence:
    """Running evidence against the shuffles of one table."""

    def __init__(self) -> None:
        self._evidence, self._backs, self._peak = ShuffleEvidence(), list[str](), 0.0
        self._orders, self._left_out = list[Order](), Counter[LeftOut]()

    def add(self, every: Orders) -> None:
        """Add orders, which follow those before."""
        for order in every.found:
            if order.back not in self._backs:
                self._backs.append(order.back)
            deck = min(self._backs.index(order.back), 1)
            self._evidence.add(np.array([order.cards], dtype=np.int64), deck)
            self._peak = max(self._peak, float(self._evidence.combined()[0]))
        self._orders.extend(every.found)
        self._left_out.update({why: len(rounds) for why, rounds in every.left_out.items()})

    def data(self) -> dict[str, Any]:
        """Return the evidence by the names in controller/COMMANDS.md; logarithms to base 10."""
        orders, evidence = self._orders, self._evidence
        return {
            "orders": len(orders), "cards": sum(len(order.cards) for order in orders),
            "first_round": orders[0].round if orders else None,
            "last_round": orders[-1].round if orders else None,
            "left_out": {why.value: count for why, count in self._left_out.items()},
            "log10": _log10(evidence.combined()[0]), "peak_log10": _log10(self._peak),
            "hypotheses": {
                name: {"log10": _log10(now[0]), "peak_log10": _log10(high[0])}
                for name, now, high in zip(HYPOTHESES, evidence.logs, evidence.peaks, strict=True)
            },
            "chi_squared": [_fit(each) for each in fits([order.cards for order in orders])],
        }  # fmt: skip


def shoe_data(every: Orders) -> dict[str, Any]:
    """Return the evidence of orders as `ShoeEvidence.data` does."""
    shoe = ShoeEvidence()
    shoe.add(every)
    return shoe.data()


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
    yield from wrap(text_of(ENGLISH, "head_shoe"), WIDTH)
    yield ""
    if every.left_out:
        yield left_out_words(ENGLISH, data)
    if not every.found:
        yield text_of(ENGLISH, "no_order")
        return
    yield (
        f"{data['orders']} orders, rounds {data['first_round']} to {data['last_round']}, "
        f"{data['cards']} cards, all hypotheses: {_now(data)}"
    )
    for name in HYPOTHESES:
        yield f"  {text_of(ENGLISH, f'shuffle.{name}')}: {_now(data['hypotheses'][name])}"
    yield ""
    yield from wrap(text_of(ENGLISH, "head_fit"), WIDTH)
    yield from (f"  {fit_words(ENGLISH, each)}" for each in data["chi_squared"])


def left_out_words(texts: Catalogue, data: dict[str, Any]) -> str:
    """Return a line with the number of rounds without an order, for each reason."""
    parts = (f"{text_of(texts, f'left_out.{why}')}: {many}" for why, many in data["left_out"].items())
    return text_of(texts, "without_order", parts=", ".join(parts))


def _now(data: dict[str, Any]) -> str:
    return f"now 10^{data['log10']:.1f}, at most 10^{data['peak_log10']:.1f}"


def fit_words(texts: Catalogue, fit: dict[str, Any]) -> str:
    """Return the fit of one kind in one line. `fit`: as in `chi_squared` of the data."""
    kind = text_of(texts, f"fit.{fit['kind']}")
    if not fit["values"]:
        return text_of(texts, "fit_needs", kind=kind, count=fit["rounds_needed"])
    places = ", ".join(map(str, fit["exceeding"])) or text_of(texts, "fit.none")
    highest = f"{max(fit['values']):.1f}"
    facts = {"highest": highest, "critical": fit["critical"], "places": places}
    return text_of(texts, "fit_found", kind=kind, count=len(fit["values"]), **facts)
