"""Everyday business around a round: change in a circle, chips carried across one, tips, buy-ins, a relief.

Nobody wins or loses by any of it: each act leaves purses, circles and tray with the same totals, and the
table must keep no alert for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.game.model.events import Chip, DealerRelieved, DealerSignedOn, Reported
from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY, SEATS, Circle, Phase, Wager
from controller.game.model.state import Alert
from tests.physical.mischief import Mischief
from tests.physical.table import Wrong, worth


class Business(Mischief):
    """Those at the table, who also change chips, tip and relieve each other."""

    def business(self) -> bool:
        """One act, where any is possible. Whether it was done."""
        acts: tuple[Callable[[], bool], ...] = (
            self.exchange, self.exchange, self.carry_across, self.lay_between, self.relieve,
        )  # fmt: skip
        act = self.dice.choice(acts)
        done = act()
        if done:
            self.count(f"business: {act.__name__.replace('_', ' ')}")
        return done

    # ------------------------------------------------------------------ chips of a circle

    def _holds(self, circle: Circle, chips: Sequence[Chip]) -> None:
        self.felt.circles[circle] = list(chips)
        self.felt.read(circle)
        self.felt.wait(self.dice.choice([1, 40, 150, 500]))

    def _wrong_at(self, circle: Circle) -> bool:
        suspected = circle.key in self.state.suspects
        return suspected or any((alert.seat, alert.wager) == circle for alert in self.state.alerts)

    def exchange(self) -> bool:
        """Change chips of a circle for others of the same total. Nothing of a wager that is taken is changed,
        and for one that is paid the old chips leave first (the dealer's manual). None are changed while a
        circle is in question: an alert that comes then is not of the change."""
        if self.state.suspects:
            return False
        for circle in self.some():
            where, verb = self.step(circle)
            old, total = self.felt.circles[circle], self.felt.amount(circle)
            asked = where == "collect" or (verb == "take" and where != "done")
            if asked or self._wrong_at(circle) or total % 100 or self.felt.trays(circle):
                continue
            new = [self.felt.chip(cents) for cents in self._others(old)]
            if sorted(chip.cents or 0 for chip in new) == sorted(chip.cents or 0 for chip in old):
                continue
            phase = self.state.phase
            first = where in ("open", "later") or self.dice.random() < 0.5
            self._holds(circle, [] if first else [*old, *new])
            self._holds(circle, new)
            self.felt.tray.extend(old)
            self.felt.wait()
            if self.state.phase is phase and self._wrong_at(circle):
                raise Wrong(f"change at {circle} ({where} {verb}) leaves {self.state.alerts}")
            return True
        return False

    def _others(self, old: Sequence[Chip]) -> list[int]:
        """Values of the same total that are not the old ones, as far as there are such chips."""
        values = sorted(chip.cents or 0 for chip in old)
        fewest = sorted(self.felt._made_of(worth(old)))
        return fewest if fewest != values or len(values) > 40 else self._smaller(values)

    @staticmethod
    def _smaller(values: Sequence[int]) -> list[int]:
        steps = {100_000: 50_000, 50_000: 10_000, 10_000: 2_500, 2_500: 500, 500: 100}
        *rest, big = values
        part = steps.get(big, big)
        return [*rest, *[part] * (big // part)]

    def carry_across(self) -> bool:
        """A stack is carried over a circle: its reader sees it for less than 0.4 s."""
        circles = [circle for circle in self.felt.circles if circle not in self.felt.dead]
        circle = self.dice.choice([c for c in circles if c.wager in self.offered])
        where, verb = self.step(circle)
        paid = where == "open" and verb == "pay"  # as many chips as are due there count as the payout
        if self.state.phase not in IN_PLAY or self._wrong_at(circle) or self.felt.trays(circle) or paid:
            return False
        there = list(self.felt.circles[circle])
        self.felt.circles[circle] = [*there, *(self.felt.chip(500) for _ in range(self.dice.randint(1, 5)))]
        phase = self.state.phase
        self.felt.read(circle)
        self.felt.wait(self.dice.choice([1, 100, 350]))
        self.felt.circles[circle] = there
        self.felt.read(circle)
        self.felt.wait()
        if self.state.phase is phase and self._wrong_at(circle):
            raise Wrong(f"chips carried across {circle} leave {self.state.alerts}")
        return True

    def answer(self, alert: Alert, how: str) -> None:
        """Chips too many are sometimes named a tip first: a word that moves no money."""
        event = Reported(Code.NOT_A_WAGER, seat=alert.seat, wager=alert.wager)
        if self.dice.random() < 0.3 and self.felt.may(event):
            self.felt.event(event)
            self.count("business: called a tip")
            named = (now for now in self.money_alerts() if self.at(now) == self.at(alert))
            alert = next(named, alert)
        super().answer(alert, how)

    def lay_between(self) -> bool:
        """A buy-in lies in a circle for a moment while no round is played."""
        if self.state.phase not in (Phase.SHUFFLE, Phase.OPENING):
            return False
        circle = Circle(self.dice.choice(list(SEATS)), self.dice.choice(list(Wager)))
        if circle in self.felt.dead or self.felt.circles[circle]:
            return False
        self._holds(circle, [self.felt.chip(10_000)])
        if self._wrong_at(circle):
            raise Wrong(f"a buy-in in {circle} leaves {self.state.alerts}")
        self._holds(circle, [])
        return True

    # ------------------------------------------------------------------ dealers

    def relieve(self) -> bool:
        """One dealer goes and another signs on, in any phase."""
        before = self.state.alerts
        if self.felt.may(DealerRelieved()):
            self.felt.event(DealerRelieved())
        self.felt.event(DealerSignedOn(f"D{self.dice.randint(1, 9)}"))
        if len(self.state.alerts) > len(before) and not self.state.suspects:
            raise Wrong(f"a relief leaves {self.state.alerts}")
        return True
