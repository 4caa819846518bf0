"""Tools that test or measure the complete product for minutes or hours; each is a line of
tests/EVIDENCE.md.
"""
