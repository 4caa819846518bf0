"""The seat board's firmware: CircuitPython on an RP2040, seven PN532 on SPI, one line to the Pi.

The whole folder is copied onto the board as `seat_board`, `code.py` and `boot.py` beside it. All but those
two is plain logic that runs under CPython as well. It uses nothing that CircuitPython does not have, and it
must never import anything of the Pi's program.

- `board`: The seat board: hears requests on its line, works its readers one at a time, answers.
- `boot`: Before the firmware runs: one serial line to the Pi, no console, and nobody writes the drive over
  USB.
- `code`: The firmware's entry on a Raspberry Pi Pico: pins and line, and nothing that could be tested
  elsewhere.
- `link`: The frames of the seat board's link (hardware/seat_board/LINK.md): text, a number and a CRC-16 a
  line.
- `pins`: The board's pins, as CircuitPython names those of a Raspberry Pi Pico.
- `reading`: One circle's reader as the board uses it: set up, read, held in reset when it fails.
- `spi`: One PN532 on the board's SPI bus: the library adafruit_pn532 over a transport that waits for IRQ.
"""
