"""Rule packs and their arithmetic: exact odds and simulation in volume.

- `odds/`: The exact odds of a rule pack (controller/rules/odds/ODDS.md); all but `pack.py` and `cards.py`
  need NumPy (the extra `odds`).
- `packs/`: Rule packs read from their files, each value with the section that it comes from.
- `rules_cli`: `crisscross rules`: the rule packs for game management, each value with the section it comes
  from.
- `volume/`: Whole rounds in arrays: the same game as the table (controller/rules/volume/VOLUME.md); NumPy is
  required (the extra `odds`).
"""
