"""The table of simulated devices, wired in this process or plugged in at the daemon's ports.

- `acts`: Acts of hands at the table, for the simulated dealer and players.
- `base`: Common base of both benches: the felt, the bank, the cards, and the acts of hands on them.
- `bench`: The bench: the mock table as the people at it use it.
- `child`: Child processes of the mock table, the daemon among them: started, awaited, stopped, or killed as
  by a power failure.
- `control`: The bench's end of the control socket: round records as they are written, the table's clock and
  its keys.
- `deck`: The order of the cards for a scenario: the cards of the file at their places, random ones elsewhere.
- `device_requests`: Requests of a scenario or of the felt to the simulated devices: cards and faults.
- `follow`: Round records of a daemon in another process, rebuilt from its journal as they come.
- `http`: Minimal HTTP client of the bench: one persistent connection for touches, one stream of views.
- `in_process`: The mock table without wires: the daemon's own engine in this process, devices plugged in at
  its ports.
- `layout`: Physical content of the mock table: chips in circles, cards at their places, the chip bank.
- `options`: Options of a mock table: rules, devices, pace.
- `shoes`: The dealing shoe of the mock table in a dealer's hands, however it is connected.
- `table_file`: The table file of a mock table: written into its folder, read back and checked by the daemon's
  own loader.
- `touch_subjects`: Touches of people who look at the screen: each names the prompt or the subject that the
  view shows.
- `wired`: The mock table on wires: simulated devices on pseudo-terminals and a socket, the real daemon as a
  child.
- `wires`: The wires of the mock table for a technician: the last frames of each, in words or hex.
"""
