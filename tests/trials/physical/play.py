"""Rounds on a physical table, each record recomputed from the acts of the hands."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from controller.game.model.names import SEATS, Circle, Method, Phase, Wager
from controller.game.model.rules import RulePack
from tests import recompute
from tests.game.felt import pack
from tests.trials.physical import interval
from tests.trials.physical.business import Business
from tests.trials.physical.readers import Readers, WiredReaders
from tests.trials.physical.table import PhysicalTable, Wrong

BOUND = 900
"""Maximum number of acts that honest people may need from any state to the next betting phase."""
LIMITS = (None, None, None, 5_000, 20_050, 1_000)
"""Payout limits in cents, which no combination of chips equals."""


@dataclass
class Run:
    """Result of one unit of work: rounds of one pack and way of dealing, with one seed. `counts`: acts done;
    `wrong`: differences found."""

    rules: str
    method: Method
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    wrong: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    """Digest of each record."""


def limited(rules: str, cents: int | None) -> RulePack:
    own = pack(rules)
    return own if cents is None else replace(own, payout_limit=replace(own.payout_limit, cents=cents))


class Play:
    """Rounds of one physical table and its people. `wild`: chance of an error before each act."""

    def __init__(
        self, rules: str, method: Method, seed: int, readers: Readers | None = None, wild: float = 0.12
    ) -> None:
        self.records: list[str] = []
        """Digest of each record."""
        self.dice = random.Random(seed)
        self.pack = limited(rules, self.dice.choice(LIMITS))
        self.felt = PhysicalTable(self.pack, method, self.dice, readers)
        self.people = Business(self.felt, self.dice)
        self.wild = wild
        self.before: dict[int, int] = {}

    def round(self) -> None:
        """Play one round, from the beginning of its betting to that of the next."""
        felt, people = self.felt, self.people
        self.begin()
        people.budget = self.dice.choice([0, 1, 1, 2, 3, 4, 6])
        acts, mild = 0, self.dice.randint(40, 200)
        people.bet()
        interval.use(people)
        while felt.phase is not Phase.BETTING or felt.table.state.closing:
            acts += 1
            if acts > mild + BOUND:
                raise Wrong(f"no end: {felt.table.prompt()} {felt.table.state.alerts}")
            known = len(felt.records)
            self.act(honest=acts > mild)
            if len(felt.records) > known:
                self.check()
        self.check_after()

    def begin(self) -> None:
        felt = self.felt
        self.people.buy_in()
        felt.flow_p, felt.flow_t, felt.loose, felt.late = {}, {}, {}, []
        felt.log.clear()
        felt.records.clear()
        self.people.worded, self.people.owns = set(), set()
        self.people.kept, self.people.signed = {}, {}
        for circle in felt.circles:
            felt.move(circle, circle.seat, felt.amount(circle))
        for circle in sorted(felt.dead):
            felt.live(circle)
        felt.flow_p, felt.flow_t = {}, {}
        self.people.brought.clear()
        self.before = {seat: felt.wealth(seat) for seat in SEATS}

    def act(self, *, honest: bool) -> None:
        people, dice = self.people, self.dice
        self.felt.pause()
        if honest:
            people.budget = 0
            people.see()
        alerts, before = people.money_alerts(), self.felt.ms
        if alerts and (honest or dice.random() < 0.5):
            people.answer(dice.choice(alerts), "mend" if dice.random() < 0.7 else "sign")
        elif people.budget > 0 and dice.random() < self.wild:
            if people.err():
                people.budget -= 1
        elif not (people.budget and people.business()):
            people.follow()
        if self.felt.ms == before:
            self.felt.wait()

    # ------------------------------------------------------------------ the record

    def check(self) -> None:
        record = self.felt.records[-1]
        self.records.append(_digest(record))
        self.people.count(f"record {record['outcome']}")
        wrong = list(self.money(record, record["corrections"]))
        wrong += self.verified(record)
        wrong += recomputed(record, self.pack)
        if wrong:
            raise Wrong("; ".join(wrong))

    def check_after(self) -> None:
        if self.felt.records:
            record = self.felt.records[-1]
            wrong = list(self.money(record, [*record["corrections"], *self.felt.late]))
            if wrong:
                raise Wrong("after the end: " + "; ".join(wrong))

    def money(self, record: Mapping[str, Any], corrections: list[Mapping[str, Any]]) -> Iterator[str]:
        """Yield a line for each seat and circle whose gain in real chips differs from the record and its
        corrections."""
        felt = self.felt
        signed: Counter[tuple[int, str]] = Counter()
        for entry in corrections:
            signed[entry["seat"], entry["wager"]] += entry["cents"]
        settled = {
            (box["seat"], name): _gain(entry)
            for box in record["seats"]
            for name, entry in box["wagers"].items()
        }
        for seat in SEATS:
            gained = felt.wealth(seat) - self.before[seat] - self.people.brought[seat]
            expected = sum(c for (s, _), c in (*settled.items(), *signed.items()) if s == seat)
            if gained != expected:
                yield f"seat {seat} gained {gained}, the record says {expected}"
            if seat in felt.loose:
                continue
            for wager in Wager:
                key = (seat, wager.value)
                expected = settled.get(key, 0) + signed[key]
                if felt.trays(Circle(seat, wager)) != expected:
                    yield f"{key}: the tray gave {felt.trays(Circle(seat, wager))}, not {expected}"

    def verified(self, record: Mapping[str, Any]) -> Iterator[str]:
        for box in record["seats"]:
            for name, entry in box["wagers"].items():
                if entry["payout"] % 100:
                    continue  # coins lie there and are read like a chip
                if entry["verified"] and Circle(box["seat"], Wager(name)) in self.people.worded:
                    yield f"seat {box['seat']} {name} is verified by somebody's word"


def _gain(entry: Mapping[str, Any]) -> int:
    return int(entry["payout"]) - (entry["amount"] if entry["result"] in ("lose", "forfeit") else 0)


def recomputed(record: Mapping[str, Any], rules: RulePack) -> Iterator[str]:
    """Yield the differences between a record and the independent arithmetic of `tests/recompute.py`, under
    this table's own payout limit."""
    if record["outcome"] == "void":
        yield from recompute.differences(record)
        return
    yield from recompute.chips(record)
    limit, won = rules.payout_limit, Counter[str]()
    by_seat = {seat["seat"]: seat for seat in record["seats"]}
    before = [pair for pair in record["settlement_order"] if by_seat[pair[0]]["forfeited"]]
    order = recompute.order(record)  # a bonus settled before its seat forfeited stays settled
    if [pair for pair in record["settlement_order"] if pair not in before] != order:
        yield f"order {record['settlement_order']} is not {order}"
    for number, name in order:
        box = by_seat[number]
        result, _, uncut = recompute.expected(record, box, name)
        payout = uncut
        if limit.cents is not None and (limit.bonus_included or "bonus" not in name):
            payout = min(uncut, limit.cents - won[box["player"]])
            won[box["player"]] += payout
        recorded = box["wagers"][name]
        if (recorded["result"], recorded["payout"]) != (result, payout):
            yield f"seat {number} {name}: {recorded} is not {result} {payout}"


