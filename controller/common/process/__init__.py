"""The process and its machine: limits, notifications to systemd, the end after an unforeseen error.

- `fatal`: End of the daemon by an unforeseen error (a crash): the service manager restarts it, and the
  journal has every acknowledged event.
- `garbage_collection`: Garbage collection of a process: rare while its modules are imported, and none at its
  end.
- `log_once`: Log of a fault that is retried: one line when it begins and one for each change, none for each
  attempt.
- `machine`: Memory of this process and temperature of the processor (how hot it is), each None if
  unavailable.
- `retry_queue`: Queue (with retries) with a thread of its own, for work that may fail and must never delay
  the pages or the writer.
- `rlimits`: System limits (open files, memory) that a table needs before it starts, so that no resource runs
  out in mid-round.
- `sd_notify`: Notifications that tell systemd the state of the program (ready, watchdog, stopping):
  sd_notify(3) with the standard library.
"""
