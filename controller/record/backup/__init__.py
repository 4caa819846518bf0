"""Copies of a journal, and archives of rows older than the journal has to hold.

- `archive`: Archives: rows older than a journal has to hold are moved from it to a file of their own.
- `cli`: `crisscross backup`, `restore` and `archive`: copies of a journal, also while the table plays.
- `copying`: Copies of a journal, made while its table plays, and restored completely or not at all.
"""
