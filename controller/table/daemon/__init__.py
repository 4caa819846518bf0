"""`crisscross run`: the daemon, its devices, its health and its sockets.

- `cli`: `crisscross run` and `lamps-off`: options in, exit status out, each error one line.
- `components`: Components of a running table, assembled and started: journal, clock, game, devices, keys and
  lamps.
- `control_socket`: The control socket of a mock table: its clock, its keys, its views, its round records.
- `daemon`: The daemon of one table, `crisscross run`: assembles config, journal, game and devices, and runs
  them.
- `devices`: Opens the devices that a table file names.
- `health`: Health of the devices: the drivers' counters, read once a second, and their evaluation.
- `journal_examiner`: Runs the verification of old rows after a start (controller/record/audit/examine.py);
  stores its result.
- `pit_answers`: The daemon's socket for a pit's answer to a call or a hold: "on my way".
- `watchdog`: Feeds systemd's watchdog while the readers read and the shoe's link carries frames.
- `witness_monitor`: Whether a witness has recently cosigned what the table has written
  (controller/record/witness/WITNESS.md).
"""
