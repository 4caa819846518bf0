"""The tree is that of RFC 9162: it agrees with the published vectors of certificate transparency and with the
RFC's definitions written out with hashlib alone."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.common.tlog.merkle import (
    EMPTY,
    MAX_LEAVES,
    BadFrontier,
    BadProof,
    Frontier,
    _checked,
    consistency,
    inclusion,
    is_consistent,
    leaf_hash,
    node_hash,
    root,
)

VECTORS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
LEAVES = [leaf_hash(bytes.fromhex(data)) for data in VECTORS]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Roots of the trees of the first 0 to 8 leaves, from github.com/google/certificate-transparency,
merkle_tree_test.cc."""

FIRST_TWO_HIGHER = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
SECOND = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
LAST_FOUR = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
FIFTH = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
LAST_TWO = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
FIFTH_AND_SIXTH = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"

FIRST_FOUR = ROOTS[4]


def root_by_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that follows from the proof (RFC 9162, 2.1.3.2), for comparison with the signed root.
    Raises BadProof if index or proof do not fit the size."""
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


def hexes(proof: list[bytes]) -> list[str]:
    return [step.hex() for step in proof]


def leaves(number: int) -> list[bytes]:
    return [leaf_hash(b"leaf %d" % each) for each in range(number)]


def entries(number: int) -> list[bytes]:
    return [b"leaf %d" % each for each in range(number)]


def tree_hash(data: list[bytes]) -> bytes:
    """Return MTH(D[n]) as defined in RFC 9162, 2.1.1."""
    if len(data) < 2:
        return sha256(b"\x00" + data[0] if data else b"").digest()
    split = 1 << (len(data) - 1).bit_length() - 1
    return sha256(b"\x01" + tree_hash(data[:split]) + tree_hash(data[split:])).digest()


def path(index: int, data: list[bytes]) -> list[bytes]:
    """Return PATH(m, D[n]) as defined in RFC 9162, 2.1.3.1."""
    if len(data) < 2:
        return []
    split = 1 << (len(data) - 1).bit_length() - 1
    if index < split:
        return [*path(index, data[:split]), tree_hash(data[split:])]
    return [*path(index - split, data[split:]), tree_hash(data[:split])]


def subproof(old: int, nodes: list[bytes], *, whole: bool) -> list[bytes]:
    """Return SUBPROOF(m, D[n], b) as defined in RFC 9162, 2.1.4.1."""
    if old == len(nodes):
        return [] if whole else [root(nodes)]
    split = 1 << (len(nodes) - 1).bit_length() - 1
    if old <= split:
        return [*subproof(old, nodes[:split], whole=whole), root(nodes[split:])]
    return [*subproof(old - split, nodes[split:], whole=False), root(nodes[:split])]


@pytest.mark.parametrize("size", range(9))
def test_roots_equal_the_published_vectors(size: int) -> None:
    assert root(LEAVES[:size]).hex() == ROOTS[size]
    assert Frontier().extend(LEAVES[:size]).root().hex() == ROOTS[size]


def test_a_leaf_hash_differs_from_a_node_hash() -> None:
    left, right = LEAVES[:2]
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [
        (0, 1, []),
        (0, 8, [SECOND, FIRST_TWO_HIGHER, LAST_FOUR]),
        (5, 8, [FIFTH, LAST_TWO, FIRST_FOUR]),
        (2, 3, [ROOTS[2]]),
    ],
)
def test_inclusion_proofs_equal_the_published_vectors(index: int, size: int, proof: list[str]) -> None:
    assert hexes(inclusion(LEAVES[:size], index)) == proof


@pytest.mark.parametrize(
    ("old", "size", "proof"),
    [
        (1, 1, []),
        (1, 8, [SECOND, FIRST_TWO_HIGHER, LAST_FOUR]),
        (6, 8, [FIFTH_AND_SIXTH, LAST_TWO, FIRST_FOUR]),
        (2, 5, [FIRST_TWO_HIGHER, FIFTH]),
    ],
)
def test_consistency_proofs_equal_the_published_vectors(old: int, size: int, proof: list[str]) -> None:
    assert hexes(consistency(LEAVES[:size], old)) == proof


def test_every_consistency_proof_equals_the_rfc_s_definition_and_verifies() -> None:
    for size in range(1, 40):
        tree = leaves(size)
        for old in range(1, size + 1):
            proof = consistency(tree, old)
            assert proof == subproof(old, tree, whole=True), (old, size)
            assert is_consistent(old, root(tree[:old]), size, root(tree), proof)


@given(st.integers(1, 300), st.data())
def test_root_and_inclusion_proof_equal_the_rfc_s_definition(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    tree, whole = leaves(size), entries(size)
    assert root(tree) == tree_hash(whole)
    assert root(tree[:index]) == tree_hash(whole[:index])
    assert inclusion(tree, index) == path(index, whole)
    assert root_by_inclusion(tree[index], index, size, path(index, whole)) == tree_hash(whole)


@given(st.integers(0, 300), st.data())
def test_a_frontier_extended_in_parts_gives_the_same_tree(size: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, size))
    tree = leaves(size)
    frontier = Frontier.of(tree[:cut])
    assert frontier == Frontier().extend(tree[:cut]) == Frontier.parse(frontier.text())
    assert frontier.extend(tree[cut:]) == Frontier.of(tree)
    assert frontier.consistency(tree[cut:]) == consistency(tree, cut)


@given(st.integers(2, 60), st.data())
def test_a_changed_proof_is_refused(size: int, data: st.DataObject) -> None:
    tree = leaves(size)
    old = data.draw(st.integers(1, size - 1))
    proof = consistency(tree, old)
    place = data.draw(st.integers(0, len(proof) - 1))
    wrong = [*proof[:place], bytes(32), *proof[place + 1 :]]
    for bad in (wrong, proof[:-1], [*proof, bytes(32)], [b"short", *proof[1:]]):
        assert not is_consistent(old, root(tree[:old]), size, root(tree), bad)
    index = data.draw(st.integers(0, size - 1))
    found = inclusion(tree, index)
    for short in (found[:-1], [*found, bytes(32)], [found[0][:31], *found[1:]]):
        with pytest.raises(BadProof):
            root_by_inclusion(tree[index], index, size, short)


def test_a_cut_tail_and_a_changed_leaf_are_detected() -> None:
    tree = leaves(10)
    changed = [*tree[:3], leaf_hash(b"another"), *tree[4:]]
    assert not is_consistent(5, root(tree[:5]), 10, root(changed), consistency(changed, 5))
    assert not is_consistent(10, root(tree), 5, root(tree[:5]), [])
    assert not is_consistent(10, root(tree), 10, root(changed), [])


def test_the_empty_tree_is_consistent_with_any_tree_without_a_proof() -> None:
    tree = leaves(3)
    assert consistency(tree, 0) == []
    assert is_consistent(0, EMPTY, 3, root(tree), [])
    assert not is_consistent(0, EMPTY, 3, root(tree), [tree[0]])
    assert not is_consistent(0, EMPTY, 0, root(tree), [])


@pytest.mark.parametrize(("index", "size"), [(-1, 1), (1, 1), (0, 0)])
def test_a_leaf_outside_the_tree_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(BadProof):
        inclusion(leaves(size), index)
    with pytest.raises(BadProof):
        root_by_inclusion(bytes(32), index, size, [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "01",
        "1",
        "-1",
        "0 ",
        "2 AAAA",
        "1 !",
        "1 \u00c7",
        "1 " + "A" * 42 + "B=",
        "0 " + "A" * 43 + "=",
        "٣",
    ],
)
def test_an_invalid_frontier_is_refused(text: str) -> None:
    with pytest.raises(BadFrontier):
        Frontier.parse(text)


@given(st.integers(0, 40), st.integers(1, 40), st.data())
def test_a_frontier_gives_inclusion_proofs_for_leaves_added_to_it(
    before: int, added: int, data: st.DataObject
) -> None:
    hashes = [leaf_hash(bytes([number])) for number in range(before + added)]
    index = data.draw(st.integers(before, before + added - 1))
    assert Frontier.of(hashes[:before]).inclusion(hashes[before:], index) == inclusion(hashes, index)
