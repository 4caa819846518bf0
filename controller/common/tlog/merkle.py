"""The Merkle tree of RFC 9162, section 2.1: roots, proofs, and how a proof is checked. Pure.

A tree is known by the hashes of its leaves, in order. A `Frontier` is the little of a tree that suffices to
let it grow and to prove that it only grew. A proof that is too short or too long proves nothing.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

LENGTH = 32
EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""
MAX_LEAVES = 2**63 - 1


class BadProof(ValueError):
    """A proof that proves nothing: the wrong length, a place outside of the tree."""


class BadFrontier(ValueError):
    """A text that is no frontier."""


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root(leaf_hashes: Sequence[bytes]) -> bytes:
    return Frontier.of(leaf_hashes).root()


@dataclass(frozen=True, slots=True)
class Frontier:
    """The whole subtrees that a tree of `size` leaves falls into, from the largest to the smallest.

    It never changes: `add` gives the next one, so that what was not committed is simply not kept.
    """

    size: int = 0
    parts: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, leaf_hashes: Sequence[bytes]) -> Frontier:
        """Level by level, so that a million leaves take about a second."""
        parts: list[bytes] = []
        level: Sequence[bytes] = leaf_hashes
        while level:
            if len(level) % 2:
                parts.append(level[-1])
            level = _pairs(level)
        return cls(len(leaf_hashes), tuple(reversed(parts)))

    def add(self, leaf: bytes) -> Frontier:
        """The frontier with one more leaf, given by its hash."""
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
        """The proof that the tree with these leaves added begins with this one (RFC 9162, 2.1.4.1).

        It takes only the leaves that were added: what lies before them in a proof is in the frontier.
        """
        if not self.size or not added:
            return []
        proof: list[bytes] = []
        kept, level, start, on_path = list(self.parts), list(added), self.size, False
        while kept or len(level) > 1:
            if start % 2:  # what was added begins at a right neighbour: the frontier has the left one
                level.insert(0, kept.pop())
                # the first of them is where the path begins; with nothing larger it is the old root itself
                proof += level[:1] if on_path or kept else []
                proof += [] if on_path else level[1:2]
                on_path = True
            elif on_path:
                proof += level[1:2]
            level, start = _up(level), start // 2
        return proof

    def inclusion(self, added: Sequence[bytes], index: int) -> list[bytes]:
        """The proof that the leaf of that index, one of those added, is in the tree that they make with this
        one (RFC 9162, 2.1.3.1), from the leaf upwards."""
        end = self.size + len(added)
        if not self.size <= index < end:
            raise BadProof(f"there is no leaf {index}; allowed: {self.size} to {end - 1}")
        proof: list[bytes] = []
        kept, level, start = list(self.parts), list(added), self.size
        while start or len(level) > 1:
            if start % 2:  # the first of them is a right neighbour: the frontier has the left one
                level.insert(0, kept.pop())
                start -= 1
            beside = (index ^ 1) - start
            proof += level[beside : beside + 1]
            level, start, index = _up(level), start // 2, index // 2
        return proof

    def text(self) -> str:
        """One line: the size, then its parts in base64."""
        return " ".join([str(self.size), *(b64encode(part).decode() for part in self.parts)])

    @classmethod
    def parse(cls, text: str) -> Frontier:
        size, *parts = text.split(" ")
        if not (size.isascii() and size.isdigit() and len(size) < 20) or (size[0] == "0" and size != "0"):
            raise BadFrontier("the size of a frontier is no number; allowed: what `text` wrote")
        try:
            found = tuple(b64decode(part, validate=True) for part in parts)
        except ValueError:  # binascii's own is one; of a sign that is no ASCII it is the plain one
            raise BadFrontier("a part of a frontier is no base64; allowed: what `text` wrote") from None
        frontier = cls(int(size), found)
        whole = len(found) == frontier.size.bit_count() and all(len(part) == LENGTH for part in found)
        if not whole or frontier.text() != text:
            raise BadFrontier("the parts of a frontier do not make up its size; allowed: what `text` wrote")
        return frontier


def inclusion(leaf_hashes: Sequence[bytes], index: int) -> list[bytes]:
    """The proof that the leaf of that index is in the tree (RFC 9162, 2.1.3.1), from the leaf upwards."""
    return Frontier().inclusion(leaf_hashes, index)


def consistency(leaf_hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """The proof that the tree begins with the one that its first `old_size` leaves made."""
    if not 0 <= old_size <= len(leaf_hashes):
        raise BadProof(f"there was no tree of {old_size} leaves; allowed: 0 to {len(leaf_hashes)}")
    return Frontier.of(leaf_hashes[:old_size]).consistency(leaf_hashes[old_size:])


def root_by_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """The root that the proof leads to (RFC 9162, 2.1.3.2), to be compared with the one that is signed."""
    if not 0 <= index < size <= MAX_LEAVES:
        raise BadProof(f"there is no leaf {index} in a tree of {size}")
    node, last = leaf, size - 1
    for step in _checked(proof):
        if not last:
            raise BadProof("a proof is too long")
        if index % 2 or index == last:
            node = node_hash(step, node)
            while not index % 2 and index:
                index, last = index // 2, last // 2
        else:
            node = node_hash(node, step)
        index, last = index // 2, last // 2
    if last:
        raise BadProof("a proof is too short")
    return node


def is_consistent(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree begins with the old one (RFC 9162, 2.1.4.2).

    The empty tree is the beginning of any, and a tree of itself; neither takes a proof.
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
    """The old root and the new one, as the proof has them."""
    shift = _lowest(old_size)
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


def _lowest(size: int) -> int:
    """The place of the lowest bit that is set."""
    return (size & -size).bit_length() - 1


def _pairs(level: Sequence[bytes]) -> list[bytes]:
    """The nodes above, of whole pairs alone."""
    return [
        sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)
    ]


def _up(level: Sequence[bytes]) -> list[bytes]:
    """The nodes above; one without a neighbour goes up as it is."""
    return _pairs(level) + list(level[-1:] if len(level) % 2 else [])
