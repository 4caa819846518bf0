"""The seat board's firmware: CircuitPython on an RP2040, seven PN532 on SPI, one line to the Pi.

The whole folder is copied onto the board as `seat_board`, `code.py` and `boot.py` beside it. All but those
two is plain logic that runs under CPython as well. It uses nothing that CircuitPython does not have, and it
must never import anything of the Pi's program.
"""
