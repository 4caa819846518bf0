"""Frames of the PN532 are found in a stream despite any fault of the line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drivers.chips.frames import ACK, ERROR, MAX_BUFFERED_BYTES, NACK, TO_HOST, Cutter, frame, payload

ANSWER = frame(TO_HOST, bytes.fromhex("4b010100440007 04a1b2c3d4e5f6"))
frames = st.one_of(
    st.sampled_from([ACK, NACK, ERROR]),
    st.binary(min_size=1, max_size=60).map(lambda data: frame(TO_HOST, data)),
)


def test_frames_have_the_bytes_of_the_manual() -> None:
    assert frame(0xD4, b"\x02") == bytes.fromhex("0000ff02fed4022a00")
    assert frame(0xD4, b"\x4a\x01\x00") == bytes.fromhex("0000ff04fcd44a0100e100")
    assert payload(frame(0xD5, b"\x15")) == b"\xd5\x15"
    assert payload(frame(0xD5, b"\x15")[:-2] + b"\x00\x00") is None


@given(st.lists(frames, max_size=8), st.data())
def test_a_stream_in_any_pieces_gives_the_same_frames(sent: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    cutter = Cutter()
    got = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += cutter.feed(stream[begin:end])
    assert got == sent
    assert cutter.noise == 0


def test_a_frame_split_at_any_byte_is_found() -> None:
    stream = ACK + ANSWER + ACK + ERROR
    for index in range(len(stream) + 1):
        cutter = Cutter()
        assert cutter.feed(stream[:index]) + cutter.feed(stream[index:]) == [ACK, ANSWER, ACK, ERROR]


@given(st.lists(st.binary(max_size=400), max_size=12))
def test_noise_is_counted_without_an_error_or_a_growing_buffer(pieces: list[bytes]) -> None:
    cutter = Cutter()
    for piece in pieces:
        for cut in cutter.feed(piece):
            assert len(cut) >= 6
        assert cutter.pending <= MAX_BUFFERED_BYTES


@given(st.binary(max_size=30).filter(lambda noise: b"\x00\xff" not in noise + b"\x00"))
def test_noise_before_a_frame_does_not_hide_it(noise: bytes) -> None:
    cutter = Cutter()
    assert cutter.feed(noise + ANSWER) == [ANSWER]
    assert cutter.noise == sum(1 for byte in noise if byte)


def test_after_ten_thousand_bytes_of_noise_the_next_frame_is_read() -> None:
    cutter = Cutter()
    assert cutter.feed(b"\x5a" * 10_000) == []
    assert cutter.feed(ANSWER) == [ANSWER]
    assert cutter.noise == 10_000
