"""Entry point of the firmware on a Raspberry Pi Pico: pins and line, and nothing that could be tested
elsewhere.

If it hangs or ends, the watchdog resets the board, and a board in reset has no field on.
"""

import os
import time
from binascii import hexlify

import board
import busio
import microcontroller
import usb_cdc
from digitalio import DigitalInOut, Direction, Pull
from watchdog import WatchDogMode

from seat_board.board import Board
from seat_board.pins import LINE_RX, LINE_TX, MISO, MOSI, READERS, SCK
from seat_board.reading import Reader
from seat_board.spi import SeatPn532

WATCHDOG_S = 5.0
READ_BYTES = 512


def now() -> int:
    return time.monotonic_ns() // 1000


def pin(name: str) -> DigitalInOut:
    return DigitalInOut(getattr(board, name))


def reader(bus: busio.SPI, select: str, irq: str, reset: str) -> Reader:
    """Return the driver of one PN532. Its RSTPDN is low until the driver sets it up."""
    chip_select, interrupt, power = pin(select), pin(irq), pin(reset)
    chip_select.switch_to_output(value=True)
    power.switch_to_output(value=False)
    interrupt.direction, interrupt.pull = Direction.INPUT, Pull.UP

    def wait_low(seconds: float) -> bool:
        until = now() + int(seconds * 1_000_000)
        while interrupt.value:
            if now() >= until:
                return False
        return True

    def hold(held: bool) -> None:
        power.value = not held

    return Reader(lambda: SeatPn532(bus, chip_select, wait_low, time.sleep), hold, now, time.sleep)


def line() -> "usb_cdc.Serial | busio.UART":
    """Return the line to the Pi: USB, or RS-485 if `settings.toml` has CRISSCROSS_LINE = "rs485"."""
    if os.getenv("CRISSCROSS_LINE") == "rs485":
        return busio.UART(
            getattr(board, LINE_TX), getattr(board, LINE_RX), baudrate=115200, receiver_buffer_size=READ_BYTES
        )
    usb_cdc.data.write_timeout = 0.1
    return usb_cdc.data


def run() -> None:
    bus = busio.SPI(getattr(board, SCK), MOSI=getattr(board, MOSI), MISO=getattr(board, MISO))
    readers = {circle: reader(bus, *pins) for circle, pins in READERS.items()}
    serial = line()
    firmware = Board(
        readers, serial.write, now, hexlify(microcontroller.cpu.uid).decode(), hexlify(os.urandom(2)).decode()
    )
    watchdog = microcontroller.watchdog
    watchdog.timeout = WATCHDOG_S
    watchdog.mode = WatchDogMode.RESET
    while True:
        watchdog.feed()
        waiting = serial.in_waiting
        if waiting:
            firmware.receive(serial.read(min(waiting, READ_BYTES)))


run()
