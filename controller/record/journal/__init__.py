"""The journal of events in SQLite, and its replay.

- `base`: Beginning of a journal: at its first row, or at a snapshot, when what was before it lies in an
  archive.
- `cli`: `crisscross journal shortened`: somebody has seen that the end of a journal is lost, and the table
  goes on.
- `codec`: Events to and from the journal: a class name and a JSON body.
- `complete`: Whether a journal is complete: its rows, checkpoints and leaves against the counts written
  beside it.
- `files`: Opens a journal's file: lock, modes, identity.
- `history`: Acts on a journal itself: rows moved to an archive, a copy restored, an end lost.
- `journal`: The journal: every event, on stable storage before anything acts on it.
- `labels`: The labels of the leaves, `what` and `seq`: which row each leaf stands for.
- `leaf_check`: Compares the rows of a journal with their leaves.
- `leaves`: Leaves of a journal's tree: the bytes of each, and the events that hold a face.
- `objects`: The objects of a journal's database against the known schema: only its own tables and triggers
  may be there.
- `replay`: Restores the table: the newest snapshot, then every event after it, handled once more.
- `results`: Results of the rounds, kept beside the rows that they follow from: one round can be proven alone.
- `round_summary`: A line of each round: what a list of rounds says of it, kept beside its record.
- `rows`: Reads the rows of a journal, and opens what is sealed with the keys that are to be had.
- `schema`: The journal's tables, and its errors in words.
- `sealing`: Seal added by the writer of a journal: a leaf for each row, and a checkpoint where a round has
  ended.
- `search`: Free-text search of rounds: words of a text, folded, and the terms that a person types.
"""
