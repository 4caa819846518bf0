"""The pit: its store in two databases, what it takes and refuses, its pages, and a floor of many tables."""
