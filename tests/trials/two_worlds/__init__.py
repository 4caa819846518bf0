"""Tables that look the same behave the same: pairs of tables that differ only in cards lying face down.

`python -m tests.trials.two_worlds --pairs N` plays pairs and prints how many could be distinguished; the
number must be zero. With `--watched` both tables have the same cards, and surveillance computes the evidence
of one of them. `tests/game/test_two_worlds.py` plays some pairs, and plants leaks that must be found.
"""
