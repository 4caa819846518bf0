"""Instructions of the manuals that are commands can be followed on a journal and a table file."""

from __future__ import annotations

import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.secret_hash import fits
from controller.common.tlog.note import COSIGNATURE, Note, NoteSignature, SigningKey
from controller.record.journal.journal import Journal
from controller.record.seal.cosigned import CosignedLine, append_line, cosignatures_path
from controller.settings.people.register import read_people
from tests.journal.test_shortened import shortened
from tests.manuals.followed import commands
from tests.runtime.child import table_file
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

pytestmark = pytest.mark.slow

PIN = "270182"
ROUNDS = 17
"""Number of rounds. The last one is the round that the surveillance manual names."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("commands") / "box", ROUNDS, 3)


def run(command: str, *folders: tuple[str, Path]) -> int:
    """Run a command of a manual with the folders of this machine in place of the table's."""
    _, _, given = command.rpartition("crisscross ")
    words = shlex.split(given)
    for of_table, here in folders:
        words = [word.replace(of_table, f"{here}/") for word in words]
    return main(words)


def test_a_lost_pin_is_renewed_and_the_people_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table_file(tmp_path)
    monkeypatch.setattr("getpass.getpass", lambda _request: PIN)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    etc = ("/etc/crisscross/", tmp_path)
    (renew,), (listing,) = commands("renew_pin"), commands("list_people")
    assert run(renew.replace("B-Floor", "B1"), etc) == 0
    (person,) = read_people(tmp_path / "people.yaml").values()
    assert fits(PIN, person.pin)
    capsys.readouterr()
    assert run(listing, etc) == 0
    listed = capsys.readouterr().out
    assert "B1" in listed and "argon2" not in listed


def test_a_journal_is_verified_with_the_handed_over_keys_and_a_round_is_proven(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, folder = box.copy_journal(tmp_path / "table"), ("/var/lib/crisscross/", tmp_path / "table")
    monkeypatch.chdir(tmp_path)
    for words, file in ((("key",), "table.vkey"), (("hand-over",), "first.txt")):
        capsys.readouterr()
        assert main(["seal", *words, str(copy.journal)]) == 0
        (tmp_path / file).write_text(capsys.readouterr().out, encoding="utf-8")
    (tmp_path / "witness.vkey").write_text(witnessed(copy), encoding="utf-8")
    (verify,), (prove,) = commands("verify"), commands("prove")
    assert run(verify, folder) == 0, capsys.readouterr()
    assert run(f"{prove} --journal {copy.journal}") == 0
    assert "tlog-proof" in (tmp_path / f"round-{ROUNDS}.tlog-proof").read_text(encoding="utf-8")


def test_the_evidence_is_printed_and_a_seat_is_exported(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = box.copy_journal(tmp_path / "table")
    folder = ("/var/lib/crisscross/", copy.journal.parent)
    monkeypatch.chdir(tmp_path)
    (weigh,), (export,) = commands("evidence"), commands("evidence_export")
    assert run(weigh, folder) == 0
    assert re.search(
        r"threshold of the k-th sitting, .*\bfalse accusations at \d+ each",
        capsys.readouterr().out,
        re.DOTALL,
    )
    assert run(export, folder) == 0
    assert len([*(tmp_path / "seat-3").glob("round-*.tlog-proof")]) >= ROUNDS - 1


def witnessed(box: Box) -> str:
    """Let a witness sign the last checkpoint but one. Return the witness's public key."""
    witness = SigningKey.new("surveillance.example/w")
    with box.open() as db:
        size, note = db.execute("SELECT size, note FROM checkpoints ORDER BY size DESC LIMIT 1, 1").fetchone()
    line = witness.cosign(Note.parse(note).text, 1_795_000_000)
    append_line(cosignatures_path(box.journal), CosignedLine(size, NoteSignature.parse(line)))
    return witness.verifier(COSIGNATURE).text()


def test_a_journal_is_copied_and_the_copy_is_verified(box: Box, tmp_path: Path) -> None:
    copy = box.copy_journal(tmp_path / "table")
    folder = ("/var/lib/crisscross/", copy.journal.parent)
    for command in commands("backup"):
        assert run(command, folder) == 0
    for command in commands("verify_after"):
        assert run(command, folder) == 0


def test_permanently_lost_rows_are_confirmed(tmp_path: Path) -> None:
    lost = shortened(tmp_path)
    (command,) = commands("shortened")
    assert run(command, ("/var/lib/crisscross/", lost.parent)) == 0
    with closing(Journal(lost)) as journal:
        assert journal.lost_rows == 2


def test_the_themes_of_the_drills_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = commands("other_drills")[:1]
    assert run(command) == 0
    assert "bonuses" in capsys.readouterr().out
