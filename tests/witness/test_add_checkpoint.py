"""Our witness works with an independent client: the library of sigsum-go makes the tree, the proof, the
checkpoint and the request, sends it, and verifies the cosignature.

The client is compiled if the machine has Go and the library (Debian's golang-go and
golang-sigsum-sigsum-go-dev, from trixie on). Its requests are stored in `sigsum_requests.json`, and our
witness receives them on every machine. On a machine with the client another test checks that it makes the
same requests.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.common.tlog.note import COSIGNATURE, Note, SigningKey, VerifierKey
from controller.record.witness.add_request import AddRequest
from controller.record.witness.sending import post
from tests.witness.log import TABLE, WITNESS
from tests.witness.served import serving
from tests.witness.sigsum import log_key

pytestmark = pytest.mark.serial

NOW = 1_795_000_000
COMPILE_TIMEOUT_S = 600
"""Timeout of a test, in s. The first build of the library took 66 s on two busy processors."""
KEY = log_key(TABLE)
FOREIGN = SigningKey.new("x")
SOURCE = Path(__file__).with_name("add_checkpoint.go")
GOPATH = Path(os.environ.get("GOPATH", "/usr/share/gocode"))
needs_client = pytest.mark.skipif(
    shutil.which("go") is None or not (GOPATH / "src/sigsum.org/sigsum-go/pkg/client").is_dir(),
    reason="no Go or no library of sigsum-go; Debian: golang-go golang-sigsum-sigsum-go-dev, from trixie on",
)


@dataclass(frozen=True)
class Kept:
    """Stored request of the client: old and new size, number of its tree, body, and the status that the
    witness must return."""

    old: int
    size: int
    tree: int
    status: int
    body: str


REQUESTS = [
    Kept(**each) for each in json.loads(SOURCE.with_name("sigsum_requests.json").read_text(encoding="ascii"))
]
"""Stored requests of the client, in the order in which they must be sent."""


def hex_of(key: SigningKey) -> str:
    return key.private.private_bytes_raw().hex()


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Yield the address of our witness, to which another key is known under the origin of FOREIGN."""
    other = log_key(FOREIGN).name
    logs = {KEY.name: (KEY.verifier(),), other: (VerifierKey(other, 1, KEY.verifier().public),)}
    with serving(tmp_path / "witness.db", WITNESS, logs, lambda: NOW) as address:
        yield address


# ---------------------------------------------------------------------- its requests, on every machine


def test_each_stored_request_gets_its_status(url: str) -> None:
    for each in REQUESTS:
        reply = post(url, each.body.encode())
        assert reply.status == each.status, each
        if each.status == 200:
            text = each.body.partition("\n\n")[2].partition("\n\n")[0] + "\n"
            note = Note.of(text, reply.body.decode().rstrip("\n"))
            assert note.cosigned_by(WITNESS.verifier(COSIGNATURE)) == NOW


def test_a_parsed_request_is_written_back_unchanged() -> None:
    assert [AddRequest.parse(each.body.encode()).body().decode() for each in REQUESTS] == [
        each.body for each in REQUESTS
    ]


# ---------------------------------------------------------------------- the client itself


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the client, compiled from the library's source."""
    program = tmp_path_factory.mktemp("client") / "add_checkpoint"
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(GOPATH)}
    subprocess.run(["go", "build", "-o", str(program), str(SOURCE)], env=environment, check=True)
    return program


def ask(client: Path, url: str, *numbers: int, log: SigningKey = TABLE, witness: SigningKey = WITNESS) -> str:
    """Return the output of the client. `numbers`: old size, new size and number of the tree."""
    public = witness.private.public_key().public_bytes_raw().hex()
    command = [str(client), url, hex_of(log), public, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode in {0, 3} else done.stderr


@needs_client
@pytest.mark.slow
@pytest.mark.timeout(COMPILE_TIMEOUT_S)
def test_the_client_makes_the_stored_requests(client: Path) -> None:
    for each in REQUESTS:
        assert ask(client, "-", each.old, each.size, each.tree) == each.body


@needs_client
@pytest.mark.slow
@pytest.mark.timeout(COMPILE_TIMEOUT_S)
def test_the_client_accepts_our_cosignatures_and_reads_our_refusals(client: Path, url: str) -> None:
    words = {200: f"{NOW}\n", 409: "(409) old size must be ", 422: "(422) "}
    for each in REQUESTS:
        assert ask(client, url, each.old, each.size, each.tree).startswith(words[each.status]), each


@needs_client
@pytest.mark.slow
@pytest.mark.timeout(COMPILE_TIMEOUT_S)
def test_the_client_reads_our_statuses_for_an_unknown_key_or_log(client: Path, url: str) -> None:
    assert ask(client, url, 0, 5, 0, log=FOREIGN).startswith("(403) ")
    assert ask(client, url, 0, 5, 0, log=SigningKey.new("y")).startswith("(404) ")


@needs_client
@pytest.mark.slow
@pytest.mark.timeout(COMPILE_TIMEOUT_S)
def test_the_client_refuses_a_cosignature_of_another_witness(client: Path, url: str) -> None:
    assert ask(client, url, 0, 5, 0, witness=FOREIGN) == "no cosignature for given key\n"
