"""Fuzz target for the requests to a seat board, and for its answers.

The firmware receives the first piece unchanged. Each further piece replaces one answer of a healthy board
with two chips: `=` and a frame's type and fields; `-` for no answer; empty for the correct answer; or these
bytes.
"""

from __future__ import annotations

import socket
from binascii import crc_hqx
from collections.abc import Iterator

from drivers.chips.board_frames import MAX_FRAME_BYTES, Lines, encode_frame
from drivers.chips.board_link import BoardLink
from drivers.chips.reader import CircleReader
from drivers.chips.seat_board import BoardReader
from tests.drivers.chips.lines import uids
from tests.hardware.seat import CIRCLES, HELLO, ready
from tests.trials.fuzz.readers import BETWEEN, PATIENCE_S, check_inventory
from tests.trials.fuzz.target import Target, guarantee, one_line

HERE = CIRCLES[0]
SOUND = {
    "HELLO": ("WELCOME", "1", "CCT-SEAT", "1", "1.0", "0001", HERE),
    "SETUP": ("READY", HERE, "PN532 1.6"),
    "READ": ("CHIPS", HERE, "17", "12", " ".join(uids(2))),
}


def trial(data: bytes) -> None:
    first, *answers = data.split(BETWEEN)
    check_firmware(first)
    line = Answering(answers)
    link = BoardLink("board", lambda _path: line)  # type: ignore[arg-type, return-value]
    link._max_timeout_s = PATIENCE_S
    reader = CircleReader((1, HERE), BoardReader(link, HERE, 0.0), lambda: 0.0)
    if reader.open(PATIENCE_S):
        for _ in range(2):
            found = reader.read()
            check_inventory(found.answer, found.uids, found.why)
    else:
        one_line(reader.why)
    guarantee(link._lines.pending <= MAX_FRAME_BYTES, "the buffer grows")
    reader.close()
    line.end()


def check_firmware(data: bytes) -> None:
    """Check that the firmware answers any input in valid frames, has no field on afterwards, and can be
    greeted.
    """
    seat = ready()
    seat.lay(HERE, *uids(2))
    seat.exchange(data)
    answer = b"".join(seat.sent)
    guarantee(len(Lines().feed(answer)) == answer.count(b"\n"), "the board says what is no good frame")
    guarantee(not seat.fields(), "a field is on while the board waits")
    seat.exchange(b"\n")
    guarantee(seat.ask(*HELLO)[0] == "WELCOME", "the board can no longer be greeted")


class Answering:
    """Stand-in for pyserial's Serial whose answers to a `BoardLink` come from the fuzzed input."""

    def __init__(self, answers: list[bytes]) -> None:
        self._answers = answers
        self._answered = 0
        self._here, self._far = socket.socketpair()
        self._here.setblocking(False)
        self._far.setblocking(False)

    def fileno(self) -> int:
        return self._here.fileno()

    def write(self, data: bytes) -> int:
        (request,) = Lines().feed(data)
        sound = encode_frame(request.number, *SOUND[request.kind])
        given = self._answers[self._answered : self._answered + 1]
        self._answered += 1
        if not given or not given[0]:
            self._far.send(sound)
        elif given[0][:1] == b"=":
            body = b"%02X,%b" % (request.number, given[0][1:])
            self._far.send(framed(body))
        elif given[0] != b"-":
            self._far.send(given[0])
        return len(data)

    def read(self, count: int) -> bytes:
        return self._here.recv(count)

    def close(self) -> None:
        """Do nothing, since the line may be opened again."""

    def end(self) -> None:
        self._here.close()
        self._far.close()


def framed(body: bytes) -> bytes:
    return b"$%b*%04X\r\n" % (body, crc_hqx(body, 0xFFFF))


def seeds() -> Iterator[bytes]:
    yield b""
    requests = [HELLO, ("SETUP", HERE, "0"), ("READ", HERE), ("READ", "nowhere"), ("SETUP", HERE, "x")]
    yield b"".join(encode_frame(7 + number, *request) for number, request in enumerate(requests))
    answers = [
        b"=CHIPS,ante_across,1,2,", b"=CHIPS,ante_down,1,2,", b"=FAULT,ante_across,SILENT,no answer",
        b"=FAULT,ante_across,SLOW,too many", b"=BUSY,ante_across", b"=REFUSED,READ,no such circle",
        b"=KNOCK,0002", b"=WELCOME,2", b"-", b"$", b"\n" * 9,
    ]  # fmt: skip
    for given in answers:
        for at in range(4):
            yield BETWEEN.join([b"", *[b""] * at, given])


WORDS = [BETWEEN, BETWEEN + b"=CHIPS,ante_across,1,2,", BETWEEN + b"-", b"$", b"*", b",", b"\r\n", b"READ"]
TARGET = Target("boards", trial, seeds, WORDS, longest=1200, examples=60)
