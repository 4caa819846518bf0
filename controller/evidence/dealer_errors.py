"""Evidence that the errors of a dealer favour one seat.

Only the direction of an error counts, never its place: the first and the second error of a dealer at
settlements of one kind are a pair, the third and the fourth, and so on. If one of a pair is at the seat and
gives the player too much, and the other is elsewhere and gives too little, or the reverse, either is as
likely, unless the direction depends on the seat (controller/evidence/EVIDENCE.md). A round has at most one
error here: after an alert a dealer may err the other way, and the seats are settled in a fixed order. The
errors are those that the readers saw, also if they were corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from controller.evidence.factor import Floats, log_mean
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.game.model.record import RoundRecord

ERROR_STRENGTHS = (1.0, 9.0, 99.0)
"""Strengths of a dealer's bias in the model, fixed in advance. With strength s, of two errors in opposite
directions the one at the favoured seat is to the player's advantage with odds of 1 + s to 1."""
DIRECTIONS: Mapping[tuple[str, str], bool] = {
    ("win", Code.OVERPAID): True, ("win", Code.UNDERPAID): False,
    ("push", Code.OVERPAID): True, ("push", Code.PUSH_DISTURBED): False,
}  # fmt: skip
"""Whether an error is to the player's advantage, by the result of the wager and the code of the alert. A
wager that lost is not listed: the only possible error is to leave it, always to the player's advantage."""


@dataclass(frozen=True, slots=True)
class DealerError:
    """Error of a dealer at the settlement of one wager. `kind`: result of the wager, "win" or "push";
    `gives`: whether the error is to the player's advantage."""

    seat: int
    kind: str
    gives: bool


def error_of(record: RoundRecord) -> DealerError | None:
    """Return the error of a round, or None. It is the first alert of the settlement about the chips of a
    wager, if that has a direction. A round of several dealers has none, because its record does not say which
    of them erred."""
    if len(record["dealers"]) != 1 or record["outcome"] == "void":
        return None
    wagers = {
        (seat["seat"], name): wager for seat in record["seats"] for name, wager in seat["wagers"].items()
    }
    for code, seat, wager in _alerts(record):
        kind = wagers[seat, wager]["result"] if (seat, wager) in wagers else ""
        gives = DIRECTIONS.get((kind, code))
        return None if gives is None else DealerError(seat, kind, gives)
    return None


def _alerts(record: RoundRecord) -> Iterator[tuple[str, int, str]]:
    """Yield (code, seat, wager) of the alerts of the settlement about the chips of a wager. The alert after
    `settled_out_of_order` is that of the step left out: it names no wrong amount."""
    before = ""
    for each in record["irregularities"]:
        code, seat, wager = each["code"], each["seat"], each["wager"]
        of_order, before = Code.SETTLED_OUT_OF_ORDER in (before, code), code
        if each["phase"] == Phase.SETTLEMENT and seat and wager and not of_order:
            yield code, seat, wager


@dataclass
class ErrorPairs:
    """Running evidence that a dealer's errors favour one seat, in the rounds of a sitting that they dealt. A
    pair is two successive errors of one kind: the first and the second, the third and the fourth, and so on.

    `pairs`: number of pairs with one error at this seat; `unequal`: those in which one error is to the
    player's advantage and the other is not; `for_seat`: unequal pairs whose error to the player's advantage
    is at this seat. `log`, `peak`: natural logarithms, as in `Strand`. `order`: place among all combinations
    of a dealer and a sitting, from 1, in the order in which they began.
    """

    pairs: int = 0
    unequal: int = 0
    for_seat: int = 0
    log: float = 0.0
    peak: float = 0.0
    order: int = 1
    _by_strength: Floats = field(default_factory=lambda: np.zeros(len(ERROR_STRENGTHS)))
    _open: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    """First error of a pair that has no second one yet, by kind: whether it was at this seat, and whether it
    is to the player's advantage."""

    def add(self, error: DealerError, *, own: bool) -> None:
        """Add an error. `own`: whether it was at this seat. Errors are paired by their number alone; a pair
        counts if one of the two is at this seat."""
        before = self._open.pop(error.kind, None)
        if before is None:
            self._open[error.kind] = own, error.gives
            return
        if before[0] == own:
            return
        self.pairs += 1
        if before[1] != error.gives:
            self._weigh(for_seat=error.gives if own else before[1])

    def _weigh(self, *, for_seat: bool) -> None:
        self.unequal += 1
        self.for_seat += for_seat
        self._by_strength = self._by_strength + np.log(pair_factor(for_seat=for_seat))
        self.log = float(log_mean(self._by_strength))
        self.peak = max(self.peak, self.log)


def pair_factor(*, for_seat: bool) -> Floats:
    """Return the factor of an unequal pair for each strength. `for_seat`: whether its error to the player's
    advantage was at the seat. The mean of the two factors is one, so an unbiased dealer gains no evidence on
    average."""
    odds = 1 + np.array(ERROR_STRENGTHS)
    found: Floats = 2 * (odds if for_seat else np.ones_like(odds)) / (1 + odds)
    return found
