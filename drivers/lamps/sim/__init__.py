"""The simulated chain of lamps.

- `in_process`: Lamps without pins, for a table with ``--no-wires``.
"""
