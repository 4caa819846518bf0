"""Fuzz target for the network input of a witness and of its feed: it is accepted, or refused in one line.

The first byte of an input selects the kind of the rest: a request to a witness that has cosigned one tree, a
witness's answer to the feed, a file of cosignatures, or a frontier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.common.tlog.note import COSIGNATURE, Checkpoint
from controller.record.seal.cosigned import BadCosigned, read_lines, verify_lines
from controller.record.witness.add_request import AddRequest, BadAddRequest
from controller.record.witness.feed import Feeder
from controller.record.witness.journal_reader import FileSource
from controller.record.witness.sending import HttpReply
from controller.record.witness.store import Store
from controller.record.witness.witness import TEXT, Witness
from tests.trials.fuzz.target import Target, file_of, guarantee, one_line
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log, write_journal

NOW = 1_795_000_000
KEY = WITNESS.verifier(COSIGNATURE)
SEEN, GROWN = 5, 12
STATUSES = {200, 400, 403, 404, 409, 422}


@cache
def log() -> Log:
    return Log().grow(GROWN)


def trial(data: bytes) -> None:
    kind = CHECKS[data[0] % len(CHECKS)] if data else check_request
    kind(data[1:])


def check_request(body: bytes) -> None:
    """Check that each tree that the witness cosigns extends the one cosigned before."""
    with TemporaryDirectory(prefix="fuzz-") as folder, closing(Store(Path(folder) / "w.db")) as store:
        witness = Witness(WITNESS, {ORIGIN: (TABLE.verifier(),)}, store, lambda: NOW)
        witness.add(log().body(0, SEEN))
        answer = witness.add(body)
        guarantee(answer.status in STATUSES, f"status {answer.status}")
        one_line(answer.body)
        kept = store.latest(ORIGIN)
        guarantee(kept is not None and kept.signed_by(KEY), "what was cosigned is forgotten")
        size = Checkpoint.parse(kept.text).size if kept else 0
        guarantee(size in {SEEN, GROWN}, f"{size} leaves are cosigned, and nobody has signed so many")
    try:
        again = AddRequest.parse(body).body()
    except BadAddRequest as error:
        one_line(str(error))
    else:
        guarantee(again == body, "a request has two forms")


def check_answer(data: bytes) -> None:
    status, _, body = data.partition(b"\n")
    reply = HttpReply(
        int(status) if status.isdigit() and len(status) < 4 else 200, TEXT.partition(";")[0], body
    )
    with TemporaryDirectory(prefix="fuzz-") as folder:
        journal = Path(folder) / "journal.db"
        write_journal(journal, log(), [GROWN])
        Feeder(FileSource(journal), KEY, "http://w", lambda _url, _body: reply).step()
        for line in read_lines(journal.with_name("journal.db.cosigned")):
            guarantee(verify_lines([line], [KEY], lambda _size: log().note().text), "a lie is written down")


def check_file(data: bytes) -> None:
    with file_of(data, "cosigned") as file:
        try:
            verify_lines(read_lines(file), [KEY], lambda size: log().note(min(size, GROWN)).text)
        except BadCosigned as error:
            one_line(str(error))


def check_frontier(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        frontier = Frontier.parse(text)
    except BadFrontier as error:
        one_line(str(error))
    else:
        guarantee(frontier.text() == text, "a frontier has two forms")
        frontier.add(bytes(32)).root()


CHECKS: tuple[Callable[[bytes], None], ...] = (check_request, check_answer, check_file, check_frontier)


def seeds() -> Iterator[bytes]:
    other = Log(salt="other").grow(GROWN)
    for body in (
        log().body(0),
        log().body(SEEN),
        log().body(0, SEEN),
        other.body(SEEN),
        other.body(SEEN, SEEN),
    ):
        yield b"\x00" + body
    text = log().note().text
    for line in (WITNESS.cosign(text, NOW), WITNESS.cosign(text, 0), WITNESS.sign(text), TABLE.sign(text)):
        yield b"\x01200\n" + f"{line}\n".encode()
        yield b"\x02" + f"{GROWN} {line}\n".encode()
    for reply in (b"409\n7\n", b"409\n99\n", b"422\nno\n", b"500\n\x1b["):
        yield b"\x01" + reply
    yield b"\x03" + Frontier.of(log().leaves).text().encode()


WORDS = [
    b"old 5\n",
    b"old 0\n",
    "— ".encode(),
    b"\n\n",
    b"A" * 43 + b"=\n",
    ORIGIN.encode(),
    b" 12 ",
    b"\n12\n",
]
TARGET = Target("witness", trial, seeds, WORDS, longest=3000)
