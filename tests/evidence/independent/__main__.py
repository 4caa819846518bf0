"""Verify an evidence export: `python -m tests.evidence.independent FOLDER KEY [--values]`.

KEY is the table's, as `crisscross seal key` printed it before play. `--values` also counts every value of a
first decision again, a quarter of a minute a hole, and the worth of every kind of hole. One line is printed
for each fault, and one for each part that was not verified. Exit status 1 if there is a fault; 2 if there is
none and the values were not counted. Written only from controller/evidence/EVIDENCE.md; it must never import
controller.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from typing import Any

from tests.evidence.independent.dealers import dealer_faults
from tests.evidence.independent.factors import NAMES, PLACES, Decision, Record, Seat
from tests.evidence.independent.fixed import fixed_faults, threshold_faults
from tests.evidence.independent.hands import SHARES, Hands
from tests.evidence.independent.proof import proved
from tests.evidence.independent.rules import pack_faults
from tests.evidence.independent.shoe import shoe_faults
from tests.evidence.independent.span import Choice, Records, earlier_faults, member_faults, span_faults
from tests.evidence.independent.values import differences

FORMAT = 1
ROUNDED = 6e-5
"""Largest difference that rounding to four digits can cause between two logarithms."""
TEN = log(10)
RIGHT = "every figure and every proof is right"
UNCOUNTED = (
    "every proof is right, and every figure follows from the records and from the values of first decisions "
    "in values.json\n"
    "not verified: these values (`holes` and `worth`); --values counts them again"
)
OTHER = {
    "shoe.json": (
        "every proof is right, and every figure follows from the records and from the places in shoe.json\n"
        "not verified: the order of the places, by the rules and settings of the table; that the first and "
        "the last round are those of the journal; that `fixed` was chosen before play; README.txt"
    ),
    "dealers.json": (
        "every proof is right, and every figure of the dealers' errors follows from the records\n"
        "not verified: the evidence of the sittings, which an export with --dealer has; the mean over them; "
        "the thresholds; that the first and the last round are those of the journal; that `fixed` was chosen "
        "before play; README.txt"
    ),
}
"""Last line printed about an export of the shoe or of dealers without a fault, by the export's file."""
APART = "not verified: the sentences, evidence.html and README.txt, which repeat the figures"


@dataclass
class Strand:
    """Running evidence for one hypothesis. `sums`: logarithms of the products by strength, or by seat and
    strength if hands are tested one by one. `decisions`: by round and wager; `named`: the same by seat of the
    hand that is tested."""

    sums: list[float] = field(default_factory=list)
    log: float = 0.0
    peak: float = 0.0
    rounds: int = 0
    decisions: dict[tuple[int, str], Decision] = field(default_factory=dict)
    named: dict[int, dict[tuple[int, str], Decision]] = field(default_factory=dict)

    def add(self, number: int, found: list[Decision]) -> None:
        self.rounds += bool(found)
        for each in found:
            self.decisions[number, each[0]] = each
            self.sums = [
                old + new for old, new in zip(self.sums or [0.0] * len(each[4]), each[4], strict=True)
            ]
        self.log = mean(self.sums) if self.sums else 0.0
        self.peak = max(self.peak, self.log)

    def largest(self) -> tuple[int, int | None, dict[tuple[int, str], Decision]]:
        """Return the index of the strength with the most evidence, the seat whose hand gives it (None unless
        hands are tested one by one), and the decisions to be compared."""
        at = self.sums.index(max(self.sums)) if self.sums else 0
        if len(self.sums) <= len(SHARES):
            return at, None, self.decisions
        seat = at // len(SHARES) + 1
        return at % len(SHARES), seat, self.named.get(seat, {})


def mean(logs: list[float]) -> float:
    """Return log(mean(exp(logs))), without overflow."""
    top = max(logs)
    return top + log(sum(exp(each - top) for each in logs) / len(logs))


