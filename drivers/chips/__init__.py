"""Chip readers by kind: a PN532 per circle, a seat board with seven PN532, or a FEIG reader per seat; the
schedule of fields.

- `board_frames`: Frames of the seat board's link, encoded and decoded for the Pi
  (hardware/seat_board/LINK.md).
- `board_link`: The connection to one seat board: one request at a time, repeated once after a timeout; an
  answer has the request's number.
- `feig`: Circles read by a FEIG OBID i-scan reader through its antenna multiplexer (FEIG.md): one reader per
  seat.
- `feig_configuration`: The configuration that a FEIG reader needs (FEIG.md, Configuration): read at opening,
  set in its RAM.
- `feig_frames`: Frames of FEIG OBID i-scan readers as bytes (FEIG.md): builds requests, cuts answers out of a
  stream.
- `feig_link`: The connection to one FEIG reader: one request at a time, each answered by its address and
  control byte.
- `frames`: PN532 frames as bytes (UM0701-02, section 6.2.1): splitting a stream into frames, and building
  them.
- `icode_dna`: The proof of an ICODE DNA: TAM1 of ISO/IEC 29167-10 as the reader sends it over ISO/IEC 15693.
- `kinds`: The kinds of reader (PN532, seat board, FEIG) for `readers.kind` in a table file: the driver of
  each chip standard.
- `module_socket`: A secure module behind a Unix socket: the table's end, which carries messages and has no
  key.
- `ntag424`: The proof of an NTAG 424 DNA: AuthenticateEV2First as the reader sends it.
- `pn532`: One PN532 on its serial line, the reader of one circle: opens it, sets it up, and finds every chip
  there.
- `port`: The serial line (UART) to one PN532 as the port object with four members that ``PN532_UART`` needs.
- `proofs`: The schedule of proofs: when a chip must prove that it is genuine and no copy (counterfeit), and
  in which order.
- `reader`: One circle's reader, whatever its chip standard: its state, its readings and its counters.
- `reading_order`: Readings of the circles: their order, and for each circle a whole inventory or a quick
  look.
- `register`: The chip register: how the number of a chip (its UID) becomes its value.
- `scanner`: All readers of a table as a `ChipsPort`: one thread per seat polls its circles, slot after slot.
- `schedule`: The order in which circles are read (polled), and how often, slot by slot: pure, without thread
  or clock.
- `seat_board`: Readers on seat boards: seven circles share one board's line, and each is its own
  `ReaderChip`.
- `secure_module`: Port of the secure module that keeps the secret keys of the chips and does only the
  reader's half of a proof.
- `serial_line`: Serial ports of chip readers: opened for this program alone, read and written without
  waiting.
- `sim/`: The simulated readers, boards and chips.
"""
