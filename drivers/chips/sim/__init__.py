"""The simulated readers, boards and chips.

- `anticollision`: A reader's inventory of ISO/IEC 15693 chips: rounds of sixteen slots, with a longer mask
  for answers that collided.
- `bank`: Simulated readers of an entire table, of any kind: started, faulted and stopped, with the lines of
  most kinds.
- `bank_loop`: The thread of a bank of simulated readers: waits for bytes or for the next due output.
- `board`: One simulated seat board: the real firmware over simulated PN532s, on a pseudo-terminal.
- `board_bank`: Simulated seat boards of a table, with the interface of `ReaderBank`: chips, faults, names of
  lines.
- `board_spi`: Simulated PN532s on a seat board's SPI bus: their pins, on the model in `pn532.py`.
- `console`: One simulated reader on a real serial port or a new pseudo-terminal, operated by hand.
- `faults`: Faults between a simulated reader and its host, one verb each.
- `feig_bank`: Simulated FEIG readers of a table, one per seat, with the interface of `ReaderBank`.
- `feig_faults`: Faults of an FEIG reader, its multiplexer, its antennas and its wire, one verb each.
- `feig_frames`: Frames of the FEIG OBID i-scan host protocol at the reader's end (H60301-3e, p.
- `feig_line`: The wire of one simulated FEIG reader: the reader's own speed, even parity, requests in,
  answers out.
- `feig_mux`: An FEIG ID ISC.ANT.MUX: eight outputs for one input, switched over the reader's antenna cable.
- `feig_reader`: An FEIG OBID i-scan HF reader with a multiplexer as its host sees it: requests in, answers
  out.
- `field`: The antenna under one circle and the ISO 14443A chips on it.
- `icode_dna`: The AES of an ICODE DNA behind AUTHENTICATE: TAM1 of ISO/IEC 29167-10 over ISO/IEC 15693.
- `in_process`: Readers without wires, for a table at full speed: a `ChipsPort` that reports the contents of
  each circle.
- `kinds`: The simulated readers of each kind in `drivers/chips/kinds.py`.
- `line`: The wire of one simulated PN532: its frames in, its frames out, at the device's pace.
- `module_server`: A software module behind a socket, for mock tables and for trials in a casino's cage: the
  other end of `drivers/chips/module_socket.py`.
- `ntag424`: An NTAG 424 DNA over an antenna: select its application and authenticate, as NT4H2421Gx describes
  it.
- `over_antenna`: Chips over one antenna, of any standard: put there and removed by their UIDs.
- `pn532`: A PN532 as its host sees it: frames in, frames out, without a wire or a clock.
- `pty_line`: The wire of one simulated reader: a pseudo-terminal behind a stable name, byte times, faults.
- `simulator`: Simulated PN532 readers on pseudo-terminals, one for each circle: a bank with one thread for
  all.
- `software_module`: A secure module in software, for mock tables and for trials in a casino's cage.
- `vicinity`: ISO/IEC 15693 chips over one antenna: their states, their answers, and the time of each
  exchange.
- `x25`: CRC-16 with the reversed polynomial 8408, given in C in FEIG's manuals and used by ISO/IEC 15693-3.
"""
