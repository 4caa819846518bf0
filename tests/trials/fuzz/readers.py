"""Fuzz target for the answers of a PN532.

The first piece is passed to the frame cutter unchanged. Each further piece replaces one answer of a healthy
reader with two chips: `=` and a frame's data; `-` for no answer; empty for the correct answer; or these
bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from drivers.chips.frames import ACK, ERROR, MAX_BUFFERED_BYTES, NACK, TO_HOST, Cutter, frame, payload
from drivers.chips.reader import BUDGET_S
from tests.drivers.chips.lines import ModelSerial, reader_on, uids
from tests.trials.fuzz.target import Target, guarantee, one_line

BETWEEN = b"\xfe\xfd"
PATIENCE_S = 0.001
UID = re.compile(r"(?:[0-9A-F]{2}){4,10}")


def trial(data: bytes) -> None:
    first, *answers = data.split(BETWEEN)
    check_cutter(first)
    serial = ModelSerial(lambda number, sound: answered(answers[number : number + 1], sound))
    serial.line.antenna.set_chips([bytes.fromhex(uid) for uid in uids(2)], 0.0)
    reader = reader_on(lambda: serial, timeout_s=PATIENCE_S)
    if reader.open(PATIENCE_S):
        for _ in range(2):
            found = reader.read()
            check_inventory(found.answer, found.uids, found.why)
            guarantee(found.ended - found.began < 4 * BUDGET_S, "one reader holds the others up")
    else:
        one_line(reader.why)
    reader.close()
    serial.close()


def answered(given: list[bytes], sound: bytes) -> Iterable[bytes]:
    if not given or not given[0]:
        return [sound]
    if given[0] == b"-":
        return []
    if given[0][:1] == b"=":
        return [frame(TO_HOST, given[0][1:254])]
    return [given[0]]


def check_cutter(data: bytes) -> None:
    whole, single = Cutter(), Cutter()
    cut = whole.feed(data)
    pieces = [each for byte in data for each in single.feed(bytes((byte,)))]
    if len(data) <= MAX_BUFFERED_BYTES:
        guarantee(cut == pieces, "frames depend on the pieces in which they come")
    for each in cut:
        guarantee(each in (ACK, NACK) or len(each) == each[3] + 7, "a frame of another length than it says")
        payload(each)
    guarantee(whole.pending <= MAX_BUFFERED_BYTES, "the buffer grows")
    guarantee(whole.noise <= len(data), "more noise than bytes")


def check_inventory(answer: str, found: tuple[str, ...], why: str) -> None:
    if answer == "chips":
        guarantee(list(found) == sorted(set(found)), "chips out of order, or reported twice")
        guarantee(all(map(UID.fullmatch, found)), f"no UIDs: {found}")
    else:
        guarantee(not found, "chips of a reading that is not complete")
        one_line(why)


def seeds() -> Iterator[bytes]:
    yield b""
    yield ACK + frame(TO_HOST, b"\x03\x32\x01\x06\x07") + NACK + ERROR
    one = b"=\x4b\x01\x01\x00\x44\x00\x07" + bytes.fromhex(uids(1)[0])
    opening = [b""] * 8
    sounds = (b"=\x4b\x00", b"=\x45\x00", b"=\x45\x01", b"=\x33", b"-", b"\x00\x00\xff")
    for given in (one, *sounds, ERROR, ACK, NACK):
        for at in range(8):
            yield BETWEEN.join([b"", *opening, *[b""] * at, given])


WORDS = [BETWEEN, BETWEEN + b"=\x4b\x01\x01", BETWEEN + b"-", ACK, NACK, ERROR, b"\xd5\x4b"]
TARGET = Target("readers", trial, seeds, WORDS, longest=1200)
