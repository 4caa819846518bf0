"""The feed sends new checkpoints, accepts only signatures of the witness's own key, and never stops
retrying."""

from __future__ import annotations

import logging
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.common.tlog.note import COSIGNATURE, Note, NoteSignature, SigningKey
from controller.record.journal.journal import Journal
from controller.record.seal.cosigned import (
    BadCosigned,
    CosignedLine,
    append_line,
    cosignatures_path,
    read_lines,
    verify_lines,
)
from controller.record.witness.feed import POLL_S, RETRY_DELAYS_S, Feeder
from controller.record.witness.journal_reader import FileSource
from controller.record.witness.sending import MAX_ANSWER_BYTES, HttpReply, WitnessUnreachable, post
from controller.record.witness.store import Store
from controller.record.witness.witness import SIZE, Witness
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log, write_journal
from tests.witness.served import serving_false_answers

NOW = 1_795_000_000
KEY = WITNESS.verifier(COSIGNATURE)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    Journal(path).close()
    return path


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    with closing(Store(tmp_path / "witness.db")) as store:
        yield Witness(WITNESS, {ORIGIN: (TABLE.verifier(),)}, store, lambda: NOW)


class Wire:
    """Connection to a witness in this process. It counts requests, and a test can replace the function that
    answers."""

    def __init__(self, answer: Callable[[bytes], HttpReply]) -> None:
        self.answer, self.requests = answer, 0

    def __call__(self, _url: str, body: bytes) -> HttpReply:
        self.requests += 1
        return self.answer(body)


def to(witness: Witness) -> Wire:
    def answer(body: bytes) -> HttpReply:
        reply = witness.add(body)
        return HttpReply(reply.status, reply.media_type.partition(";")[0], reply.body.encode())

    return Wire(answer)


def feeder(journal: Path, line: Wire, seen: int = 0) -> Feeder:
    return Feeder(FileSource(journal), KEY, "http://w", line, seen)


def cosigned(journal: Path, log: Log) -> list[tuple[int, int]]:
    """Return the size and time of each cosignature of this log in the file beside the journal, after
    verifying it."""
    lines = verify_lines(read_lines(cosignatures_path(journal)), [KEY], lambda size: log.note(size).text)
    return [(line.size, line.posix) for line in lines]


# ---------------------------------------------------------------------- sent requests


def test_each_new_checkpoint_is_cosigned_and_stored_beside_the_journal(
    journal: Path, witness: Witness
) -> None:
    log, line = Log(), to(witness)
    feeding = feeder(journal, line)
    assert feeding.step() == POLL_S, "nothing to send yet"
    for size in (3, 8, 21):
        write_journal(journal, log.grow(size - len(log.leaves)), [size])
        assert feeding.step() == POLL_S
    assert cosigned(journal, log) == [(3, NOW), (8, NOW), (21, NOW)]
    feeding.step()
    assert line.requests == 3, "what is cosigned is not sent again"


def test_one_request_covers_all_checkpoints_that_a_witness_missed(journal: Path, witness: Witness) -> None:
    log, line = Log().grow(40), to(witness)
    write_journal(journal, log, [5, 17, 30, 40])
    feeder(journal, line).step()
    assert cosigned(journal, log) == [(40, NOW)]
    assert line.requests == 1


def test_a_feed_without_a_stored_size_requests_that_of_the_witness(journal: Path, witness: Witness) -> None:
    log, line = Log().grow(9), to(witness)
    witness.add(log.body(0, 5))
    write_journal(journal, log, [9])
    assert feeder(journal, line).step() == POLL_S
    assert cosigned(journal, log) == [(9, NOW)]
    assert line.requests == 2


def test_a_restarted_feed_continues_from_its_stored_size(journal: Path, witness: Witness) -> None:
    log, line = Log().grow(9), to(witness)
    write_journal(journal, log, [4, 9])
    witness.add(log.body(0, 4))
    feeder(journal, line, seen=4).step()
    assert (cosigned(journal, log), line.requests) == ([(9, NOW)], 1)


# ---------------------------------------------------------------------- an unreachable, slow or false witness


