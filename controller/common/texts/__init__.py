"""Texts of every page, one YAML file per language, and the catalogue that reads them.

- `catalogue`: Catalogue of the texts: every text of the display, and its translation, one YAML file per
  language.
- `plurals`: Counts with English nouns, for a terminal.
"""
