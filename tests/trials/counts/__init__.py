"""Figures on the cost of changing the program: `python -m tests.trials.counts [CHECKOUT]`."""
