"""Maximum win: the most money that one patron (player) can win in a round, computed over real cards.

The payout limits of the rule texts depend on it (58 Pa. Code § 674a.12(d), MGC § 11(d), Md. 12.B). On one box
the rounds in `BEST_ROUNDS` suffice: for any cards dealt, one of them has hands at least as high for every
wager at once, and a higher hand never pays less. `tests/game/test_max_win.py` proves that over every deal. On
several boxes, which share the cross and the deck, `BEST_ON_ALL_BOXES` is the round that pays most by the
texts' tables: a royal flush in the first box and the best use of the remaining cards in the others. This
module must never estimate an amount: every amount comes from the settlement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from controller.game.model.cards import Card
from controller.game.model.names import ANTES, BETS, CROSS, SEATS, Place, Wager
from controller.game.model.rules import RulePack
from controller.game.rulebook.settlement_plan import SeatToSettle, plan, steps


@dataclass(frozen=True, slots=True)
class BestDeal:
    """Cards of a round on which one patron's boxes win as much as possible. `cross`: in the order far, left,
    middle, right, near."""

    holes: tuple[tuple[Card, ...], ...]
    cross: Mapping[Place, Card]
    bonus: tuple[Card, ...]


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


# hole cards | far, left, middle, right, near | bonus cards
BEST_ROUNDS = (
    "TH JH | 9H AH QH KH 8H | 2S 2D 2C 2H",  # royal flush across, straight flush down, flush on the board
    "KS AS | 8S JS TS QS 9S | 2S 3S 4S 5S",
    "8S 9S | KS JS TS QS AS | 5S 6S 7S 2H",  # royal flush on the board
    "TH 9H | 5H 7H 8H 6H 4H | AH KH QH JH",  # royal flush with the bonus cards
    "2S TS | TH 2D 2H 2C TD | AS KS QS JS",
    "TS TH | TD 2H 2S 2D 2C | AS KS QS JS",
    "AH TH | AS QS KS JS TS | KH QH JH 2D",
    "TS TH | KD JD TD QD AD | AS KS QS JS",
)

# royal flush across, straight flushes both ways, flushes both ways twice, straights both ways twice
BEST_ON_ALL_BOXES = "AH KH, 8H 9H, 2H 3H, 4H 5H, 8S 9S, 8D 9D | 6H QH TH JH 7H | 2S 2D 2C 3S"


def best_deals(boxes: int = 1) -> Iterator[BestDeal]:
    """Yield rounds that include the best possible one on this number of boxes."""
    for line in BEST_ROUNDS if boxes == 1 else (BEST_ON_ALL_BOXES,):
        holes, cross, bonus = line.split("|")
        dealt = tuple(_cards(hole) for hole in holes.split(",")[:boxes])
        yield BestDeal(dealt, dict(zip(CROSS, _cards(cross), strict=True)), _cards(bonus))


def boxes_of_one_patron(pack: RulePack) -> int:
    """Return the number of boxes on which one patron may wager. If the text gives no number, a floor is
    computed over every box and a ceiling over one box, so that a missing rule never loosens a limit."""
    silent = 1 if pack.payout_limit.kind == "cap" else len(SEATS)
    return pack.adjacent_boxes or silent


def minimum_wagers(pack: RulePack, bonuses: Collection[Wager] = ()) -> dict[Wager, int]:
    """Return all wagers at their minimum: the antes, each bet at the lowest multiple of its ante, and each
    offered wager of `bonuses`."""
    bet = pack.minimum_ante * pack.bet_multiples[0]
    offered = [bonus for bonus in pack.bonuses if bonus in bonuses]
    return (
        dict.fromkeys(ANTES, pack.minimum_ante)
        | dict.fromkeys(BETS, bet)
        | dict.fromkeys(offered, pack.bonus_minimum)
    )


def most_one_patron_could_win(pack: RulePack, bonuses: Collection[Wager] = ()) -> int:
    """Return the cents that a patron can win in one round at the minimum wager, on the permitted number of
    boxes and without a payout limit; with `bonuses` if a text counts them too."""
    unlimited = replace(pack, payout_limit=replace(pack.payout_limit, cents=None))
    wagers = minimum_wagers(pack, bonuses)
    deals = {boxes: best_deals(boxes) for boxes in {1, boxes_of_one_patron(pack)}}
    return max(_won(unlimited, deal, wagers) for found in deals.values() for deal in found)


def _won(pack: RulePack, deal: BestDeal, wagers: Mapping[Wager, int]) -> int:
    seats = [SeatToSettle(number, "1", hole, False, wagers) for number, hole in enumerate(deal.holes, 1)]
    return sum(step.payout for step in steps(plan(pack, deal.cross, deal.bonus, seats)))
