"""Random bytes for everything that parses outside input.

A target (`target.py`) is a function of bytes that raises if a guarantee is violated. `make fuzz` uses atheris
to find such bytes; `test_fuzz.py` runs the same functions on their seeds and on mutations of them.
"""
