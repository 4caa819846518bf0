"""The schedule of proofs: when a chip must prove that it is genuine and no copy (counterfeit), and in which
order. Pure: no thread, no port, no clock, no key.

A chip proves itself when it is first seen in a circle, again when that is required (a large payout), and
otherwise at random times. The circles that are due come first: between two slots of proofs each of them is
read; in the circle of a payout several proofs follow one another. A single answer must never accuse a chip:
after a wrong answer it is asked once more, after a missing one several times. A chip is asked only while its
circle can be read, and again after each reading that failed: it may have been exchanged meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from drivers.chips.reader import Proof
from drivers.chips.schedule import SlotRule, groups_of
from drivers.ports import CircleId, Inventory

STABLE_AFTER = 2
"""Number of inventories with a chip before its proof, which must not delay the reading that confirms it."""
FALSE_AFTER = 2
"""Number of consecutive wrong answers after which a chip counts as unproven."""
UNFINISHED_AFTER = 6
"""Number of consecutive incomplete proofs after which a chip counts as unproven."""
UNPROVEN_AGAIN_S = 2.0
"""Time in seconds until a chip that counts as unproven without a wrong answer is asked again."""
SERIES_S = 0.3
"""Maximum time in seconds of successive proofs in the circle of a payout before circles are read again. An
inventory of twenty chips takes as long."""
MODULE_RETRY_S = 1.0
"""Time in seconds until a chip is asked again whose request the module did not answer; after requests of two
chips, time without any proof."""
MODULE_LOST_S = 3.0
"""Time in seconds without an answer after which the module counts as lost."""
REQUIRED_S = 30.0
"""Time in seconds after which the required proofs of a circle that can be read are reported as a fault. Those
of forty chips take a tenth of it."""

ProofRequests: TypeAlias = Mapping[CircleId, str]
"""Chips that prove themselves in one slot, by circle, at most one of each seat."""


@dataclass(slots=True)
class _Lying:
    """A chip in a circle.

    `seen`: number of successive inventories with it; `asks`: whether its proof is pending; `not_before`:
    earliest time (s) of the proof; `wrong`, `unfinished`: consecutive failed proofs; `unproven`: whether it
    counts as unproven; `unserved`: time (s) since which the module does not answer for it, and the reason.
    """

    seen: int = 0
    asks: bool = True
    not_before: float = 0.0
    wrong: int = 0
    unfinished: int = 0
    unproven: bool = False
    unserved: tuple[float, str] | None = None


@dataclass(slots=True)
class _Requirement:
    """A circle whose chips have to prove themselves again. `since`: time (s) of the first slot after the
    request; `decided`: whether each of them has proven itself or counts as unproven. Chips that come later
    change nothing, such as those of the payout."""

    since: float | None = None
    decided: bool = False


@dataclass(slots=True)
class ProofSchedule:
    """The schedule of one table. `needs`: returns whether the chip with a UID has a key. `random_s`: mean
    time in seconds between two proofs at random. `dice`: a source of unpredictable random numbers."""

    circles: Sequence[CircleId]
    rule: SlotRule
    needs: Callable[[str], bool]
    random_s: float
    dice: random.Random = field(default_factory=random.SystemRandom)
    _groups: dict[CircleId, int] = field(init=False)
    _chips: dict[CircleId, dict[str, _Lying]] = field(init=False)
    _allowed: bool = field(init=False, default=False)
    _due: frozenset[CircleId] = field(init=False, default=frozenset())
    _unread: set[CircleId] = field(init=False, default_factory=set)
    _required: dict[CircleId, _Requirement] = field(init=False, default_factory=dict)
    _series_from: float | None = field(init=False, default=None)
    """Beginning (s) of the proofs that have followed one another since the last reading, or None."""
    _pause_until: float = field(init=False, default=0.0)
    _random_at: float | None = field(init=False, default=None)
    _lost: tuple[float, str] | None = field(init=False, default=None)
    """Time (s) since which no chip has proven itself because the module does not answer, and the reason."""
    _lost_for: set[str] = field(init=False, default_factory=set)
    """UIDs for which the module has not answered since a chip last proved itself."""

    def __post_init__(self) -> None:
        groups = groups_of(self.circles, self.rule)
        self._groups = {circle: number for number, group in enumerate(groups) for circle in group}
        self._chips = {circle: {} for circle in self._groups}

    def watch(self, due: Collection[CircleId]) -> None:
        """Set the circles that are due. New ones are read before the next proof."""
        fresh = frozenset(due) & self._chips.keys()
        self._unread = (self._unread & fresh) | (fresh - self._due)
        self._due = fresh

    def prove(self, circles: Collection[CircleId] | None) -> None:
        """Require a proof of each chip in these circles, until the next call. None: begin no proof until the
        next call."""
        self._allowed = circles is not None
        self._required = {circle: _Requirement() for circle in circles or () if circle in self._chips}
        for circle in self._required:
            for chip in self._chips[circle].values():
                chip.asks = True

    def note(self, inventories: Iterable[Inventory]) -> None:
        """Store the chips in the circles. A chip that was absent counts as new."""
        for inventory in inventories:
            self._unread.discard(inventory.circle)
            self._series_from = None
            known = self._chips[inventory.circle]
            if inventory.answer != "chips":
                for chip in known.values():
                    chip.seen, chip.asks, chip.unfinished = 0, True, 0
                self._decide(inventory.circle, decided=False)
                continue
            wanted = [uid for uid in inventory.uids if self.needs(uid)]
            lying = {uid: known.get(uid) or _Lying() for uid in wanted}
            for chip in lying.values():
                chip.seen += 1
            self._chips[inventory.circle] = lying
            if not self._outstanding(inventory.circle):
                self._decide(inventory.circle, decided=True)
        if not any(self._chips.values()):  # no chip can show that the module answers again
            self._lost = None
            self._lost_for.clear()

    def next(self, now: float, works: Callable[[CircleId], bool] = lambda circle: True) -> ProofRequests:
        """Return the chips that prove themselves in the next slot; none if the circles come first. `works`:
        returns whether the reader of a circle can ask; chips at other readers wait and delay no others. No
        player can foresee the order."""
        if not self._allowed or self._unread or now < self._pause_until:
            return {}
        for requirement in self._required.values():
            requirement.since = now if requirement.since is None else requirement.since
        self._ask_at_random(now)
        ready = {circle: self._ready(circle, now) for circle in self._chips if works(circle)}
        ready = {circle: uids for circle, uids in ready.items() if uids}
        if not ready:
            return {}
        first = [circle for circle in ready if circle in self._required] or list(ready)
        served = [circle for circle in first if self._lost_for.isdisjoint(ready[circle])]
        group = self._groups[self.dice.choice(served or first)]
        return {
            circle: self.dice.choice(uids) for circle, uids in ready.items() if self._groups[circle] == group
        }

    def done(self, proofs: Sequence[Proof], began: float, now: float) -> None:
        """Store the results of a slot of proofs. The same amount of time then belongs to the circles."""
        self._store(proofs, now)
        since = began if self._series_from is None else self._series_from
        self._series_from = since
        if now + (now - began) - since <= SERIES_S and any(self._ready(c, now) for c in self._required):
            return
        self._series_from = None
        self._pause_until = max(self._pause_until, now + (now - since))
        self._unread = set(self._due)

    def unproven(self, circle: CircleId) -> tuple[str, ...]:
        """Return the UIDs of the chips in the circle that have not proven themselves although asked."""
        return tuple(sorted(uid for uid, chip in self._chips[circle].items() if chip.unproven))

    def pending(self, circle: CircleId) -> tuple[str, ...] | None:
        """Return the UIDs of the chips in the circle whose required proofs are undecided; None if no proof is
        required of the circle."""
        requirement = self._required.get(circle)
        if requirement is None:
            return None
        return () if requirement.decided else self._outstanding(circle)

    def module_fault(self, now: float) -> str:
        """Return the reason for which the module has not answered for some time, to all requests or to those
        of one chip, or for which required proofs take too long, or ""."""
        for (seat, wager), requirement in self._required.items():
            chips = self._chips[seat, wager].values()
            since = now if requirement.decided or requirement.since is None else requirement.since
            if now - since >= REQUIRED_S and any(chip.seen for chip in chips):
                return f"the chips at seat {seat}, {wager} have not proven themselves for {REQUIRED_S:g} s"
        unserved = [chip.unserved for chips in self._chips.values() for chip in chips.values()]
        late = [since for since in (self._lost, *unserved) if since and now - since[0] >= MODULE_LOST_S]
        return min(late)[1] if late else ""

    def _outstanding(self, circle: CircleId) -> tuple[str, ...]:
        """Return the UIDs of the chips in the circle that have to prove themselves and are not accused."""
        chips = self._chips[circle].items()
        return tuple(sorted(uid for uid, chip in chips if chip.asks and not chip.unproven))

    def _decide(self, circle: CircleId, *, decided: bool) -> None:
        if circle in self._required:
            self._required[circle].decided = decided

    def _ready(self, circle: CircleId, now: float) -> list[str]:
        """Return the chips of a circle that may prove themselves now. Those for which the module did not
        answer come last."""
        ready = [
            uid
            for uid, chip in self._chips[circle].items()
            if chip.asks and chip.seen >= STABLE_AFTER and chip.not_before <= now
        ]
        return [uid for uid in ready if uid not in self._lost_for] or ready

    def _store(self, proofs: Sequence[Proof], now: float) -> None:
        """Store the results. A module that answers for no chip is asked again later; one chip for which it
        does not answer delays no other."""
        lost = {proof.uid: proof.why for proof in proofs if proof.verdict == "no module"}
        if any(proof.verdict == "proven" for proof in proofs):
            self._lost = None
            self._lost_for.clear()
        elif lost:
            self._lost = self._lost or (now, next(iter(lost.values())))
            self._lost_for |= lost.keys()
            if len(self._lost_for) > 1:
                self._pause_until = now + MODULE_RETRY_S
        for proof in proofs:
            chip = self._chips[proof.circle].get(proof.uid)
            if chip is not None:
                _judge(chip, proof, now)

    def _ask_at_random(self, now: float) -> None:
        if self._random_at is None:
            self._random_at = now + self._interval()
        if now < self._random_at:
            return
        self._random_at = now + self._interval()
        lying = [chip for chips in self._chips.values() for chip in chips.values()]
        if lying:
            self.dice.choice(lying).asks = True

    def _interval(self) -> float:
        """Return the time in seconds until the next random proof; it is unpredictable, so that no player
        can wait for it."""
        return self.random_s * 2 * self.dice.random()


def _judge(chip: _Lying, proof: Proof, now: float) -> None:
    if proof.verdict == "no module":
        chip.unserved, chip.not_before = chip.unserved or (now, proof.why), now + MODULE_RETRY_S
    elif proof.verdict == "proven":
        chip.asks, chip.wrong, chip.unfinished, chip.unproven, chip.unserved = False, 0, 0, False, None
    elif proof.verdict == "false":
        chip.wrong += 1
        if chip.wrong >= FALSE_AFTER:
            # a real chip counts each wrong answer and locks its key after many, so it is not asked again
            chip.unproven, chip.asks, chip.unserved = True, False, None
    else:
        chip.unfinished += 1
        chip.seen = STABLE_AFTER - 1  # asked again only after a reading with it
        if chip.unfinished >= UNFINISHED_AFTER:
            chip.unproven, chip.not_before = True, now + UNPROVEN_AGAIN_S
