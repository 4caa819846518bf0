"""Sittings of a journal with their evidence, round by round.

Rounds are read in the order in which they were played. A round in play is not read, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from controller.evidence.hypotheses import PackValues, SeatCards, evidence_by_hypothesis
from controller.evidence.seat_rounds import MAX_MISSED, seat_rounds, shoe_rounds
from controller.evidence.sitting import Sitting
from controller.game.model.record import RoundRecord


def sittings_of(records: Iterable[RoundRecord], packs: Mapping[str, PackValues]) -> list[Sitting]:
    """Return the sittings in the order in which they began. `records`: oldest first. `packs`: by digest of
    the rules; a round of another pack gives no evidence."""
    found: list[Sitting] = []
    now: dict[int, Sitting] = {}
    for record in records:
        for seat, player, cards in _players(record):
            sitting = now.get(seat)
            if sitting is None or sitting.player != player or _left(sitting, record["round"]):
                sitting = now[seat] = Sitting(seat, player)
                found.append(sitting)
            pack = packs.get(record["rules_digest"])
            known = evidence_by_hypothesis(pack, cards, sitting.habits) if pack else {}
            sitting.add(record["round"], known)
            if cards.early is not None:
                sitting.habits.add(cards.early)
    return found


def _players(record: RoundRecord) -> Iterator[tuple[int, str, SeatCards]]:
    """Yield seat, mark of the player and cards of each seat of a round."""
    seen, whole = seat_rounds(record), shoe_rounds(record)
    for each in record["seats"]:
        seat = each["seat"]
        if whole is None:
            cards = SeatCards(seen.get(seat))
        else:
            cards = SeatCards(seen.get(seat), whole.seats.get(seat), whole.cross, whole.early.get(seat))
        yield seat, each["player"], cards


def _left(sitting: Sitting, number: int) -> bool:
    """Return whether the seat was left before round `number`."""
    return number - sitting.rounds[-1] > MAX_MISSED + 1
