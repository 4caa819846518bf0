"""Causes that state why a reader or the shoe does not answer on its serial line, and their remedies, such
as another baud rate, a plug or a supply (troubleshooting).

The cause is inferred from the state of the driver and of the line. Pure. All circles with the same cause
share one line of the report. Received bytes may be a shoe's and contain the face of a card, so no part of
them may be shown.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.table.commissioning.lines import ReportLine
from drivers.chips.board_frames import Lines, encode_frame
from drivers.chips.board_link import PROTOCOL_VERSION as BOARD_VERSION
from drivers.chips.board_link import WELCOME_FIELDS
from drivers.chips.feig_frames import ANY_ADDRESS, SOFTWARE_VERSION, AnswerSplitter, request
from drivers.chips.feig_link import BAUDS as FEIG_BAUDS
from drivers.chips.feig_link import PARITY as FEIG_PARITY
from drivers.chips.frames import ACK, ERROR, NACK, TO_CHIP, TO_HOST, Cutter, frame, payload
from drivers.chips.kinds import DEFAULT, FEIG, SEAT_BOARD
from drivers.ports import CircleId
from drivers.probe import ProbeRequest, ProbeResult
from drivers.shoe.codec import MAX_FRAME_BYTES, FrameDecoder

Cause = Literal[
    "no rules", "nothing plugged in", "not there", "not permitted", "held", "no serial port", "silent",
    "named twice", "behind a board", "echo", "a shoe", "a reader", "unasked", "garbage", "unreadable",
]  # fmt: skip

READER_PROBE = ProbeRequest(b"\x55\x55" + bytes(14) + frame(TO_CHIP, b"\x02"))
"""Request that wakes a PN532 and asks for its firmware version (UM0701-02, 7.2.2 and 7.2.11). A shoe ignores
it.
"""
BOARD_PROBE = ProbeRequest(encode_frame(0, "HELLO", BOARD_VERSION, "check"))
"""Request that a seat board answers with WELCOME (hardware/seat_board/LINK.md). A shoe ignores it: its HELLO
has another form.
"""
FEIG_PROBES = tuple(
    ProbeRequest(request(SOFTWARE_VERSION, address=ANY_ADDRESS), baud, FEIG_PARITY) for baud in FEIG_BAUDS
)
"""Requests for a FEIG reader's software version (drivers/chips/FEIG.md), one for each speed. A shoe ignores
them.
"""
PROBES: Mapping[str, Sequence[ProbeRequest]] = {
    DEFAULT: (READER_PROBE,), SEAT_BOARD: (BOARD_PROBE,), FEIG: FEIG_PROBES,
}  # fmt: skip
"""Requests by `readers.kind`, sent one after the other until one is answered. Other kinds use that of the
PN532.
"""

DO: Mapping[Cause, str] = {
    "no rules": "the udev rules are not installed: the package crisscross-table brings them; from a "
    "checkout copy hardware/99-crisscross.rules, of seat boards 99-crisscross-boards.rules, to "
    "/etc/udev/rules.d, then udevadm control --reload && udevadm trigger",
    "nothing plugged in": "the udev rules are there, but nothing that they name is plugged in: have the "
    "hubs power, and are they in the sockets that the rules name?",
    "not there": "there is no such port: is its board plugged in, in the socket that the udev rules name?",
    "not permitted": "this user may not open it: check as root, or with runuser -u crisscross",
    "held": "another program holds it: end that first (fuser -v PORT names it)",
    "named twice": "two entries of the table file name one adapter: correct one of them",
    "no serial port": "that is no serial port: correct its path in the table file",
    "silent": "nothing comes back: look at its supply, its cable (TXD and RXD crossed?), its HSU switches; "
    "of a seat board at its plug and its firmware; of a FEIG reader at its speed (115200 or 38400 baud, even "
    "parity)",
    "behind a board": "the seat board answers, but not this reader: look at its ribbon, its plug, its "
    "jumpers (SPI)",
    "echo": "what is written comes back as it is: TXD touches RXD, and nothing else is on that line",
    "a shoe": "a shoe is on that line: its plug is in a reader's port",
    "a reader": "a chip reader answers there: its plug is in the shoe's port",
    "unasked": "unrequested bytes arrive, and none is a reader's: another device, another speed, or "
    "RXD open or on a neighbour's wire",
    "garbage": "what comes back is no reader's answer: a device of another kind, speed or parity, or a bad "
    "line",
    "unreadable": "a reader answers, but gives no whole inventory of its circle",
}
_BY_NUMBER: Mapping[int, Cause] = {
    errno.ENOENT: "not there", errno.ENODEV: "not there", errno.ENXIO: "not there", errno.EIO: "not there",
    errno.EACCES: "not permitted", errno.EPERM: "not permitted",
    errno.EBUSY: "held", errno.EAGAIN: "held",
    errno.ENOTTY: "no serial port", errno.EINVAL: "no serial port", errno.EISDIR: "no serial port",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LineFault:
    """Cause of a device that does not answer. `words`: the driver's own message if it adds to the cause, else
    "".
    """

    cause: Cause
    words: str = ""


def fault_of_line(probe: ProbeResult) -> LineFault:
    """Return the cause for a reader that does not answer, from the bytes received on its line."""
    before, after = bytes(probe.before), bytes(probe.after)
    if probe.refused is not None:
        return LineFault(
            _BY_NUMBER.get(probe.refused.errno or 0, "no serial port"),
            probe.refused.strerror or str(probe.refused),
        )
    if has_board_welcome(after):
        return LineFault("behind a board")
    if BOARD_PROBE.data in after or FEIG_PROBES[0].data in after:
        return LineFault("echo")
    if has_shoe_frame(before + after):
        return LineFault("a shoe")
    if has_reader_answer(after) or has_feig_answer(after):
        return LineFault("unreadable")
    if frame(TO_CHIP, b"\x02") in after:
        return LineFault("echo")
    if any(before):
        return LineFault("unasked")
    return LineFault("garbage") if any(after) else LineFault("silent")


def has_shoe_frame(data: bytes) -> bool:
    """Return whether a complete frame of the shoe link, of either version, with a valid checksum was
    received."""
    return bool(FrameDecoder(MAX_FRAME_BYTES).feed(data))


def has_board_welcome(data: bytes) -> bool:
    """Return whether a seat board's WELCOME was received. A shoe's WELCOME has one field less."""
    found = Lines().feed(data)
    return any((each.kind, len(each.fields)) == ("WELCOME", WELCOME_FIELDS) for each in found)


def has_reader_answer(data: bytes) -> bool:
    """Return whether an acknowledgement and a complete answer to `READER_PROBE` were received."""
    frames = Cutter().feed(data)
    inner = [payload(each) for each in frames if each not in (ACK, NACK, ERROR)]
    return ACK in frames and any(each and each[:2] == bytes((TO_HOST, 0x03)) for each in inner)


def has_feig_answer(data: bytes) -> bool:
    """Return whether a FEIG reader's answer to one of `FEIG_PROBES` was received."""
    return any(each.control == SOFTWARE_VERSION for each in AnswerSplitter().feed(data))


