"""The simulated pins of a Raspberry Pi.

- `chain`: A simulated chain of 74HC595 with its way back, whole or not: at the bench, and at the end of MISO.
- `factory`: The gpiozero pin factory ``sim``: pins and SPI words over a local socket to the bench.
- `link`: The daemon's end of the simulated pins' socket: lines of JSON, one thread that reads.
- `server`: The bench's end of the simulated pins: what hangs on the Pi's header, as a model and a wire.
"""
