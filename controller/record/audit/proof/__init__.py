"""Proof of a journal, or of one round, for a person who has only the table's key.

- `earlier_archives`: Archives before a journal: each is verified by itself, and each must begin where the
  previous one ends.
- `prove`: Proof of one single round for an auditor: its result, and that the result is in the tree that the
  table signed.
- `sealed`: Comparison of a journal with its seal: finds the first altered row, the extent of the proof, and
  the keys that signed it.
"""
