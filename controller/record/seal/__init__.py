"""The seal of a journal: a Merkle tree over what is kept, and signed notes about its root."""
