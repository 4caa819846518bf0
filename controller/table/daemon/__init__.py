"""`crisscross run`: the daemon, its devices, its health and its sockets.

- `cli`: `crisscross run` and `lamps-off`: options in, exit status out, every error one line.
- `components`: Parts of a running table, put together and started: journal, clock, game, devices, keys and
  lamps.
- `control_socket`: The control socket of a mock table: its clock, its keys, its views, its round records.
- `daemon`: The daemon of one table, `crisscross run`: puts config, journal, game and devices together and
  runs them.
- `devices`: The devices that a table file names, behind their ports.
- `health`: Health of the devices: the drivers' counters, read once a second, and their evaluation.
- `journal_examiner`: Starts the verification of old rows after a start (controller/record/audit/examine.py)
  and keeps its result.
- `pit_answers`: The daemon's socket for the answers of a pit: "on my way", to a call or a hold.
- `watchdog`: Feeding of systemd's watchdog: while readers read and the shoe's link talks.
- `witness_monitor`: Whether a witness has signed of late what the table has written
  (controller/record/witness/WITNESS.md).
"""
