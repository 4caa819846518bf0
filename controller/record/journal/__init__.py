"""The journal of events in SQLite, and its replay.

- `beginning`: Beginning of a journal: its first row, or a snapshot if older rows were moved to an archive.
- `cli`: `crisscross journal`: the path of a table's journal, and a journal that lost its end.
- `codec`: Conversion of events to and from journal rows: a class name and a JSON body.
- `completeness`: Completeness of a journal: a lost or truncated end is detected from its rows, checkpoints
  and leaves, and from the counts written beside it.
- `files`: Opens a journal's file: file modes, identity, damage.
- `history`: Acts of a technician on a journal itself: rows moved to an archive, a copy restored, an end lost.
- `journal`: The journal: every event, on stable storage before it has any effect.
- `labels`: Labels of the leaves, `what` and `seq`, which name the row of each leaf.
- `leaf_check`: Comparison of a journal's rows with their leaves.
- `leaves`: Leaves of a journal's tree: the bytes of each, and which events hold a face.
- `lock`: Lock of a journal that is open for writing, and the identity of its files.
- `objects`: Check of a journal's database for foreign objects: only the schema's own tables and triggers may
  exist.
- `replay`: Restoration after a restart or a power cut: how the table comes back in the state after the last
  event of its journal.
- `results`: Results of the rounds, stored beside the rows that caused them, so that one round can be proven
  alone.
- `round_summary`: Summary line of each round for lists, stored beside its record.
- `rows`: Reading of a journal's rows, unsealed with the available keys.
- `schema`: Tables (SQL) of the journal, of which no row can be changed or deleted, and the texts of its
  errors.
- `sealing`: Seal of a journal while it is written: a leaf for each row, and a checkpoint at the end of each
  round.
- `search`: Free-text search of rounds: normalized words of a text, and the terms that a person types.
"""