def fault_of_missing(
    path: str, folder_is_there: Callable[[], bool], rules_are_there: Callable[[], bool]
) -> LineFault:
    """Return the cause for a port that does not exist. Names in /dev/crisscross are made by the udev rules
    only.
    """
    if not path.startswith("/dev/crisscross/") or folder_is_there():
        return LineFault("not there")
    return LineFault("nothing plugged in") if rules_are_there() else LineFault("no rules")


def lines(
    ports: Mapping[CircleId, str], faults: Mapping[CircleId, LineFault], notes: Mapping[CircleId, str]
) -> Iterator[ReportLine]:
    """Yield the number of readers that answer, then a line for each cause and each of the drivers' remarks
    with its circles.
    """
    well = len(ports) - len(faults)
    yield ReportLine(
        f"readers: {well} of {len(ports)} read their circle", f"{len(faults)} do not" if faults else ""
    )
    for fault in dict.fromkeys(faults.values()):
        hit = [circle for circle in ports if faults.get(circle) == fault]
        yield ReportLine(f"{fault.cause}: {names(hit, ports)}", remedy(fault))
    for note in dict.fromkeys(notes.values()):
        yield ReportLine(names([each for each in ports if notes.get(each) == note], ports), note=note)


def remedy(fault: LineFault) -> str:
    """Return the remedy, followed by the driver's own message if there is one."""
    return f"{DO[fault.cause]} ({fault.words})" if fault.words else DO[fault.cause]


def names(hit: Sequence[CircleId], ports: Mapping[CircleId, str]) -> str:
    """Return circles as text: a seat with all its circles by its number, up to three circles with their
    ports. `hit`: the circles to name; `ports`: the port of every circle with a reader."""
    if len(hit) == len(ports) > 1:
        return f"all {len(hit)} readers"
    if len(hit) <= 3:
        return ", ".join(f"seat {circle[0]} {circle[1]} on {ports[circle]}" for circle in hit)
    words = []
    for seat in dict.fromkeys(circle[0] for circle in hit):
        here = [wager for at, wager in hit if at == seat]
        whole = len(here) > 1 and len(here) == sum(1 for at, _ in ports if at == seat)
        words.append(f"seat {seat}" if whole else f"seat {seat} {', '.join(here)}")
    return "; ".join(words)
