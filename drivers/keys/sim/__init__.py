"""The simulated keys.

- `in_process`: Keys without pins: the table of ``--no-wires``.
"""