def evidence(numbers: list[int], seat: int, records: Records, packs: Mapping[str, Any]) -> dict[str, Strand]:
    """Return the evidence of a sitting by hypothesis, and as `combined` the mean of all hypotheses.
    `numbers`: its rounds."""
    strands, together = {name: Strand() for name in NAMES}, Strand()
    antes: list[int] = []
    ever: set[str] = set()
    for number in numbers:
        record = records[number]
        own = next(each for each in record["seats"] if each["seat"] == seat)
        if record["rules_digest"] in packs:  # a round under any other rules is reported by _figures
            found = Seat(record, own, packs[record["rules_digest"]])
            wagers = own["wagers"]
            for name, decisions in factors(found, antes, ever).items():
                strands[name].add(number, decisions)
            if found.is_fair() and found.is_read():
                one, named = Hands(found).one()
                strands["knows_one_hand"].add(number, one)
                for at, decision in named.items():
                    strands["knows_one_hand"].named.setdefault(at, {})[number, "across"] = decision
            if found.is_fair() and found.is_read() and wagers.get("ante_across", {}).get("amount"):
                antes.append(wagers["ante_across"]["amount"])
                ever |= {name for name, each in wagers.items() if "bonus" in name and each["amount"]}
        together.log = mean([each.log for each in strands.values()])
        together.peak = max(together.peak, together.log)
    return {**strands, "combined": together}


def factors(seat: Seat, antes: list[int], ever: set[str]) -> dict[str, list[Decision]]:
    """Return the decisions of one round that give evidence, by hypothesis. `antes`: earlier antes of the
    sitting in cents; `ever`: bonuses that it has bet before."""
    if not seat.is_fair():
        return {}
    found = {"sees_middle": seat.middle()}
    if seat.is_read():
        found |= {f"sees_{place}": seat.pair_card(place) for place in PLACES}
        found["sees_cross"] = seat.whole_cross()
        found["late_chips_follow_cards"] = seat.late()
        found["knows_other_hands"] = Hands(seat).all()
        if seat.seat["wagers"].get("ante_across", {}).get("amount"):
            found |= {"bonus_follows_cards": seat.bonus(ever), "ante_follows_hand": seat.ante(antes)}
    return found


# ---------------------------------------------------------------------- the export


def faults(folder: Path, key: str) -> Iterator[str]:
    """Yield a line for each fault of an export."""
    if other := _other(folder):
        yield from _faults_of(other, folder, key)
        return
    values = _values(folder)
    if values["format"] != FORMAT:
        yield f"values.json: has format {values['format']}; this program reads {FORMAT}"
        return
    records: dict[int, Record] = {}
    yield from _proofs(folder, key, records)
    altered = [line for digest, pack in values["packs"].items() for line in pack_faults(digest, pack)]
    yield from altered
    try:
        choice = Choice(values["choice"])
    except (ValueError, LookupError) as error:
        yield f"values.json: choice: no day with a time zone that is known here: {error}"
        return
    yield from fixed_faults(values["fixed"], values["choice"])
    every = [json.loads(line) for line in _lines(folder)]
    for data in every:
        named = f"seat {data['seat']}, rounds {data['first_round']} to {data['last_round']}"
        wrong = [*span_faults(data, records, choice), *member_faults(data)]
        wrong += [*threshold_faults(data, values["fixed"])] if not wrong else []
        wrong += [*earlier_faults(data, every)] if not wrong else []
        wrong += _unknown_packs(data, records, values["packs"])
        if not altered and not wrong:
            wrong = [*_figures(data, records, values["packs"])]
        yield from (f"{named}: {each}" for each in wrong)


def _other(folder: Path) -> str:
    """Return the file of an export of the shoe or of dealers, or "" if it is one of seats."""
    return next((name for name in OTHER if (folder / name).exists()), "")


def _faults_of(name: str, folder: Path, key: str) -> Iterator[str]:
    """Yield a line for each fault of an export of the shoe or of dealers."""
    data = json.loads((folder / name).read_text(encoding="utf-8"))
    records: dict[int, Record] = {}
    yield from _proofs(folder, key, records)
    yield from fixed_faults(data["fixed"], data["choice"])
    chosen = Choice(data["choice"]).has
    if name == "shoe.json":
        yield from shoe_faults(data, records, chosen)
    else:
        yield from dealer_faults(data["dealers"], records, chosen)


def _lines(folder: Path) -> list[str]:
    return (folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()


def _values(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "values.json").read_text(encoding="utf-8"))
    return found


