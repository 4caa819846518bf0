"""Batches of rounds, with any boxes, players, wagers and limits, in which kernel and table are compared.

A batch is determined by pack, seed and number. Situations that are rare at a table are frequent here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from controller.game.model.cards import RANKS, Card
from controller.game.model.names import BONUS_PLACES, CROSS, SEATS, Method, cards_of
from controller.game.model.plan import Item
from controller.game.model.rules import RulePack
from controller.game.rulebook.settlement_plan import SeatToSettle, plan
from controller.rules.volume.arrays import WAGERS, CardArray, card_of
from controller.rules.volume.deal import ALL, deal, dealt_places, shuffled
from controller.rules.volume.play import PlayedRounds, Stakes, Strategy, play
from controller.rules.volume.rules import rules_of
from controller.rules.volume.strategies import RandomStrategy, random_stakes
from controller.rules.volume.table_view import TableView
from tests.volume.driven import DrivenTable

OUTSIDE = {"table", "round", "dealer", "dealers", "started", "ended", "deck"}
"""Fields of a record about people, times and decks, which the kernel does not produce."""
HIGH: CardArray = ALL[np.isin(ALL % len(RANKS), [RANKS.index(rank) for rank in "6TJQKA"])]
"""Deck with many high hands."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rounds that the kernel has played, and the decks from which they were dealt."""

    pack: RulePack
    method: Method
    decks: CardArray
    played: PlayedRounds


def batch(
    pack: RulePack,
    method: Method,
    decks: CardArray,
    seats: Sequence[int],
    stakes: Stakes,
    strategy: Strategy,
    players: Mapping[int, str] | None = None,
) -> Batch:
    dealt = deal(pack, method, seats, decks)
    return Batch(pack, method, decks, play(rules_of(pack), dealt, stakes, strategy, players))


def any_batch(pack: RulePack, seed: int, number: int, rounds: int) -> Batch:
    """Return a batch of random rounds, of any kind that the pack permits."""
    dice = np.random.default_rng([seed, number])
    method = tuple(pack.deals)[max(0, int(dice.integers(-5, len(pack.deals))))]
    seats = tuple(sorted(dice.permutation(SEATS)[: dice.integers(1, 7)].tolist()))
    bends = replace(
        pack,
        payout_limit=replace(pack.payout_limit, cents=_limit(pack, dice)),
        whole_multiples=bool(dice.random() < 0.8),
    )
    cards = len(dealt_places(bends, method, seats))
    decks = shuffled(dice, rounds, cards, HIGH if dice.random() < 0.3 else ALL)
    stakes = random_stakes(bends, dice, len(seats), rounds, bonus=float(dice.choice([0.0, 0.35, 1.0])))
    strategy = RandomStrategy(dice, float(dice.choice([0.0, 0.1, 0.1, 0.1, 0.1, 0.3, 0.7])))
    return batch(bends, method, decks, seats, stakes, strategy, _patrons(bends, dice, seats))


def _limit(pack: RulePack, dice: np.random.Generator) -> int | None:
    """Return the payout limit of a batch in cents: the pack's own, None, or a low one that is reached every
    few rounds."""
    drawn = dice.random()
    if drawn < 0.4:
        return pack.payout_limit.cents
    return None if drawn < 0.5 else int(dice.integers(0, 20 * pack.maximum_ante))


def _patrons(pack: RulePack, dice: np.random.Generator, seats: Sequence[int]) -> dict[int, str]:
    """Return the patron by box. In some batches the first patron has several adjacent boxes, as many as the
    pack allows."""
    most = len(SEATS) if pack.adjacent_boxes is None else pack.adjacent_boxes
    first = seats[0]
    boxes = [seat for at, seat in enumerate(seats) if seat == first + at][:most]
    return dict.fromkeys(boxes, str(first)) if dice.random() < 0.3 else {}


def differences(found: Batch, table: DrivenTable, number: int) -> list[str]:
    """Return the differences between kernel and table in one round."""
    plan, record = table.play_round(found.played, found.decks, number)
    view = TableView(found.played, number)
    return [*_steps(view.items(), plan), *_fields(view.record(), record)]


def unplanned(found: Batch, number: int) -> list[str]:
    """Return the differences in one round between the kernel's steps and the plan by which a table settles.
    No table is played, which makes this fast."""
    played = found.played
    order = dealt_places(found.pack, found.method, played.dealt.seats)
    at = dict(zip(order, map(card_of, found.decks[:, number].tolist()), strict=True))
    bonus = tuple(at[place] for place in BONUS_PLACES) if BONUS_PLACES[0] in at else None
    seats = [_seat(played, at, box, number) for box in range(len(played.dealt.seats))]
    expected = plan(found.pack, {place: at[place] for place in CROSS}, bonus, seats)
    return _steps(TableView(played, number).items(), expected)


def _seat(played: PlayedRounds, at: Mapping[str, Card], box: int, number: int) -> SeatToSettle:
    seat = played.dealt.seats[box]
    laid = zip(WAGERS, played.wagers[:, box, number].tolist(), strict=True)
    cards = tuple(at[place] for place in cards_of(seat))
    return SeatToSettle(seat, played.players[box], cards, bool(played.folded[box, number]), dict(laid))


def _steps(kernel: tuple[Item, ...], table: tuple[Item, ...]) -> list[str]:
    if kernel == table:
        return []
    both = zip(kernel, table, strict=False)
    at = next((n for n, (one, other) in enumerate(both) if one != other), min(len(kernel), len(table)))
    return [f"step {at}: kernel {kernel[at:][:1]}, table {table[at:][:1]}"]


def _fields(kernel: Mapping[str, Any], table: Mapping[str, Any]) -> list[str]:
    seen: Mapping[str, Any] = {"shoe": None, "counted": None}
    expected = {**table, "stub": table["stub"] | seen}
    return [
        f"{key}: kernel {kernel.get(key)}, table {expected.get(key)}"
        for key in sorted({*kernel, *expected} - OUTSIDE)
        if kernel.get(key) != expected.get(key)
    ]
