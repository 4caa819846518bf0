"""`crisscross rounds prove` writes a proof of one round (C2SP tlog-proof) with its record and the lines of
witnesses, and reports errors in one line.

`test_other_verifiers.py` verifies such proofs with programs of other authors.
"""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.tlog.note import COSIGNATURE, Note, NoteSignature, SigningKey
from controller.record.journal.leaves import COLUMNS
from controller.record.seal.cosigned import CosignedLine, append_line, cosignatures_path
from tests.repository.house import ROOT
from tests.trials.edits.box import Box
from tests.trials.edits.play import played


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("proof") / "box", 3, 8)


@pytest.fixture
def proof(box: Box, tmp_path: Path) -> str:
    file = tmp_path / "two.tlog-proof"
    assert main(["rounds", "prove", "2", "--journal", str(box.journal), "--to", str(file)]) == 0
    return file.read_text()


def test_a_proof_shows_the_record_of_its_round(
    box: Box, proof: str, capsys: pytest.CaptureFixture[str]
) -> None:
    extra = proof.splitlines()[1]
    leaf = json.loads(b64decode(extra.removeprefix("extra ")))
    table, _, number, kind, body = leaf
    assert (table, number, kind) == ("results", 2, "record")
    capsys.readouterr()
    assert main(["rounds", "show", "2", "--json", "--journal", str(box.journal)]) == 0
    assert json.loads(body) == json.loads(capsys.readouterr().out)


def test_a_round_without_a_proof_is_reported(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["rounds", "prove", "99", "--journal", str(box.journal)]) == 2
    assert "holds no result of round 99" in capsys.readouterr().err


def test_a_proof_that_cannot_be_written_is_reported(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "none" / "proof"
    assert main(["rounds", "prove", "2", "--journal", str(box.journal), "--to", str(to)]) == 2
    assert capsys.readouterr().err == f"crisscross rounds prove: {to}: No such file or directory\n"


def test_the_first_key_is_given_once(box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = box.copy_journal(tmp_path / "copy")
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


def test_an_invalid_file_beside_the_journal_is_reported_in_one_line(
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
    """Let a witness sign the last checkpoint but one in a copy of the journal; return this copy and the
    witness's public key."""
    copy = box.copy_journal(tmp_path / "seen")
    witness = SigningKey.new("surveillance.example/w")
    with copy.open() as db:
        size, note = db.execute("SELECT size, note FROM checkpoints ORDER BY size DESC LIMIT 1, 1").fetchone()
    line = witness.cosign(Note.parse(note).text, 1_795_000_000)
    append_line(cosignatures_path(copy.journal), CosignedLine(size, NoteSignature.parse(line)))
    return copy, witness.verifier(COSIGNATURE).text()


def test_a_tree_seen_by_a_witness_is_reported(
    seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]
) -> None:
    box, key = seen
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 0
    assert "seen by surveillance.example/w up to row " in capsys.readouterr().out


def test_the_proof_uses_a_checkpoint_signed_by_a_witness(seen: tuple[Box, str], tmp_path: Path) -> None:
    to = tmp_path / "proof"
    assert main(["rounds", "prove", "1", "--journal", str(seen[0].journal), "--to", str(to)]) == 0
    signed = to.read_text().split("\n\n")[2]
    assert [line.split(" ")[1] for line in signed.splitlines()] == [
        "crisscross.invalid/CC-01",
        "surveillance.example/w",
    ]


def test_a_journal_signed_again_differs_from_the_witnessed_tree(
    seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal was signed again with the table's own key, so only the witness's signature reveals it."""
    box, key = seen
    with box.open() as db:
        db.execute("UPDATE events SET utc = '2026-01-01T00:00:00.000Z' WHERE seq = 3")
    box.sign_anew()
    assert main(["verify", str(box.journal)]) == 0
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 1
    assert "surveillance.example/w has seen another checkpoint" in capsys.readouterr().err


def test_a_new_journal_lacks_the_witnessed_tree(
    seen: tuple[Box, str], capsys: pytest.CaptureFixture[str]
) -> None:
    box, key = seen
    with box.open() as db:
        for table in (*COLUMNS, "leaves", "checkpoints", "lines"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608
    ratchet = box.keys / "ratchet.key"
    ratchet.write_text(f"0 {ratchet.read_text(encoding='ascii').split()[1]}\n", encoding="ascii")
    cosigned = cosignatures_path(box.journal).rename(box.journal.with_name("elsewhere"))
    assert main(["verify", str(box.journal)]) == 0
    cosigned.rename(cosignatures_path(box.journal))
    capsys.readouterr()
    assert main(["verify", str(box.journal), "--witness", key]) == 1
    assert "and there is none" in capsys.readouterr().err
