"""Proof of a journal and of one round for a person who has the table's key alone.

- `before`: Archives before a journal: each verified by itself, each beginning where the one before it leads
  to.
- `prove`: The proof of one round: what came of it, and that this is in the tree that the table signed.
- `sealed`: Whether a journal is what its table told: rows against leaves, leaves against signed roots, those
  against what others have seen.
"""
