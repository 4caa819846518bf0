"""Settlement: which hand wins, pushes or loses, how a payout limit cuts a payment, and which seat and wager
is settled first.

The plan is an ordered list of the dealer's acts (turn, take, push, pay): each walk over the seats settles one
seat, wager by wager, and then the next seat. The rule pack gives order, odds and payout limit; this module
must never know a jurisdiction. The same cards and wagers always give the same list. Sources: 58 Pa. Code §
674a.11(g)-(h), .12; MGC § 10(g)-(h), 11; Md. 11.H-J, 12; House rules, Paying Out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.game.model.cards import Card
from controller.game.model.hand import Hand
from controller.game.model.names import ANTES, COLUMN, CROSS, ROW, Place, Wager
from controller.game.model.plan import Item, Result, Step, TurnBonusCards, TurnSeat, Verb
from controller.game.model.rules import PayTable, RulePack, SettlementPass
from controller.game.model.side_bets import BONUSES, COMMUNITY_BETS, SIDE_BETS
from controller.game.rulebook.hands import best_of, evaluate

_VERBS: Mapping[Result, Verb] = {"lose": "take", "push": "push", "win": "pay"}


@dataclass(frozen=True, slots=True)
class SeatToSettle:
    """One seat at the settlement. `wagers`: cents by wager, only wagers that are still in play and count.
    `cards`: None while unknown (in a deal by hand, they are entered when they are turned).
    """

    seat: int
    player: str
    cards: tuple[Card, ...] | None = field(repr=False)
    folded: bool
    wagers: Mapping[Wager, int]


def hands_of(
    cards: Sequence[Card] | None, cross: Mapping[Place, Card], bonus_cards: Sequence[Card] | None
) -> dict[Wager, Hand]:
    """Return the hands that decide a seat's wagers, by wager, without those that need an unknown card. An
    ante goes with its hand, Middle with the higher of the two (58 Pa. Code § 674a.11(h)(4))."""
    hands: dict[Wager, Hand] = {}
    board = [cross[place] for place in CROSS] if all(place in cross for place in CROSS) else None
    if board is not None and cards is not None:
        across = evaluate([*cards, *(cross[place] for place in ROW)])
        down = evaluate([*cards, *(cross[place] for place in COLUMN)])
        hands[Wager.ANTE_ACROSS] = hands[Wager.ACROSS] = across
        hands[Wager.ANTE_DOWN] = hands[Wager.DOWN] = down
        hands[Wager.MIDDLE] = max(across, down)
    for wager, bet in SIDE_BETS.items():
        sources = ((bet.own, cards), (bet.cross, board), (bet.bonus_cards, bonus_cards))
        made_of = [known for wanted, known in sources if wanted]
        if None not in made_of:
            hands[wager] = best_of([card for known in made_of for card in known or ()])
    return hands


def pay_table(pack: RulePack, wager: Wager) -> PayTable:
    """Return the pay table of a wager under this pack."""
    if wager in ANTES:
        return pack.ante_pays
    return pack.side_bets.get(wager, {}) if wager in BONUSES else pack.bet_pays


def result_of(table: PayTable, hand: Hand) -> tuple[Result, int | None]:
    """Return whether a hand wins, pushes or loses, and the payout of a win, to 1. A hand without a line in
    the table loses.
    """
    odds = None if hand.line is None else table.get(hand.line)
    if odds is None:
        return "lose", None
    return ("push", None) if odds == "push" else ("win", odds)


def plan(
    pack: RulePack,
    cross: Mapping[Place, Card],
    bonus_cards: Sequence[Card] | None,
    seats: Iterable[SeatToSettle],
) -> tuple[Item, ...]:
    """Return the complete settlement in order, from the seat and wager settled first.

    If faces are unknown, the list ends with the turn that will show them; a later call with those faces
    returns the same items followed by further ones.
    """
    planner = _Planner(pack, cross, bonus_cards, seats)
    items: list[Item] = []
    for item in planner.items():
        items.append(item)
        if planner.unknown(item):
            break
    return tuple(items)


class _Planner:
    """Builder of one settlement: cards turned and winnings of each player so far."""

    def __init__(
        self,
        pack: RulePack,
        cross: Mapping[Place, Card],
        bonus_cards: Sequence[Card] | None,
        seats: Iterable[SeatToSettle],
    ) -> None:
        self.pack = pack
        self.bonus_known = bonus_cards is not None
        # Seats are settled from the dealer's right, counterclockwise (58 Pa. Code § 674a.11(g)).
        self.seats = {seat.seat: seat for seat in sorted(seats, key=lambda seat: -seat.seat)}
        self.hands = {number: hands_of(seat.cards, cross, bonus_cards) for number, seat in self.seats.items()}
        self.turned: set[int] = set()
        self.won: dict[str, int] = {}

    def unknown(self, item: Item) -> bool:
        """Return whether the list must end after `item` because the faces that it shows are unknown."""
        if isinstance(item, TurnSeat):
            return self.seats[item.seat].cards is None
        return isinstance(item, TurnBonusCards) and not self.bonus_known

    def items(self) -> Iterator[Item]:
        """Yield the items lazily, so that no hand is used before its cards are known."""
        for walk in self.pack.settlement:
            due = {wager for _, wagers in walk.groups for wager in wagers}
            concerned = [seat for seat in self.seats.values() if due & _live(seat)]
            if concerned and walk.before == "bonus_cards":
                yield TurnBonusCards()
            for seat in concerned:
                if walk.turn == "seat" and self._needs_turning(seat, due):
                    self.turned.add(seat.seat)
                    yield TurnSeat(seat.seat)
                yield from self._settle(walk, seat)

    def _needs_turning(self, seat: SeatToSettle, due: set[Wager]) -> bool:
        """Return whether a seat's cards have to be turned now: once, for a wager that they decide; for a
        folded seat, only for wagers named by the rules. The Five Card Bonus uses the community cards only."""
        deciding = (due & _live(seat)) - COMMUNITY_BETS
        if seat.folded:
            deciding &= set(self.pack.folded_turned_for)
        return bool(deciding) and seat.seat not in self.turned

    def _settle(self, walk: SettlementPass, seat: SeatToSettle) -> Iterator[Step]:
        live = _live(seat)
        for verbs, wagers in walk.groups:
            for wager in wagers:
                if wager not in live:
                    continue
                hand = self.hands[seat.seat][wager]
                result, odds = result_of(pay_table(self.pack, wager), hand)
                if _VERBS[result] in verbs:
                    yield self._step(seat, wager, hand, result, odds)

    def _step(self, seat: SeatToSettle, wager: Wager, hand: Hand, result: Result, odds: int | None) -> Step:
        amount = seat.wagers[wager]
        uncut = amount * (odds or 0)
        return Step(
            seat.seat, wager, amount, _VERBS[result], result, odds,
            self._cut(seat.player, wager, uncut), uncut,
            hand, hand.line, self.pack.cite(f"results.{wager}.{result}"),
        )  # fmt: skip

    def _cut(self, player: str, wager: Wager, uncut: int) -> int:
        """Return the cents of a win that are within the payout limit. The limit applies to a player over all
        their boxes, and winnings count against it in the order of settlement (config/rules/RULES.md, Payout
        limit).
        """
        limit = self.pack.payout_limit
        if limit.cents is None or (wager in BONUSES and not limit.bonus_included):
            return uncut
        payout = min(uncut, limit.cents - self.won.get(player, 0))
        self.won[player] = self.won.get(player, 0) + payout
        return payout


def _live(seat: SeatToSettle) -> set[Wager]:
    """Return the wagers to settle at a seat: all of them, or only the bonuses if the seat has folded."""
    return {
        wager
        for wager, amount in seat.wagers.items()
        if amount and not (seat.folded and wager not in BONUSES)
    }


def steps(items: Iterable[Item]) -> tuple[Step, ...]:
    """Return the settling steps of a plan, without the turns."""
    return tuple(item for item in items if isinstance(item, Step))
