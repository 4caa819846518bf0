"""Frames of the shoe link (drivers/shoe/LINK.md, Frame) are decoded from pieces of any size, and invalid ones
are dropped.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import ShoeReport
from drivers.shoe.codec import FACELESS_KINDS, Frame, FrameDecoder, crc16, encode_frame, masked
from drivers.shoe.forms import CONTROLLER_KINDS, SHOE_KINDS

EXAMPLE = b"$2A,CARD,7,QH*45E9\r\n"
TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="$*,"), max_size=12)


def decode(*pieces: bytes) -> tuple[list[tuple[int, str, tuple[str, ...]]], dict[str, int]]:
    decoder = FrameDecoder()
    found = [frame for piece in pieces for frame in decoder.feed(piece)]
    return [(frame.seq, frame.kind, frame.fields) for frame in found], dict(decoder.dropped)


CARD = (0x2A, "CARD", ("7", "QH"))


def test_the_example_and_check_value_of_the_contract_are_valid() -> None:
    assert crc16(b"123456789") == 0x29B1
    assert encode_frame(0x2A, "CARD", ("7", "QH")) == EXAMPLE
    assert decode(EXAMPLE) == ([CARD], {})


def test_a_lone_lf_ends_a_frame() -> None:
    assert decode(EXAMPLE.replace(b"\r", b"")) == ([CARD], {})


@pytest.mark.parametrize("index", range(len(EXAMPLE) + 1))
def test_a_frame_split_at_any_byte_is_found(index: int) -> None:
    assert decode(EXAMPLE[:index], EXAMPLE[index:]) == ([CARD], {})


def test_a_frame_is_decoded_byte_by_byte() -> None:
    assert decode(*(bytes([byte]) for byte in EXAMPLE * 2)) == ([CARD, CARD], {})


def test_a_dollar_always_starts_a_new_frame() -> None:
    assert decode(b"$2A,CARD,7" + EXAMPLE) == ([CARD], {"cut_short": 1})


def test_bytes_outside_a_frame_are_counted_as_noise() -> None:
    assert decode(b"\xff\x00QH\r\n" + EXAMPLE) == ([CARD], {"noise_bytes": 6})


def test_a_frame_has_at_most_ninety_six_bytes() -> None:
    longest = encode_frame(1, "REFUSED", ("DEAL", "x" * (96 - len(b"$01,REFUSED,DEAL,*0000\r\n"))))
    assert len(longest) == 96
    assert len(decode(longest)[0]) == 1
    body = b"01,REFUSED,DEAL," + b"x" * (97 - 24)
    assert decode(b"$%b*%04X\r\n" % (body, crc16(body))) == ([], {"too_long": 1})
    with pytest.raises(ValueError, match="96 bytes"):
        encode_frame(1, "REFUSED", ("DEAL", "x" * 90))


def test_a_frame_of_ten_thousand_bytes_is_counted_once_and_not_stored() -> None:
    decoder = FrameDecoder()
    for _ in range(100):
        assert decoder.feed(b"$" * (not decoder.dropped) + b"A" * 100) == []
    assert decoder.feed(b"\r\n" + EXAMPLE)[0].kind == "CARD"
    assert decoder.dropped == {"too_long": 1}


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        (EXAMPLE.replace(b"45E9", b"45E8"), "bad_crc"),
        (EXAMPLE.replace(b"45E9", b"45e9"), "malformed"),
        (EXAMPLE.replace(b"$2A", b"$2a"), "malformed"),
        (EXAMPLE.replace(b",QH", b",Q\x7f"), "malformed"),
        (EXAMPLE.replace(b",QH", b",Q\rH"), "malformed"),
        (b"$\r\n", "malformed"),
        (b"$2A*E4C5\r\n", "malformed"),
        (b"$2A,,1*0000\r\n", "malformed"),
    ],
)
def test_an_invalid_frame_is_counted_and_dropped(wire: bytes, reason: str) -> None:
    assert decode(wire + EXAMPLE) == ([CARD], {reason: 1})


@pytest.mark.parametrize("fields", [("Q*",), ("a,b",), ("$",), ("é",), ("\n",)])
def test_a_frame_outside_the_contract_is_not_sent(fields: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="printable ASCII"):
        encode_frame(0, "REFUSED", fields)


@given(st.integers(0, 255), TEXT.filter(bool), st.lists(TEXT, max_size=4))
def test_encoded_frames_are_decoded(seq: int, kind: str, fields: list[str]) -> None:
    assert decode(encode_frame(seq, kind, fields)) == ([(seq, kind, tuple(fields))], {})


@given(st.binary(max_size=400), st.data())
def test_any_bytes_in_any_pieces_give_the_same_frames_without_an_error(
    noise: bytes, data: st.DataObject
) -> None:
    stream = noise + EXAMPLE + noise
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decode(*pieces) == decode(stream)
    assert CARD in decode(stream)[0]


@given(st.integers(1, len(EXAMPLE) - 3), st.integers(0, 7))
def test_no_single_flipped_bit_gives_another_card(index: int, bit: int) -> None:
    flipped = bytearray(EXAMPLE)
    flipped[index] ^= 1 << bit
    assert all(found == CARD for found in decode(bytes(flipped))[0])


def test_no_repr_or_trace_shows_a_face_or_its_crc() -> None:
    frame = FrameDecoder().feed(EXAMPLE)[0]
    report = ShoeReport("CARD", ("7", "QH"), "B1:2A")
    for text in (repr(frame), masked(frame), repr(report), str(report), f"{[report]}"):
        assert "QH" not in text
        assert "45E9" not in text
    assert masked(Frame(1, "CARD", ("3", "FU"), b"")) == "$01,CARD,3,FU*...."
    assert "QH" not in masked(Frame(1, "CARD", ("QH",), b""))


@pytest.mark.parametrize("kind", ["CCARD", "QH", "CARDS"])
def test_the_fields_of_a_maker_s_own_frame_are_masked(kind: str) -> None:
    """The driver cannot know which field of a maker's own frame is a card."""
    assert masked(Frame(0x2A, kind, ("7", "QH"), b"")) == "$2A,**,**,***...."


def test_every_kind_except_a_card_may_be_shown() -> None:
    assert {*SHOE_KINDS, *CONTROLLER_KINDS} - {"CARD"} == FACELESS_KINDS
