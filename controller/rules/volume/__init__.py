"""Whole rounds in arrays: the same game as the table's, for volume (VOLUME.md)."""
