"""Circles read by a FEIG OBID i-scan reader through its antenna multiplexer (FEIG.md): one reader per seat.

Each circle is its own `QuickChip`, at one of the multiplexer's outputs. An incomplete inventory is never
reported. A circle must never be reported as emptied unless the reader says so in a configuration in which
each inventory wakes all chips first, the multiplexer has just been connected to the circle, and no chip that
was there answers by its number. A quick look never shows that a chip is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice

from drivers.chips import icode_dna
from drivers.chips.feig_frames import (
    DONE,
    HOST_COMMAND,
    MAX_CHIPS,
    MORE_DATA,
    NO_CHIP,
    ONE_SLOT,
    TRANSPARENT,
    Answer,
    address_chip,
    chip_request,
    inventory_request,
    single_uid,
    uids_of,
)  # fmt: skip
from drivers.chips.feig_link import FeigLink, status_text
from drivers.chips.reader import LineHealth, MonotonicClock, NoAnswer, ReaderChip, Unreadable
from drivers.chips.reading_order import Quick
from drivers.chips.secure_module import SecureModule
from drivers.ports import CircleId
from hardware.seat_board.pins import READERS

INVENTORY_TIMEOUT_S = 0.8
"""Timeout of an inventory: 40 chips take 0.45 s in the field and 0.12 s on the line."""
LOST_ADDRESSES = 4
"""Number of times that lost chips are addressed in each look that shows their loss; each takes some 12 ms."""
OUTPUT_OF = {circle: output for output, circle in enumerate(READERS, start=1)}
"""Multiplexer output of each circle, in the order of a seat board's readers. Output 8 stays free."""


class FeigReader:
    """`ReaderChip` of one circle. The seat's field stays on at the circle that was read last."""

    def __init__(self, link: FeigLink, circle: str) -> None:
        self._link = link
        self._circle = circle
        self._output = OUTPUT_OF[circle]
        self._before: tuple[str, ...] = ()
        self._lost: set[str] = set()
        """Chips that the last inventory was the first to lack. The table believes a loss after two looks."""
        self._answered = ""
        """Chip that answered the quick look before, alone, or ""."""
        self._connected = False
        """Whether chips answered the quick look before: the multiplexer is connected to the circle."""

    def open(self, timeout_s: float) -> None:
        self._link.join(self._circle, self._output, timeout_s)

    def rest(self) -> None:
        """Do nothing: the reader resets its field before each inventory, which wakes the chips."""

    def inventory(self, timeout_s: float) -> tuple[str, ...]:
        link = self._link
        answered, self._answered = self._answered, ""
        connected, self._connected = self._connected, False
        with link.turn(self._circle):
            link.select(self._output, timeout_s, anew=not connected)
            uids = self._collect()
            lost = {*self._before}.difference(uids)
            self._require_gone(lost | self._lost.difference(uids), timeout_s)
            # A restarted reader hides chips, or switches the multiplexer itself and reads another circle.
            if uids != self._before and answered not in uids:
                link.check(timeout_s)
        self._before, self._lost = uids, lost
        return uids

    def quick(self, look: Quick, timeout_s: float) -> tuple[str, ...] | None:
        link = self._link
        with link.turn(self._circle):
            link.select(self._output, timeout_s, anew=bool(self._lost))
            if look.alone:
                answer = self._ask(TRANSPARENT, ONE_SLOT)
                if answer.status != NO_CHIP or answer.data:
                    self._connected = True
                    self._answered = single_uid(answer.data) if answer.status == DONE else ""
                    return (self._answered,) if self._answered and not look.holds else None
            for uid in look.address:
                if self._ask(HOST_COMMAND, address_chip(uid)).status != DONE:
                    return None
            self._require_gone(self._lost, timeout_s)
            self._lost = set()
        return look.holds if look.alone or look.address else None

    def prove(self, uid: str, module: SecureModule, timeout_s: float) -> None:
        """Have the chip with this UID prove itself, as `ProvingChip`. The field stays on."""
        link = self._link
        self._answered, self._connected = "", False

        def exchange(body: bytes) -> bytes:
            answer = link.call(TRANSPARENT, chip_request(body, icode_dna.RESPONSE_BYTES), timeout_s)
            if answer.status != DONE:
                raise Unreadable(f"no answer of chip {uid}: {status_text(answer.status)}")
            return answer.data

        with link.turn(self._circle):
            link.select(self._output, timeout_s)
            icode_dna.prove(uid, module, exchange)

    def quiet(self, timeout_s: float) -> None:
        """Reset the field after a garbled answer; its acknowledgement shows that the line works again."""
        with self._link.turn(self._circle):
            self._link.reset_field(timeout_s)

    def cancel(self) -> None:
        self._link.cancel()

    def close(self) -> None:
        self._link.leave(self._circle)

    def statistics(self) -> LineHealth:
        link = self._link
        waited_s = link.waited_s.get(self._circle, 0.0)
        return LineHealth(link.path, link.firmware, link.noise, link.stale, waited_s, link.note)

    def _collect(self) -> tuple[str, ...]:
        """Return the UIDs of all frames of an inventory, sorted. Raises Unreadable if it is not complete."""
        answer = self._ask(HOST_COMMAND, inventory_request(more=False))
        if answer.status == NO_CHIP and not answer.data:
            return ()
        found = self._uids(answer)
        while answer.status == MORE_DATA:
            answer = self._ask(HOST_COMMAND, inventory_request(more=True))
            found += self._uids(answer)
            if len(found) > MAX_CHIPS:
                raise Unreadable(f"more than {MAX_CHIPS} chips, which the reader cannot tell apart")
        if len(set(found)) != len(found):
            raise Unreadable("a chip is twice in one inventory; another may be hidden behind it")
        return tuple(sorted(found))

    def _require_gone(self, lost: set[str], timeout_s: float) -> None:
        """Connect the circle anew and address chips that were there before, in turn. Raises Unreadable if one
        answers."""
        if lost:
            self._link.select(self._output, timeout_s, anew=True)
        for uid in islice(cycle(sorted(lost)), LOST_ADDRESSES):
            if self._ask(HOST_COMMAND, address_chip(uid)).status == DONE:
                raise Unreadable(
                    "a chip does not answer every time: it lies at the edge of the field, or the multiplexer "
                    "lost its supply"
                )

    def _ask(self, control: int, data: bytes) -> Answer:
        """Return the answer to a command to the chips. Raises NoAnswer only if the reader does not answer the
        multiplexer's command either.
        """
        try:
            return self._link.call(control, data, INVENTORY_TIMEOUT_S)
        except NoAnswer as error:
            self._link.select(self._output, 0.0)
            raise Unreadable(f"no inventory within {INVENTORY_TIMEOUT_S} s") from error

    def _uids(self, answer: Answer) -> list[str]:
        if answer.status not in (DONE, MORE_DATA):
            raise Unreadable(f"no inventory: {status_text(answer.status)}")
        found = uids_of(answer.data)
        if isinstance(found, str):
            raise Unreadable(f"not understood: {found}")
        return list(found)


def feig_readers(
    ports: Mapping[CircleId, str], settle_s: float, _clock: MonotonicClock
) -> dict[CircleId, ReaderChip]:
    """Return a reader for each circle. Circles with the same port share a reader. `settle_s`: time between an
    answer and the next request."""
    links = {port: FeigLink(port, settle_s) for port in ports.values()}
    return {circle: FeigReader(links[port], circle[1]) for circle, port in ports.items()}
