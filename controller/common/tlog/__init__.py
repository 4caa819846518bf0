"""Merkle trees and signed notes (RFC 9162; C2SP tlog-checkpoint, signed-note).

- `merkle`: Merkle tree of RFC 9162, section 2.1: roots, proofs, and verification of proofs.
- `note`: Signed notes, cosignatures and checkpoints: C2SP signed-note, tlog-cosignature, tlog-checkpoint.
"""
