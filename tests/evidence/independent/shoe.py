"""Independent recount of the evidence against a shuffle, from the proven records and the places of the deal.

Written from controller/evidence/EVIDENCE.md "The shoe" and "The export"; it must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log, log1p
from typing import Any

from tests.evidence.independent.factors import AT, Record
from tests.evidence.independent.fixed import ROUNDED, STRENGTHS

DECK = 52
UNREAD = {"shoe_lost", "shoe_fault", "drawn_in_error", "wrong_count"}
POSITIONS, CARDS, FOLLOWS = (STRENGTHS[each] for each in ("positions", "missing_and_double", "follows"))
NEAR = ("keeps_neighbours", "reverses_neighbours", "repeats_order", "keeps_positions", "as_the_other_deck")
NAMES = ("rank_by_position", "suit_by_position", "missing_or_double", *NEAR)
EXPERTS = {
    "rank_by_position": DECK * 13 * 2, "suit_by_position": DECK * 4 * 2, "missing_or_double": 2 * DECK * 2,
}  # fmt: skip
CRITICAL = {"suit": (4, 7.815), "rank": (13, 21.026), "card": (52, 68.669)}
Sums = dict[tuple[Any, ...], float]


def reason(record: Record) -> str:
    """Return the reason why a round has no order, apart from its faces; "" if there is none."""
    if record["outcome"] == "void":
        return "void"
    if record["method"] == "hand":
        return "dealt_by_hand"
    codes = {each["code"] for each in record["irregularities"]}
    if record.get("entered_faces") or codes & UNREAD:
        return "not_read_by_shoe"
    return "card_set_aside" if record["set_aside"] else ""


def faces(record: Record) -> dict[str, str | None]:
    """Return the dealt cards by place."""
    found: dict[str, str | None] = dict(record["cross"])
    for seat in record["seats"]:
        found |= {f"seat_{seat['seat']}_{at}": card for at, card in enumerate(seat["cards"], 1)}
    return found | {f"bonus_{at}": card for at, card in enumerate(record["bonus_cards"] or (), 1)}


class Shoe:
    """Running evidence. `sums`: logarithms of the products by hypothesis and expert; a missing one is 0."""

    def __init__(self) -> None:
        self.sums: dict[str, Sums] = {name: {} for name in NAMES}
        self.peaks = dict.fromkeys((*NAMES, ""), 0.0)
        self.logs = dict.fromkeys((*NAMES, ""), 0.0)
        self.orders: dict[int, list[list[int]]] = {0: [], 1: []}

    def add(self, order: Sequence[int], deck: int) -> None:
        left = {*range(DECK)}
        for at, card in enumerate(order):
            self._fixed(at, card, left, deck)
            for name, expected in self._expected(order, at, deck).items():
                if expected in left:
                    self._favour(name, (), FOLLOWS, left, card, {expected})
            left.remove(card)
        self.orders[deck].append([*order])
        for name in NAMES:
            many, sums = EXPERTS.get(name, len(FOLLOWS)), self.sums[name].values()
            self.logs[name] = log((sum(map(exp, sums)) + many - len(sums)) / many)
        self.logs[""] = log(sum(exp(self.logs[name]) for name in NAMES) / len(NAMES))
        self.peaks = {name: max(peak, self.logs[name]) for name, peak in self.peaks.items()}

    def _fixed(self, at: int, card: int, left: set[int], deck: int) -> None:
        """Add the experts that expect the same in every order."""
        for rank in range(13):
            self._favour("rank_by_position", (at, rank), POSITIONS, left, card, {*range(rank, DECK, 13)})
        for suit in range(4):
            favoured = {*range(13 * suit, 13 * suit + 13)}
            self._favour("suit_by_position", (at, suit), POSITIONS, left, card, favoured)
        for each in range(DECK):
            self._favour("missing_or_double", (deck, each), CARDS, left, card, {each})

    def _expected(self, order: Sequence[int], at: int, deck: int) -> dict[str, int | None]:
        """Return the card that each hypothesis on earlier orders expects."""
        own, other = self.orders[deck], self.orders[1 - deck]
        last, before = (own[-1] if own else []), (other[-1] if other else [])
        found: dict[str, int | None] = {"keeps_positions": last[at] if at < len(last) else None}
        if at:
            found["keeps_neighbours"] = _beside(last, order[at - 1], 1)
            found["reverses_neighbours"] = _beside(last, order[at - 1], -1)
            found["as_the_other_deck"] = _beside(before, order[at - 1], 1)
        if at > 1:
            pair = [*order[at - 2 : at]]
            after = (
                each[place + 2]
                for each in reversed(own)
                for place in range(len(each) - 2)
                if each[place : place + 2] == pair
            )
            found["repeats_order"] = next(after, None)
        return found

    def _favour(
        self, name: str, expert: tuple[int, ...], strengths: Sequence[float], left: set[int], card: int,
        favoured: set[int],
    ) -> None:  # fmt: skip
        share, sums = len(favoured & left) / len(left), self.sums[name]
        for strength in strengths:
            key = (*expert, strength)
            sums[key] = sums.get(key, 0.0) + log1p(strength * (card in favoured)) - log1p(strength * share)


def _beside(order: Sequence[int], card: int, step: int) -> int | None:
    """Return the card `step` places after another one in an order, or None."""
    at = order.index(card) + step if card in order else -1
    return order[at] if 0 <= at < len(order) else None


def shoe_faults(data: Mapping[str, Any], records: Mapping[int, Record], chosen: Any) -> Iterator[str]:
    """Yield a line for each part of `shoe.json` that differs from the proven records. `chosen`: returns
    whether the export chose a record."""
    deals = {number: places for deal in data["deals"] for number, places in _numbered(deal)}
    left_out = {number: why for why, numbers in data["left_out_rounds"].items() for number in numbers}
    listed = sorted([*deals, *left_out])
    expected = sorted(number for number, record in records.items() if chosen(record))
    if listed != expected:
        yield f"shoe.json: its rounds are not the proven ones: {sorted({*listed} ^ {*expected})}"
        return
    orders: list[tuple[int, str, list[int]]] = []
    for number in expected:
        record = records[number]
        dealt, why = faces(record), reason(record)
        cards = [AT[card] for card in dealt.values() if card]
        if not why and len(cards) < len(dealt):
            why = "not_read_by_shoe"
        if not why and len({*cards}) < len(cards):
            why = "card_twice"
        if why != left_out.get(number, ""):
            yield f"shoe.json: round {number}: is left out as {left_out.get(number)!r}, not {why!r}"
        elif not why and sorted(deals[number]) != sorted(dealt):
            yield f"shoe.json: round {number}: its places are not those of the record"
        elif not why:
            order = [AT[dealt[place] or ""] for place in deals[number]]
            orders.append((number, record["deck"]["back"] or "", order))
    yield from (f"shoe.json: {each}" for each in _figures(data["figures"], orders, left_out))


def _numbered(deal: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    yield from ((number, deal["places"]) for number in deal["rounds"])


def _figures(
    given: Mapping[str, Any], orders: list[tuple[int, str, list[int]]], left_out: Mapping[int, str]
) -> Iterator[str]:
    shoe, backs = Shoe(), list(dict.fromkeys(back for _, back, _ in orders))
    for _, back, order in orders:
        shoe.add(order, min(backs.index(back), 1))
    counts = {
        "orders": len(orders), "cards": sum(len(order) for _, _, order in orders),
        "first_round": orders[0][0] if orders else None, "last_round": orders[-1][0] if orders else None,
        "left_out": dict(Counter(left_out.values())),
    }  # fmt: skip
    for name, count in counts.items():
        if given[name] != count:
            yield f"{name}: is {count}, not {given[name]}"
    for name in ("", *NAMES):
        figures = given["hypotheses"][name] if name else given
        for figure, value in (("log10", shoe.logs[name]), ("peak_log10", shoe.peaks[name])):
            if abs(figures[figure] - value / log(10)) > ROUNDED:
                yield f"{name or 'all'}: {figure} is {value / log(10):.4f}, not {figures[figure]}"
    for fit in given["chi_squared"]:
        values = _chi_squared(fit["kind"], [order for _, _, order in orders])
        exceeding = [at for at, value in enumerate(values, 1) if value > CRITICAL[fit["kind"]][1]]
        close = len(values) == len(fit["values"]) and all(
            abs(one - two) < 1e-3 for one, two in zip(values, fit["values"], strict=True)
        )
        if not close or exceeding != fit["exceeding"]:
            yield f"chi_squared: {fit['kind']}: is not that of the orders"


def _chi_squared(kind: str, orders: list[list[int]]) -> list[float]:
    """Return chi-squared by position, for the positions with five expected cards of each class."""
    many, _ = CRITICAL[kind]
    found = []
    for at in range(max(map(len, orders), default=0)):
        cards = [order[at] for order in orders if at < len(order)]
        if len(cards) >= 5 * many:
            classes = Counter({"suit": card // 13, "rank": card % 13, "card": card}[kind] for card in cards)
            expected = len(cards) / many
            found.append(sum((classes[each] - expected) ** 2 for each in range(many)) / expected)
    return found
