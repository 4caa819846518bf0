"""`crisscross run`: the daemon, its devices, its health and its sockets.

- `cli`: `crisscross run` and `lamps-off`: their options and their exit status; each error is one line.
- `components`: Components of a running table: journal, clock, game, devices, keys and lamps.
- `control_socket`: The control socket of a mock table: its clock, its keys, its views, its round records.
- `daemon`: The daemon of one table, `crisscross run`: assembles settings, journal, game and devices, and runs
  them.
- `devices`: Opens the devices in the table file.
- `health`: Health of each device, as the technician sees it on their page: the drivers' counters, read once a
  second, and their evaluation.
- `journal_examiner`: Verifies the journal's old rows after a start, in another process
  (controller/record/audit/examine.py).
- `pit_answers`: Socket of the daemon for a pit's answer to a call or a hold: "on my way".
- `watchdog`: Notifies systemd's watchdog as long as the readers read and the shoe's link carries frames.
- `witness_monitor`: Checks whether a witness has recently cosigned the table's journal
  (controller/record/witness/WITNESS.md).
"""
