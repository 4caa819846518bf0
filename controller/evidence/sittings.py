"""Sittings (seat by seat) and dealers (dealer by dealer) of journals with their evidence, round by round.

Rounds are added in the order in which they ended; those of one journal in the order in which they were
played. A round in play has no record, so it is never added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log

from controller.evidence.dealer_errors import error_of
from controller.evidence.hypotheses import PackValues, SeatCards, evidence_by_hypothesis
from controller.evidence.seat_rounds import MAX_MISSED, seat_rounds, shoe_rounds
from controller.evidence.sitting import DealerEvidence, Sitting
from controller.game.model.record import RoundRecord

HIGH = log(10)
"""Logarithm of the evidence from which a seat that acts earlier is named beside one above the threshold."""


class Sittings:
    """All sittings and dealers of the journals with their running evidence.

    `found`: sittings in the order in which they began. `dealers`: dealers by number. `packs`: values by
    digest of the rules; a round of any other pack gives no evidence. `lasting`: the newest sitting by journal
    and seat. `seat`: the only seat whose evidence is computed, or None for all.
    """

    def __init__(self, packs: Mapping[str, PackValues], seat: int | None = None) -> None:
        self.packs, self.seat = packs, seat
        self.found: list[Sitting] = []
        self.dealers: dict[str, DealerEvidence] = {}
        self.rounds = 0
        self.lasting: dict[tuple[int, int], Sitting] = {}
        self._dealt = 0
        """Number of combinations of a dealer and a sitting so far."""

    def ahead_of(self, sitting: Sitting) -> list[Sitting]:
        """Return the sittings at seats that act before this one, in rounds of the same table at the same
        time, if their evidence reached HIGH too. A player who follows such a seat may know no card."""
        return [
            each
            for each in self.found
            if (each.journal, each.seat < sitting.seat) == (sitting.journal, True)
            and each.rounds[0] <= sitting.rounds[-1]
            and sitting.rounds[0] <= each.rounds[-1]
            and each.peak >= HIGH
        ]

    def add(self, record: RoundRecord, journal: int = 0) -> None:
        """Add a round that has ended. `journal`: index of its journal."""
        self.rounds += 1
        dealer = self._dealer(record)
        pack = self.packs.get(record["rules_digest"])
        for seat, player, cards in _players(record, pack):
            sitting = self._sitting(record, journal, seat, player)
            chosen = pack if self.seat in (None, seat) else None
            known = evidence_by_hypothesis(chosen, cards, sitting.habits) if chosen else {}
            sitting.add(record["round"], known, cards.early)
            if dealer is not None:
                self._part(sitting, dealer).add(record["round"], known)
        if dealer is not None:
            dealer.add()
            self._err(record, journal, dealer)

    def _err(self, record: RoundRecord, journal: int, dealer: DealerEvidence) -> None:
        """Add the dealer's error of a round to each sitting that played it, as one at its seat or at
        another."""
        error = error_of(record)
        for seat in (each["seat"] for each in record["seats"]):
            part = self._part(self.lasting[journal, seat], dealer)
            if error is not None:
                part.errors.add(error, own=error.seat == seat)

    def _sitting(self, record: RoundRecord, journal: int, seat: int, player: str) -> Sitting:
        sitting = self.lasting.get((journal, seat))
        if sitting is None or sitting.player != player or _left(sitting, record["round"]):
            sitting = Sitting(seat, player, journal, record["table"], order=len(self.found) + 1)
            self.lasting[journal, seat] = sitting
            self.found.append(sitting)
        return sitting

    def _dealer(self, record: RoundRecord) -> DealerEvidence | None:
        """Return the dealer who began the round, since this is known before any card is; None if none signed
        on."""
        if not record["dealers"]:
            return None
        number = record["dealers"][0]["number"]
        return self.dealers.setdefault(number, DealerEvidence(number, order=len(self.dealers) + 1))

    def _part(self, sitting: Sitting, dealer: DealerEvidence) -> Sitting:
        """Return the part of a sitting that a dealer dealt, which is created at its first round."""
        part = sitting.by_dealer.get(dealer.number)
        if part is None:
            self._dealt += 1
            part = Sitting(sitting.seat, sitting.player, sitting.journal, sitting.table)
            part.errors.order = self._dealt
            sitting.by_dealer[dealer.number] = part
            dealer.sittings.append(part)
        return part


def _players(record: RoundRecord, pack: PackValues | None) -> Iterator[tuple[int, str, SeatCards]]:
    """Yield, for each seat of a round: the seat, the mark of its player, and the cards and decisions by which
    hypotheses are tested."""
    seen, whole = seat_rounds(record), shoe_rounds(record, pack.adjacent_boxes if pack else None)
    for each in record["seats"]:
        seat = each["seat"]
        cards = SeatCards(seen.get(seat))
        if whole is not None:
            cards = SeatCards(
                seen.get(seat), whole.seats.get(seat), whole.cross, whole.early.get(seat),
                whole.late.get(seat), whole.after.get(seat),
            )  # fmt: skip
        yield seat, each["player"], cards


def _left(sitting: Sitting, number: int) -> bool:
    """Return whether the player left the seat before round `number`, because more than MAX_MISSED rounds were
    sat out."""
    return number - sitting.rounds[-1] > MAX_MISSED + 1
