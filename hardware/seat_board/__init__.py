"""The seat board's firmware: CircuitPython on an RP2040, seven PN532 on SPI, one line to the Pi.

The whole folder is copied onto the board as `seat_board`, `code.py` and `boot.py` beside it. All but those
two is plain logic that runs under CPython as well. It uses nothing that CircuitPython does not have, and it
must never import anything of the Pi's program.

- `board`: Seat board: receives requests on its line, operates its readers one at a time, answers.
- `boot`: Settings before the firmware runs: one serial line to the Pi, no console, and no writing to the
  drive over USB.
- `code`: Entry point of the firmware on a Raspberry Pi Pico: pins and line, and nothing that could be tested
  elsewhere.
- `link`: Frames of the seat board's link (hardware/seat_board/LINK.md): text, a number and a CRC-16 a line.
- `pins`: Pins of the board, with CircuitPython's names for a Raspberry Pi Pico.
- `reading`: Reader (PN532) of one circle: set-up, inventory, and reset after a failure.
- `spi`: One PN532 on the board's SPI bus: the library adafruit_pn532 over a transport that waits for IRQ.
"""
