"""Corrections by the true holder of the chips: chips put back, and signatures of a floorperson.

An alert states the amount due; the people know the holder of the rest, because they know all movements of
hands.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from typing import Any

from controller.game.books import dues
from controller.game.model.events import FloorDecided
from controller.game.model.irregularities import MONEY
from controller.game.model.names import Circle
from controller.game.model.plan import Step
from controller.game.model.state import Alert
from controller.game.showing.prompts import Prompt
from tests.trials.physical.table import TRAY, PhysicalTable, Place, Wrong


class Mending:
    """Part of the simulated people that corrects errors. `worded`: circles about which a person has made a
    report in the ledger; `counts`: number of acts done, by name."""

    def __init__(self, felt: PhysicalTable, dice: random.Random) -> None:
        self.felt = felt
        self.dice = dice
        self.deck: list[str] = []
        self.worded: set[Circle] = set()
        self.counts: dict[str, int] = {}
        self.kept: dict[Circle, tuple[int, int]] = {}
        """Wager of each circle when a floorperson signed it, and the part of it that stayed with the player,
        in cents."""
        self.signed: dict[Circle, tuple[Step | None, int]] = {}
        """Step of each circle when a floorperson signed it, and the tray's net payment beyond the amount due,
        in cents."""
        self.owns: set[Circle] = set()
        """Circles where a player laid own chips although the cards were known. The chips are handed back,
        since a signature would give them to the house."""

    def stake(self, circle: Circle) -> int:
        """Return the cents that the player should have in a circle: the wager without the part that a
        signature left with the player."""
        wager = self.felt.wager(circle)
        then, kept = self.kept.get(circle, (0, 0))
        return wager - (kept if then == wager else 0)

    def beyond(self, circle: Circle) -> int:
        """Return the cents that the tray may leave in a circle beyond the amount due, because a floorperson
        signed for them. Returns 0 if a corrected card has changed the amount due since."""
        step = dues.stage(self.state, circle)[1]
        then, cents = self.signed.get(circle, (None, 0))
        anew = then is not None and step is not None and then.tray != step.tray
        return 0 if anew else cents

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    @property
    def state(self) -> Any:
        return self.felt.table.state

    @abstractmethod
    def follow(self) -> None:
        """Do once what the table's prompt asks for."""

    @staticmethod
    def at(prompt: Prompt | Alert) -> Circle:
        if prompt.seat is None or prompt.wager is None:
            raise Wrong(f"no circle in {prompt}")
        return Circle(prompt.seat, prompt.wager)

    def money_alerts(self) -> list[Alert]:
        return [a for a in self.state.alerts if a.code in MONEY and a.seat and a.wager]

    def tray_part(self, circle: Circle, code: str) -> int:
        """Return the net cents that the tray should have put into a circle by now, negative if it should have
        taken them. `code`: irregularity of the alert."""
        where, step = dues.stage(self.state, circle)
        signed, taken = self.beyond(circle), self.felt.trays(circle)
        if where == "collect":
            return min(0, max(taken, -self.stake(circle)))
        if step is None:
            return signed
        base = step.tray
        if where == "done" or (where == "open" and step.verb == "pay"):
            return (-self.stake(circle) if base > 0 else -base) + signed
        if step.verb == "take" and code != "settled_out_of_order":
            return max(min(0, taken), -self.stake(circle))
        return signed

    def restore(self, circle: Circle, should: int | None, code: str) -> bool:
        """Put chips back to their owners until `should` cents lie in the circle. Returns whether anything was
        done."""
        felt = self.felt
        if should is None or circle in felt.dead:
            return False
        lacks = should - felt.amount(circle)
        part = self.tray_part(circle, code)
        own = self.stake(circle) - felt.players(circle)
        if self._undo_both(circle, should, code):
            return True
        if code == "underpaid" and circle in self.worded and part == felt.trays(circle) and self.confirm():
            return True  # the missing amount was paid in coins, as the key reports
        if lacks > 0:
            mine = min(lacks, max(0, own))
            house = min(lacks - mine, max(0, part - felt.trays(circle)))
            if code == "underpaid":
                mine, house = 0, lacks
            felt.move(circle.seat, circle, mine)
            felt.move(TRAY, circle, house)
            return bool(mine + house)
        house = min(-lacks, max(0, felt.trays(circle) - part))
        mine = min(-lacks - house, max(0, -own))
        if code in ("wrong_circle", "late_bet"):  # the player takes back own chips before the tray takes any
            mine = min(-lacks, max(0, -own))
            house = min(-lacks - mine, house)
        if code == "losing_bet_left":
            mine, house = 0, -lacks
        felt.move(circle, TRAY, house)
        felt.move(circle, circle.seat, mine)
        if felt.players(circle) <= self.stake(circle) and felt.trays(circle) <= part:
            self.owns.discard(circle)
        return bool(mine + house)

    def _opposite(self, circle: Circle, should: int, code: str = "") -> tuple[int, int] | None:
        """Return the cents that the player and the tray each have to lay at a circle (negative: to take), if
        one of them has laid and the other has taken chips. A reader sees only the sum of two such movements,
        so both have to be undone. Returns None if only one party moved chips. `should`: cents that the circle
        should hold; `code`: irregularity of the alert."""
        own = self.stake(circle) - self.felt.players(circle)
        house = self.tray_part(circle, code) - self.felt.trays(circle)
        two = own * house < 0 and own + house == should - self.felt.amount(circle)
        return (own, house) if two else None

    def _undo_both(self, circle: Circle, should: int, code: str) -> bool:
        """Undo two opposite movements at a circle that should hold `should` cents, the one away from the
        circle first. `code`: irregularity of the alert. Returns whether there were two."""
        parts = self._opposite(circle, should, code)
        if parts is None:
            return False
        own, house = parts
        hands: tuple[tuple[Place, int], ...] = ((circle.seat, own), (TRAY, house))
        for place, cents in sorted(hands, key=lambda hand: hand[1]):
            source, to = (place, circle) if cents > 0 else (circle, place)
            self.felt.move(source, to, abs(cents))
        self.count("two opposite movements undone")
        return True

    def holder(self, circle: Circle, should: int | None) -> str | None:
        """Return who has the chips that a circle lacks to hold `should` cents: `player`, `house`, "" if none
        are missing, or None if both have some."""
        lacks = (should or 0) - self.felt.amount(circle)
        if lacks <= 0:
            return ""
        if dues.stage(self.state, circle)[0] == "done":
            return "house" if self.felt.trays(circle) < self.tray_part(circle, "") else "player"
        own = self.stake(circle) - self.felt.players(circle)
        return "house" if own <= 0 else "player" if own == lacks else None

    def sign(self, circle: Circle) -> bool:
        """Let a floorperson sign the true holder. Return False if one signature cannot express it."""
        should = next((a.should for a in self.money_alerts() if (a.seat, a.wager) == circle), None)
        holder = self.holder(circle, should)
        if should is not None and self._opposite(circle, should):
            return False
        if holder is None or circle in self.owns or circle in self.felt.dead:
            return False  # a signature is not needed: chips that lie there can be returned
        event: Any = FloorDecided(
            "B1",
            "sign",
            seat=circle.seat,
            wager=circle.wager,
            holder=holder,
            reason="counted",  # type: ignore[arg-type]
        )
        if not self.felt.may(event):
            return False
        self.worded.add(circle)
        self.count("signed")
        self._remember(circle)
        self.felt.event(event)
        return True

    def _remember(self, circle: Circle) -> None:
        where, step = dues.stage(self.state, circle)
        wager = self.felt.wager(circle)
        if where == "done":
            part = self.beyond(circle) + self.felt.trays(circle) - self.tray_part(circle, "")
            self.signed[circle] = (step, part)
            return
        self.kept[circle] = (wager, wager - self.felt.players(circle))
        if step is None or step.verb != "take":
            part = self.felt.trays(circle)
            self.signed[circle] = (None, part if where != "open" else min(part, 0))

    def answer(self, alert: Alert, how: str) -> None:
        circle = self.at(alert)
        if circle in self.worded and (alert.should or 0) < self.felt.amount(circle):
            how = "mend"  # a signature would contradict the dealer: the tray has these chips
        mended = how == "mend" and self.restore(circle, alert.should, alert.code)
        if mended:
            self.count("mended by the alert")
        elif not self.sign(circle) and not self.restore(circle, alert.should, alert.code):
            self.follow()
