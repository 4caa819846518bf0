"""What a change costs in this house, in numbers: `python -m tests.trials.counts [CHECKOUT]`."""
