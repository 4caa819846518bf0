"""Driver of a shoe on a serial port: opened exclusively by pyserial, and opened again when an unplugged USB
cable is reconnected.

It passes bytes and time between the port and a dialect on the event loop's thread, so that the ACK of an
accepted card is written at once. A port that is missing, in use or unplugged is a state that is logged once,
never an exception that escapes. This module must never log the content of a frame.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import termios
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Final, Literal

import serial

from drivers.ports import LinkStatistics, ShoeReport
from drivers.shoe.dialect import Dialect
from drivers.shoe.plain import PlainSession
from drivers.shoe.protection import Clear, Protection
from drivers.shoe.session import ControllerSession
from drivers.shoe.trace import TraceLine

if TYPE_CHECKING:
    from drivers.shoe.handshake import Paired

_LOG: Final = logging.getLogger(__name__)
REOPEN_INTERVAL_S: Final = 0.5
PATH_CHECK_INTERVAL_S: Final = 1.0
"""Seconds between two checks that the path still leads to the open port. After replugging, it may lead to
another port."""
_READ_BYTES: Final = 4096
_MAX_UNWRITTEN_BYTES: Final = 1024
"""Bytes buffered while the port accepts none. More are dropped, and the link resends their frames."""

# hardware/FACTS.md: after an unplug pyserial lets termios.error through, which is not an OSError
_PORT_ERRORS: Final = (serial.SerialException, OSError, termios.error, ValueError)

Protocol = Literal["v1", "plain"]


class SerialShoe:
    """ShoePort on a serial port. Call it on the loop's thread only; `clock` is the monotonic clock.

    Commands are void while the link is not up: see `ControllerSession`. `trace()` returns the last 64
    frames in each direction, faces masked.
    """

    def __init__(
        self,
        port: str,
        baud: int,
        protocol: Protocol,
        loop: asyncio.AbstractEventLoop,
        clock: Callable[[], float],
        name: str,
        paired: Paired | None = None,
    ) -> None:
        """Prepare without opening the port. `paired`: the keys of a pairing; with them the driver requires
        version 2 of the link."""
        self._paired = paired
        self._port = port
        self._baud = baud
        self._protocol: Protocol = protocol
        self._loop = loop
        self._clock = clock
        self._name = name
        self._dialect: Dialect | None = None
        self._sink: Callable[[ShoeReport], None] = _ignore
        self._serial: serial.Serial | None = None
        self._unwritten = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._path_timer: asyncio.TimerHandle | None = None
        self._pumping = False
        self._fault = ""
        """Reason for which the port is not open; "" while it is."""
        self._counts: Counter[str] = Counter()

    # ------------------------------------------------------------------ ShoePort

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        if self._dialect is not None:
            raise RuntimeError(f"shoe on {self._port}: started twice")
        self._sink = sink
        if self._protocol == "plain":
            self._dialect = PlainSession(last)
        else:
            self._dialect = ControllerSession(self._name, last, SystemRandom(), self._protection())
        self._timer = self._loop.call_later(0.0, self._open)

    def _protection(self) -> Protection:
        if self._paired is None:
            return Clear()
        from drivers.shoe.sealed import ControllerEnd

        return ControllerEnd(self._paired)

    def accept(self, report: ShoeReport) -> None:
        if self._dialect is not None:
            self._dialect.accept(report, self._clock())
            self._pump()

    def command(self, kind: str, *fields: str) -> None:
        if self._dialect is not None:
            self._dialect.command(kind, fields, self._clock())
            self._pump()

    def statistics(self) -> LinkStatistics:
        dialect = self._dialect
        if dialect is None:
            return LinkStatistics(protocol=self._protocol, port=self._port)
        counts = dict(sorted((dialect.counts() + self._counts).items()))
        return LinkStatistics(
            counts, dialect.up, dialect.protocol, self._fault or dialect.remark, self._port,
            dialect.last_received, dialect.unit,
        )  # fmt: skip

    def trace(self) -> list[TraceLine]:
        """Return the last frames in each direction for the technician."""
        return [] if self._dialect is None else self._dialect.trace.lines()

    def stop(self) -> None:
        self._dialect = None
        self._sink = _ignore
        self._close_port()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # ------------------------------------------------------------------ the port

    def _open(self) -> None:
        self._timer = None
        if self._dialect is None:
            return
        try:
            port = serial.Serial(self._port, self._baud, timeout=0, write_timeout=0, exclusive=True)
        except _PORT_ERRORS as error:
            self._retry_later(
                f"cannot be opened ({_error_text(error)}); is it plugged in, and held by no other program?"
            )
            return
        self._serial = port
        self._set_low_latency(port)
        self._counts["opened"] += 1
        if self._fault:
            self._fault = ""
            _LOG.info("shoe on %s: the port is back", self._port)
        self._loop.add_reader(port.fileno(), self._readable)
        self._dialect.opened(self._clock())
        self._path_timer = self._loop.call_later(PATH_CHECK_INTERVAL_S, self._check_path)
        self._pump()

    def _check_path(self) -> None:
        if self._serial is None:
            return
        self._path_timer = self._loop.call_later(PATH_CHECK_INTERVAL_S, self._check_path)
        if _leads_elsewhere(self._port, self._serial.fileno()):
            self._on_port_lost(OSError("its path leads to another port now"))

    def _set_low_latency(self, port: serial.Serial) -> None:
        """Request short latency from a USB adapter, which otherwise delays short frames by up to 16 ms
        (hardware/FACTS.md)."""
        try:
            port.set_low_latency_mode(True)
        except (ValueError, OSError) as error:
            # a pseudo-terminal or a port without that mode: it does not delay frames
            _LOG.debug("shoe on %s: no low-latency mode: %s", self._port, _error_text(error))

    def _retry_later(self, why: str) -> None:
        """Log the reason once and retry until the port is back."""
        if not self._fault:
            _LOG.warning("shoe on %s: %s; trying again every %s s", self._port, why, REOPEN_INTERVAL_S)
        self._fault = why
        self._timer = self._loop.call_later(REOPEN_INTERVAL_S, self._open)

    def _on_port_lost(self, error: Exception) -> None:
        dialect = self._dialect
        if dialect is None or self._serial is None:
            return
        self._close_port()
        if self._timer is not None:
            self._timer.cancel()
        self._counts["unplugged"] += 1
        self._retry_later(f"the port is gone ({_error_text(error)})")
        dialect.closed(self._clock())
        self._pump()

    def _close_port(self) -> None:
        port, self._serial = self._serial, None
        self._unwritten.clear()
        if self._path_timer is not None:
            self._path_timer.cancel()
            self._path_timer = None
        if port is None:
            return
        self._loop.remove_reader(port.fileno())
        self._loop.remove_writer(port.fileno())
        try:
            port.close()
        except _PORT_ERRORS as error:
            _LOG.debug("shoe on %s: closing: %s", self._port, _error_text(error))

    def _readable(self) -> None:
        if self._serial is None or self._dialect is None:
            return
        try:
            data = self._serial.read(_READ_BYTES)
        except _PORT_ERRORS as error:
            self._on_port_lost(error)
            return
        self._dialect.receive(data, self._clock())
        self._pump()

    def _write(self, data: bytes) -> None:
        if self._serial is None or not data:
            return
        if len(self._unwritten) > _MAX_UNWRITTEN_BYTES:
            self._counts["unwritten"] += 1
            return
        self._unwritten += data
        self._writable()

    def _writable(self) -> None:
        if self._serial is None:
            return
        fd = self._serial.fileno()
        try:
            # not Serial.write(): in pyserial 3.5 it spins while the port accepts no bytes
            taken = os.write(fd, self._unwritten)
        except BlockingIOError:
            taken = 0
        except _PORT_ERRORS as error:
            # from the loop, so that the port never closes during the caller's accept() or command()
            self._loop.call_soon(self._on_port_lost, error)
            return
        del self._unwritten[:taken]
        if self._unwritten:
            self._loop.add_writer(fd, self._writable)
        else:
            self._loop.remove_writer(fd)

    # ------------------------------------------------------------------ the dialect

    def _pump(self) -> None:
        """Write the dialect's bytes, then deliver its reports. The bytes go first, because an ACK must not
        wait."""
        dialect = self._dialect
        if dialect is None:
            return
        self._write(dialect.take_bytes())
        if self._pumping:
            return  # the sink called accept() from the loop below, which the outer call continues
        self._pumping = True
        try:
            while reports := dialect.take_reports():
                for report in reports:
                    self._sink(report)
        finally:
            self._pumping = False
        self._write(dialect.take_bytes())
        self._schedule()

    def _schedule(self) -> None:
        if self._dialect is None or self._serial is None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._dialect.next_deadline()
        if due is not None:
            self._timer = self._loop.call_later(max(0.0, due - self._clock()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        if self._dialect is not None:
            self._dialect.tick(self._clock())
            self._pump()


def _leads_elsewhere(path: str, fd: int) -> bool:
    """Return whether the path leads to another port than `fd`. False if it leads nowhere: the open port may
    still work."""
    try:
        return not os.path.samestat(Path(path).stat(), os.fstat(fd))
    except OSError:
        return False


def _ignore(_report: ShoeReport) -> None:
    """Discard reports before start() and after stop()."""


def _error_text(error: BaseException) -> str:
    number = getattr(error, "errno", None) or (error.args[0] if error.args else None)
    if isinstance(number, int) and number in errno.errorcode:
        return os.strerror(number)
    return str(error) or type(error).__name__