def answering(status: int, body: bytes = b"", media_type: str = "text/plain") -> Callable[[bytes], HttpReply]:
    return lambda _body: HttpReply(status, media_type, body)


def test_the_feed_retries_without_end_and_logs_the_same_failure_once(
    journal: Path, witness: Witness, caplog: pytest.LogCaptureFixture
) -> None:
    def away(_body: bytes) -> HttpReply:
        raise WitnessUnreachable("does not answer: Connection refused")

    caplog.set_level(logging.INFO, "crisscross.feed")
    log, line = Log().grow(3), to(witness)
    well = line.answer
    write_journal(journal, log, [3])
    feeding, line.answer = feeder(journal, line), away
    assert [feeding.step() for _ in range(7)] == [*RETRY_DELAYS_S, RETRY_DELAYS_S[-1], RETRY_DELAYS_S[-1]]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    line.answer = well
    assert feeding.step() == POLL_S
    assert cosigned(journal, log) == [(3, NOW)]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


STRANGER = SigningKey.new("surveillance.example/w")
TEXT, OTHER = Log().grow(3).note().text, Log(salt="other").grow(3).note().text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answering(200, f"{STRANGER.cosign(TEXT, NOW)}\n".encode()), "without a cosignature of its key"),
        (answering(200, f"{WITNESS.sign(TEXT)}\n".encode()), "without a cosignature of its key"),
        (answering(200, f"{WITNESS.cosign(OTHER, NOW)}\n".encode()), "no cosignature of this checkpoint"),
        (answering(200, f"{WITNESS.cosign(TEXT, 0)}\n".encode()), "no cosignature of this checkpoint"),
        (
            answering(200, NoteSignature(KEY.name, KEY.id, bytes(72)).line().encode()),
            "no cosignature of this",
        ),
        (answering(200, b"\xff\xfe garbage"), "no cosignature of this checkpoint"),
        (answering(200, b""), "no cosignature of this checkpoint"),
        (answering(200, b"<html>" * 100), "no cosignature of this checkpoint"),
        (answering(302, b""), "status 302"),
        (answering(409, b"9" * 30 + b"\n", SIZE), "no size"),
        (answering(409, b"1\n"), "no size"),
        (answering(409, b"1", SIZE), "no size"),
        (answering(409, b"2\n", SIZE), "status 409"),
        (answering(500, b"\x1b[31mred\nand more"), "status 500 (?[31mred)"),
    ],
)
def test_an_invalid_cosignature_is_not_stored(
    journal: Path, answer: Callable[[bytes], HttpReply], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    write_journal(journal, Log().grow(3), [3])
    assert feeder(journal, Wire(answer)).step() == RETRY_DELAYS_S[0]
    assert not cosignatures_path(journal).exists()
    (line,) = caplog.messages
    assert words in line
    assert "\n" not in line


def test_a_witness_with_a_larger_size_shows_that_the_journal_s_end_is_missing(
    journal: Path, witness: Witness, caplog: pytest.LogCaptureFixture
) -> None:
    log = Log().grow(9)
    witness.add(log.body(0))
    write_journal(journal, Log(leaves=log.leaves[:5]), [5])
    assert feeder(journal, to(witness)).step() > POLL_S
    assert "its end is missing" in caplog.text
    caplog.clear()
    assert feeder(journal, to(witness), seen=9).step() > POLL_S
    assert "its end is missing" in caplog.text


def test_the_witness_s_refusal_of_a_changed_journal_is_logged_in_one_line(
    journal: Path, witness: Witness, caplog: pytest.LogCaptureFixture
) -> None:
    witness.add(Log().grow(5).body(0))
    write_journal(journal, Log(salt="other").grow(8), [5, 8])
    feeding = feeder(journal, to(witness), seen=5)
    for _ in range(3):
        assert feeding.step() > POLL_S
    assert [m for m in caplog.messages if "refuses the checkpoint of 8 leaves: status 422" in m] == [
        m for m in caplog.messages if m.startswith("witness ")
    ]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM leaves WHERE n = 4", "leaves are missing"),
        ("UPDATE checkpoints SET frontier = '3 x' WHERE size = 3", "a part of a frontier"),
        ("UPDATE checkpoints SET frontier = '0' WHERE size = 3", "one of 0 leaves"),
        ("UPDATE checkpoints SET note = 'no note' WHERE size = 6", "the newest checkpoint"),
        (
            "UPDATE checkpoints SET note = replace(note, char(10) || '6', char(10) || '7')",
            "it is one of 7 leaves",
        ),
        (
            "UPDATE checkpoints SET note = 'a' || substr(note, instr(note, char(10, 10)))",
            "a checkpoint is none",
        ),
        ("DROP TABLE checkpoints", "cannot be used"),
    ],
)
def test_an_unreadable_journal_is_reported_in_one_line(
    journal: Path, witness: Witness, statement: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    write_journal(journal, Log().grow(6), [3, 6])
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute(statement)
    assert feeder(journal, to(witness), seen=3).step() == RETRY_DELAYS_S[0]
    (line,) = caplog.messages
    assert words in line


# ---------------------------------------------------------------------- on the wire


@pytest.mark.serial
@pytest.mark.parametrize(
    ("response", "words"),
    [
        (b"", "no HTTP|reset"),
        (b"garbage\r\n\r\n", "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort", "breaks off|reset"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n", "no HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (MAX_ANSWER_BYTES + 1), "more than"),
    ],
)
def test_an_invalid_http_response_is_reported_in_one_line(response: bytes, words: str) -> None:
    with (
        serving_false_answers(lambda line: line.sendall(response)) as url,
        pytest.raises(WitnessUnreachable, match=words),
    ):
        post(url, b"old 0\n\n")


@pytest.mark.serial
def test_a_slow_response_ends_at_the_timeout() -> None:
    def drip(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
        while line.recv(1):
            line.sendall(b"x")

    with serving_false_answers(drip) as url, pytest.raises(WitnessUnreachable, match="not within"):
        post(url, b"old 0\n\n", total_s=0.2)


@pytest.mark.serial
def test_a_refused_connection_is_reported_in_one_line() -> None:
    with pytest.raises(WitnessUnreachable, match="Connection refused"):
        post("http://127.0.0.1:9", b"")


# ---------------------------------------------------------------------- the file beside the journal


def line_of(size: int, log: Log) -> CosignedLine:
    return CosignedLine(size, NoteSignature.parse(WITNESS.cosign(log.note(size).text, NOW)))


def test_a_partial_line_after_a_power_cut_is_ignored_and_removed(tmp_path: Path) -> None:
    file, log = tmp_path / "c", Log().grow(9)
    append_line(file, line_of(3, log))
    with file.open("a", encoding="utf-8") as half:
        half.write(f"5 — surveillance {'A' * 300}")
    assert [line.size for line in read_lines(file)] == [3]
    append_line(file, line_of(9, log))
    assert [line.size for line in read_lines(file)] == [3, 9]
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "line", ["", "x", "5", "0 — w AAAAAAAA", "05 — w AAAAAAAA", "5 — w !", "5  — w AAAAAAAA"]
)
def test_an_invalid_line_is_reported_with_its_number(tmp_path: Path, line: str) -> None:
    file = tmp_path / "c"
    append_line(file, line_of(3, Log().grow(3)))
    with file.open("a", encoding="utf-8") as more:
        more.write(f"{line}\n")
    with pytest.raises(BadCosigned, match=r"c:2: "):
        read_lines(file)


def test_a_cosignature_of_a_missing_or_different_checkpoint_is_an_error() -> None:
    line, other = line_of(3, Log().grow(3)), Log(salt="other").grow(3)
    with pytest.raises(BadCosigned, match="there is none"):
        verify_lines([line], [KEY], lambda _size: None)
    with pytest.raises(BadCosigned, match="another checkpoint of 3 leaves"):
        verify_lines([line], [KEY], lambda size: other.note(size).text)


def test_cosignatures_of_unknown_keys_are_ignored() -> None:
    log = Log().grow(3)
    stranger = CosignedLine(3, NoteSignature.parse(STRANGER.cosign(log.note().text, NOW)))
    assert verify_lines([stranger], [KEY], lambda size: log.note(size).text) == []
    assert Note.of(log.note().text, stranger.signature.line()).cosigned_by(KEY) is None
