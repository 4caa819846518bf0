"""The seal of a journal: a Merkle tree over its rows, signed notes about its root, the table's keys.

- `cosigned`: File of cosignatures beside a journal, `<journal>.cosigned`: the sizes of the checkpoints that
  other parties (witnesses) signed, and the verification of their signatures.
- `faces`: Sealing of rows that hold a face: unseen cards are encrypted in the database of the journal until
  their round has ended.
- `keys`: Keys of one table's journal: a folder of files that only the table's user may read.
- `ratchet`: The ratchet: a one-way key, so that a stolen key cannot change the past.
"""
