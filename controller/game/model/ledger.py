"""The money of one round, double entry, in whole cents.

Every circle has a row of four accounts: what lies in it, what its player has of it, what the tray has of it,
and what is unexplained. Chips only ever go from one account to another, so a row always adds up to nothing;
what a player, the tray or the round has won or lost is a sum over rows and is kept nowhere else. An entry
says what moved, on what evidence and why. This module only keeps the books: which account chips went to is
decided in `whose_hand.py`, what ought to be in them in `dues.py`.

Source: double-entry bookkeeping; 58 Pa. Code § 674a.13 ("all wagers shall be returned") and its twins ask
for nothing else than rows that are back where they began.
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
"""A reader saw it; the dealer gave the amount; the dealer or a floorperson said so; it follows from what is
read, and nobody saw in whose hand the chips went; a difference was open there when the round became void."""


SIGNED: Final = "signed"
"""`Entry.why` of chips that a floorperson's answer moves."""


class Account(StrEnum):
    """Account of the money of a circle."""

    CIRCLE = "circle"
    PLAYER = "player"
    TRAY = "tray"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Entry:
    """`cents` went from `source` to `to`, both accounts of one circle's row. With 0 cents nothing moved: the
    entry says that something was settled or taken back. `why`: one word for the reader."""

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
    """A difference that a floorperson signed. `stake`: cents of the wager that the player kept although they
    count (negative: came back of it); `house`: cents that they have beyond the settlement; `held`: cents of
    the wager that the tray has before it is lost."""

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
    """Finer name than the code (`naming.py`)."""


@dataclass(frozen=True)
class Row:
    """One circle's accounts. `player` and `tray` are negative for what they gave: a wager of $10 that lies
    there is circle 1000, player -1000."""

    circle: int = 0
    player: int = 0
    tray: int = 0
    unexplained: int = 0
    borrowed: int = 0
    """Cents of `circle` in chips that are somebody else's."""
    settled: int | None = None
    """Cents that the tray was to have of it when it was settled; None while it is not."""
    stake: int = 0
    house: int = 0
    held: int = 0
    """Sums of all signatures (see `Signed`); `stake` is below nought for chips that lie there and do not
    count."""
    asked: int = 0
    """Cents that were missing when the round became void and that the player has by the books: their holder
    is asked for."""
    accepted: tuple[int, int, int] | None = None
    """State (`standing`) when it was last signed: it raises no further alert."""

    def lies(self, cents: int) -> bool:
        """Whether a wager of that amount lies as it was laid, with nothing else done or said about it."""
        return (
            self.circle == cents and self.player == -cents and self.settled is None
            and not (self.tray or self.unexplained or self.borrowed)
            and not (self.stake or self.house or self.held)
        )  # fmt: skip

    def goal(self, tray: int) -> int:
        """`tray` adjusted for what is signed: the player kept part of a lost wager, or has more or less of a
        payout; the tray has part of one that is not lost."""
        return tray - self.house - (max(self.stake, 0) if tray > 0 else -self.held)

    @property
    def standing(self) -> tuple[int, int, int]:
        return (self.circle, self.player, self.tray)

    @property
    def sum(self) -> int:
        """Always zero: chips only go from one account to another."""
        return self.circle + self.player + self.tray + self.unexplained

    def moved(self, source: Account, to: Account, cents: int) -> Row:
        """The row with that much less in one account and more in another."""
        if source is to:
            return self
        changed = {source: getattr(self, source) - cents, to: getattr(self, to) + cents}
        return evolve(self, **changed)


EMPTY_ROW = Row()
Rows = Mapping[int, Mapping[Wager, Row]]
"""Seat -> circle -> its row."""


@dataclass(frozen=True)
class Ledger:
    """The books of a round."""

    rows: Rows = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    chips: Mapping[str, Circle] = field(default_factory=dict)
    """Chips (UIDs) that are a player's -> the circle where they lay last. What the house took is nobody's."""
    signed: tuple[Signed, ...] = ()

    def row(self, circle: Circle) -> Row:
        rows = self.rows.get(circle[0])
        return EMPTY_ROW if rows is None else rows.get(circle[1], EMPTY_ROW)

    def of_seat(self, seat: int) -> Mapping[Wager, Row]:
        """The rows of a seat."""
        return self.rows.get(seat, {})

    def circles(self) -> list[Circle]:
        """Every circle that the books know, seat 1 first, in the field's order."""
        return [
            Circle(seat, wager) for seat in sorted(self.rows) for wager in Wager if wager in self.rows[seat]
        ]

    def with_row(self, circle: Circle, row: Row) -> Ledger:
        return evolve(self, rows=self._rows_with(circle, row))

    def _rows_with(self, circle: Circle, row: Row) -> Rows:
        return {**self.rows, circle.seat: {**self.of_seat(circle.seat), circle.wager: row}}

    def post(self, entry: Entry) -> Ledger:
        """The books with one more entry. ValueError for a negative amount."""
        if entry.cents < 0:
            raise ValueError(f"an entry of {entry.cents} cents; money goes from one account to another")
        circle = Circle(entry.seat, entry.wager)
        return self._with(entry, circle, self.row(circle).moved(entry.source, entry.to, entry.cents))

    def _with(self, entry: Entry, circle: Circle, row: Row) -> Ledger:
        return evolve(self, rows=self._rows_with(circle, row), entries=(*self.entries, entry))

    def close(self, entry: Entry, tray: int) -> Ledger:
        """The wager is settled, the tray having `tray` of it."""
        return self._settled(entry, tray)

    def reopen(self, entry: Entry) -> Ledger:
        """A settlement that the dealer takes back by UNDO."""
        return self._settled(entry, None)

    def _settled(self, entry: Entry, tray: int | None) -> Ledger:
        circle = Circle(entry.seat, entry.wager)
        return self._with(entry, circle, evolve(self.row(circle), settled=tray))

    def sign(self, signed: Signed) -> Ledger:
        """A difference stays as it is, with a name to it."""
        circle = Circle(signed.seat, signed.wager)
        old = self.row(circle)
        row = evolve(
            old, stake=old.stake + signed.stake, house=old.house + signed.house, held=old.held + signed.held,
            accepted=old.standing,
        )  # fmt: skip
        kept = max(0, row.stake) - max(0, old.stake)
        return evolve(self.with_row(circle, row), signed=(*self.signed, replace(signed, stake=kept)))

    def counted(self, circle: Circle) -> Ledger:
        """Return the ledger in which all chips there are a wager, including those signed as laid too
        early."""
        row = self.row(circle)
        return self.with_row(circle, evolve(row, stake=0, accepted=None)) if row.stake else self

    def annulled(self) -> Ledger:
        """The books of a void round: every wager goes back whole, so that what was signed of it is no sum any
        more. The accounts stay as the signature left them, and the refund follows them."""
        rows = {
            seat: {
                wager: evolve(row, stake=0, house=0, held=0, accepted=None) for wager, row in of_seat.items()
            }
            for seat, of_seat in self.rows.items()
        }
        signed = tuple(replace(each, stake=0, house=0, held=0) for each in self.signed)
        return evolve(self, rows=rows, signed=signed)

    def told(self) -> set[Circle]:
        """Return the circles of which readers did not see all that moved, or where something was signed, is
        unexplained or was in dispute when the round became void."""
        said = {Circle(e.seat, e.wager) for e in self.entries if e.evidence in ("entered", "said", "open")}
        signed = {Circle(each.seat, each.wager) for each in self.signed}
        lost = {Circle(s, w) for s, rows in self.rows.items() for w, row in rows.items() if row.unexplained}
        return said | signed | lost
