"""Everyday business around a round: change, fills, buy-ins, tips, bets for the dealer, seats, reliefs.

These acts win or lose no money. `brought` counts the cents that a purse gained or lost without a wager, so
that the rest of its gain must equal the record's. No alert may remain after any of these acts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from controller.game.books import dues
from controller.game.model.events import Chip, DealerRelieved, DealerSignedOn, Reported
from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES, IN_PLAY, SEATS, Circle, Phase, Wager
from controller.game.model.state import Alert
from tests.trials.physical.mischief import Mischief
from tests.trials.physical.table import PhysicalTable, Wrong, worth

PASSING_MS = (1, 100, 350)
"""Times in ms for which a reader sees chips that only pass: less than 0.4 s (config/rules/RULES.md)."""
LYING_MS = (500, 1_500, 3_000)
BETWEEN = (Phase.CLOSED, Phase.OPENING, Phase.SHUFFLE)
BRIEF = (*BETWEEN, Phase.VOID, Phase.CLEARING)
"""Phases in which people have few acts, so that everyday business is more frequent."""


class Business(Mischief):
    """People who also do everyday business: change chips, tip, change seats, relieve each other."""

    def __init__(self, felt: PhysicalTable, dice: random.Random) -> None:
        super().__init__(felt, dice)
        self.brought: Counter[int] = Counter()

    def business(self) -> bool:
        """Do one act with a chance of 1 in 10, or 1 in 3 in a hold or a brief phase. Return whether it was
        done."""
        rare = self.state.hold is not None or self.state.phase in BRIEF
        if self.dice.random() >= (1 / 3 if rare else 0.1):
            return False
        acts: tuple[Callable[[], bool], ...] = (
            self.exchange, self.exchange, self.carry_across, self.fill, self.buy_in_across, self.set_down,
            self.lay_between, self.change_seats, self.join_early, self.relieve,
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
        """Change chips of a circle for others of the same total. Chips of a wager to be taken are not
        changed, and for one to be paid the old chips leave first (the dealer's manual). None are changed
        while a circle is in question, since an alert would then have another cause."""
        if self.state.suspects:
            return False
        for circle in self.some():
            where, verb = self.step(circle)
            old, total = self.felt.circles[circle], self.felt.amount(circle)
            moving = where == "collect" or (verb == "take" and where != "done")
            alike = (where, verb) == ("open", "pay") and total == self._owed(circle)
            if moving or alike or self._wrong_at(circle) or total % 100 or self.felt.trays(circle):
                continue
            new = [self.felt.chip(cents) for cents in self._others(old)]
            if sorted(chip.cents or 0 for chip in new) == sorted(chip.cents or 0 for chip in old):
                continue
            phase = self.state.phase
            first = where in ("open", "later") or self.dice.random() < 0.5
            self._holds(circle, [] if first else [*old, *new])
            self._holds(circle, new)
            self.felt.tray.extend(old)
            self._is_one_movement(circle, old, new)
            self.felt.wait()
            if self.state.phase is phase and self._wrong_at(circle):
                raise Wrong(f"change at {circle} ({where} {verb}) leaves {self.state.alerts}")
            return True
        return False

    def _is_one_movement(self, circle: Circle, old: Sequence[Chip], new: Sequence[Chip]) -> None:
        """Check that a change of chips in a circle was recorded as one movement of exactly these chips."""
        came, left = (Counter(chip.cents or 0 for chip in chips) for chips in (new, old))
        last = self.state.movements[-1] if self.state.movements else None
        seen = last and (last.circle, Counter(last.chips), Counter(last.replaced))
        if seen != (circle, came - left, left - came):
            raise Wrong(f"change at {circle} of {left} for {came} is seen as {last}")

    def _owed(self, circle: Circle) -> int:
        """Return the cents that are due to a wager as its payout, 0 if none. Other chips of that total would
        count as the payout (`HIDDEN`)."""
        step = dues.stage(self.state, circle)[1]
        return step.payout if step else 0

    def _others(self, old: Sequence[Chip]) -> list[int]:
        """Return the values of other chips with the same total, or the same values if no other chips make the
        total."""
        values = sorted(chip.cents or 0 for chip in old)
        fewest = sorted(self.felt._made_of(worth(old)))
        return fewest if fewest != values or len(values) > 40 else self._smaller(values)

    @staticmethod
    def _smaller(values: Sequence[int]) -> list[int]:
        steps = {100_000: 50_000, 50_000: 10_000, 10_000: 2_500, 2_500: 500, 500: 100}
        *rest, big = values
        part = steps.get(big, big)
        return [*rest, *[part] * (big // part)]

    # ------------------------------------------------------------------ chips over a circle

    def _free(self) -> list[Circle]:
        """Return the circles over which other chips may pass without an effect on play, in random order. A
        circle with a due payout is left out, since chips of that amount would count as the payout. There are
        none while another act is unsettled."""
        found = [] if self.state.suspects else [
            circle
            for circle in self.felt.circles
            if circle not in self.felt.dead and circle.wager in self.offered
            and not self._wrong_at(circle) and not self.felt.trays(circle)
            and self.step(circle) != ("open", "pay")
        ]  # fmt: skip
        self.dice.shuffle(found)
        return found

    def _lie(self, circle: Circle, chips: Sequence[Chip], ms: int) -> None:
        """Lay chips on top of a circle for `ms` and lift them again. Raises Wrong if an alert remains."""
        there, phase = list(self.felt.circles[circle]), self.state.phase
        self.felt.circles[circle] = [*there, *chips]
        self.felt.read(circle)
        self.felt.wait(ms)
        self.felt.circles[circle] = there
        self.felt.read(circle)
        self.felt.wait()
        if self.state.phase is phase and self._wrong_at(circle):
            raise Wrong(f"chips on {circle} for {ms} ms leave {self.state.alerts}")

    def _chips(self, cents: int) -> list[Chip]:
        return [self.felt.chip(cents) for _ in range(self.dice.randint(1, 5))]

    def carry_across(self) -> bool:
        """Carry a stack over one circle in play."""
        if self.state.phase not in IN_PLAY or not (free := self._free()):
            return False
        self._lie(free[0], self._chips(500), self.dice.choice(PASSING_MS))
        return True

    def fill(self) -> bool:
        """Carry a fill over several circles on its way to the tray, in any phase."""
        free, chips = self._free(), [self.felt.chip(cents) for cents in (10_000, 2_500, 500)]
        for circle in free[: self.dice.randint(2, 4)]:
            if circle in self._free():
                self._lie(circle, chips, self.dice.choice(PASSING_MS))
        self.felt.tray.extend(chips)
        return bool(free)

    def buy_in_across(self) -> bool:
        """Push the chips of a buy-in over a circle to its player, in any phase."""
        free, chips = self._free(), self._chips(2_500)
        if not free:
            return False
        self._lie(free[0], chips, self.dice.choice(PASSING_MS))
        self.felt.purses[free[0].seat].extend(chips)
        self.brought[free[0].seat] += worth(chips)
        return True

    def set_down(self) -> bool:
        """Set a rack down on a circle for up to 3 s. On a due wager its chips could be a payout or a player's
        (`HIDDEN`)."""
        if self.state.phase not in IN_PLAY or self.state.alerts or self.state.suspects:
            return False
        for circle in self._free():
            if not self.hidden(circle):
                self._lie(circle, [self.felt.chip(100_000)], self.dice.choice(LYING_MS))
                return True
        return False

    def answer(self, alert: Alert, how: str) -> None:
        """Answer an alert; sometimes report excess chips as a tip first, which moves no money."""
        event = Reported(Code.NOT_A_WAGER, seat=alert.seat, wager=alert.wager)
        if self.dice.random() < 0.3 and self.felt.may(event):
            self.felt.event(event)
            self.count("business: called a tip")
            named = (now for now in self.money_alerts() if self.at(now) == self.at(alert))
            alert = next(named, alert)
        super().answer(alert, how)

    def lay_between(self) -> bool:
        """Lay a buy-in in a circle for a moment between rounds."""
        if self.state.phase not in BETWEEN:
            return False
        circle = Circle(self.dice.choice(list(SEATS)), self.dice.choice(list(Wager)))
        if circle in self.felt.dead or self.felt.circles[circle]:
            return False
        self._holds(circle, [self.felt.chip(10_000)])
        if self._wrong_at(circle):
            raise Wrong(f"a buy-in in {circle} leaves {self.state.alerts}")
        self._holds(circle, [])
        return True

    # ------------------------------------------------------------------ players and seats

    def _boxless(self) -> list[int]:
        """Return in random order the seats that are not in the round and have no chips in a circle."""
        boxes = self.state.round.seats if self.state.round else {}
        laid = {circle.seat for circle, chips in self.felt.circles.items() if chips}
        return self.dice.sample(free := [s for s in SEATS if s not in boxes and s not in laid], len(free))

    def change_seats(self) -> bool:
        """Let two players without a wager change seats, with their chips."""
        if len(seats := self._boxless()) < 2:
            return False
        one, other = seats[:2]
        felt, before = self.felt, {seat: self.felt.wealth(seat) for seat in (one, other)}
        felt.purses[one], felt.purses[other] = felt.purses[other], felt.purses[one]
        felt.coins[one], felt.coins[other] = felt.coins[other], felt.coins[one]
        for seat, cents in before.items():
            self.brought[seat] += felt.wealth(seat) - cents
        return True

    def join_early(self) -> bool:
        """Let a new player lay both antes during a round and take them up again."""
        quiet = self.state.phase in IN_PLAY and not self.state.alerts and not self.state.suspects
        if not quiet or not (seats := self._boxless()):
            return False
        circles = [Circle(seats[0], wager) for wager in ANTES]
        if any(circle in self.felt.dead for circle in circles):
            return False
        for circle in circles:
            self.felt.move(circle.seat, circle, 500)
        phase = self.state.phase
        self.felt.wait(self.dice.choice(LYING_MS))
        for circle in circles:
            self.felt.move(circle, circle.seat, 500)
        self.felt.wait()
        if self.state.phase is phase and self.state.alerts:
            raise Wrong(f"antes of a new player at {seats[0]} leave {self.state.alerts}")
        return True

    def bet(self) -> None:
        """Before the close, let a player move with both antes, and one add a bet for the dealer."""
        if self.dice.random() < 0.1 and self.state.phase is Phase.BETTING:
            self._move_with_antes()
        if self.dice.random() < 0.1 and self.state.phase is Phase.BETTING:
            seat = self.dice.choice(list(SEATS))
            for cents in (500, 100):  # the player's own chips, with those for the dealer on top
                for wager in ANTES:
                    self.felt.move(seat, Circle(seat, wager), cents)
            self.count("business: bet for the dealer")
        super().bet()

    def _move_with_antes(self) -> None:
        if len(seats := self._boxless()) < 2:
            return
        circles = [Circle(seats[0], wager) for wager in ANTES]
        for circle in circles:
            self.felt.move(circle.seat, circle, 500)
        self.felt.wait()
        for circle in circles:
            self.felt.move(circle, circle.seat, 500)
        if self.change_seats():
            self.count("business: move with antes")

    # ------------------------------------------------------------------ dealers

    def relieve(self) -> bool:
        """End one dealer's shift, in any phase, even while play is held. The next dealer signs on at once or
        at a later call.
        """
        before, held = len(self.state.alerts), self.state.hold is not None
        gone = self.felt.may(DealerRelieved())
        if gone:
            self.felt.event(DealerRelieved())
        if not gone or self.dice.random() < 0.5:
            self.felt.event(DealerSignedOn(f"D{self.dice.randint(1, 9)}"))
        if len(self.state.alerts) > before and not self.state.suspects:
            raise Wrong(f"a relief leaves {self.state.alerts}")
        if held:
            self.count("business: relieved while held")
        return True
