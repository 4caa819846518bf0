"""Chip readers by kind: a PN532 on a line of its own, or seven on a seat board; the schedule of fields.

- `board_frames`: Frames of the seat board's link as the Pi reads and writes them
  (hardware/seat_board/LINK.md).
- `board_link`: The line to one seat board: one request at a time, repeated once, its answer by number.
- `frames`: PN532 frames as bytes (UM0701-02, section 6.2.1): cutting them out of a stream, making them.
- `kinds`: The kinds of reader that a table file may name (`readers.kind`), each a chip standard and its
  driver.
- `pn532`: One PN532 on its serial line: opened, set up, asked for everything that lies on its antenna.
- `port`: The serial line to one PN532 as the four members that ``PN532_UART`` asks for.
- `reader`: One circle's reader, whatever its chip standard: its state, its readings, what it answered.
- `register`: The chip register: what each UID is worth.
- `scanner`: All readers of a table behind `ChipsPort`: one thread a seat, slot after slot.
- `schedule`: Which circles are read in which slot: pure, no thread and no clock.
- `seat_board`: Readers on seat boards: seven circles share one board's line, and each is a `ReaderChip` of
  its own.
- `sim/`: The simulated readers, boards and chips.
"""
