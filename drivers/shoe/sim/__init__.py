"""The simulated shoe.

- `console`: `crisscross simulate shoe`: a simulated shoe on a serial port or a new pseudo-terminal, and its
  fault console.
- `deck`: The cards of the simulated shoe: a shuffled deck, and cards put in front of it.
- `device`: The works of the simulated dealing shoe: what it does by itself once it was told to.
- `faults`: The simulated shoe's faults: what has struck, and what strikes at a card to come.
- `in_process`: The simulated shoe plugged in at the port, without a line: for volume (`mock --no-wires`).
- `line`: The simulated shoe's line: a pseudo-terminal behind a stable path, and what can go wrong on a line.
- `model`: The simulated dealing shoe as a device: decks, exit, counters, faults.
- `session`: The shoe's end of the shoe link, in either version, for simulators (drivers/shoe/LINK.md).
- `simulator`: The simulated shoe on a wire: a `ShoeModel` behind a pseudo-terminal or a real serial port.
"""
