"""The record of a table: journal, seal, backups, witnesses, and the rounds rebuilt from them.

- `audit/`: Rounds printed from the journal, and verification: `crisscross rounds`, `verify` and `seal`.
- `backup/`: Copies of a journal, and archives of rows older than the journal has to hold.
- `journal/`: The journal of events in SQLite, and its replay.
- `seal/`: The seal of a journal: a Merkle tree over its rows, signed notes about its root, the table's keys.
- `timeline/`: Rounds rebuilt from the journal as a timeline, for pages and audits.
- `witness/`: The witness: another machine that cosigns a table's tree, and the feed that sends it
  checkpoints.
"""
