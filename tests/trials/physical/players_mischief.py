"""Players who take, add and lay chips when they must not, and the circles where this can be detected."""

from __future__ import annotations

from controller.game.books import dues
from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY, SEATS, Circle, Phase, Wager
from tests.trials.physical.people import People


class PlayersMischief(People):
    """Players who also move chips when they must not, and queries for the circles where that can be
    detected."""

    # ------------------------------------------------------------------ circles by possible mischief

    def step(self, circle: Circle) -> tuple[str, str]:
        """Return the stage of a circle in the settlement, and the verb of its step ("" if it has none)."""
        where, step = dues.stage(self.state, circle)
        return where, step.verb if step else ""

    def some(self, *, full: bool = True, players: bool = False) -> list[Circle]:
        """Return circles of the round whose readers work, in random order. `full`: circles with chips, else
        those without; `players`: leave out those in which a player's hand is not noticed."""
        if self.state.phase not in IN_PLAY or self.state.round is None:
            return []
        found = [
            circle
            for circle, chips in self.felt.circles.items()
            if bool(chips) is full and circle not in self.felt.dead and circle.wager in self.offered
            and not (players and self.hidden(circle))
        ]  # fmt: skip
        self.dice.shuffle(found)
        return found

    @property
    def offered(self) -> tuple[Wager, ...]:
        return tuple(w for w in Wager if "bonus" not in w or w in self.felt.pack.bonuses)

    def hidden(self, circle: Circle) -> bool:
        """Return whether the table would take a player's hand in a circle for the dealer's, so that cheating
        there is not noticed (`HIDDEN` in mischief.py)."""
        where, verb = self.step(circle)
        return where == "collect" or (where in ("open", "later") and verb in ("take", "pay"))

    # ------------------------------------------------------------------ players

    def part(self, circle: Circle) -> int:
        """Return all cents in the circle, or at random the value of one chip there."""
        whole = self.felt.amount(circle)
        return whole if self.dice.random() < 0.5 else min(c.cents or 0 for c in self.felt.circles[circle])

    def pinch(self) -> bool:
        for circle in self.some(players=True):
            # the circle also has chips of the house, so this is one of `HIDDEN`
            laid = self.felt.flow_t.get(circle, 0)
            if self.step(circle)[0] != "done" and circle.seat in self.state.round.seats and not laid:
                self.felt.move(circle, circle.seat, self.part(circle))
                return True
        return False

    def cap(self) -> bool:
        for circle in self.some(players=True):
            # chips added to a settled push are one of `HIDDEN`: no reader can tell
            again = self.state.round.ledger.row(circle).settled is not None
            if self.step(circle)[0] != "done" and not again:
                if self.state.phase is Phase.SETTLEMENT:
                    self.owns.add(circle)
                self.felt.move(circle.seat, circle, self.dice.choice([100, 500, self.felt.amount(circle)]))
                return True
        return False

    def late(self) -> bool:
        for circle in self.some(full=False, players=True):
            if self.step(circle)[0] == "none":
                if self.state.phase is Phase.SETTLEMENT:
                    self.owns.add(circle)
                self.felt.move(circle.seat, circle, self.dice.choice([100, 500, 1000]))
                return True
        return False

    def grab_and_leave(self) -> bool:
        if self.state.phase not in IN_PLAY:
            return False
        seat = self.dice.choice(list(SEATS))
        event = events.Reported(Code.PLAYER_LEFT, seat=seat)
        if not self.felt.may(event):
            return False
        for circle in self.some(players=True):
            if circle.seat == seat and self.dice.random() < 0.5 and self.step(circle)[0] != "done":
                self.felt.move(circle, seat, self.part(circle))
        self.felt.event(event)
        return True

    def take_up(self) -> bool:
        for circle in self.some():
            if self.step(circle)[0] == "done" and dues.seat_done(self.state.round, circle.seat):
                if any((a.seat, a.wager) == circle for a in self.money_alerts()):
                    continue
                self.felt.move(circle, circle.seat, self.part(circle))
                return True
        return False

    def take_up_early(self) -> bool:
        """Take up a push or a win, settled or next to be settled, before the whole seat is settled."""
        for circle in self.some(players=True):
            where, verb = self.step(circle)
            if any((a.seat, a.wager) == circle for a in self.money_alerts()):
                continue
            if where == "done" or (where in ("open", "later") and verb == "push"):
                self.felt.move(circle, circle.seat, self.felt.amount(circle))
                return True
        return False
