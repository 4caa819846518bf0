"""Order in which the cards of a round left the shoe, from its record.

A round has no order here if it was void, if a card was set aside, or if the face of a dealt card is not
known, as after a fold when the cards are dealt by hand. An order never covers the whole deck, because the
stub is not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

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
    """First cards of a deck as numbers (rules/odds/cards.py), in the order in which they left the shoe.
    `back`: colour of the deck. The repr shows no card."""

    round: int
    back: str
    cards: tuple[int, ...] = field(repr=False)


def orders_of(journal: Path, records: Iterable[RoundRecord]) -> list[Order]:
    """Return the orders of these rounds of a journal, each computed under the rules and settings of its
    round. Rounds without an order are left out. Raises JournalError if the journal cannot be read."""
    with reading(journal) as db, in_file(journal):
        ends = {each.round: each.seq for each in read_result_heads(db) if each.kind == "record"}
        stored = [(each.seq, *rules_and_settings(each)) for each in read_settings(db)]
    found = []
    for record in records:
        end = ends.get(record["round"], MAX_SEQ)
        _, pack, settings = next(each for each in reversed(stored) if each[0] <= end)
        found.append(order_of(record, pack, settings))
    return [order for order in found if order is not None]


def order_of(record: RoundRecord, pack: RulePack, settings: TableSettings) -> Order | None:
    """Return the order of a round, or None if it has none."""
    if record["outcome"] == "void" or record["set_aside"]:
        return None
    faces = _faces(record)
    seats = [seat["seat"] for seat in record["seats"]]
    template = pack.deals[Method(record["method"])]
    steps = plan_deal(template, seats, settings.cross_order, settings.stack_first_out)
    dealt = [faces.get(place) for step in steps for place in step.places]
    cards = tuple(NUMBER[card] for card in dealt if card)
    if len(cards) < len(dealt) or max(Counter(cards).values(), default=1) > 1:
        return None
    return Order(record["round"], record["deck"]["back"] or "", cards)


def _faces(record: RoundRecord) -> Mapping[str, Card | None]:
    """Return the cards by place, None for an unknown face. The places of the cross have the names that the
    record gives them."""
    faces: dict[str, Card | None] = {place: record["cross"].get(place) for place in CROSS}
    for seat in record["seats"]:
        faces |= dict(zip(cards_of(seat["seat"]), seat["cards"], strict=False))
    for number, card in enumerate(record["bonus_cards"] or (), 1):
        faces[f"bonus_{number}"] = card
    return faces
