"""The simulated keys.

- `in_process`: Keys without pins, for a table with ``--no-wires``.
"""
