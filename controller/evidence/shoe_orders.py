"""Order in which the cards of a round left the shoe, from its record.

Whether a round has an order must never depend on its cards. A round whose cards no shoe read has none: the
cards of a player who folds stay unknown, so the rounds with known faces would be those with good hands. Void
rounds and rounds with a card set aside have none either. An order never covers the whole deck, because the
stub is not read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from controller.evidence.seat_rounds import is_read_by_shoe
from controller.game.model.cards import Card
from controller.game.model.names import CROSS, Method, cards_of
from controller.game.model.record import RoundRecord
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.game.rulebook.deal import plan_deal
from controller.record.journal.files import reading
from controller.record.journal.replay import rules_and_settings
from controller.record.journal.rows import MAX_SEQ, read_result_heads, read_settings
from controller.record.journal.schema import in_file
from controller.rules.odds.cards import NUMBER


@dataclass(frozen=True, slots=True)
class Order:
    """First cards of a deck as numbers (rules/odds/cards.py), in the order in which they left the shoe,
    and their places. `back`: colour of the deck. The repr shows no card."""

    round: int
    back: str
    cards: tuple[int, ...] = field(repr=False)
    places: tuple[str, ...] = ()


class LeftOut(StrEnum):
    """Reason why a round has no order. Each value is its name in `--json`."""

    VOID = "void"
    HAND = "dealt_by_hand"
    SET_ASIDE = "card_set_aside"
    UNREAD = "not_read_by_shoe"
    TWICE = "card_twice"


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders of the rounds of a journal, oldest first. `left_out`: numbers of the rounds without an order, by
    reason."""

    found: tuple[Order, ...] = ()
    left_out: Mapping[LeftOut, Sequence[int]] = field(default_factory=dict)


def orders_of(journal: Path, records: Iterable[RoundRecord]) -> Orders:
    """Return the orders of these rounds of a journal, each computed under the rules and settings of its
    round. Raises JournalError if the journal cannot be read."""
    with reading(journal) as db, in_file(journal):
        ends = {each.round: each.seq for each in read_result_heads(db) if each.kind == "record"}
        stored = [(each.seq, *rules_and_settings(each)) for each in read_settings(db)]
    found, left_out = list[Order](), defaultdict[LeftOut, list[int]](list)
    for record in records:
        end = ends.get(record["round"], MAX_SEQ)
        _, pack, settings = next(each for each in reversed(stored) if each[0] <= end)
        order = order_of(record, pack, settings)
        if isinstance(order, LeftOut):
            left_out[order].append(record["round"])
        else:
            found.append(order)
    return Orders(tuple(found), left_out)


def order_of(record: RoundRecord, pack: RulePack, settings: TableSettings) -> Order | LeftOut:
    """Return the order of a round, or the reason why it has none."""
    if why := _left_out(record):
        return why
    faces = _faces(record)
    seats = [seat["seat"] for seat in record["seats"]]
    template = pack.deals[Method(record["method"])]
    steps = plan_deal(template, seats, settings.cross_order, settings.stack_first_out)
    places = tuple(str(place) for step in steps for place in step.places)
    dealt = [faces.get(place) for place in places]
    cards = tuple(NUMBER[card] for card in dealt if card)
    if len(cards) < len(dealt):
        return LeftOut.UNREAD
    if max(Counter(cards).values(), default=1) > 1:
        return LeftOut.TWICE
    return Order(record["round"], record["deck"]["back"] or "", cards, places)


def _left_out(record: RoundRecord) -> LeftOut | None:
    """Return the reason, other than its cards, why a round has no order; None if there is none."""
    if record["outcome"] == "void":
        return LeftOut.VOID
    if record["method"] == Method.HAND:
        return LeftOut.HAND
    if not is_read_by_shoe(record):
        return LeftOut.UNREAD
    return LeftOut.SET_ASIDE if record["set_aside"] else None


def _faces(record: RoundRecord) -> Mapping[str, Card | None]:
    """Return the cards by place, None for an unknown face. The places of the cross have the names that the
    record gives them."""
    faces: dict[str, Card | None] = {place: record["cross"].get(place) for place in CROSS}
    for seat in record["seats"]:
        faces |= dict(zip(cards_of(seat["seat"]), seat["cards"], strict=False))
    for number, card in enumerate(record["bonus_cards"] or (), 1):
        faces[f"bonus_{number}"] = card
    return faces
