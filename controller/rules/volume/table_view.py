"""One round of a batch in the table's own form: the items of its settlement, and its record.

The results are read from the kernel's arrays and not settled again, so that they can be compared with the
table's. It contains faces that were not turned: it may be used for records, never for a screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from controller.game.model.cards import Card
from controller.game.model.hand import Hand
from controller.game.model.names import BETS, CROSS, Method, Wager
from controller.game.model.plan import Item, Result, Step, TurnBonusCards, TurnSeat, Verb
from controller.game.model.record import (
    HAND_OF,
    Head,
    RoundRecord,
    SeatRecord,
    WagerRecord,
    round_record,
    seat_record,
    wager_record,
)
from controller.game.model.record import Cards as Faces
from controller.game.model.rules import SettlementPass
from controller.game.model.side_bets import BONUSES, COMMUNITY_BETS
from controller.game.phases.decisions import DECISIONS
from controller.rules.odds.hands import hands, ranks
from controller.rules.volume.arrays import AT, WAGERS, card_of
from controller.rules.volume.deal import dealt_places
from controller.rules.volume.play import PlayedRounds
from controller.rules.volume.rules import FORFEIT, LOSE, PUSH, WIN
from controller.rules.volume.settle import HandKeys, hand_keys

_SETTLED: dict[int, tuple[Verb, Result]] = {
    LOSE: ("take", "lose"),
    PUSH: ("push", "push"),
    WIN: ("pay", "win"),
}


@dataclass(frozen=True)
class TableView:
    """View of round `number` of a batch, counted from 0, as the table would have it."""

    played: PlayedRounds
    number: int

    # ------------------------------------------------------------------ the settlement

    def items(self) -> tuple[Item, ...]:
        """Return the items of the settlement, turn, take, push and pay, in the dealer's order."""
        return tuple(self._items())

    def _items(self) -> Iterator[Item]:
        turned: set[int] = set()
        slots = self.played.rules.order(self.played.dealt.seats)
        for number, walk in enumerate(self.played.rules.pack.settlement):
            due = {wager for _, wagers in walk.groups for wager in wagers}
            if walk.before == "bonus_cards" and any(due & self._live(box) for box in self._boxes()):
                yield TurnBonusCards()
            for box in sorted(self._boxes(), key=lambda box: -self._seat(box)):
                if box not in turned and self._turns(walk, due, box):
                    turned.add(box)
                    yield TurnSeat(self._seat(box))
                mine = [slot for slot in slots if (slot.walk, slot.box) == (number, box)]
                yield from (
                    self._step(box, WAGERS[slot.wager])
                    for slot in mine
                    if self._outcome(box, WAGERS[slot.wager]) in slot.outcomes
                )

    def _turns(self, walk: SettlementPass, due: set[Wager], box: int) -> bool:
        """Return whether the dealer turns the cards of a box in a settlement pass. They must decide one of
        the wagers due and, for a folded box, one of the wagers for which the rules turn folded cards.
        """
        deciding = (due & self._live(box)) - COMMUNITY_BETS
        if self.played.folded[box, self.number]:
            deciding &= set(self.played.rules.pack.folded_turned_for)
        return walk.turn == "seat" and bool(deciding)

    def _step(self, box: int, wager: Wager) -> Step:
        outcome, pack = self._outcome(box, wager), self.played.rules.pack
        verb, result = _SETTLED[outcome]
        settled, at = self.played.settled, (AT[wager], box, self.number)
        hand = self._hand(box, wager)
        return Step(
            self._seat(box), wager, int(self.played.wagers[at]), verb, result, self._odds(box, wager),
            int(settled.payout[at]), int(settled.uncut[at]), hand, hand.line,
            pack.cite(f"results.{wager}.{result}"),
        )  # fmt: skip

    @cached_property
    def _keys(self) -> HandKeys:
        return hand_keys(self.played.dealt.only(self.number))

    def _hand(self, box: int, wager: Wager) -> Hand:
        """Return the hand of a box that decides a wager; of several, the highest."""
        sums, at = self._keys, (box, 0)
        if wager in BONUSES:
            keys = [five[0] if wager in COMMUNITY_BETS else five[at] for five in sums.bonuses[wager]]
        elif wager is Wager.MIDDLE:
            keys = [sums.across[at], sums.down[at]]
        else:
            keys = [(sums.across if HAND_OF[wager] == "across" else sums.down)[at]]
        return hands()[int(ranks(np.array(keys)).max())]

    # ------------------------------------------------------------------ the record

    def record(self) -> RoundRecord:
        """Return the record that follows from cards, wagers and decisions (controller/COMMANDS.md). The
        names, times and deck of a table stay empty. Every circle counts as read."""
        items = self.items()
        seats = [self._box(box, items) for box in self._boxes()]
        return round_record(self._head(), self._faces(items), seats, items)

    def _head(self) -> Head:
        pack, dealt = self.played.rules.pack, self.played.dealt
        left = 52 - len(dealt_places(pack, dealt.method, dealt.seats))
        return {
            "type": "round", "table": "", "round": self.number, "rules": pack.key,
            "rules_digest": pack.digest, "method": dealt.method.value, "dealer": None, "dealers": [],
            "started": "", "ended": "", "deck": {"back": None, "after": "reshuffled"},
            "stub": {"expected": left, "shoe": None, "counted": None}, "outcome": "settled", "void": None,
        }  # fmt: skip

    def _faces(self, items: tuple[Item, ...]) -> Faces:
        dealt, turned = self.played.dealt, self._turned_places()
        faces = [card_of(card) for card in dealt.cross[:, self.number]]
        known = {
            place.value: card if self._read() or place in turned else None
            for place, card in zip(CROSS, faces, strict=True)
        }
        bonus: list[Card | None] | None = None
        if dealt.bonus is not None:
            shown = self._read() or TurnBonusCards() in items
            bonus = [card_of(card) if shown else None for card in dealt.bonus[:, self.number]]
        return {"cross": known, "bonus_cards": bonus, "set_aside": []}

    def _read(self) -> bool:
        """Return whether a shoe read every card. In a deal by hand, only turned faces are known."""
        return self.played.dealt.method is not Method.HAND

    def _turned_places(self) -> set[str]:
        """Return the places of the cross that were turned: none after the decision at which every box had
        folded, unless a bonus was still to be settled.
        """
        bonuses = self.played.wagers[[AT[bonus] for bonus in BONUSES], :, self.number]
        folded, turned = self.played.folded[:, self.number], set[str]()
        for number, decision in enumerate(DECISIONS.values()):
            if bonuses.any() or ((folded == 0) | (folded > number + 1)).any():
                turned |= set(decision.turns)
        return turned

    def _box(self, box: int, items: tuple[Item, ...]) -> SeatRecord:
        seat, at = self._seat(box), int(self.played.folded[box, self.number])
        shown = self._read() or TurnSeat(seat) in items
        return seat_record(
            seat,
            self.played.players[box],
            [card_of(card) if shown else None for card in self.played.dealt.hole[box, :, self.number]],
            BETS[at - 1].value if at else None,
            {wager: self._wager(box, wager) for wager in WAGERS if self._laid(box, wager)},
            {item.wager: item.hand for item in items if isinstance(item, Step) and item.seat == seat},
        )

    def _wager(self, box: int, wager: Wager) -> WagerRecord:
        settled, at = self.played.settled, (AT[wager], box, self.number)
        outcome = self._outcome(box, wager)
        return wager_record(
            self._laid(box, wager),
            _SETTLED[outcome][1] if outcome in _SETTLED else "forfeit",
            odds=self._odds(box, wager),
            payout=int(settled.payout[at]),
            uncut=int(settled.uncut[at]),
            verified=True,
        )

    def _boxes(self) -> range:
        return range(len(self.played.dealt.seats))

    def _seat(self, box: int) -> int:
        return self.played.dealt.seats[box]

    def _laid(self, box: int, wager: Wager) -> int:
        return int(self.played.wagers[AT[wager], box, self.number])

    def _outcome(self, box: int, wager: Wager) -> int:
        return int(self.played.settled.outcome[AT[wager], box, self.number])

    def _odds(self, box: int, wager: Wager) -> int | None:
        if self._outcome(box, wager) != WIN:
            return None
        line = self.played.settled.line[AT[wager], box, self.number]
        return int(self.played.rules.odds[AT[wager], line])

    def _live(self, box: int) -> set[Wager]:
        """Return the wagers of a box that the settlement decides: all but those that its fold forfeited."""
        return {w for w in WAGERS if self._laid(box, w) and self._outcome(box, w) != FORFEIT}
