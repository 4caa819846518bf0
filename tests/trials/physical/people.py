"""Honest people: acts of players, dealer and floorperson after a prompt, an alert or a hold.

They look at the screen and at the chips, never into the ledger. A dealer confirms only transfers that have
happened, and a floorperson signs only the truth.
"""

from __future__ import annotations

from typing import Any

from controller.game.books import dues
from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.irregularities import MONEY, DealerReport
from controller.game.model.names import ANTES, SEATS, Circle, Key, Method, Phase, Wager
from controller.game.phases.voiding import FORFEITS
from controller.game.showing.prompts import Prompt
from tests.trials.physical.mending import Mending
from tests.trials.physical.table import TRAY, Wrong, worth

KEYED = ("confirm_bet", "confirm_fold", "turn", "push", "turn_seat", "turn_bonus", "permit_cards",
         "deal_hand", "load_deck", "cover_device", "open_table")  # fmt: skip


class People(Mending):
    """Honest people at the table, who act on what the screen asks."""

    # ------------------------------------------------------------------ before the deal

    def bet(self) -> None:
        """Lay antes and bonuses within the table's limits for each player, and close the bets."""
        felt, dice = self.felt, self.dice
        for seat in dice.sample(list(SEATS), dice.choice([1, 2, 2, 3, 4, 6])):
            ante = dice.choice([500, 600, 1000])
            for wager in ANTES:
                felt.move(seat, Circle(seat, wager), ante)
            if dice.random() < 0.5:
                bonus = dice.choice([200, 500, 1000])
                for name in felt.pack.bonuses[: dice.randint(1, 2)]:
                    felt.move(seat, Circle(seat, name), bonus)
        if dice.random() < 0.1:
            self._two_boxes()
        felt.press("no_more_bets")

    def _two_boxes(self) -> None:
        first = self.dice.randint(1, 5)
        event = events.FloorDecided("B1", "player", seats=(first, first + 1))
        if self.felt.may(event):
            self.felt.event(event)
            self.count("one patron, two boxes")

    def buy_in(self) -> None:
        """Between rounds refill a purse that runs low, and send the excess of a full one to the cage."""
        for seat, purse in self.felt.purses.items():
            if not 100_000 < worth(purse) < 3_000_000 or len(purse) > 80:
                self.felt.purses[seat] = [self.felt.chip(v) for v in (50_000, 10_000, 2_500, 500, 100) * 8]
        del self.felt.tray[400:]

    # ------------------------------------------------------------------ the prompt

    def follow(self) -> None:
        """Do once what the table's prompt asks for: a key, a card or chips. A stop, a fault of the shoe or a
        closed shoe is put right first."""
        felt = self.felt
        if self.state.hold is not None:
            return self.decide()
        if self.state.shoe.fault is not None:
            return felt.event(events.ShoeFaultCleared(self.state.shoe.fault))
        if not self.state.shoe.up:
            return felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
        if felt.phase is Phase.VOID and any(self._answered(circle) for circle in felt.circles):
            return None
        prompt = felt.table.prompt()
        if prompt is None:
            raise Wrong(f"no prompt in {felt.phase}")
        act = getattr(self, f"_{prompt.kind}", None)
        if prompt.kind in KEYED:
            self.confirm()
        elif act is not None:
            act(prompt)
        else:
            raise Wrong(f"nobody knows {prompt}")
        return None

    def confirm(self) -> bool:
        """Press CONFIRM; wait a moment if it is refused. Return whether it was accepted."""
        done = self.felt.try_press(Key.CONFIRM)
        if not done:
            self.felt.wait()
        return done

    def decide(self) -> None:
        """Decide the hold as the floorperson, with one of the outcomes offered."""
        hold = self.state.hold
        forfeits = [outcome for outcome in hold.outcomes if outcome in FORFEITS]
        outcomes = [outcome for outcome in hold.outcomes if outcome not in FORFEITS]
        if hold.code == "card_differs":
            decision = "approve" if self.dice.random() < 0.85 else "refuse"
            self.count(f"card that differs: {decision}")
            self.felt.event(events.FloorDecided("B1", decision))
        elif forfeits and self.dice.random() < 0.7:
            forfeit = self.dice.choice(forfeits)
            self.count(forfeit)
            self.felt.event(events.FloorDecided("B1", "forfeit", seat=hold.seat, outcome=forfeit))
        else:
            self.felt.event(events.FloorDecided("B1", "outcome", outcome=self.dice.choice(outcomes)))

    # ------------------------------------------------------------------ the deal

    def _deck_needed(self, _prompt: Prompt) -> None:
        self.felt.event(events.DeckBrought(self.dice.choice(["RED", "BLUE"]), preshuffled=True))

    def _opening_step(self, _prompt: Prompt) -> None:
        if not self.felt.try_press(Key.CONFIRM):
            self.felt.floor("sign")

    _cut = _opening_step

    def _signature(self, _prompt: Prompt) -> None:
        self.felt.floor("sign")

    def _bets_open(self, _prompt: Prompt) -> None:
        self.bet()

    def _reading_wait(self, _prompt: Prompt) -> None:
        since = self.felt.table.sweep_since()
        if since is not None:
            self.felt.swept()
        else:
            self.felt.wait()

    def _fix_wagers(self, prompt: Prompt) -> None:
        """Take back all wagers of a seat with an invalid wager."""
        for wager in Wager:
            circle = Circle(prompt.seat or 0, wager)
            self.felt.move(circle, circle.seat, self.felt.amount(circle))

    def _enter_amount(self, prompt: Prompt) -> None:
        self.enter(self.at(prompt))

    def enter(self, circle: Circle) -> None:
        """Enter the amount in a circle without a reading. A 0 entered for an empty circle is no report about
        money."""
        if self.felt.amount(circle):
            self.worded.add(circle)
        self.felt.event(events.AmountEntered(*circle, self.felt.amount(circle)))

    def _next(self) -> str:
        if not self.deck:
            self.deck = list(DECK)
            self.dice.shuffle(self.deck)
        return self.deck.pop()

    def _cards_wait(self, prompt: Prompt) -> None:
        for _ in prompt.places:
            self.card()
            if self.felt.phase is not Phase.DEALING:
                return
        self.felt.event(events.StackCompleted(len(prompt.places)))
        self.felt.event(events.CommandDone("DEAL"))

    def _deal_card(self, _prompt: Prompt) -> None:
        self.card()

    def card(self) -> None:
        if self.state.shoe.out == 0:
            self.deck = []
        self.felt.event(events.CardLeftShoe(self.state.shoe.out + 1, Card(self._next())))

    def _lift_stack(self, _prompt: Prompt) -> None:
        self.felt.event(events.StackTaken())

    def _take_stub(self, prompt: Prompt) -> None:
        if self.felt.method is Method.AUTOMATED_SHOE:
            self.felt.event(events.StubTaken(prompt.amount))
        else:
            self.confirm()

    def _count_stub(self, prompt: Prompt) -> None:
        self.felt.event(events.Reported(DealerReport.STUB_COUNT, number=prompt.amount))

    def _enter_face(self, prompt: Prompt) -> None:
        self.felt.event(events.FaceEntered(prompt.places[0], self.unseen()))

    def unseen(self) -> Any:
        """Return a face of the deck that was not seen in this round."""
        round_ = self.state.round
        known = {dealt.face for dealt in round_.cards.values()} | set(round_.deal.set_aside)
        return self.dice.choice([face for face in DECK if face not in known])

    # ------------------------------------------------------------------ decisions

    def _ask(self, prompt: Prompt) -> None:
        """Let a player decide; correct an invalid bet."""
        circle, felt = self.at(prompt), self.felt
        lies = felt.amount(circle)
        if not lies and self.dice.random() < 0.25:
            felt.press("fold")
            return
        bet = self.dice.choice(prompt.options)
        felt.move(circle.seat, circle, bet - lies)
        felt.move(circle, circle.seat, lies - bet)
        if circle in felt.dead:
            self.enter(circle)
        elif lies == bet:
            self.confirm()

    # ------------------------------------------------------------------ chips by the prompt

    def _collect(self, prompt: Prompt) -> None:
        self._into_the_tray(prompt)

    _take = _collect

    def _take_back(self, prompt: Prompt) -> None:
        """Give a player's own chip, laid where its owner could not be known, to the player instead of the
        tray."""
        circle, felt = self.at(prompt), self.felt
        if felt.phase is Phase.VOID and circle in self.owns:
            felt.move(circle, circle.seat, min(prompt.amount or 0, felt.amount(circle), felt.players(circle)))
            if not felt.amount(circle):
                self._if_dead(circle)
                return
        self._into_the_tray(prompt)

    def _into_the_tray(self, prompt: Prompt) -> None:
        """Put the chips of the circle into the tray. The player hands over missing ones, or the dealer
        reports them as already in the tray."""
        circle, felt = self.at(prompt), self.felt
        amount = prompt.amount or 0
        if felt.amount(circle) > amount and circle.key in self.state.suspects:
            felt.wait()  # more lies there than the screen requests, and the alert has not come yet
        elif felt.amount(circle):
            felt.move(circle, TRAY, min(amount, felt.amount(circle)))
            self._if_dead(circle)
        elif felt.may(events.KeyPressed(Key.CONFIRM)):
            lacks = min(amount, felt.trays(circle) + self.stake(circle))
            if lacks > 0:
                felt.move(circle.seat, TRAY, lacks, circle)
            self.worded.add(circle)
            self.count("said by the dealer")
            self.confirm()

    def _if_dead(self, circle: Circle) -> None:
        """Report the chips in a circle whose reader does not work, by pressing CONFIRM."""
        if circle in self.felt.dead and self.confirm():
            self.worded.add(circle)

    def _pay(self, prompt: Prompt) -> None:
        circle, felt, amount = self.at(prompt), self.felt, prompt.amount or 0
        owed = self.tray_part(circle, "") - felt.trays(circle)
        odd = owed % min(felt.table.settings.chip_values)
        felt.move(TRAY, circle, min(amount, owed) - odd)
        if 0 < odd == self.tray_part(circle, "") - felt.trays(circle):
            felt.give_coins(circle, odd)
            self.worded.add(circle)
        elif (
            owed <= 0 < amount
        ):  # the dealer has paid: the player has the missing part, or it will be read soon
            felt.move(circle.seat, circle, self.stake(circle) - felt.players(circle))
            if self._is_still_due(prompt):
                self.confirm()
        by_word = odd or circle in felt.dead or not amount
        if self._is_still_due(prompt) and by_word and self.confirm() and circle in felt.dead:
            self.worded.add(circle)

    def _is_still_due(self, prompt: Prompt) -> bool:
        now = self.felt.table.prompt()
        return now is not None and (now.kind, now.seat, now.wager) == ("pay", prompt.seat, prompt.wager)

    def _put_back(self, prompt: Prompt) -> None:
        circle = self.at(prompt)
        self.felt.move(TRAY, circle, prompt.amount or 0)
        self._if_dead(circle)

    def _return_wager(self, prompt: Prompt) -> None:
        circle, felt = self.at(prompt), self.felt
        felt.move(circle, circle.seat, min(prompt.amount or 0, felt.amount(circle)))
        if circle in felt.dead and not felt.amount(circle):
            self._if_dead(circle)
        elif circle in felt.dead:  # the chips that remain there are the tray's, and are reported together
            felt.move(circle, TRAY, felt.amount(circle))
            self._if_dead(circle)

    def _ask_back(self, prompt: Prompt) -> None:
        """Let the player put the amount that the screen asks for from the purse into the tray, then
        confirm."""
        about = None if prompt.wager is None else self.at(prompt)
        if about is not None and -self.felt.trays(about) >= self._goal(about) and self.house_has(about):
            return
        if not self.felt.may(events.KeyPressed(Key.CONFIRM)):
            self.felt.wait()
            return
        if about is not None:
            self.worded.add(about)
            has = -self.felt.trays(about)
            goal = self._goal(about)
            if goal - has < (prompt.amount or 0):
                raise Wrong(f"{prompt.amount} asked of {about}, the tray has {has} of {goal}")
        self.felt.move(prompt.seat or 0, TRAY, prompt.amount or 0, about)
        self.count("asked back")
        self.felt.press("confirm")

    def _goal(self, circle: Circle) -> int:
        """Return the net cents that the tray should end up with from a circle, by the cards."""
        where, step = dues.stage(self.state, circle)
        base = step.tray if step else 0
        return self.stake(circle) if where == "collect" or base > 0 else base - self.beyond(circle)

    def _refund(self, prompt: Prompt) -> None:
        """Pay a refund from the tray, as far as the player does not have the chips already. A floorperson
        signs for those that the player has."""
        if self._has_already(prompt.seat or 0):
            return
        self._refunded(prompt)

    def house_has(self, circle: Circle) -> bool:
        """Let the floorperson sign, if possible, that the tray has the missing chips."""
        seat, wager = circle
        event: Any = events.FloorDecided("B1", "sign", seat=seat, wager=wager, holder="house", reason="seen")
        if not self.felt.may(event):
            return False
        self.worded.add(circle)
        self.count("who has it: house")
        self.felt.event(event)
        return True

    def _answered(self, circle: Circle) -> bool:
        """Let the floorperson sign that the tray has chips that the floor page lists as missing, if that is
        true. Returns whether it was signed."""
        missing = bool(self.state.round.ledger.row(circle).asked)
        return missing and self._is_with_the_tray(circle) and self.house_has(circle)

    def _who_has(self, prompt: Prompt) -> None:
        """Answer the question who has missing chips: press CONFIRM if the player has them; otherwise, and
        sometimes even then, the floorperson signs the truth."""
        circle = self.at(prompt)
        if self._is_with_the_tray(circle):
            if not self.house_has(circle):
                raise Wrong(f"nobody may say that the house has {prompt.amount} of {circle}")
            return
        self.worded.add(circle)
        self.count("who has it: player")
        seat, wager = circle
        event = events.FloorDecided("B1", "sign", seat=seat, wager=wager, holder="player", reason="seen")
        if self.dice.random() < 0.3:
            self.felt.event(event)
        else:
            self.felt.press("confirm")

    def _refunded(self, prompt: Prompt) -> None:
        self.felt.move(TRAY, prompt.seat or 0, prompt.amount or 0)
        self.count("refunded")
        self.felt.press("confirm")

    def _has_already(self, seat: int) -> bool:
        for wager in Wager:
            event = events.FloorDecided(
                "B1", "sign", seat=seat, wager=wager, holder="player", reason="has it"
            )
            if self._is_with_the_tray(Circle(seat, wager)) and self.house_has(Circle(seat, wager)):
                return True
            if not self.felt.players(Circle(seat, wager)) and self.felt.may(event):
                self.worded.add(Circle(seat, wager))
                self.count("signed")
                self.felt.event(event)
                return True
        return False

    def _is_with_the_tray(self, circle: Circle) -> bool:
        """Return whether the tray has all chips that the ledger misses in a circle. A refund is counted too,
        although it goes to a seat and not through a circle."""
        ledger = self.state.round.ledger
        row = ledger.row(circle)
        refunded = sum(e.cents for e in ledger.entries if e.why == "refunded" and (e.seat, e.wager) == circle)
        missing = dues.unaccounted_cents(row) + row.asked
        return missing > 0 and row.tray + refunded + missing == -self.felt.trays(circle)

    def _hand_back(self, prompt: Prompt) -> None:
        circle = self.at(prompt)
        code = prompt.code or next(
            (a.code for a in self.state.alerts if (a.seat, a.wager) == circle and a.code in MONEY),
            "bet_changed",
        )
        if not self.restore(circle, prompt.amount, code) and not self.sign(circle):
            self.felt.wait()

    def _clear(self, _prompt: Prompt) -> None:
        """Let players take up their chips, and return the cards to the shoe."""
        for circle in self.felt.circles:
            self.felt.move(circle, circle.seat, self.felt.amount(circle))
        self.confirm()
