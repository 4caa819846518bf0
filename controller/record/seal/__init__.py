"""The seal of a journal: a Merkle tree over its rows, signed notes about its root, the table's keys.

- `cosigned`: File of cosignatures beside a journal, `<journal>.cosigned`: the cosigned sizes, and the
  witnesses.
- `faces`: Sealing of rows that hold a face until their round has ended: ChaCha20-Poly1305 (RFC 8439).
- `keys`: Keys of one table's journal: a folder of files that only the table's user may read.
- `ratchet`: The ratchet: a one-way key.
"""
