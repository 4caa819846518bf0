"""Rounds printed from the journal, and verification: `crisscross rounds`, `verify` and `seal`.

- `examine`: Verifies the old rows of a journal beside a running daemon: `python -m
  controller.record.audit.examine JOURNAL KEYS`.
- `integrity`: Whether a journal is whole: the file as SQLite checks it, its seal, rows in order, and that
  replaying them gives the rounds and snapshots that are kept beside them.
- `printed`: A round, and a list of rounds, laid out for a terminal: cards drawn, columns aligned, long texts
  wrapped.
- `proof/`: Proof of a journal and of one round for a person who has the table's key alone.
- `rounds`: Rounds rebuilt from the journal: every record is a fold over its events, made anew each time.
- `rounds_cli`: `crisscross rounds list`, `show N`, `export` and `prove N`: options in, words, records or a
  table out.
- `verify_cli`: `crisscross verify` and `seal`: whether a journal is what its table told, who has seen it, and
  its keys.
"""
