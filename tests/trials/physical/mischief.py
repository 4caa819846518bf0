"""Faults at a table: players who take and add chips, a dealer who errs, cards, devices, voids.

Faults that no reader can distinguish from correct acts are kept from the simulated people: see `HIDDEN`.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from controller.game.books import dues
from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.irregularities import Code, DealerReport
from controller.game.model.names import IN_PLAY, PLAYING, Circle, Key, Method, Phase
from controller.game.model.plan import Step
from controller.game.model.procedures import PROCEDURES
from controller.game.phases.decisions import DECISIONS
from controller.game.phases.settlement import due_step
from controller.game.rulebook.faces import shown_places
from tests.trials.physical.players_mischief import PlayersMischief
from tests.trials.physical.table import TRAY, PhysicalTable

HIDDEN = (
    "a losing wager pinched by its player while it is to be taken",
    "chips of a payout, or laid on a push, pinched or added by the player before it is settled",
    "a player's own chip added to a wager whose cards are known and that wins",
    "winnings that are paid and swept again",
    "chips swept that are no wager, or none yet, and a wager with such chips swept as one",
    "a hand that is under way when the screen changes",
    "chips changed on a wager that is to be paid just as much",
    "two opposite movements between two readings, and any in a circle that no reader reads",
    "chips that come to a wager less than 0.4 s before as many are taken from it",
    "a floorperson's signature that chips are the player's which the dealer has said to be in the tray",
)
"""Faults that no reader can distinguish from correct acts. The simulated people make none of them."""


class Mischief(PlayersMischief):
    """People who also err and cheat. `budget`: number of errors that they may still make in this round."""

    def __init__(self, felt: PhysicalTable, dice: random.Random) -> None:
        super().__init__(felt, dice)
        self.budget = 0

    def err(self) -> bool:
        """Make one random error if one is possible. Return whether one was made."""
        acts: tuple[Callable[[], bool], ...] = (
            self.pinch, self.pinch, self.cap, self.late, self.grab_and_leave, self.take_up,
            self.take_up_early, self.sweep, self.sweep, self.overlay, self.wrong_circle,
            self.from_a_neighbour, self.sweep_in_passing,
            self.short, self.over, self.left, self.early_step, self.early_step,
            self.double_tap, self.undo, self.wrong_card, self.void, self.blind, self.see_one, self.restart,
        )  # fmt: skip
        act = self.with_a_fold if self._fold_waits() and self.dice.random() < 0.5 else self.dice.choice(acts)
        done = act()
        if done:
            self.count(act.__name__.replace("_", " "))
        return done

    # ------------------------------------------------------------------ the dealer's hands

    def dealing_hands(self) -> bool:
        return self.state.round is not None and dues.is_settling(self.state) and self.state.hold is None

    def sweep(self) -> bool:
        """Sweep a circle that is not to be taken: a push, a wager of another seat, or one that is due
        later."""
        if not self.dealing_hands():
            return False
        for circle in self.some():
            where = self.step(circle)[0]
            due = min(self.stake(circle), self.felt.wager(circle))
            had = where == "collect" and self.felt.trays(circle) <= -due
            if where not in ("done", "none") and not had and self.untouched(circle):
                self.felt.move(circle, TRAY, self.part(circle))
                return True
        return False

    def _fold_waits(self) -> bool:
        """Return whether a player has folded and the dealer has not touched the chips that are to be taken
        for it."""
        round_ = self.state.round
        if round_ is None or self.state.hold is not None or self.state.phase not in DECISIONS:
            return False
        taken = list(dues.to_collect(round_))
        return bool(taken) and not any(
            c in self.felt.dead or self.felt.trays(c) or self.felt.amount(c) != self.felt.wager(c)
            for c in taken
        )

    def with_a_fold(self) -> bool:
        """Take the chips of a fold together with a neighbour's, or let the neighbour pinch at the same time.
        The movements are so close that readers report them in any order."""
        if not self._fold_waits():
            return False
        taken = list(dues.to_collect(self.state.round))
        swept = [c for c in self.some() if self.step(c)[0] == "rest" and self.untouched(c)][
            : self.dice.randint(1, 3)
        ]
        if not swept:
            return False
        who = TRAY if self.dice.random() < 0.6 else None
        motion = [*((c, TRAY) for c in taken), *((c, who or c.seat) for c in swept)]
        self.dice.shuffle(motion)
        for circle, to in motion:
            self.felt.move(circle, to, self.felt.amount(circle))
            self.felt.wait(self.dice.choice([1, 5, 40, 300]))
            if self.state.phase not in DECISIONS:
                break
        self.count(f"with a fold: {'swept' if who else 'pinched'}")
        return True

    def sweep_in_passing(self) -> bool:
        """Take the chips of a wager while nothing is due there. The ledger then assumes that the player took
        them."""
        if self.state.phase not in DECISIONS or self.state.hold is not None:
            return False
        for circle in self.some():
            if self.step(circle)[0] == "rest" and self.untouched(circle) and not self.felt.trays(circle):
                self.felt.move(circle, TRAY, self.felt.amount(circle))
                return True
        return False

    def overlay(self) -> bool:
        """Lay chips of the tray on a push or on a settled wager."""
        if self.state.phase is not Phase.SETTLEMENT:
            return False
        for circle in self.some():
            where, verb = self.step(circle)
            if (where == "done" and self.untouched(circle)) or verb == "push":
                self.felt.move(TRAY, circle, self.dice.choice([100, 500, 1000]))
                return True
        return False

    def untouched(self, circle: Circle) -> bool:
        return self.felt.players(circle) == self.felt.wager(circle)

    def due(self) -> Step | None:
        step = due_step(self.state)
        return None if step is None or Circle(step.seat, step.wager) in self.felt.dead else step

    def _paying(self) -> tuple[Circle, int] | None:
        prompt = self.felt.table.prompt() if self.state.phase is Phase.SETTLEMENT else None
        if prompt is None or prompt.kind != "pay" or (prompt.amount or 0) < 200 or (prompt.amount or 0) % 100:
            return None
        circle = self.at(prompt)
        unseen = circle in self.felt.dead or circle.key in self.state.suspects
        return None if unseen else (circle, prompt.amount or 0)

    def short(self) -> bool:
        found = self._paying()
        if found is None:
            return False
        circle, amount = found
        self.felt.move(TRAY, circle, amount - self.dice.choice([100, 100 * (amount // 200)]))
        self.confirm_at(circle)
        return True

    def over(self) -> bool:
        found = self._paying()
        if found is None:
            return False
        self.felt.move(TRAY, found[0], found[1] + self.dice.choice([100, 500]))
        return True

    def wrong_circle(self) -> bool:
        found = self._paying()
        if found is None:
            return False
        others = [c for c in (*self.some(), *self.some(full=False)) if c != found[0] and not self.hidden(c)]
        others = [c for c in others if self.step(c)[0] != "done" or self.untouched(c)]
        if not others:
            return False
        circle = self.dice.choice(others)
        if circle.seat not in self.state.round.seats:
            self.owns.add(circle)  # nobody plays there, so the chips count as wagers of the next round
        self.felt.move(TRAY, circle, found[1])
        return True

    def from_a_neighbour(self) -> bool:
        """Pay with chips from a circle of another seat at which nothing is due, in place of the tray's."""
        found = self._paying()
        if found is None:
            return False
        others = [c for c in self.some() if c.seat != found[0].seat and self.step(c)[0] == "rest"]
        others = [c for c in others if self.felt.amount(c) <= found[1]]
        if not others:
            return False
        self.felt.move(others[0], found[0], self.felt.amount(others[0]))
        return True

    def left(self) -> bool:
        """Press CONFIRM with a losing wager, or a part of it, still in the circle."""
        step, prompt = self.due(), self.felt.table.prompt()
        if step is None or prompt is None or prompt.kind != "take":
            return False
        circle = Circle(step.seat, step.wager)
        if not self.felt.amount(circle):
            return False  # the circle is empty: CONFIRM would report chips that the dealer never got
        if self.dice.random() < 0.5 and self.untouched(circle):
            self.felt.move(circle, TRAY, min((c.cents or 0 for c in self.felt.circles[circle]), default=0))
        self.confirm_at(circle)
        return True

    def confirm_at(self, circle: Circle) -> None:
        """Press CONFIRM unless the screen has another prompt, because the press would then concern another
        circle."""
        now = self.felt.table.prompt()
        if now is not None and (now.seat, now.wager) == circle:
            self.felt.try_press(Key.CONFIRM)

    def early_step(self) -> bool:
        """Take or pay at a circle whose turn in the settlement comes later."""
        if self.due() is None:
            return False
        later = [
            item
            for item in self.state.round.settlement.plan[self.state.round.settlement.cursor + 1 :]
            if isinstance(item, Step) and self.step(Circle(item.seat, item.wager))[0] == "later"
            and Circle(item.seat, item.wager) not in self.felt.dead and item.verb != "push"
        ]  # fmt: skip
        later = [s for s in later if self.untouched(Circle(s.seat, s.wager)) and not s.payout % 100]
        if not later:
            return False
        step = self.dice.choice(later)
        circle = Circle(step.seat, step.wager)
        if self.felt.trays(circle):
            return False
        if step.verb == "take":
            self.felt.move(circle, TRAY, step.amount)
        else:
            self.felt.move(TRAY, circle, step.payout)
        return True

    def double_tap(self) -> bool:
        key = self.dice.choice([Key.CONFIRM, Key.CONFIRM, Key.FOLD, Key.FLOOR])
        prompt = self.felt.table.prompt()
        transfers = ("ask_back", "refund", "collect", "take", "pay", "take_back", "put_back", "return_wager")
        if self.state.phase not in PLAYING or prompt is None or prompt.kind == "confirm_bet":
            return False
        # a transfer that did not happen is not confirmed
        unread = prompt.kind in ("ask_back", "refund") or (
            prompt.kind in transfers and (prompt.wager is None or self.at(prompt) in self.felt.dead)
        )
        if unread or (prompt.kind == "pay" and (prompt.amount or 0) < 100):
            return False
        for _ in range(2):
            now = self.felt.table.prompt()
            if now is None or now.kind not in ("turn", "push", "turn_seat", "take", "pay"):
                break
            if now.kind in ("take", "pay") and (self.at(now) in self.felt.dead or (now.amount or 0) < 100):
                break
            if now.kind == "take" and not self.felt.amount(self.at(now)):
                break
            self.felt.try_press(key)
        return True

    def undo(self) -> bool:
        return self.state.phase in PLAYING and self.felt.try_press(Key.UNDO)

    # ------------------------------------------------------------------ cards, voids, devices

    def _told(self, event: events.Event) -> bool:
        if not self.felt.may(event):
            return False
        self.felt.event(event)
        return True

    def wrong_card(self) -> bool:
        """Report that a card on the felt differs from the screen."""
        round_ = self.state.round
        if round_ is None or self.state.phase not in PLAYING:
            return False
        places = [p for p in shown_places(round_) if p in round_.cards and round_.cards[p].face is not None]
        if not places:
            return False
        face = Card(self.dice.choice([f for f in DECK if f not in round_.deal.set_aside]))
        place = self.dice.choice(sorted(places))
        if self.felt.method is Method.HAND:
            face = self.unseen()
        return face != round_.cards[place].face and self._told(
            events.Reported(Code.CARD_DIFFERS, place=place, face=face)
        )

    def void(self) -> bool:
        round_ = self.state.round
        if round_ is None or self.state.phase not in IN_PLAY:
            return False
        seat = self.dice.choice(sorted(round_.seats))
        choices: list[events.Event] = [
            events.Reported(Code.WRONG_COUNT, seat=seat, number=self.dice.choice([1, 3])),
            events.Reported(Code.COMMUNITY_EXPOSED, place="middle"),
            events.Reported(Code.HOLE_EXPOSED, seat=seat),
            events.Reported(DealerReport.STUB_COUNT, number=20),
            events.Reported(Code.SHUFFLER_FAULT),
            events.Reported(Code.PLAYER_LEFT, seat=seat),
            events.Reported(Code.CARDS_TOUCHED, seat=seat),
            events.FloorDecided("B1", "outcome", outcome=self.dice.choice(["void", "remove_deck"])),
            events.FloorDecided("B1", "forfeit", seat=seat, code=Code.PLAYER_LEFT),
        ]
        if self.felt.method is not Method.HAND:
            choices.append(events.ShoeFaulted("JAM"))
        return self._told(self.dice.choice(choices))

    def blind(self) -> bool:
        """Make the reader of one circle stop answering."""
        if self.state.phase not in (Phase.BETTING, *IN_PLAY, Phase.VOID):
            return False
        circle = self.dice.choice(list(self.felt.circles))
        if circle in self.felt.dead or circle.wager not in self.offered:
            return False
        self.felt.die(circle)
        return True

    def see_one(self) -> bool:
        if not self.felt.dead:
            return False
        self.felt.live(self.dice.choice(sorted(self.felt.dead)))
        return True

    def see(self) -> None:
        """Make every reader that had stopped answer again."""
        for circle in sorted(self.felt.dead):
            self.felt.live(circle)

    def restart(self) -> bool:
        """Restart the daemon; every circle is read again."""
        if self.state.phase not in (*PLAYING, Phase.VOID, Phase.CLEARING):
            return False
        self.felt.event(events.Started(tuple(self.felt.circles), procedures=PROCEDURES))
        self.felt.read_all()
        self.felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
        return True
