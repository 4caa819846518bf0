"""The simulated readers, boards and chips.

- `board`: One simulated seat board: the real firmware over simulated PN532s, on a pseudo-terminal.
- `board_bank`: Simulated seat boards of a table, with the interface of `ReaderBank`: chips, faults, names of
  lines.
- `board_spi`: Simulated PN532s on a seat board's SPI bus: their pins, on the model in `pn532.py`.
- `console`: One simulated reader on a real serial port or a new pseudo-terminal, operated by hand.
- `faults`: Faults between a simulated reader and its host, one verb each.
- `field`: The antenna under one circle and the ISO 14443A chips on it.
- `in_process`: Readers without wires, for a table at full speed: a `ChipsPort` that reports the contents of
  each circle.
- `kinds`: The simulated readers of each kind in `drivers/chips/kinds.py`.
- `line`: The wire of one simulated PN532: a pseudo-terminal behind a stable name, byte times, faults.
- `pn532`: A PN532 as its host sees it: frames in, frames out, without a wire or a clock.
- `simulator`: Simulated PN532 readers on pseudo-terminals: a bank with one thread for all.
"""
