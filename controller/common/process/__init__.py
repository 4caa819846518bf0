"""The process and its machine: limits, notifications to systemd, the last words of a program that ends.

- `fatal`: An error that no part has foreseen ends the daemon: the service manager starts it again, and the
  journal has all that was acknowledged.
- `machine`: Facts of this machine.
- `rlimits`: System limits that a table needs before it starts, so that no resource runs out in mid-round.
- `sd_notify`: Tells systemd how the daemon is doing: sd_notify(3) with the standard library.
"""
