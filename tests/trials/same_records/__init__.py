"""Comparison of two checkouts: the same seeds, or the same journals, give the same records except for
times.
"""