def _proofs(folder: Path, key: str, records: dict[int, Record]) -> Iterator[str]:
    """Verify each proof and add the record in it to `records`; yield a line for each file that proves
    nothing."""
    signed: dict[str, bool] = {}
    for file in sorted(folder.glob("round-*.tlog-proof")):
        try:
            leaf = proved(file.read_text(encoding="utf-8"), key, signed)
        except (ValueError, IndexError):
            leaf = None
        if leaf is None:
            yield f"{file.name}: its record is in no tree that the table signed"
            continue
        table, *row = json.loads(leaf)
        if table != "results" or len(row) != 4:
            yield f"{file.name}: proves a row of {table}, not a result"
            continue
        _, number, kind, body = row
        record = json.loads(body)
        if kind == "record" and record["round"] != number:
            yield f"{file.name}: its record is of round {record['round']}, and its row of round {number}"
        elif kind == "record":
            records[number] = record


def _unknown_packs(data: Mapping[str, Any], records: Records, packs: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each round whose rules are not in the export."""
    for number in data["round_numbers"]:
        if number in records and records[number]["rules_digest"] not in packs:
            yield f"round {number}: values.json has no pack with the digest of its rules"


def _figures(data: Mapping[str, Any], records: Records, packs: Mapping[str, Any]) -> Iterator[str]:
    """Compute each figure and decision of a sitting from the records, and yield a line for each that
    differs."""
    found = evidence(data["round_numbers"], data["seat"], records, packs)
    for name, strand in found.items():
        given = data["combined"] if name == "combined" else data["hypotheses"][name]
        for figure, value in (("log10", strand.log), ("peak_log10", strand.peak)):
            if abs(given[figure] - value / TEN) > ROUNDED:
                yield f"{name}: {figure} is {value / TEN:.4f}, not {given[figure]}"
        if name != "combined":
            if given["with_evidence"] != strand.rounds:
                yield f"{name}: {strand.rounds} rounds give evidence, not {given['with_evidence']}"
            yield from (f"{name}: {each}" for each in _decisions(given["decisions"], strand))


def _decisions(given: list[dict[str, Any]], strand: Strand) -> Iterator[str]:
    strength, seat, decisions = strand.largest()
    named = {(each["round"], each["wager"]): each for each in given}
    if named.keys() != decisions.keys() or len(named) != len(given):
        yield "its decisions are not those of the records"
        return
    for (number, wager), (_, antes, best, cards, weights) in decisions.items():
        each = named[number, wager]
        theirs = each["antes"], each["knowing_player"], each["cards"], each.get("hand_of")
        same = theirs == (round(antes, 4), best, cards, seat)
        if not same or abs(each["log10"] - weights[strength] / TEN) > ROUNDED:
            yield f"round {number}, {wager}: is not the decision of the record, or its weight is another"


def value_faults(folder: Path) -> Iterator[str]:
    """Yield a line for each value of a first decision that differs from the one counted here."""
    for pack in _values(folder)["packs"].values():
        yield from (f"values.json: {each}" for each in differences(pack))


def unverified(folder: Path) -> Iterator[str]:
    """Yield a line for each part of an export that no record proves."""
    choice = _values(folder)["choice"]
    if choice["since"]:
        yield f"not verified: that {choice['zone']} is the table's time zone, by which --since counts days"
    if _values(folder)["fixed"]["cost"] is not None:
        yield (
            "not verified: the costs in `fixed`, from which the thresholds follow, and the place of each "
            "sitting in the house's list"
        )
    yield "not verified: that `fixed` was chosen before play; compare it with what the house sealed"
    yield APART


def main() -> int:
    folder, key, *options = sys.argv[1:]
    if other := _other(Path(folder)):
        wrong = [*faults(Path(folder), key)]
        print("\n".join(wrong or [OTHER[other]]))
        return 1 if wrong else 2
    counted = "--values" in options
    found = [*faults(Path(folder), key), *(value_faults(Path(folder)) if counted else ())]
    if found:
        print("\n".join(found))
        return 1
    print("\n".join([RIGHT if counted else UNCOUNTED, *unverified(Path(folder))]))
    return 0 if counted else 2


if __name__ == "__main__":
    sys.exit(main())