def play(rules: str, method: Method, seed: int, rounds: int, kind: str = "") -> Run:
    """Play that many rounds, with a new table every few of them. Differences are stored with their seed.

    `kind`: kind of the readers; "" for contents that are read at once. Rounds over readers are played a
    second time without them, and must have the same records.
    """
    if not kind:
        return played(rules, method, seed, rounds, None)
    with WiredReaders(kind) as readers:
        run = played(rules, method, seed, rounds, readers)
    run.wrong += unlike(run, played(rules, method, seed, rounds, None))
    return run


def unlike(run: Run, other: Run) -> Iterator[str]:
    """Yield each record in which two runs of the same acts differ."""
    if len(run.records) != len(other.records):
        yield f"{run.rules} {run.method} seed {run.seed}: {len(run.records)} records, {len(other.records)}"
    for number, (one, another) in enumerate(zip(run.records, other.records, strict=False), 1):
        if one != another:
            yield f"{run.rules} {run.method} seed {run.seed}: record {number} differs between the readers"


def _digest(record: Mapping[str, Any]) -> str:
    return sha256(json.dumps(record, sort_keys=True, default=str).encode()).hexdigest()


def played(rules: str, method: Method, seed: int, rounds: int, readers: Readers | None) -> Run:
    """Play that many rounds of the pack `rules` over these readers (None: contents are read at once). A new
    table, drawn from the seed, begins every five rounds."""
    run, dice = Run(rules, method, seed), random.Random(seed)
    while run.rounds < rounds:
        own, last = dice.getrandbits(32), None
        try:
            last = Play(rules, method, own, readers)
            for _ in range(min(5, rounds - run.rounds)):
                last.round()
                run.rounds += 1
        except Exception as error:  # noqa: BLE001 - whatever a table does wrong is a finding
            run.rounds += 1
            run.wrong.append(f"{rules} {method} seed {own}: {type(error).__name__}: {error}")
        if last is not None:
            run.counts.update(last.people.counts)
            run.records += last.records
    return run
