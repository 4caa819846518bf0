"""Bytes that no test thought of, for everything that reads what comes from outside.

A target (`target.py`) is a function of bytes that raises where a promise is broken. `make fuzz` has atheris
look for such bytes; `test_fuzz.py` runs the same functions over their seeds and over changes of them.
"""
