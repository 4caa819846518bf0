"""Two tables that look the same behave the same: pairs that differ in cards lying face down, in nothing else.

`python -m tests.trials.two_worlds --pairs N` plays them and says how many could be told apart; none may be.
`tests/game/test_two_worlds.py` plays a few, and plants leaks that they have to find.
"""
