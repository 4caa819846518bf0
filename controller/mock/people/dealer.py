"""The simulated dealer: follows the prompts, and corrects the faults in alerts.

Pure: it takes the public view and the content of the felt, and yields the next acts, each at most once per
prompt. The dealer does not know the rules of the game and follows a wrong prompt too, so that the mock
reveals wrong prompts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from controller.game.model.cards import DECK, parse_card
from controller.game.model.chips import fewest_chips
from controller.game.model.irregularities import Code, DealerReport
from controller.game.model.names import BETS, Circle, Key, Wager
from controller.mock.bench.acts import (
    Act,
    DealHand,
    Draw,
    Gather,
    Lay,
    Lift,
    Press,
    SetChips,
    TakeStub,
    TouchPage,
)
from controller.mock.bench.acts import prompt_name as name
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import MAX_READABLE_CHIPS, Felt
from controller.mock.people.players import Gesture, circle_view, circle_views
from controller.pages.display import touches

CONFIRMED = (
    "open_table", "permit_cards", "confirm_bet", "confirm_fold", "turn", "turn_seat", "turn_bonus",
    "cut", "refund", "who_has", "ask_back", "cover_device",
)  # fmt: skip
"""Prompts for acts that no device detects: the dealer does them and presses CONFIRM."""
EMPTIED = ("collect", "take")
PARTS = ("return_wager", "take_back")
"""Prompts to take some of the chips in a circle."""


class Dealer:
    """Dealer who follows prompts. `folds`: returns whether the player at a seat shows a fold. `ready`:
    returns whether all players have laid their wagers. `patient`: the dealer uses only the screen's keys, and
    presses none if play continues by itself."""

    def __init__(
        self,
        seed: int | str,
        folds: Gesture,
        ready: Callable[[ViewData, Felt], bool],
        *,
        patient: bool = False,
    ) -> None:
        self.seed = seed
        self.patient = patient
        self._folds = folds
        self._ready = ready
        self._stub_taken = ""
        self._paying = ("", 0)
        """Name of the payout in progress, and the cents that were in its circle when its prompt appeared."""
        self._handlers: Mapping[str, Callable[[ViewData, Felt, ViewData], Iterator[Act]]] = {
            **dict.fromkeys(CONFIRMED, self.confirm),
            **dict.fromkeys(EMPTIED, self.empty),
            **dict.fromkeys(PARTS, self.take_part),
            "put_back": self.put_back,
            "bets_open": self.close_bets,
            "hand_back": self.give,
            "push": self.push,
            "pay": self.pay,
            "ask": self.ask,
            "enter_amount": self.enter_amount,
            "lift_stack": self.lift,
            "deal_card": self.draw,
            "take_stub": self.take_stub,
            "count_stub": self.count_stub,
            "enter_face": self.enter_face,
            "clear": self.clear,
            "load_deck": self.load,
            "deal_hand": self.deal_hand,
            "deck_needed": self.bring_deck,
            "opening_step": self.opening,
        }

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        """Yield the acts of the dealer: corrections first, then those for the prompt. Yields none in a
        hold."""
        if view["hold"] is not None:
            return
        mending = [*self.mend(view, felt), *self.differs(view, felt)]
        yield from mending
        prompt = view["prompt"]
        if prompt is not None and not mending:
            handler = self._handlers.get(prompt["kind"])
            if handler is not None:
                yield from handler(view, felt, prompt)

    # ------------------------------------------------------------------ alerts

    def mend(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        """Yield acts that correct the circles of alerts by laying the amounts that the alerts name."""
        for alert in view["alerts"]:
            if alert["code"] == Code.CHIP_UNPROVEN:
                yield from _exchange_forged(Circle(alert["seat"], Wager(alert["wager"])), felt)
            if alert["should"] is None or alert["seat"] is None or alert["wager"] is None:
                continue
            circle = Circle(alert["seat"], Wager(alert["wager"]))
            if felt.amount(circle) != alert["should"]:
                yield SetChips(circle, alert["should"], seconds=2.0)

    def differs(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        """Yield the report of the first turned card that differs from the one on the screen, until the
        settlement is over."""
        if view["phase"] not in (*BETS, "settlement"):
            return
        for place, card in shown(view):
            truth = felt.cards.get(place)
            if truth is not None and card["face"] is not None and truth != card["face"]:
                report = touches.Report(what=Code.CARD_DIFFERS, place=place, face=parse_card(truth))
                yield TouchPage(report, once=f"{view['round']}:{place}:differs:{card['face']}", seconds=4.0)
                return

    # ------------------------------------------------------------------ prompts

    def confirm(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        waits = (
            self.patient and prompt["entry"] != "sign_on"
        )  # with a sign-on pad on the screen, CONFIRM is lit but must not be pressed
        wanted = view["shines"] if waits else [key for key, lit in view["keys"].items() if lit]
        if "confirm" in wanted:
            yield self._key(view, prompt, Key.CONFIRM)

    def _key(self, view: ViewData, prompt: ViewData, key: Key) -> Act:
        """Return the act that presses a key. A `patient` dealer presses it on the screen, which shows its
        meaning, any other on the table, which is quicker.
        """
        once = name(view, prompt)
        if not self.patient:
            return Press(key, once=once)
        return TouchPage(touches.Press(key=key, prompt=prompt["id"]), once=once, seconds=0.8)

    def push(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Yield the acts of the step after the push, which also end the push, or CONFIRM if that step moves
        no chips."""
        then = view["next"]
        if self.patient and then is not None and then["kind"] in ("take", "pay"):
            yield from self._handlers[then["kind"]](view, felt, then)
        else:
            yield from self.confirm(view, felt, prompt)

    def close_bets(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if view["deck"]["change_due"] or any(alert["code"] == Code.WRONG_DECK for alert in view["alerts"]):
            yield from self.change_deck(view, felt, prompt)
        elif view["keys"]["no_more_bets"] and self._ready(view, felt) and screen_matches(view, felt):
            yield Press("no_more_bets", once=name(view, prompt))

    def empty(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        circle = at(prompt)
        if felt.circles.get(circle):
            yield SetChips(circle, 0)
        elif _is_unreadable(view, circle):
            yield Press("confirm", once=f"{name(view, prompt)}:by hand")

    def take_part(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        left = max(0, felt.amount(circle) - prompt["amount"])
        if _is_unreadable(view, circle):
            yield SetChips(circle, left, once=f"{once}:{prompt['amount']}")
            yield Press("confirm", once=f"{once}:by hand")
        elif felt.circles.get(circle) and circle_view(view, circle)["amount"] == felt.amount(circle):
            yield SetChips(circle, left, once=f"{once}:{prompt['amount']}:{left}")

    def put_back(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        circle = at(prompt)
        if _is_unreadable(view, circle):
            yield Press("confirm", once=f"{name(view, prompt)}:by hand")
        elif circle_view(view, circle)["amount"] == felt.amount(circle):
            total = felt.amount(circle) + prompt["amount"]
            yield SetChips(circle, total, once=f"{name(view, prompt)}:{total}")

    def give(self, _view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if prompt["amount"] is not None and felt.amount(at(prompt)) != prompt["amount"]:
            yield SetChips(at(prompt), prompt["amount"])

    def pay(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Pay the amount of the prompt by laying chips beside the wager. They are coloured up if a reader
        could not distinguish so many."""
        circle, once = at(prompt), name(view, prompt)
        chips, lies = tuple(prompt["chips"] or ()), felt.amount(circle)
        began = self._pay_began(view, felt, circle, once)
        if began is None:
            return
        total = began + sum(chips)
        if lies == total:
            # the remaining amount cannot be made of chips
            if _is_unreadable(view, circle) or sum(chips) < prompt["amount"]:
                yield Press("confirm", once=f"{once}:by hand")
        elif lies == began and len(chips) + len(felt.chips(circle)) > MAX_READABLE_CHIPS:
            yield SetChips(circle, total, once=once, chips=fewest_chips(total, felt.bank.values())[0])
        elif lies == began:
            yield Lay(circle, chips, once=once)
        else:
            yield SetChips(circle, total, once=f"{once}:anew:{lies}")

    def _pay_began(self, view: ViewData, felt: Felt, circle: Circle, once: str) -> int | None:
        """Return the cents in the circle when the payout was prompted, and store them. Excess chips that a
        floorperson signed are included. Returns None until the circle has been read.
        """
        shown = circle_view(view, circle)
        if _is_unreadable(view, circle):
            return shown["wager"] or 0
        if self._paying[0] != once:
            if shown["amount"] != felt.amount(circle):
                return None
            self._paying = (once, felt.amount(circle))
        return self._paying[1]

    def ask(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if self._folds(view, prompt["seat"]):
            yield self._key(view, prompt, Key.FOLD)
        elif _is_unreadable(view, at(prompt)) and felt.amount(at(prompt)):
            yield from self.enter_amount(view, felt, prompt)

    def enter_amount(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Enter the amount that the dealer sees in the circle. At a decision, wait until the player has laid
        a bet or folds."""
        cents = felt.amount(at(prompt))
        if not cents and view["phase"] in BETS:
            if self._folds(view, prompt["seat"]):
                yield self._key(view, prompt, Key.FOLD)
            return
        amount = touches.Amount(seat=prompt["seat"], wager=prompt["wager"], cents=cents)
        yield TouchPage(amount, once=f"{name(view, prompt)}:{cents}")

    def lift(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield Lift(places_of(prompt), once=name(view, prompt))

    def draw(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        # after a card was laid aside face up, the prompt names the same place again
        yield Draw(places_of(prompt)[0], once=f"{name(view, prompt)}:{view['set_aside']}")

    def take_stub(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Take the stub, and press CONFIRM if the shoe does not report it by itself."""
        prompt_name = name(view, prompt)
        yield TakeStub(once=prompt_name)
        waits = view["shoe"]["left"] is not None and self._stub_taken != prompt_name
        if view["method"] == "hand" or (view["shoe"]["mode"] != "STACK" and not waits):
            yield Press("confirm", once=f"{prompt_name}:confirm")
        self._stub_taken = prompt_name

    def count_stub(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Enter the count of the stub. The stub of another maker's shoe counts as complete, since the mock
        cannot see it."""
        number = felt.stub if felt.stub is not None else prompt["amount"]
        yield TouchPage(
            touches.Report(what=DealerReport.STUB_COUNT, number=number), once=name(view, prompt), seconds=6.0
        )

    def enter_face(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        place = places_of(prompt)[0]
        face = parse_card(felt.cards.get(place) or self.guess(view, place))
        yield TouchPage(touches.Enter(place=place, face=face), once=f"{name(view, prompt)}:{place}")

    def guess(self, view: ViewData, place: str) -> str:
        """Return a face that has not been shown yet, for a card that another maker's shoe could not read and
        that the mock cannot see.
        """
        screen_matches = {card["face"] for _, card in shown(view)}
        dice = random.Random(f"{self.seed}:{view['round']}:{place}:face")
        return dice.choice([card for card in DECK if card not in screen_matches])

    def clear(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if not felt.circles:
            yield Gather(once=name(view, prompt))
            yield Press("confirm", once=f"{name(view, prompt)}:confirm")

    def load(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield Gather(once=name(view, prompt))
        yield Press("confirm", once=f"{name(view, prompt)}:confirm")

    def deal_hand(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        seats = tuple(seat["seat"] for seat in view["seats"] if seat["in_round"])
        yield DealHand(seats, once=name(view, prompt))
        yield Press("confirm", once=f"{name(view, prompt)}:confirm")

    def change_deck(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Change the deck before the next round if it is old enough or was just played, because a mock shoe
        on an older journal may begin with the wrong deck."""
        yield from self.bring_deck(view, felt, prompt)

    def bring_deck(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        back = "blue" if view["deck"]["back"] == "red" else "red"
        yield TouchPage(touches.Deck(back=back), once=f"{name(view, prompt)}:bring")

    def opening(self, view: ViewData, _felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield Press("confirm", once=f"{name(view, prompt)}:{prompt['step']}")


class OpeningFloor:
    """Floorperson who verifies the dealer's inspection of a deck, and does nothing else."""

    def __init__(self, badge: str = "B1") -> None:
        self.badge = badge

    def acts(self, view: ViewData, _felt: Felt) -> Iterator[Act]:
        prompt = view["prompt"]
        if prompt is not None and prompt["kind"] == "signature":
            sign = touches.FloorTouch(badge=self.badge, decision="sign", about=view["about"]["step"])
            yield TouchPage(sign, once=f"{name(view, prompt)}:verify", seconds=3.0)


class Floorperson(OpeningFloor):
    """Floorperson who approves the proposed outcome of a hold and signs every item to be signed."""

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().acts(view, felt)
        hold = view["hold"]
        if hold is not None:
            decision = "approve" if hold["proposed"] else "outcome"
            outcome = hold["proposed"] or next(iter(hold["outcomes"]), None)
            decided = touches.FloorTouch(
                badge=self.badge, decision=decision, outcome=outcome, about=hold["about"]
            )
            yield TouchPage(decided, once=f"hold:{hold['about']}", seconds=4.0)
        for item in (each for each in view["signatures"] if each["what"] != Code.NOT_RETURNED):
            sign = touches.FloorTouch(
                badge=self.badge, decision="sign", seat=item["seat"], wager=item["wager"], about=item["about"]
            )
            once = f"sign:{view['round']}:{item['what']}:{item.get('seat')}:{item.get('wager')}"
            yield TouchPage(sign, once=once, seconds=2.0)


# --------------------------------------------------------------------- reading the view


def at(prompt: ViewData) -> Circle:
    return Circle(prompt["seat"], Wager(prompt["wager"]))


def places_of(prompt: ViewData) -> tuple[str, ...]:
    """Return the places of the prompt's cards; for a prompt with a seat only, the two places of that seat."""
    if prompt["places"]:
        return tuple(prompt["places"])
    return f"seat_{prompt['seat']}_1", f"seat_{prompt['seat']}_2"


def _is_unreadable(view: ViewData, circle: Circle) -> bool:
    """Return whether the circle has no reading, so that the dealer has to enter its amount."""
    return circle_view(view, circle)["reading"] in ("silent", "unstable", "not_fitted", "entered")


def shown(view: ViewData) -> Iterator[tuple[str, ViewData]]:
    """Yield each card on the table: its place, and its entry in the view."""
    yield from view["cross"].items()
    for number, card in enumerate(view["bonus_cards"] or (), 1):
        yield f"bonus_{number}", card
    for seat in view["seats"]:
        for number, card in enumerate(seat["cards"], 1):
            yield f"seat_{seat['seat']}_{number}", card


def screen_matches(view: ViewData, felt: Felt) -> bool:
    """Return whether the screen shows the true amount of every readable circle."""
    return all(
        circle["reading"] not in ("ok", "none") or (circle["amount"] or 0) == felt.amount(place)
        for place, circle in circle_views(view).items()
    )


def _exchange_forged(circle: Circle, felt: Felt) -> Iterator[Act]:
    """Take out a chip that does not prove itself, and lay a genuine one of its value."""
    if felt.bank.forged in felt.circles.get(circle, ()):
        yield SetChips(circle, felt.amount(circle), seconds=2.0, chips=felt.chips(circle))
