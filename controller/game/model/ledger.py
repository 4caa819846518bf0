"""Ledger of one round's money: double-entry bookkeeping in whole cents.

Every circle has a row of four accounts: chips in the circle, chips from it that its player has, chips from it
that the tray has, and unexplained chips. Chips only move from one account to another, so each row adds up to
zero. The result of a player, the tray or the round is a sum over rows and is stored nowhere else. An entry
gives the amount moved, the evidence and the reason. `whose_hand.py` decides to which account chips went,
`dues.py` the amounts that are due.

Source: double-entry bookkeeping; 58 Pa. Code § 674a.13 ("all wagers shall be returned") and its counterparts
require only that the rows return to their initial values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Wager

Evidence = Literal["read", "entered", "said", "inferred", "open"]
"""Evidence of an entry. `read`: seen by a reader. `entered`: amount entered by the dealer. `said`: reported
by the dealer or a floorperson. `inferred`: follows from the readings, but no reader saw who took the chips.
`open`: the difference was open when the round became void."""


SIGNED: Final = "signed"
"""`Entry.why` of chips moved by a floorperson's answer."""


class Account(StrEnum):
    """Holder of chips that belong to one circle: the circle itself, its player, the tray, or `unexplained`
    while it is not known who has them."""

    CIRCLE = "circle"
    PLAYER = "player"
    TRAY = "tray"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Movement of `cents` from `source` to `to`, both accounts of one circle. With 0 cents no chips moved:
    the entry records a settlement or its withdrawal. `why`: reason in one word."""

    ms: int
    seat: int
    wager: Wager
    source: Account
    to: Account
    cents: int
    evidence: Evidence
    why: str


@dataclass(frozen=True, slots=True)
class Signed:
    """Difference signed by a floorperson, in cents. `stake`: part of a counting wager that the player kept,
    or minus the cents in the circle that do not count. `house`: cents that the player has beyond the
    settlement. `held`: cents of the wager that the tray has before the wager is lost."""

    code: Code
    seat: int
    wager: Wager
    stake: int
    house: int
    held: int
    who: str
    when: str
    why: str
    name: str = ""
    """More specific name than the code (`naming.py`), or ""."""


@dataclass(frozen=True)
class LedgerRow:
    """Accounts of one circle. `player` and `tray` are negative for chips that they gave: for a wager of $10
    in the circle, `circle` is 1000 and `player` -1000."""

    circle: int = 0
    player: int = 0
    tray: int = 0
    unexplained: int = 0
    borrowed: int = 0
    """Cents of `circle` in chips that belong to another player."""
    settled: int | None = None
    """Cents of the wager due to the tray at the settlement; None before it."""
    stake: int = 0
    house: int = 0
    held: int = 0
    """Sums of these three amounts over all signatures (`Signed`). `stake` is negative for chips in the circle
    that do not count."""
    asked: int = 0
    """Cents that were missing from the wager when the round became void and that, by the ledger, the player
    has. The dealer asks who has them."""
    accepted: tuple[int, int, int] | None = None
    """Value of `balances` when a floorperson last signed; None without a signature. No alert is raised until
    it changes."""

    def is_untouched(self, cents: int) -> bool:
        """Return whether a wager of `cents` is in the circle as placed, with no later movement or
        signature."""
        return (
            self.circle == cents and self.player == -cents and self.settled is None
            and not (self.tray or self.unexplained or self.borrowed)
            and not (self.stake or self.house or self.held)
        )  # fmt: skip

    def goal(self, tray: int) -> int:
        """Return the cents due to the tray: `tray` by the cards, adjusted for signatures. Signatures cover
        the part of a lost wager that the player kept, a payout that was too large or too small, and the
        tray's part of a wager that was not lost."""
        return tray - self.house - (max(self.stake, 0) if tray > 0 else -self.held)

    @property
    def balances(self) -> tuple[int, int, int]:
        return (self.circle, self.player, self.tray)

    @property
    def sum(self) -> int:
        """Sum of the accounts; always zero, because chips only move from one account to another."""
        return self.circle + self.player + self.tray + self.unexplained

    def moved(self, source: Account, to: Account, cents: int) -> LedgerRow:
        """Return the row after `cents` have moved from the account `source` to the account `to`."""
        if source is to:
            return self
        changed = {source: getattr(self, source) - cents, to: getattr(self, to) + cents}
        return evolve(self, **changed)


EMPTY_ROW = LedgerRow()
Rows = Mapping[int, Mapping[Wager, LedgerRow]]
"""Rows by seat and circle."""


