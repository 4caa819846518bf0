"""The simulated pins of a Raspberry Pi.

- `chain`: A simulated chain of 74HC595 with its read-back and faults, at the bench and at the end of MISO.
- `factory`: The gpiozero pin factory ``sim``: pins and SPI words over a local socket to the bench.
- `link`: The daemon's end of the simulated pins' socket: lines of JSON, one reading thread.
- `server`: The bench's end of the simulated pins: the devices on the Pi's header, as a model and a wire.
"""
