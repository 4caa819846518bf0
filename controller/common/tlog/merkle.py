"""Merkle tree of RFC 9162, section 2.1: roots, proofs, and verification of proofs. Pure.

A tree is defined by the hashes of its leaves, in order. A `Frontier` is the part of a tree that is needed to
append leaves and to prove that the earlier leaves are unchanged. A proof that is too short or too long is
invalid.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

LENGTH = 32
EMPTY = sha256(b"").digest()
"""Root of a tree without leaves."""
MAX_LEAVES = 2**63 - 1


class BadProof(ValueError):
    """Raised for an invalid proof: a wrong length, or an index outside the tree."""


class BadFrontier(ValueError):
    """Raised if a text is not a frontier."""


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root(leaf_hashes: Sequence[bytes]) -> bytes:
    return Frontier.of(leaf_hashes).root()


@dataclass(frozen=True, slots=True)
class Frontier:
    """Smallest part of a tree of `size` leaves from which the tree can grow: the roots of its complete
    subtrees, from the largest to the smallest.

    A frontier is immutable: `add` returns a new one, so that a failed commit has nothing to undo.
    """

    size: int = 0
    parts: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, leaf_hashes: Sequence[bytes]) -> Frontier:
        """Return the frontier of a tree with these leaves. It is built level by level, which takes about a
        second for a million leaves."""
        parts: list[bytes] = []
        level: Sequence[bytes] = leaf_hashes
        while level:
            if len(level) % 2:
                parts.append(level[-1])
            level = _pairs(level)
        return cls(len(leaf_hashes), tuple(reversed(parts)))

    def add(self, leaf: bytes) -> Frontier:
        """Return the frontier with one more leaf, given by its hash."""
        parts, node, size = list(self.parts), leaf, self.size
        while size % 2:
            node = node_hash(parts.pop(), node)
            size //= 2
        return Frontier(self.size + 1, (*parts, node))

    def extend(self, leaves: Iterable[bytes]) -> Frontier:
        grown = self
        for leaf in leaves:
            grown = grown.add(leaf)
        return grown

    def root(self) -> bytes:
        if not self.parts:
            return EMPTY
        *larger, node = self.parts
        for part in reversed(larger):
            node = node_hash(part, node)
        return node

    def consistency(self, added: Sequence[bytes]) -> list[bytes]:
        """Return the proof that the tree with the added leaves begins with this one (RFC 9162, 2.1.4.1).

        Only the added leaves are needed: the frontier has the rest of the proof.
        """
        if not self.size or not added:
            return []
        proof: list[bytes] = []
        kept, level, start, on_path = list(self.parts), list(added), self.size, False
        while kept or len(level) > 1:
            if start % 2:  # the added leaves begin at a right child, so the frontier has the left one
                level.insert(0, kept.pop())
                # the first node starts the path; if the old tree is a complete subtree, that node is the old
                # root
                proof += level[:1] if on_path or kept else []
                proof += [] if on_path else level[1:2]
                on_path = True
            elif on_path:
                proof += level[1:2]
            level, start = _next_level(level), start // 2
        return proof

    def inclusion(self, added: Sequence[bytes], index: int) -> list[bytes]:
        """Return the proof that the added leaf at `index` is in the tree extended by the added leaves (RFC
        9162, 2.1.3.1), from the leaf upwards. Raises BadProof if `index` is not that of an added leaf."""
        end = self.size + len(added)
        if not self.size <= index < end:
            raise BadProof(f"there is no leaf {index}; allowed: {self.size} to {end - 1}")
        proof: list[bytes] = []
        kept, level, start = list(self.parts), list(added), self.size
        while start or len(level) > 1:
            if start % 2:  # the first added leaf is a right child, so the frontier has the left one
                level.insert(0, kept.pop())
                start -= 1
            beside = (index ^ 1) - start
            proof += level[beside : beside + 1]
            level, start, index = _next_level(level), start // 2, index // 2
        return proof

    def text(self) -> str:
        """Return one line: the size, then its parts in base64."""
        return " ".join([str(self.size), *(b64encode(part).decode() for part in self.parts)])

    @classmethod
    def parse(cls, text: str) -> Frontier:
        size, *parts = text.split(" ")
        if not (size.isascii() and size.isdigit() and len(size) < 20) or (size[0] == "0" and size != "0"):
            raise BadFrontier("the size of a frontier is no number; allowed: what `text` wrote")
        try:
            found = tuple(b64decode(part, validate=True) for part in parts)
        except ValueError:  # binascii.Error, or plain ValueError for a character outside ASCII
            raise BadFrontier("a part of a frontier is no base64; allowed: what `text` wrote") from None
        frontier = cls(int(size), found)
        whole = len(found) == frontier.size.bit_count() and all(len(part) == LENGTH for part in found)
        if not whole or frontier.text() != text:
            raise BadFrontier("the parts of a frontier do not make up its size; allowed: what `text` wrote")
        return frontier


def inclusion(leaf_hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Return the proof that the leaf of that index is in the tree (RFC 9162, 2.1.3.1), from the leaf
    upwards."""
    return Frontier().inclusion(leaf_hashes, index)


def consistency(leaf_hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """Return the proof that the tree begins with its first `old_size` leaves. Raises BadProof."""
    if not 0 <= old_size <= len(leaf_hashes):
        raise BadProof(f"there was no tree of {old_size} leaves; allowed: 0 to {len(leaf_hashes)}")
    return Frontier.of(leaf_hashes[:old_size]).consistency(leaf_hashes[old_size:])


def is_consistent(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether the proof shows that the tree begins with the old one (RFC 9162, 2.1.4.2).

    Every tree begins with the empty tree and with itself; the proof of both is empty.
    """
    if not 0 <= old_size <= size <= MAX_LEAVES or (size == 0 and root != EMPTY):
        return False
    if old_size == 0:
        return not proof and old_root == EMPTY
    if old_size == size:
        return not proof and old_root == root
    try:
        return _both_roots(old_size, old_root, size, proof) == (old_root, root)
    except BadProof:
        return False


def _both_roots(old_size: int, old_root: bytes, size: int, proof: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Return the old and the new root computed from the proof. Raises BadProof."""
    shift = _lowest_bit(old_size)
    place, last = (old_size - 1) >> shift, (size - 1) >> shift
    path = _checked(proof)
    if place:
        if not path:
            raise BadProof("a proof is too short")
        old = new = path.pop(0)
    else:
        old = new = old_root
    for step in path:
        if not last:
            raise BadProof("a proof is too long")
        if place % 2 or place == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while not place % 2 and place:
                place, last = place // 2, last // 2
        else:
            new = node_hash(new, step)
        place, last = place // 2, last // 2
    if last:
        raise BadProof("a proof is too short")
    return old, new


def _checked(proof: Sequence[bytes]) -> list[bytes]:
    if any(len(step) != LENGTH for step in proof):
        raise BadProof(f"a step of a proof has another length than {LENGTH} bytes")
    return list(proof)


def _lowest_bit(size: int) -> int:
    """Return the index of the lowest set bit."""
    return (size & -size).bit_length() - 1


def _pairs(level: Sequence[bytes]) -> list[bytes]:
    """Return the hash of each two adjacent nodes. A last node without a sibling is left out."""
    return [
        sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)
    ]


def _next_level(level: Sequence[bytes]) -> list[bytes]:
    """Return the next higher level of the tree. A last node without a sibling moves up unchanged."""
    return _pairs(level) + list(level[-1:] if len(level) % 2 else [])