@dataclass(frozen=True)
class Ledger:
    """Books of one round: the accounts of each circle, and every entry that led to them. Immutable; each
    method returns new books."""

    rows: Rows = field(default_factory=dict)
    entries: tuple[LedgerEntry, ...] = ()
    chips: Mapping[str, Circle] = field(default_factory=dict)
    """Circle where each chip (UID) of a player was read last. Chips taken by the house have no entry."""
    signed: tuple[Signed, ...] = ()

    def row(self, circle: Circle) -> LedgerRow:
        rows = self.rows.get(circle[0])
        return EMPTY_ROW if rows is None else rows.get(circle[1], EMPTY_ROW)

    def of_seat(self, seat: int) -> Mapping[Wager, LedgerRow]:
        """Return the rows of a seat."""
        return self.rows.get(seat, {})

    def circles(self) -> list[Circle]:
        """Return every circle that has a row, seat 1 first, in the field's order."""
        return [
            Circle(seat, wager) for seat in sorted(self.rows) for wager in Wager if wager in self.rows[seat]
        ]

    def with_row(self, circle: Circle, row: LedgerRow) -> Ledger:
        return evolve(self, rows=self._rows_with(circle, row))

    def _rows_with(self, circle: Circle, row: LedgerRow) -> Rows:
        return {**self.rows, circle.seat: {**self.of_seat(circle.seat), circle.wager: row}}

    def entries_since(self, before: Ledger) -> tuple[LedgerEntry, ...]:
        """Return the entries that were posted since `before`, an earlier version of the same books, oldest
        first."""
        return self.entries[len(before.entries) :]

    def post(self, entry: LedgerEntry) -> Ledger:
        """Return the books with one more entry, and its cents moved between the accounts of its circle.
        Raises ValueError for a negative amount."""
        if entry.cents < 0:
            raise ValueError(f"an entry of {entry.cents} cents; money goes from one account to another")
        circle = Circle(entry.seat, entry.wager)
        return self._with(entry, circle, self.row(circle).moved(entry.source, entry.to, entry.cents))

    def _with(self, entry: LedgerEntry, circle: Circle, row: LedgerRow) -> Ledger:
        return evolve(self, rows=self._rows_with(circle, row), entries=(*self.entries, entry))

    def close(self, entry: LedgerEntry, tray: int) -> Ledger:
        """Return the books with the wager of the entry's circle settled. `tray`: cents of the wager due to
        the tray, negative for a payout."""
        return self._settled(entry, tray)

    def reopen(self, entry: LedgerEntry) -> Ledger:
        """Return the books in which UNDO has withdrawn the settlement of the entry's circle."""
        return self._settled(entry, None)

    def _settled(self, entry: LedgerEntry, tray: int | None) -> Ledger:
        circle = Circle(entry.seat, entry.wager)
        return self._with(entry, circle, evolve(self.row(circle), settled=tray))

    def sign(self, signed: Signed) -> Ledger:
        """Return the books with a signed difference, which stays unchanged from then on."""
        circle = Circle(signed.seat, signed.wager)
        old = self.row(circle)
        row = evolve(
            old, stake=old.stake + signed.stake, house=old.house + signed.house, held=old.held + signed.held,
            accepted=old.balances,
        )  # fmt: skip
        kept = max(0, row.stake) - max(0, old.stake)
        return evolve(self.with_row(circle, row), signed=(*self.signed, replace(signed, stake=kept)))

    def noted(self, signed: Signed) -> Ledger:
        """Return the books with one more signature that concerns chips and no amounts, so that every row
        stays."""
        return evolve(self, signed=(*self.signed, signed))

    def counted(self, circle: Circle, beside: int = 0) -> Ledger:
        """Return the ledger with all chips in the circle counted as a wager, including chips signed as placed
        too early. `beside`: cents of signed chips that are no wager.
        """
        row = self.row(circle)
        return self.with_row(circle, evolve(row, stake=-beside, accepted=None)) if row.stake else self

    def resettled(self, circle: Circle) -> Ledger:
        """Return the ledger without the signatures on the settlement of a wager that is settled again.
        Signatures on the wager itself stay.
        """
        row = self.row(circle)
        if not row.house:
            return self
        signed = tuple(
            replace(each, house=0) if (each.seat, each.wager) == circle else each for each in self.signed
        )
        return evolve(self.with_row(circle, evolve(row, house=0, accepted=None)), signed=signed)

    def annulled(self) -> Ledger:
        """Return the ledger of a void round. Every wager goes back in full, so the sums of the signatures are
        cleared. The accounts keep the amounts that were signed, and the refund is computed from the accounts.
        """
        rows = {
            seat: {
                wager: evolve(row, stake=0, house=0, held=0, accepted=None) for wager, row in of_seat.items()
            }
            for seat, of_seat in self.rows.items()
        }
        signed = tuple(replace(each, stake=0, house=0, held=0) for each in self.signed)
        return evolve(self, rows=rows, signed=signed)

    def unverified_circles(self) -> set[Circle]:
        """Return the circles whose amounts no reader confirms: chips were entered or reported, signed or
        unexplained, or a difference was open when the round became void.
        """
        reported = {
            Circle(e.seat, e.wager) for e in self.entries if e.evidence in ("entered", "said", "open")
        }
        signed = {Circle(each.seat, each.wager) for each in self.signed}
        lost = {Circle(s, w) for s, rows in self.rows.items() for w, row in rows.items() if row.unexplained}
        return reported | signed | lost
