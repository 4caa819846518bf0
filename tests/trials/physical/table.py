"""Chips, purses, a tray and circles, independent of the ledger: the true place of every chip.

This module does not read the ledger. A chip has a UID, a value and one place. After each movement the circles
concerned are read if their readers work. Coins pay amounts that chips cannot make.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from controller.game.model import events
from controller.game.model.effects import CommandShoe, CorrectRecord, WriteRecord
from controller.game.model.names import IN_PLAY, SEATS, Circle, Key, Method, Phase, Wager
from controller.game.model.rules import RulePack
from tests.game.felt import Felt
from tests.trials.physical.readers import Readers

VALUES = (100_000, 50_000, 10_000, 2_500, 500, 100)
TRAY: Literal["tray"] = "tray"
Place = Circle | int | Literal["tray"]
"""A circle, the purse of a seat, or the tray."""
BOOKS = (*IN_PLAY, Phase.VOID)


def worth(chips: Iterable[events.Chip]) -> int:
    return sum(chip.cents or 0 for chip in chips)


def short(event: events.Event) -> str:
    if isinstance(event, events.CircleRead):
        return f"read {event.seat} {event.wager} {worth(event.chips)}"
    if isinstance(event, events.KeyPressed):
        return f"press {event.key}"
    return str(event)


class Wrong(AssertionError):
    """Raised if the table's result differs from the true movements of chips. The message lists the last
    events."""


class PhysicalTable(Felt):
    """Table on which the place of every chip is known. `flow_p`, `flow_t`: net cents that hands have moved
    from each circle to its player, and to the tray."""

    def __init__(
        self,
        rules: RulePack,
        method: Method,
        dice: random.Random,
        readers: Readers | None = None,
        **settings: Any,
    ) -> None:
        """`readers`: readers that show each content before it is read; None: contents are read at once."""
        self.dice = dice
        self._readers = readers
        if readers is not None:
            readers.clear()
        self.circles: dict[Circle, list[events.Chip]] = {Circle(s, w): [] for s in SEATS for w in Wager}
        self.purses: dict[int, list[events.Chip]] = {seat: [] for seat in SEATS}
        self.coins: dict[int, int] = dict.fromkeys(SEATS, 0)
        self.tray: list[events.Chip] = []
        self.dead: set[Circle] = set()
        self.flow_p: dict[Circle, int] = {}
        self.flow_t: dict[Circle, int] = {}
        self.loose: dict[int, int] = {}
        """Cents that the tray gave a seat by hand without using a circle."""
        self.log: list[str] = []
        self.late: list[Mapping[str, Any]] = []
        """Corrections of the record of the round that has just ended."""
        super().__init__(rules, method, **settings)
        for seat in SEATS:
            self.purses[seat] = [self.chip(value) for value in VALUES[2:] for _ in range(8)]

    # ------------------------------------------------------------------ events

    def pause(self) -> None:
        """Let the time of a quick or a slow person pass before the next act. A difference may end before the
        table reports it."""
        self._pass(self.dice.choice([1, 1, 20, 150, 350, 900]))

    def event(self, event: events.Event, after_ms: int = 1) -> None:
        self._pass(after_ms)
        self._take(event, self.ms)
        if self.commands and self.commands[-1].command == "SHUFFLE":
            self.commands.clear()
            self.shuffled()

    def _pass(self, ms: int) -> None:
        self.ms += ms
        while (due := self.table.next_deadline()) is not None and due <= self.ms:
            self._take(events.TimePassed(), due)
            if self.table.next_deadline() == due:
                break

    def _take(self, event: events.Event, ms: int) -> None:
        refusal = self.table.verify(event)
        if refusal is not None:
            raise Wrong(f"{event} in {self.phase} refused: {refusal}")
        self.log.append(f"{self.phase.value}: {short(event)}")
        for effect in self.table.handle(event, events.Stamp(max(ms, self.table._context.ms), f"at {ms}")):
            if isinstance(effect, WriteRecord):
                self.records.append(effect.record)
            elif isinstance(effect, CommandShoe):
                self.commands.append(effect)
            elif isinstance(effect, CorrectRecord):
                self.late.append(effect.entry)
        self._balanced()

    def _balanced(self) -> None:
        state = self.table.state
        if state.hold is not None and state.hold.code == "unbalanced":
            raise Wrong("unbalanced")
        if state.round is None or state.play_phase not in BOOKS:
            return
        for circle in state.round.ledger.circles():
            row, holding = state.round.ledger.row(circle), state.holding(*circle)
            if row.sum or (holding.readable and holding.amount != row.circle):
                raise Wrong(f"the books of {circle}: {row}, {holding.amount} lie there")

    def may(self, event: events.Event) -> bool:
        return self.table.verify(event) is None

    def try_press(self, key: Key) -> bool:
        """Press a key for the current prompt. The table refuses a press for an earlier prompt, as the pages
        do (controller/ARCHITECTURE.md "Acts and their subjects")."""
        read = self.table.prompt()
        self._pass(1)
        if self.table.prompt() != read or not self.may(events.KeyPressed(key)):
            return False
        self.event(events.KeyPressed(key), 0)
        return True

    def wait(self, ms: int = 500) -> None:
        self.event(events.TimePassed(), ms)

    # ------------------------------------------------------------------ chips

    def amount(self, circle: Circle) -> int:
        return worth(self.circles[circle])

    def wealth(self, seat: int) -> int:
        """Return all cents of a seat, in its purse and its circles."""
        lies = sum(self.amount(Circle(seat, wager)) for wager in Wager)
        return worth(self.purses[seat]) + self.coins[seat] + lies

    def pile(self, place: Place) -> list[events.Chip]:
        if isinstance(place, Circle):
            return self.circles[place]
        return self.tray if place == TRAY else self.purses[place]  # type: ignore[index]

    def draw(self, place: Place, cents: int) -> list[events.Chip]:
        """Take chips worth `cents` from a place, the topmost first. If they do not make the amount, a chip is
        changed."""
        pile, drawn = self.pile(place), []
        for chip in sorted(pile, key=lambda chip: -(chip.cents or 0)):
            if chip.cents is not None and chip.cents <= cents:
                drawn.append(chip)
                cents -= chip.cents
            if not cents:
                break
        for chip in drawn:
            pile.remove(chip)
        if cents:
            drawn += self._changed(place, pile, cents)
        return drawn

    def _changed(self, place: Place, pile: list[events.Chip], cents: int) -> list[events.Chip]:
        """Change a chip that is too large at the tray, which is refilled from the cage. Returns chips of the
        amount."""
        made = [self.chip(value) for value in self._made_of(cents)]
        if place == TRAY:
            return made
        big = min((c for c in pile if (c.cents or 0) > cents), key=lambda c: c.cents or 0, default=None)
        if big is None or big.cents is None:
            raise Wrong(f"{place} has no {cents}")
        pile.remove(big)
        self.tray.append(big)
        pile.extend(self.chip(value) for value in self._made_of(big.cents - cents))
        return made

    @staticmethod
    def _made_of(cents: int) -> list[int]:
        values = []
        for value in VALUES:
            count, cents = divmod(cents, value)
            values += [value] * count
        if cents:
            values.append(cents)  # a coin, if a limit reduces the payout to an amount that no chips make
        return values

    def move(self, source: Place, to: Place, cents: int, about: Circle | None = None) -> None:
        """Move chips worth `cents` from one place to another. `about`: the circle that a movement between
        purse and tray concerns."""
        if cents <= 0 or source == to:
            return
        chips = self.draw(source, cents)
        self.pile(to).extend(chips)
        self.log.append(f"   {source} -> {to}: {cents}")
        for place, sign in ((source, 1), (to, -1)):
            if isinstance(place, Circle):
                other = to if sign > 0 else source
                self._flow(place, other, sign * cents)
        if not isinstance(source, Circle) and not isinstance(to, Circle):
            self._by_hand(source, to, cents, about)
        self.read(*(place for place in (source, to) if isinstance(place, Circle)))

    def _flow(self, circle: Circle, other: Place, cents: int) -> None:
        """Add a movement to `flow_p` or `flow_t`. A movement between two circles counts as two movements
        through the tray, since the house may carry chips."""
        mine = isinstance(other, int)
        flow = self.flow_p if mine else self.flow_t
        if mine and other != circle.seat:
            raise Wrong("a hand in another's circle")
        flow[circle] = flow.get(circle, 0) + cents

    def _by_hand(self, source: Place, to: Place, cents: int, about: Circle | None) -> None:
        seat, sign = (to, 1) if source == TRAY else (source, -1)
        if about is None:
            self.loose[seat] = self.loose.get(seat, 0) + sign * cents  # type: ignore[index, arg-type]
            return
        self.flow_p[about] = self.flow_p.get(about, 0) + sign * cents
        self.flow_t[about] = self.flow_t.get(about, 0) - sign * cents

    def give_coins(self, circle: Circle, cents: int) -> None:
        self.coins[circle.seat] += cents
        self.flow_p[circle] = self.flow_p.get(circle, 0) + cents
        self.flow_t[circle] = self.flow_t.get(circle, 0) - cents

    # ------------------------------------------------------------------ readers

    def read(self, *circles: Circle) -> None:
        for circle in circles:
            if circle not in self.dead:
                chips = tuple(sorted(self.circles[circle], key=lambda chip: chip.uid))
                if self._readers is not None:
                    self._readers.show(circle, chips)
                self.event(events.CircleRead(circle.seat, circle.wager, chips))

    def die(self, circle: Circle) -> None:
        self.dead.add(circle)
        self.event(events.CircleUnreadable(circle.seat, circle.wager, "silent"))

    def live(self, circle: Circle) -> None:
        self.dead.discard(circle)
        self.read(circle)

    def read_all(self) -> None:
        """Read all circles after a start; each reader reports its chips, or that it cannot read."""
        for circle in self.circles:
            if circle in self.dead:
                self.event(events.CircleUnreadable(circle.seat, circle.wager, "silent"))
            else:
                self.read(circle)

    # ------------------------------------------------------------------ public knowledge

    def wager(self, circle: Circle) -> int:
        """Return the wager in a circle, in cents, as the table knows it."""
        round_ = self.table.state.round
        box = round_.seats.get(circle.seat) if round_ else None
        return int(box.wagers.get(circle.wager, 0)) if box else 0

    def players(self, circle: Circle) -> int:
        """Return the net cents that the player has put into a circle."""
        return -self.flow_p.get(circle, 0)

    def trays(self, circle: Circle) -> int:
        """Return the net cents that the tray has put into a circle; negative if it took more."""
        return -self.flow_t.get(circle, 0)
