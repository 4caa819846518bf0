"""Copies of a journal: whole ones, and archives of rows older than the journal has to hold.

- `archive`: An archive: what is older than a journal has to hold becomes a file of its own, and leaves the
  journal.
- `cli`: `crisscross backup`, `restore` and `archive`: a whole journal, at any time, also while play goes on.
- `copying`: A copy of a journal, made while its table plays on, and put back whole or not at all.
"""
