"""The simulated chain of lamps.

- `in_process`: Lamps without pins: the table of ``--no-wires``.
"""
