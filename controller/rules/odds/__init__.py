"""The exact odds of a rule pack. Needs the extra `odds` (NumPy), but for `pack.py` and `cards.py`."""
