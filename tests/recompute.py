"""Independent recomputation of round records: from cards and amounts it computes every figure without the
game's code.

Written only from config/rules/RULES.md, in slow and plain code, so that it shares no mistake with the
controller. `differences(record)` lists the differences. This module must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

Record = Mapping[str, Any]

ORDER = "23456789TJQKA"
HANDS = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush", "royal flush",
)  # fmt: skip

US_BETS = {9: 500, 8: 100, 7: 40, 6: 12, 5: 8, 4: 5, 3: 3, 2: 2}
HOUSE_BETS = {**US_BETS, 9: 250, 6: 10}
FIVE_CARD = {9: 250, 8: 100, 7: 40, 6: 15, 5: 10, 4: 6, 3: 4, 2: 3}
SIX_CARD = {9: 1000, 8: 200, 7: 50, 6: 20, 5: 15, 4: 10, 3: 5}

PER_SEAT = ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus")
LIMITS = {"six_card_bonus": 300_000}


def rank(cards: Sequence[str]) -> tuple[int, list[int]]:
    """Return the category of a hand and the ranks that decide between hands of one category; the higher pair
    wins."""
    values = sorted((ORDER.index(card[0]) + 2 for card in cards), reverse=True)
    counted = sorted(Counter(values).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in counted]
    ranks = [value for value, _ in counted]
    flush = len({card[1] for card in cards}) == 1
    straight = len(ranks) == 5 and values[0] - values[4] == 4
    if values == [14, 5, 4, 3, 2]:
        straight, ranks = True, [5, 4, 3, 2, 1]
    if straight and flush:
        return (9 if ranks[0] == 14 else 8), ranks
    if shape[0] == 4:
        return 7, ranks
    if shape == [3, 2]:
        return 6, ranks
    if flush:
        return 5, ranks
    if straight:
        return 4, ranks
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), ranks


def odds(
    table: Mapping[int, int], hand: tuple[int, list[int]], low_pair: int | str | None
) -> int | str | None:
    """Return the odds to 1 that a hand pays, "push", or None for a loss. `low_pair`: payout of a pair of 6s
    to 10s."""
    category, ranks = hand
    if category != 1:
        return table.get(category)
    if ranks[0] >= 11:
        return 1 if table is not SIX_CARD else None
    return low_pair if ranks[0] >= 6 else None


def expected(record: Record, seat: Record, wager: str) -> tuple[str, int | None, int]:
    """Return the result, the odds and the payout before any limit, in cents, of one wager of a settled
    round."""
    if seat["forfeited"] or (seat["folded_at"] and "bonus" not in wager):
        return "forfeit", None, 0
    given = _odds_of(record, seat, wager)
    if given is None:
        return "lose", None, 0
    if given == "push":
        return "push", None, 0
    assert isinstance(given, int)
    return "win", given, given * seat["wagers"][wager]["amount"]


def _odds_of(record: Record, seat: Record, wager: str) -> int | str | None:
    cross = record["cross"]
    if wager == "five_card_bonus":
        return odds(FIVE_CARD, rank(list(cross.values())), 1)
    if wager == "six_card_bonus":
        six = [*seat["cards"], *record["bonus_cards"]]
        return odds(SIX_CARD, max(rank(five) for five in combinations(six, 5)), None)
    across = rank([*seat["cards"], *(cross[p] for p in ("across_left", "middle", "across_right"))])
    down = rank([*seat["cards"], *(cross[p] for p in ("down_far", "middle", "down_near"))])
    hand = across if "across" in wager else down if "down" in wager else max(across, down)
    given = odds(HOUSE_BETS if record["rules"] == "six_card_bonus" else US_BETS, hand, "push")
    return 1 if wager.startswith("ante") and isinstance(given, int) else given


def order(record: Record) -> list[list[Any]]:
    """Return the order in which the dealer is prompted to settle (config/rules/RULES.md, "Settlement")."""
    seats = sorted(record["seats"], key=lambda seat: -seat["seat"])
    if record["rules"] == "maryland":
        bonuses = [[s["seat"], "five_card_bonus"] for s in seats if "five_card_bonus" in _live(s)]
        rest = ("ante_across", "across", "ante_down", "down", "middle")
        return bonuses + [pair for seat in seats for pair in _losers_first(record, seat, rest)]
    if record["rules"] == "six_card_bonus":
        first = ("ante_down", "down", "ante_across", "across", "middle")
        pairs = []
        for seat in seats:
            pairs += _losers_first(record, seat, first)
            pairs += [[seat["seat"], w] for w in ("five_card_bonus",) if w in _live(seat)]
        return pairs + [[s["seat"], "six_card_bonus"] for s in seats if "six_card_bonus" in _live(s)]
    return [[seat["seat"], wager] for seat in seats for wager in PER_SEAT if wager in _live(seat)]


def _live(seat: Record) -> set[str]:
    if seat["forfeited"]:
        return set()
    return {wager for wager in seat["wagers"] if not seat["folded_at"] or "bonus" in wager}


def _losers_first(record: Record, seat: Record, wagers: Sequence[str]) -> list[list[Any]]:
    live = [wager for wager in wagers if wager in _live(seat)]
    lost = [wager for wager in live if expected(record, seat, wager)[0] == "lose"]
    return [[seat["seat"], wager] for wager in (*lost, *(w for w in live if w not in lost))]


def differences(record: Record) -> list[str]:
    """Return the differences between a record and its recomputation; the list is empty if all figures
    agree."""
    return [f"round {record['round']}: {words}" for words in _differences(record)]


def _differences(record: Record) -> Iterator[str]:
    yield from _cards(record)
    yield from chips(record)
    for seat in record["seats"]:
        yield from _money(seat)
    if record["outcome"] == "void":
        yield from _void(record)
        return
    if record["settlement_order"] != order(record):
        yield f"order {record['settlement_order']} is not {order(record)}"
    yield from _results(record)


def _cards(record: Record) -> Iterator[str]:
    seats = [card for seat in record["seats"] for card in seat["cards"]]
    faces = [*record["cross"].values(), *(record["bonus_cards"] or ()), *seats, *record["set_aside"]]
    known = [face for face in faces if face]
    if len(set(known)) != len(known) and record["outcome"] != "void":
        yield "a card twice"
    stub = record["stub"]
    if record["outcome"] == "settled" and stub["expected"] != 52 - len(faces):
        yield f"stub {stub['expected']} beside {len(faces)} cards out"


def chips(record: Record) -> Iterator[str]:
    """Yield a text for each stack that is not worth its wager, and for each exchange of chips that changes
    their total."""
    wagers = {str(seat["seat"]): seat["wagers"] for seat in record["seats"]}
    for seat, circles in record.get("stacks", {}).items():
        for name, groups in circles.items():
            if sum(sum(group) for group in groups) != wagers[seat][name]["amount"] or [] in groups:
                yield f"seat {seat} {name}: {groups} is not the wager"
    for each in record.get("chip_movements", ()):
        if not each["in"] or sum(each.get("out", each["in"])) != sum(each["in"]):
            yield f"{each} moves no chip, or changes the total"


def _money(seat: Record) -> Iterator[str]:
    wagers = seat["wagers"].values()
    if seat["paid"] != sum(wager["payout"] for wager in wagers):
        yield f"seat {seat['seat']}: paid {seat['paid']}"
    taken = sum(wager["amount"] for wager in wagers if wager["result"] in ("lose", "forfeit"))
    if seat["taken"] != taken:
        yield f"seat {seat['seat']}: taken {seat['taken']}"


def _void(record: Record) -> Iterator[str]:
    if record["settlement_order"] or not record["void"]["citation"]:
        yield "a void round with a settlement or without a section"
    for seat in record["seats"]:
        for name, wager in seat["wagers"].items():
            if (wager["result"], wager["payout"], wager["uncut"]) != ("returned", 0, 0):
                yield f"seat {seat['seat']} {name}: not returned"


def _results(record: Record) -> Iterator[str]:
    limit = LIMITS.get(record["rules"])
    won: Counter[str] = Counter()
    by_seat = {seat["seat"]: seat for seat in record["seats"]}
    for number, name in [*order(record), *_forfeited(record)]:
        seat = by_seat[number]
        result, given, uncut = expected(record, seat, name)
        payout = uncut if limit is None else min(uncut, limit - won[seat["player"]])
        won[seat["player"]] += payout
        recorded = seat["wagers"][name]
        found = tuple(recorded[key] for key in ("result", "odds", "payout", "uncut"))
        if found != (result, given, payout, uncut):
            yield f"seat {number} {name}: {found} is not {(result, given, payout, uncut)}"


def _forfeited(record: Record) -> list[list[Any]]:
    return [
        [seat["seat"], wager]
        for seat in record["seats"]
        for wager in seat["wagers"]
        if wager not in _live(seat)
    ]
