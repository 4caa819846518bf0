"""A floor of many tables on one machine: speed, size, and losses when parts are killed. `python -m
tests.trials.pit` (make pit-trial). It uses real time and is not a test.
"""
