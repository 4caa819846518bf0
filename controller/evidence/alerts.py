"""Alerts to surveillance about sittings and dealers above the house's threshold: a line in the log, and
notifications.

An alert follows rounds that have ended and names no card; only the log names the number of a dealer. It must
never reach a table, floor or pit: it is sent to the receivers of surveillance alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from secrets import token_hex

from controller.common.notify.notification import Notification
from controller.common.notify.sender import NotificationSender
from controller.evidence.board import Board
from controller.evidence.report import TEN
from controller.evidence.running_evidence import Ended
from controller.evidence.sitting import DealerEvidence, Sitting

log = logging.getLogger("crisscross.surveillance")
SENDER = "surveillance"


class Alerts:
    """Alerts to surveillance, each raised once since the start. `utc`: returns the time (UTC, ISO 8601)."""

    def __init__(self, board: Board, sender: NotificationSender, utc: Callable[[], str]) -> None:
        self._board, self._sender, self._utc = board, sender, utc
        self._raised: set[tuple[str | int, ...]] = set()

    def check(self, ended: Sequence[Ended]) -> None:
        """Raise an alert for each sitting of these rounds that is above the threshold and not over, for each
        dealer of them, and for each seat that a dealer's errors favour. A sitting gets one alert for each
        hypothesis that becomes its strongest one. Call this after the rounds were added."""
        threshold, of_dealers = self._board.threshold(), self._board.threshold_of_dealers()
        if threshold is None or of_dealers is None:
            return
        last = {(at, seat["seat"]): record["ended"] for at, record in ended for seat in record["seats"]}
        for place, when in last.items():
            sitting = self._board.sittings.lasting[place]
            if threshold.reached(sitting.peak / TEN, sitting.order):
                self._raise(sitting, when)
        for at, record in ended:
            if record["dealers"]:
                dealer = self._board.sittings.dealers[record["dealers"][0]["number"]]
                parts = [self._board.sittings.lasting[at, seat["seat"]] for seat in record["seats"]]
                self._check_dealer(dealer, parts, record["table"], record["ended"])

    def _check_dealer(self, dealer: DealerEvidence, dealt: Sequence[Sitting], table: str, when: str) -> None:
        """Raise an alert if the dealer is above the threshold, or their errors at one of the seats."""
        if self._board.is_dealer_above(dealer) and self._is_new("dealer", dealer.number):
            words = "table %s, dealer %s: the evidence is above the threshold"
            log.warning(words, table, dealer.number, extra={"event": f"above:dealer:{dealer.number}"})
            self._send(table, when, "dealer", None)
        for part in (each.by_dealer[dealer.number] for each in dealt if dealer.number in each.by_dealer):
            mark = "errors", dealer.number, part.journal, part.seat, part.rounds[0]
            if self._board.are_errors_above(part) and self._is_new(*mark):
                words = "table %s, seat %s, dealer %s: the evidence of the errors is above the threshold"
                log.warning(words, table, part.seat, dealer.number, extra={"event": f"above:{mark}"})
                self._send(table, when, "dealer_errors", part.seat)

    def _raise(self, sitting: Sitting, when: str) -> None:
        hypothesis = sitting.strongest
        mark = sitting.journal, sitting.seat, sitting.rounds[0], hypothesis
        if not self._is_new(*mark):
            return
        words = "table %s, seat %s, rounds %s to %s: the evidence is above the threshold, strongest %s%s"
        ahead = ", ".join(str(each.seat) for each in self._board.sittings.ahead_of(sitting))
        also = f"; also high at a seat that acts earlier: {ahead}" if ahead else ""
        facts = sitting.table, sitting.seat, sitting.rounds[0], sitting.rounds[-1], hypothesis, also
        log.warning(words, *facts, extra={"event": f"above:{mark}", "table": sitting.table})
        self._send(sitting.table, when, hypothesis.value, sitting.seat)

    def _is_new(self, *mark: str | int) -> bool:
        """Return whether no alert with this mark was raised before, and note it."""
        known = mark in self._raised
        self._raised.add(mark)
        return not known

    def _send(self, table: str, when: str, code: str, seat: int | None) -> None:
        about = when, (code,), seat
        self._sender.send(Notification(token_hex(12), self._utc(), SENDER, table, "evidence", *about))
