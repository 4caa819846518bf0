"""Sittings of a journal with their evidence, round by round.

Rounds are read in the order in which they were played. A round in play is not read, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from controller.evidence.factor import SeatRound, evidence_of
from controller.evidence.known_middle import FirstValues
from controller.evidence.seat_rounds import MAX_MISSED, seat_rounds
from controller.evidence.sitting import Sitting
from controller.game.model.record import RoundRecord
from controller.rules.odds.pack import Odds


@dataclass(frozen=True, slots=True)
class PackValues:
    """Odds of a pack and its table of first decisions."""

    odds: Odds
    first: FirstValues


def sittings_of(records: Iterable[RoundRecord], packs: Mapping[str, PackValues]) -> list[Sitting]:
    """Return the sittings in the order in which they began. `records`: oldest first. `packs`: by digest of
    the rules; a round of another pack gives no evidence."""
    found: list[Sitting] = []
    now: dict[int, Sitting] = {}
    for record in records:
        for seat, player, each in _players(record):
            sitting = now.get(seat)
            if sitting is None or sitting.player != player or _left(sitting, record["round"]):
                sitting = now[seat] = Sitting(seat, player)
                found.append(sitting)
            pack = packs.get(record["rules_digest"])
            known = None if each is None or pack is None else evidence_of(pack.odds, pack.first, each)
            sitting.add(record["round"], known)
    return found


def _players(record: RoundRecord) -> Iterator[tuple[int, str, SeatRound | None]]:
    found = seat_rounds(record)
    for seat in record["seats"]:
        yield seat["seat"], seat["player"], found.get(seat["seat"])


def _left(sitting: Sitting, number: int) -> bool:
    """Return whether the seat was left before round `number`."""
    return number - sitting.rounds[-1][0] > MAX_MISSED + 1
