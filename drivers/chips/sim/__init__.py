"""The simulated readers, boards and chips.

- `board`: One simulated seat board: the real firmware over simulated PN532s, on a pseudo-terminal.
- `board_bank`: Simulated seat boards of a whole table, as `ReaderBank` has single readers: chips, faults,
  names of lines.
- `board_spi`: Simulated PN532s on a seat board's SPI bus: what their pins do, over the model in `pn532.py`.
- `console`: One simulated reader on a real serial port or a new pseudo-terminal, worked by hand.
- `faults`: Faults between a simulated reader and its host, one verb each.
- `field`: The antenna under one circle and the ISO 14443A chips that lie on it.
- `in_process`: Readers without wires, for a table at full volume: `ChipsPort` that tells what a circle holds.
- `kinds`: The simulated readers of each kind that `drivers/chips/kinds.py` names.
- `line`: The wire of one simulated PN532: a pseudo-terminal behind a stable name, byte times, faults.
- `pn532`: A PN532 as its host sees it: frames in, frames out, no wire and no clock of its own.
- `simulator`: Simulated PN532 readers on pseudo-terminals: a bank of them in one thread of its own.
"""
