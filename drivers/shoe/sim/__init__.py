"""The simulated shoe.

- `console`: `crisscross simulate shoe`: a simulated shoe on a serial port or a new pseudo-terminal, with a
  fault console.
- `deck`: Cards of the simulated shoe: a shuffled deck, and cards put in front of it.
- `device`: Mechanics of the simulated dealing shoe: commands and everything the device does by itself
  afterwards.
- `faults`: Faults of the simulated shoe: those active, and those set for a later card.
- `in_process`: Simulated shoe in place of the driver, without a wire: for many fast rounds (`mock
  --no-wires`).
- `line`: Line of the simulated shoe: a pseudo-terminal behind a stable path, and the faults of a line.
- `model`: Simulated dealing shoe as a device: decks, exit, counters, faults.
- `session`: Shoe's end of the shoe link, in either version, for simulators (drivers/shoe/LINK.md).
- `simulator`: Simulated shoe on a wire: a `ShoeModel` behind a pseudo-terminal or a real serial port.
"""
