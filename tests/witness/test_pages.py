"""A witness over HTTP answers requests on real sockets and refuses oversized ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from controller.common.tlog.note import COSIGNATURE, Note
from controller.record.witness import pages
from controller.record.witness.add_request import MAX_BODY_BYTES
from controller.record.witness.sending import post
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log
from tests.witness.served import serving

pytestmark = pytest.mark.serial

NOW = 1_795_000_000
CHECKPOINT = f"/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(pages, "BODY_S", 0.2)
    with serving(tmp_path / "w.db", WITNESS, {ORIGIN: (TABLE.verifier(),)}, lambda: NOW) as address:
        yield address


def send_request(url: str, method: str, path: str, body: bytes = b"") -> tuple[HTTPResponse, bytes]:
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=10)) as line:
        line.request(method, path, body)
        answer = line.getresponse()
        return answer, answer.read()


def test_the_answer_is_the_cosignature_and_the_note_can_be_fetched(url: str) -> None:
    log = Log().grow(5)
    reply = post(url, log.body(0))
    assert (reply.status, reply.media_type) == (200, "text/plain")
    note = Note.parse(str(log.note()) + reply.body.decode())
    assert note.cosigned_by(WITNESS.verifier(COSIGNATURE)) == NOW
    answer, body = send_request(url, "GET", CHECKPOINT)
    assert answer.status == 200
    assert Note.parse(body) == note


def test_status_409_has_the_size_and_its_media_type(url: str) -> None:
    post(url, Log().grow(5).body(0))
    reply = post(url, Log().grow(8).body(0))
    assert (reply.status, reply.media_type, reply.body) == (409, "text/x.tlog.size", b"5\n")


def test_each_path_has_its_method(url: str) -> None:
    assert send_request(url, "GET", "/add-checkpoint")[0].status == 405
    assert send_request(url, "POST", CHECKPOINT)[0].status == 405
    assert send_request(url, "GET", CHECKPOINT)[0].status == 404
    assert send_request(url, "GET", "/")[0].status == 404
    assert send_request(url, "POST", "/add-checkpoint", b"old\n\n")[0].status == 400


def test_an_oversized_body_is_refused(url: str) -> None:
    assert send_request(url, "POST", "/add-checkpoint", b"x" * (MAX_BODY_BYTES + 1))[0].status == 413


def test_a_missing_body_ends_with_a_timeout(url: str) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=10) as line:
        line.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 100\r\n\r\nold")
        assert line.recv(1024).startswith(b"HTTP/1.1 408 ")


def test_one_connection_serves_many_requests(url: str) -> None:
    log = Log()
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=10)) as line:
        for old in range(0, 20, 4):
            line.request("POST", "/add-checkpoint", log.grow(4).body(old))
            answer = line.getresponse()
            assert answer.status == 200
            answer.read()
