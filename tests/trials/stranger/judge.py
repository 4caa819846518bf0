"""Compares round records with the truth log of the independent shoe: no card may be lost, doubled or
invented.

It reads two files of JSON lines and uses no code of the controller or the shoe.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.recompute import differences

CROSS = ("down_far", "across_left", "middle", "across_right", "down_near")
Line = Mapping[str, Any]


@dataclass
class Deal:
    """Cards that left the shoe between two READYs. `stacks`: by number, the reported and the real face of
    each card. `aside`: number of cards set aside; `stub`: number of cards in the stub, None if it was not
    taken."""

    stacks: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    aside: int = 0
    stub: int | None = None

    def stack(self, number: int) -> list[tuple[str, str]]:
        return self.stacks.get(number, [])

    def as_stacks(self, seats: int) -> Deal:
        """Return the deal with its single cards put into stacks, as a shoe with stacks would deal it: five
        cards to the cross, then two to each seat, in the order in which they came (config/rules/RULES.md)."""
        if seats == 0 or 0 not in self.stacks:
            return self
        cards = self.stacks[0]
        hands = {2 + at: cards[5 + at :: seats] for at in range(seats)}
        return Deal({1: cards[:5], **{at: hand for at, hand in hands.items() if hand}}, self.aside, self.stub)


@dataclass
class Judgement:
    """Result of the comparison. `settled`: number of settled rounds; `void`: void rounds; `wrong`:
    differences, empty if all records are right; `counted`: counts of the link and the cables."""

    settled: int = 0
    void: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counted: Line = field(default_factory=dict)

    def words(self) -> str:
        """Return the result as text: one line, and one more for each of the first ten differences."""
        link, out, back = (self.counted.get(key, {}) for key in ("link", "out", "in"))
        lost = sum(way.get(what, 0) for way in (out, back) for what in ("drop", "garble"))
        return (
            f"{self.settled} settled, {len(self.void)} void {self.void or ''}, "
            f"{out.get('frames', 0) + back.get('frames', 0)} frames, {lost} lost, "
            f"{link.get('again', 0)} sent again, {link.get('sessions', 0)} sessions, "
            f"{link.get('told once more', 0)} told once more"
            + "".join(f"\n  WRONG: {words}" for words in self.wrong[:10])
        )


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def deals(truth: list[Line]) -> dict[int, Deal]:
    found: dict[int, Deal] = {}
    for line in truth:
        if "card" in line:
            deal = found.setdefault(line["ready"], Deal())
            if line["told"] == "FU":
                deal.aside += 1
            else:
                deal.stacks.setdefault(line["stack"], []).append((line["told"], line["card"]))
        elif "stub" in line:
            found.setdefault(line["ready"], Deal()).stub = line["stub"]
    return found


def judge(records: list[Line], truth: list[Line]) -> Judgement:
    """Check that every deal of the shoe is one round, in order. A round voided before its first card has no
    deal."""
    found = Judgement(counted=next((line["counted"] for line in truth if "counted" in line), {}))
    dealt = iter(sorted(deals(truth).items()))
    for number, record in enumerate(records, 1):
        if record["round"] != number:
            found.wrong.append(f"record {number} is of round {record['round']}")
        found.wrong += differences(record)
        if record["outcome"] == "void":
            codes = ", ".join(item["code"] for item in record["irregularities"])
            found.void.append(f"round {number}: {record['void']['code']} ({codes})")
        else:
            found.settled += 1
        if any(record["cross"].values()) or record["outcome"] == "settled":
            _, deal = next(dealt, (0, Deal()))
            deal = deal.as_stacks(len(record["seats"]))
            found.wrong += [f"round {number}: {words}" for words in against(record, deal)]
    return found


def against(record: Line, deal: Deal) -> Iterator[str]:
    """Yield the differences between a record and the cards that really left the shoe."""
    settled = record["outcome"] == "settled"
    yield from _stack("the cross", [record["cross"][place] for place in CROSS], deal.stack(1), settled)
    for at, seat in enumerate(record["seats"], 2):
        yield from _stack(f"seat {seat['seat']}", seat["cards"], deal.stack(at), settled)
    if settled and len(deal.stacks) != 1 + len(record["seats"]):
        yield f"{len(deal.stacks)} stacks left the shoe"
    if settled and len(record["set_aside"]) != deal.aside:
        yield f"{len(record['set_aside'])} set aside, {deal.aside} were"
    if settled and deal.stub != record["stub"]["shoe"] is not None:
        yield f"stub {record['stub']['shoe']}, {deal.stub} were taken out"


def _stack(
    where: str, recorded: list[str | None], real: list[tuple[str, str]], settled: bool
) -> Iterator[str]:
    """Yield the differences between the recorded and the real cards of a stack. In a void round the record
    may lack cards, but must have no wrong one."""
    kept = [face for face in recorded if face is not None]
    dealt = [face for face, _ in real]
    if settled and len(dealt) != len(recorded):
        yield f"{where}: {len(recorded)} recorded, {len(dealt)} were dealt"
    for face, (read, _) in zip(recorded, real, strict=False):
        if read not in ("NR", face) and (settled or face is not None):
            yield f"{where}: {face} recorded where {read} was dealt"
    if len(kept) > len(dealt):
        yield f"{where}: a card that was never dealt"
