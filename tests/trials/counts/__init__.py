"""Figures on the cost of a change: `python -m tests.trials.counts [CHECKOUT]`."""
