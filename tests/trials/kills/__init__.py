"""Power cuts at any instant: the rounds equal those of a table without a power cut.

`wires.py` kills the daemon of a mock table on wires (kill -9) at random instants. `writes.py` cuts a table in
this process at every write of its journal. `python -m tests.trials.kills --times 300` runs both at length.
"""
