"""Rounds printed from the journal, and verification: `crisscross rounds`, `verify` and `seal`.

- `examine`: Verification of a journal's old rows while the daemon runs: `python -m
  controller.record.audit.examine JOURNAL KEYS`.
- `integrity`: Verification of a journal's integrity: SQLite's check of the file for corruption, the seal, the
  order of rows, and a replay that must give the stored rounds and snapshots.
- `printed`: Layout of a round, and of a list of rounds, for a terminal: cards drawn, columns aligned, long
  texts wrapped.
- `proof/`: Proof of a journal, or of one round, for a person who has only the table's key.
- `rounds`: Rounds rebuilt from the journal: every record is computed from its events each time.
- `rounds_cli`: `crisscross rounds list`, `show N`, `export` and `prove N`: print text, records or a table.
- `verify_cli`: `crisscross verify` and `seal`: verification of a journal, its witnesses, and its keys.
"""
