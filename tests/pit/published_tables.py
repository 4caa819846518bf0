"""Table that publishes complete rounds as events in order; each payload is kept as it was sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from controller.common.tlog.note import SigningKey
from controller.floor.pit.database import Database
from controller.floor.pit.store_writer import Pit
from controller.floor.uplink import wire

BEGIN = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
AT = "2026-11-22T21:00:00.000Z"
"""Time of the pit's clock."""
CROSS = ("down_far", "across_left", "middle", "across_right", "down_near")
SPECTATED = {"cross": {}, "bonus_cards": None, "seats": []}


def pit(name: str = "pit", key: SigningKey | None = None) -> Pit:
    return Pit(name, "UTC", key, lambda: AT, lambda: 1_795_381_200, lambda: 0.0)


def sums_between(database: Database, first: str, last: str) -> list[tuple[str, str, str, str, int]]:
    """Return (table, hour, dealer, name, amount) for the hours from `first` to `last`, both included."""
    query = "SELECT name, hour, dealer, what, amount FROM sums WHERE hour BETWEEN ? AND ? ORDER BY name, hour"
    return [(n, h, d, w, int(a)) for n, h, d, w, a in database.rows(query, (first, last))]


class Table:
    """Publisher of one table. `payloads`: all published events, in order."""

    def __init__(self, name: str = "CC-01", stream: str = "0a1b2c3d") -> None:
        self.name, self.stream = name, stream
        self.payloads: list[bytes] = []
        self.round, self.ms = 1, 0
        self.row = 0
        """Row of the journal after which its stream begins."""

    @property
    def topic(self) -> str:
        return wire.topic(self.name, "events")

    def utc(self) -> str:
        at = BEGIN + timedelta(milliseconds=self.ms)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def add_event(self, kind: str, after_ms: int = 1000, **facts: Any) -> bytes:
        """Publish one more event."""
        self.ms += after_ms
        number = len(self.payloads) + 1
        event = wire.event(
            self.name, self.stream, number, kind=kind, row=self.row + number, part="1", utc=self.utc(),
            data={"round": self.round, "ms": self.ms, **facts},
        )  # fmt: skip
        self.payloads.append(wire.packed(event))
        return self.payloads[-1]

    def phases(self, *names: str, each_ms: int = 5000) -> None:
        for name in names:
            self.add_event("phase", each_ms, phase=name)

    def play(self, dealer: str = "0077", wrong: tuple[str, ...] = ()) -> None:
        """Play a round: seat 3 bets and loses an ante and an Across bet of $10, and wins $30 on Middle."""
        if self.round == 1:
            self.add_event("signed_on", who=dealer)
        self.phases("betting")
        self.add_event("bets_closed")
        self.add_event("laid", seat=3, wagers={"ante_across": 1000, "ante_down": 1000})
        self.phases("dealing", "across")
        self.add_event("dealt", places=["middle", "across_left"], number=2)
        self.add_event("bet", seat=3, wager="across", amount=1000)
        self.phases("settlement")
        self.add_event("turned", places=["middle"], faces={"middle": "KH"})
        for n, code in enumerate(wrong, 1):
            self.add_event("alert", id=n, code=code, seat=3, wager="across")
            self.add_event(
                "alert_over", id=n, code=code, seat=3, wager="across", over="signed", by="F12", stood=900
            )
        self.add_event("settled", seat=3, wager="across", result="lose", amount=1000)
        self.add_event("record", record=self.record(dealer, wrong))
        self.phases("clearing")
        self.round += 1

    def record(self, dealer: str = "0077", wrong: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the record of a round in the form that a screen may show."""
        begun = self.utc()
        return {
            "type": "round", "table": self.name, "round": self.round, "rules": "pennsylvania",
            "rules_digest": "0" * 64, "method": "automated_shoe", "dealer": dealer,
            "dealers": [{"number": dealer, "from": begun}], "started": begun, "ended": begun,
            "deck": {"back": "red", "after": "reshuffled"},
            "stub": {"expected": None, "shoe": None, "counted": None}, "outcome": "settled", "void": None,
            "cross": {place: "KH" if place == "middle" else None for place in CROSS},
            "bonus_cards": None, "set_aside": 0,
            "settlement_order": [[3, "across"], [3, "ante_across"], [3, "middle"]],
            "irregularities": [
                {"code": code, "phase": "settlement", "seat": 3, "wager": "across", "citation": "§ 1",
                 "resolved": True} for code in wrong
            ],
            "corrections": [],
            "seats": [{
                "seat": 3, "player": "3", "cards": [None, None], "folded_at": None, "forfeited": None,
                "hands": {}, "paid": 3000, "taken": 2000,
                "wagers": {
                    "ante_across": wager(1000, "lose"), "ante_down": wager(1000, "push"),
                    "across": wager(1000, "lose"), "middle": wager(1000, "win", 3000),
                },
            }],
        }  # fmt: skip

    def state(self, how: str = "here", **other: Any) -> bytes:
        fields = {"format": 1, "table": self.name, "stream": self.stream, "state": how, "time": self.utc(),
                "sequence": len(self.payloads), "program": "test", "speaker": "ab" * 8, **other}  # fmt: skip
        return wire.packed(wire.State.model_validate(fields))

    def felt(self, **felt: Any) -> bytes:
        fields = {"format": 1, "table": self.name, "stream": self.stream, "sequence": len(self.payloads),
                "time": self.utc(), "felt": {**SPECTATED, **felt}, "floor": {}}  # fmt: skip
        return wire.packed(wire.Felt.model_validate(fields))


def played() -> Table:
    """Return a table that has published one round."""
    table = Table()
    table.play()
    return table


def wager(amount: int, result: str, payout: int = 0) -> dict[str, Any]:
    odds = payout // amount if payout else None
    return {
        "amount": amount,
        "result": result,
        "odds": odds,
        "payout": payout,
        "uncut": payout,
        "verified": True,
    }
