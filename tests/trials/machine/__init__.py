"""One table under all influences at once: hands, people, faults, a failing disk and power cuts, in any order.

`rules.py` is a Hypothesis state machine over `live.py`, a mock table at the ports with a real journal. A few
of its steps are in the suite; `python -m tests.trials.machine --steps 100000` is the long run.
"""
