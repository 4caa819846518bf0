"""Tests of the pit: its store in two databases, accepted and refused messages, its pages, and a floor of many
tables.
"""
