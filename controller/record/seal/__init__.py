"""The seal of a journal: a Merkle tree over its rows, signed notes about its root, the table's keys.

- `cosigned`: The file of cosignatures beside a journal, `<journal>.cosigned`: which sizes were cosigned, and
  by whom.
- `faces`: Rows that hold a face, sealed until their round has ended: ChaCha20-Poly1305 (RFC 8439).
- `keys`: The keys of one table's journal: a folder of files that only the table's user may read.
- `ratchet`: The ratchet: a key that goes one way.
"""
