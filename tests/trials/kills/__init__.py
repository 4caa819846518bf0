"""The power goes at any instant, and the rounds are those of a table whose power never went.

`wires.py` kills the daemon of a mock table on wires (kill -9) at random instants. `writes.py` cuts a table
in this process at every write of its journal. `python -m tests.trials.kills --times 300` does both at length.
"""
