"""Probe of serial lines: listen, send one request, listen again.

For commissioning: it distinguishes a silent line from one with the wrong device. It is independent of
devices and returns bytes, which may be a shoe's and contain a card's face: they must never be shown.
"""

from __future__ import annotations

import selectors
import termios
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serial import Serial

_BAUD = 115_200
_OPENING_BAUDS = (19_200, 9_600)
LISTEN_TIME_S = 1.3
"""Time to listen; a shoe calls once a second (drivers/shoe/LINK.md, Handshake)."""
ANSWER_TIME_S = 0.4
_MAX_BYTES = 4096
"""Maximum number of stored bytes from a line, enough to identify its device."""


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """Request for a line, and the line's speed and parity as pyserial has it."""

    data: bytes
    baud: int = _BAUD
    parity: str = "N"


@dataclass(slots=True)
class ProbeResult:
    """Result for one line. `before`: unsolicited bytes; `after`: bytes since the request; `refused`: reason
    if the line could not be probed.
    """

    before: bytearray = field(default_factory=bytearray, repr=False)
    after: bytearray = field(default_factory=bytearray, repr=False)
    refused: OSError | None = None


def probe(
    requests: Mapping[str, ProbeRequest], listen_s: float = LISTEN_TIME_S, answer_s: float = ANSWER_TIME_S
) -> dict[str, ProbeResult]:
    """Probe several ports at once, by path, each with its request. Takes `listen_s` + `answer_s`."""
    results = {path: ProbeResult() for path in requests}
    with ExitStack() as opened:
        lines = {
            path: line for path in requests if (line := _open(path, requests[path], results[path], opened))
        }
        _collect({line: results[path].before for path, line in lines.items()}, listen_s)
        for path, line in lines.items():
            try:
                line.write(requests[path].data)
            except (OSError, termios.error) as error:
                results[path].refused = _with_number(error)
        _collect({line: results[path].after for path, line in lines.items()}, answer_s)
    return results


def _open(path: str, request: ProbeRequest, result: ProbeResult, opened: ExitStack) -> Serial | None:
    try:
        line = opened.enter_context(open_line(path, request.baud, request.parity))
        line.reset_input_buffer()
    except (OSError, ValueError, termios.error) as error:
        result.refused = _with_number(error)
        return None
    return line


def open_line(path: str, baud: int, parity: str) -> Serial:
    """Open a port for this program alone, without waiting. Raises OSError, ValueError or termios.error.

    A port with parity is opened at another speed first: a pseudo-terminal that has this speed already
    refuses a change of the parity alone.
    """
    import serial

    first = baud if parity == serial.PARITY_NONE else next(each for each in _OPENING_BAUDS if each != baud)
    line = serial.Serial(path, first, parity=parity, timeout=0, write_timeout=0, exclusive=True)
    try:
        if baud != first:
            line.baudrate = baud
    except (OSError, ValueError, termios.error):
        line.close()
        raise
    return line


def _with_number(error: Exception) -> OSError:
    """Return the error with its number, which pyserial hides if termios caused it."""
    if isinstance(error, OSError) and error.errno is not None:
        return error
    cause = error.__cause__ or error.__context__ or error
    number = cause.args[0] if cause.args and isinstance(cause.args[0], int) else None
    return OSError(number, str(error)) if number is not None else OSError(str(error))


def _collect(lines: Mapping[Serial, bytearray], seconds: float) -> None:
    until = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for line, into in lines.items():
            selector.register(line.fileno(), selectors.EVENT_READ, (line, into))
        while (left := until - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                line, into = key.data
                if not _take(line, into):
                    selector.unregister(key.fd)


def _take(line: Serial, into: bytearray) -> bool:
    """Read the bytes that have arrived. Returns False if the line is lost or enough bytes have come."""
    try:
        into += line.read(_MAX_BYTES)
    except (OSError, termios.error):
        return False
    return len(into) < _MAX_BYTES
