"""After a pairing both ends have each other's keys, or neither has them (drivers/shoe/LINK.md, Pairing)."""

from __future__ import annotations

from random import Random

import pytest

from drivers.shoe.codec import MAX_FRAME_BYTES, encode_frame
from drivers.shoe.handshake import public_key, to_base64
from drivers.shoe.pairing import ControllerPairing, NotPaired, ShoePairing
from tests.drivers.shoe.wire import frames


def ends(seed: int = 1) -> tuple[ControllerPairing, ShoePairing]:
    dice = Random(seed)
    return ControllerPairing("CC-01", dice.randbytes), ShoePairing("0007", dice.randbytes)


def exchange(controller: ControllerPairing, shoe: ShoePairing) -> None:
    """Exchange requests and answers until neither end has anything to send."""
    sent = b""
    while controller.request != sent:
        sent = controller.request
        controller.receive(shoe.receive(sent))


def test_both_ends_show_the_same_digits_and_keep_each_others_key_when_both_are_confirmed() -> None:
    controller, shoe = ends()
    exchange(controller, shoe)
    assert controller.digits is not None
    assert (controller.digits, controller.serial) == (shoe.digits, "0007")
    assert len(controller.digits) == 6
    assert (controller.paired, shoe.paired) == (None, None)
    controller.confirm()
    exchange(controller, shoe)
    assert (controller.paired, shoe.paired) == (None, None)
    shoe.confirm()
    controller.receive(shoe.receive(controller.request))
    assert controller.paired is not None
    assert shoe.paired is not None
    assert controller.paired.other == public_key(shoe.paired.own)
    assert shoe.paired.other == public_key(controller.paired.own)


def test_a_lost_answer_is_repeated_and_every_frame_fits() -> None:
    controller, shoe = ends()
    for _ in range(3):
        assert shoe.receive(controller.request) == shoe.receive(controller.request)
        controller.receive(shoe.receive(controller.request))
    assert controller.digits == shoe.digits
    for data in (controller.request, shoe.receive(controller.request)):
        assert all(len(frame.raw) + 2 <= MAX_FRAME_BYTES for frame in frames(data))


def test_an_attacker_in_between_makes_the_digits_differ() -> None:
    """The attacker pairs with each end in the name of the other."""
    controller, shoe = ends(1)
    to_shoe, to_controller = ends(2)
    exchange(controller, to_controller)
    exchange(to_shoe, shoe)
    assert controller.digits is not None
    assert shoe.digits is not None
    assert controller.digits != shoe.digits


def test_a_key_without_its_commitment_is_refused() -> None:
    """Otherwise an attacker who knows the shoe's half could search for a key with matching digits."""
    controller, shoe = ends()
    shoe.receive(controller.request)
    other = encode_frame(
        1, "REVEAL", (to_base64(public_key(bytes(32))), to_base64(bytes(16))), MAX_FRAME_BYTES
    )
    with pytest.raises(NotPaired, match="not what it was bound to"):
        controller.receive(shoe.receive(other))
    assert shoe.digits is None


def test_a_second_pairing_request_is_refused() -> None:
    controller, shoe = ends(1)
    shoe.receive(controller.request)
    with pytest.raises(NotPaired, match="somebody else pairs"):
        ends(2)[0].receive(shoe.receive(ends(2)[0].request))


@pytest.mark.parametrize("fields", [("0007", "short", "AAAA"), ("0007", "A" * 43, "A" * 21)])
def test_an_invalid_key_ends_the_pairing(fields: tuple[str, ...]) -> None:
    controller, _ = ends()
    with pytest.raises(NotPaired, match="no key"):
        controller.receive(encode_frame(0, "PAIRKEY", fields, MAX_FRAME_BYTES))


def test_no_key_is_stored_out_of_turn() -> None:
    controller, shoe = ends()
    controller.receive(encode_frame(2, "PAIRED"))
    controller.receive(encode_frame(1, "DIGITS"))
    shoe.confirm()
    assert shoe.receive(encode_frame(2, "PAIRED")) == b""
    assert (controller.paired, controller.digits, shoe.paired) == (None, None, None)
