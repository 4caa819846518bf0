"""The ratchet's present key cannot make an earlier seal."""

from __future__ import annotations

from itertools import islice

from controller.record.seal.ratchet import is_sealed_by, keys_from, next_key, seal_of_text

FIRST = bytes(range(32))


def test_the_first_key_verifies_every_seal() -> None:
    key, seals = FIRST, []
    for number in range(5):
        seals.append(seal_of_text(key, f"checkpoint {number}"))
        key = next_key(key)
    for number, (made, seal) in enumerate(zip(keys_from(FIRST), seals, strict=False)):
        assert is_sealed_by(made, f"checkpoint {number}", seal)
        assert not is_sealed_by(made, f"checkpoint {number + 1}", seal)


def test_later_keys_cannot_make_an_earlier_seal() -> None:
    """A seal made for an earlier number with any later key differs from the real one."""
    yesterday = seal_of_text(FIRST, "checkpoint")
    today = next_key(FIRST)
    assert not any(is_sealed_by(key, "checkpoint", yesterday) for key in islice(keys_from(today), 1000))


def test_the_ratchet_never_repeats_a_key() -> None:
    assert len(set(islice(keys_from(FIRST), 1000))) == 1000
