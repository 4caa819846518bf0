"""The table of simulated devices, wired in this process or plugged in at the daemon's ports.

- `acts`: Acts of hands at the table, for the simulated dealer and players.
- `base`: Common base of both benches: the felt, the bank, the cards, and the acts of hands on them.
- `bench`: Interface of a mock table for its users: simulated people, scenarios and the felt page.
- `child`: Child processes of the mock table, such as the daemon: started, awaited, stopped, or killed as by a
  power failure.
- `control`: Client of the control socket: receives round records as they are written, moves the table's
  clock, presses its keys.
- `deck`: Order of a stacked deck for a test (scenario): the cards named in its file are at their places,
  random cards elsewhere.
- `device_requests`: Requests to the simulated devices, from scenarios and the felt page: cards and faults.
- `follow`: Round records of a daemon in another process, made again from its journal.
- `http`: HTTP client of the bench on h11: one persistent connection for touches, one stream of views.
- `in_process`: Mock table without wires: the daemon's engine in this process, with simulated devices at its
  ports.
- `keys_of_chips`: Keys of the mock table's chips: stored in the chips and in a software module behind a
  socket.
- `layout`: Physical state of the mock table: the chips in its circles, the cards at their places, and the
  chip bank.
- `options`: Options of a mock table: rules, devices, pace.
- `shoes`: Shoes and decks of the mock table, as a dealer handles them.
- `table_file`: Table file of a mock table: written into its folder, read back and checked by the daemon's own
  loader.
- `touch_subjects`: Adds to a touch the prompt or the subject that the screen shows, as a page does.
- `wired`: Mock table on wires: simulated devices on pseudo-terminals and a socket, the real daemon as a child
  process.
- `wires`: Last frames on each wire of the mock table, as text or hex, for a technician.
"""
