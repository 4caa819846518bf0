"""Instructions for the players' cards (rack, tuck, lay down) that a prompt shows beside its own step.

Each function returns a tuple of keys of the display's catalogue (`cards`), () for no instruction. These acts
are not steps of their own: the dealer does them in passing. Sources: 58 Pa. Code § 674a.11(a), (b), (d), (f),
(i), MGC § 10 likewise, Md. 11.B, D, F, I, J, House rules, Paying Out; 5 Card Bonus; 6 Card Bonus Wager.
"""

from __future__ import annotations

from controller.game.books.dues import is_collected
from controller.game.model.names import Phase, Wager
from controller.game.model.plan import Item, Step, TurnBonusCards, TurnSeat
from controller.game.model.round import Round
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import Context, TableState

_Cards = tuple[str, ...]


def look_duty(pack: RulePack, state: TableState) -> str | None:
    """Return the duty before the first seat is asked: the players look at their cards and, if the text
    requires it, lay them down again. None once a seat has decided, or if the dealer's permission covers
    it."""
    if state.phase is not Phase.ACROSS or state.round is None:
        return None
    decided = any(seat.folded_at or Wager.ACROSS in seat.wagers for seat in state.round.seats.values())
    duties = ("look_and_lay_down", "look_at_cards")
    return None if decided else next((duty for duty in duties if pack.has_duty(duty)), None)


def lay_down_cards(pack: RulePack, state: TableState, round_: Round) -> _Cards:
    """Return the instruction before the middle card is turned: players who have bet lay their cards down."""
    due = state.phase is Phase.MIDDLE and pack.has_duty("lay_cards_down") and round_.playing()
    return ("lay_down",) if due else ()


def after_fold(pack: RulePack, round_: Round, seat: int) -> _Cards:
    """Return the instruction for the cards of a seat with collected wagers: to the rack, or as the rules
    require while a bonus of a folded seat remains."""
    box = round_.seats[seat]
    standing = [w for w in BONUSES if w in box.wagers and not is_collected(round_, box, w)]
    if pack.folded_cards == "rack" or box.forfeited is not None or not standing:
        return ("rack",)
    return ("stay",) if pack.folded_cards == "stay_with_bonus" else (f"under_{standing[-1]}",)


def settled_before(pack: RulePack, round_: Round, index: int) -> int | None:
    """Return the seat whose last wager was settled by the item before `index`, so that its cards go to the
    rack first; None if that seat has a later item, or its cards are in the rack already or stay until the
    end.
    """
    last = round_.settlement.plan[index - 1] if 0 < index <= len(round_.settlement.plan) else None
    if pack.rack_cards != "per_player" or not isinstance(last, Step):
        return None
    ahead = (item for item in round_.settlement.plan[index:] if not isinstance(item, TurnBonusCards))
    later = any(item.seat == last.seat for item in ahead)
    box = round_.seats[last.seat]
    racked = box.folded_at is not None and pack.folded_cards == "rack"
    return None if later or racked else last.seat


def beside_item(pack: RulePack, round_: Round, index: int) -> _Cards:
    """Return the instructions for the players' cards and the cross that a prompt shows beside an item of the
    settlement. `index`: number of the item in the plan."""
    item, racked = round_.settlement.plan[index], settled_before(pack, round_, index)
    if isinstance(item, TurnBonusCards):
        return ("cross_first",) if racked is None else ("seat_and_cross_first",)
    texts: _Cards = () if racked is None else ("seat_first",)
    return (*texts, "announce") if is_announced(pack, round_, index, item) else texts


def is_announced(pack: RulePack, round_: Round, index: int, item: Item) -> bool:
    """Return whether the dealer has to announce both hands of a seat beside this item: it is the first wager
    after the seat's cards were turned, and the text imposes that duty."""
    turned = round_.settlement.plan[index - 1] if index else None
    return isinstance(item, Step) and isinstance(turned, TurnSeat) and pack.has_duty("announce_hands")


def at_the_end(context: Context, round_: Round | None, *, removed: bool) -> _Cards:
    """Return the instructions for gathering the cards of a settled round. `removed`: the deck leaves the
    table and must not be put in the rack with another deck.
    """
    pack = context.pack
    texts: _Cards = ()
    if round_ is not None and round_.ending.void is None and round_.settlement.plan:
        last = settled_before(pack, round_, len(round_.settlement.plan))
        texts = () if last is None else ("seat_first",)
        texts = ("hands_in_order",) if pack.rack_cards == "after_all" else texts
    alone = removed or context.settings.decks == 1 or not pack.has_duty("one_deck_in_rack")
    return texts if alone else (*texts, "one_deck")
