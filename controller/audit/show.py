"""One round in words, for the floor: cards, wagers, what became of each, what went wrong and who decided.

It takes a round record and nothing else. It prints faces that were never turned, and says so: the
journal's readers reconstruct hands, the dealer's screen never sees this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.files.money import dollars

Record = Mapping[str, Any]


def show(record: Record) -> Iterator[str]:
    """Lines for a person. Faces that were never turned are among them."""
    yield f"Round {record['round']}  {record['table']}  {record['rules']}  {record['method']}"
    yield f"  {record['started']} to {record['ended']}  dealer {record['dealer'] or 'not signed on'}"
    if record["void"]:
        void = record["void"]
        yield f"  VOID: {void['code']} ({void['citation']}), approved by {void['approved_by']}"
    deck = record["deck"]
    yield f"  deck {deck['back'] or '-'}, afterwards {deck['after']}; stub {_stub(record['stub'])}"
    yield "  cross: " + "  ".join(f"{place} {face or '--'}" for place, face in record["cross"].items())
    if record["bonus_cards"]:
        yield "  bonus cards: " + " ".join(face or "--" for face in record["bonus_cards"])
    for seat in record["seats"]:
        yield from _seat(seat)
    for entry in record["irregularities"]:
        where = f" seat {entry['seat']}" if entry["seat"] else ""
        yield f"  ! {entry['code']} in {entry['phase']}{where} ({entry['citation']})"
    for correction in record["corrections"]:
        yield f"  corrected: {_correction(correction)}"


def _correction(entry: Mapping[str, Any]) -> str:
    kept = f"{dollars(abs(entry['cents']))} {'to' if entry['cents'] > 0 else 'from'} the player"
    money = kept if entry["cents"] else "no chips moved"
    return (
        f"seat {entry['seat']} {entry['wager']}, {entry['code']}, {money}; signed by {entry['who']} "
        f"at {entry['when']}: {entry['why'] or 'no reason given'}"
    )


def _stub(stub: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {'-' if number is None else number}" for name, number in stub.items())


def _seat(seat: Record) -> Iterator[str]:
    cards = " ".join(face or "--" for face in seat["cards"])
    folded = f", folded at {seat['folded_at']}" if seat["folded_at"] else ""
    lost = f", forfeited ({seat['forfeited']['code']})" if seat["forfeited"] else ""
    yield f"  seat {seat['seat']} (player {seat['player']}): {cards}{folded}{lost}"
    for name, wager in seat["wagers"].items():
        paid = (
            f", paid {dollars(wager['payout'])} at {wager['odds']} to 1" if wager["result"] == "win" else ""
        )
        cut = f" (cut from {dollars(wager['uncut'])})" if wager["uncut"] != wager["payout"] else ""
        word = "" if wager["verified"] else ", on the dealer's word"
        yield f"    {name:<16} {dollars(wager['amount']):>8}  {wager['result']}{paid}{cut}{word}"
