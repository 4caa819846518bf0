"""A motion of one hand over several circles, reported by the readers in any order and sometimes in two parts.

A motion is given by the chips in each circle afterwards. Every order of reports starts from the same state.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from controller.game.model.effects import WriteRecord
from controller.game.model.events import Chip, CircleRead, Event, FloorDecided, KeyPressed, Stamp, TimePassed
from controller.game.model.ledger import LedgerRow
from controller.game.model.names import SEATS, Circle, Key, Phase, Wager
from controller.game.model.state import TableState
from controller.game.table import Table
from tests.game.felt import Felt

Motion = Mapping[Circle, tuple[Chip, ...]]
"""Chips in each circle after the motion."""
GAPS_MS = (1, 1, 5, 25)
"""Possible times between two readings of one motion, in ms. Their sum is shorter than the delay of an
alert."""
ALERT_DELAY_MS = 500


@dataclass(frozen=True)
class Seen:
    """Results about money, which must not depend on the order of the readings."""

    rows: Any
    stands: tuple[Any, ...]
    record: Any


class Reported:
    """Copy of a felt's table; events leave the felt itself unchanged."""

    def __init__(self, felt: Felt) -> None:
        self.ms = felt.ms
        self.table = Table(felt.pack, felt.table.settings, felt.table.state, Stamp(felt.ms, "then"))
        self.records: list[Mapping[str, Any]] = []

    @property
    def state(self) -> TableState:
        return self.table.state

    def event(self, event: Event, after_ms: int = 1) -> None:
        until = self.ms + after_ms
        while (due := self.table.next_deadline()) is not None and due <= until:
            self._take(TimePassed(), max(due, self.ms))
            if self.table.next_deadline() == due:
                break
        self._take(event, until)

    def _take(self, event: Event, ms: int) -> None:
        self.ms = ms
        assert self.table.verify(event) is None, (event, self.table.verify(event))
        effects = self.table.handle(event, Stamp(ms, "then"))
        self.records.extend(effect.record for effect in effects if isinstance(effect, WriteRecord))

    def play(self, readings: Iterable[CircleRead], dice: random.Random) -> None:
        for reading in readings:
            self.event(reading, dice.choice(GAPS_MS))
        self.event(TimePassed(), ALERT_DELAY_MS)

    def seen(self) -> Seen:
        """Return the accounts and, once the round is void, the money of its record. The progress of the
        settlement is left out, because it may depend on the order: the step after a push passes it."""
        round_ = self.state.round
        assert round_ is not None
        rows = {circle: _accounts(round_.ledger.row(circle)) for circle in round_.ledger.circles()}
        stands = (self.state.phase, round_.decisions.asked, round_.decisions.decided)
        return Seen(rows, stands, self._voided() if self.state.phase is not Phase.CLEARING else None)

    def _voided(self) -> Any:
        """Void the round as a floorperson and return all chips as prompted; return the prompts and the money
        of the record."""
        if self.state.phase is not Phase.VOID:
            self.event(FloorDecided("B1", "outcome", outcome="void", reason="order"))
        for seat in SEATS:
            for wager in Wager:
                if self.state.holding(seat, wager).chips:
                    self.event(CircleRead(seat, wager, ()))
        prompts = []
        while self.state.phase is Phase.VOID:
            prompt = self.table.prompt()
            assert prompt is not None
            prompts.append((prompt.kind, prompt.seat, prompt.wager, prompt.amount))
            self.event(KeyPressed(Key.CONFIRM))
        record = self.records[-1]
        seats = {box["seat"]: box["wagers"] for box in record["seats"]}
        return prompts, seats, record["corrections"]


def _accounts(row: LedgerRow) -> tuple[int, ...]:
    return row.circle, row.player, row.tray, row.unexplained, row.borrowed


def parts(felt: Felt, motion: Motion, dice: random.Random) -> list[list[CircleRead]]:
    """Return the list of readings of each circle: the final one and, for half of the piles that shrink, one
    reading half-way."""
    found = []
    for circle, after in motion.items():
        before = felt.table.state.holding(*circle).chips
        readings = [CircleRead(*circle, after)]
        half = tuple(chip for chip in before if chip in after or chip is before[0])
        if before != half != after and len(before) > len(after) and dice.random() < 0.5:
            readings.insert(0, CircleRead(*circle, half))
        found.append(readings)
    return found


def orders(
    sequences: Sequence[list[CircleRead]], dice: random.Random, most: int
) -> Iterable[list[CircleRead]]:
    """Yield sequences of all readings without duplicates: every order of whole circles if there are at most
    four circles, then `most` random interleavings."""
    known: set[tuple[CircleRead, ...]] = set()
    for order in (*_whole_circles(sequences), *_interleavings(sequences, dice, most)):
        if tuple(order) not in known:
            known.add(tuple(order))
            yield order


def _whole_circles(sequences: Sequence[list[CircleRead]]) -> Iterator[list[CircleRead]]:
    if len(sequences) <= 4:
        yield from ([reading for one in order for reading in one] for order in permutations(sequences))


def _interleavings(
    sequences: Sequence[list[CircleRead]], dice: random.Random, most: int
) -> Iterator[list[CircleRead]]:
    for _ in range(most):
        left = [list(one) for one in sequences]
        mixed: list[CircleRead] = []
        while left:
            one = dice.choice(left)
            mixed.append(one.pop(0))
            left = [each for each in left if each]
        yield mixed
