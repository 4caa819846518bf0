"""A floor of many tables on one machine: how fast, how large, and whether anything is lost when parts are
killed. `python -m tests.trials.pit` (make pit-trial). It watches real time pass and is no test.
"""
