"""`crisscross witness` creates the key and checks the file of a witness, and runs both services as
processes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.common.tlog.note import COSIGNATURE, VerifierKey
from controller.record.seal.cosigned import cosignatures_path, read_lines, verify_lines
from controller.record.witness.settings import load_witness
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log, write_journal
from tests.witness.processes import running, table_file, wait_for_line


@pytest.fixture
def keyed(tmp_path: Path) -> Path:
    """Return the folder of a witness that has its key."""
    key = tmp_path / "witness.key"
    key.write_text(f"{WITNESS.text(COSIGNATURE)}\n")
    key.chmod(0o600)
    return tmp_path


def witness_file(folder: Path, **more: object) -> Path:
    keys = {
        "listen": {"host": "127.0.0.1", "port": 0},
        "key": "witness.key",
        "store": "witness.db",
        "logs": [{"origin": ORIGIN, "key": TABLE.verifier().text()}],
        **more,
    }
    file = folder / "witness.yaml"
    file.write_text(yaml.safe_dump({key: value for key, value in keys.items() if value is not None}))
    return file


# ---------------------------------------------------------------------- the key


def test_a_new_key_is_private_and_its_verifier_key_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "witness.key"
    assert main(["witness", "new-key", "surveillance.example/w", str(file)]) == 0
    printed = VerifierKey.parse(capsys.readouterr().out.rstrip("\n"))
    assert (printed.name, printed.kind) == ("surveillance.example/w", COSIGNATURE)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_witness(witness_file(tmp_path)).key.verifier(COSIGNATURE) == printed


def test_an_existing_key_is_never_overwritten(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (keyed / "witness.key").read_text()
    assert main(["witness", "new-key", "w", str(keyed / "witness.key")]) == 2
    assert (keyed / "witness.key").read_text() == before
    assert before.strip() not in capsys.readouterr().err


def test_a_key_name_that_notes_forbid_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["witness", "new-key", "a b", str(tmp_path / "k")]) == 2
    assert not (tmp_path / "k").exists()
    assert capsys.readouterr().err.count("\n") == 1


# ---------------------------------------------------------------------- the file


def test_a_witness_file_names_store_and_logs(keyed: Path) -> None:
    config = load_witness(witness_file(keyed))
    assert config.store == keyed / "witness.db"
    assert config.logs == {ORIGIN: (TABLE.verifier(),)}


@pytest.mark.parametrize(
    ("more", "key", "words"),
    [
        ({"logs": []}, "logs", "a list of origin and key"),
        ({"logs": [{"origin": ORIGIN, "key": "x"}]}, "logs.0.key", "NAME+NUMBER+KEY"),
        ({"listen": {"host": "", "port": 1}}, "listen.host", "an address"),
        ({"listen": {"host": "a", "port": 70000}}, "listen.port", "0 to 65535"),
        ({"key": "other.key"}, "key", "there is no such file"),
        ({"key": "witness.yaml"}, "key", "others may read"),
        ({"store": None}, "store", "missing"),
        ({"sotre": "x"}, "sotre", "unknown key"),
    ],
)
def test_a_mistake_in_a_witness_file_is_reported_in_one_line(
    keyed: Path, more: dict[str, object], key: str, words: str
) -> None:
    file = witness_file(keyed, **more)
    file.chmod(0o644)
    with pytest.raises(Mistakes) as caught:
        load_witness(file)
    (line,) = caught.value.lines
    assert line.startswith(f"{file}")
    assert key in line
    assert words in line


@pytest.mark.parametrize("secret", ["", "PRIVATE+KEY+x", TABLE.text(), WITNESS.text(COSIGNATURE)[:-8]])
def test_an_invalid_key_file_is_reported_without_its_content(keyed: Path, secret: str) -> None:
    (keyed / "witness.key").write_text(secret)
    with pytest.raises(Mistakes) as caught:
        load_witness(witness_file(keyed))
    assert "witness.key" in caught.value.lines[0]
    assert not secret or secret not in str(caught.value.lines)


def test_a_feed_without_a_witness_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("table: T-1\nrules: pennsylvania\njournal: j.db\nshoe: {port: /dev/shoe}\n")
    assert main(["witness", "feed", str(file)]) == 2
    assert "seal.witnesses" in capsys.readouterr().err


# ---------------------------------------------------------------------- as processes


@pytest.mark.serial
async def test_a_feed_gets_cosignatures_across_a_restart_of_the_witness(keyed: Path) -> None:
    journal = keyed / "journal.db"
    log = Log().grow(5)
    write_journal(journal, log, [5])
    key = WITNESS.verifier(COSIGNATURE)
    file = witness_file(keyed)
    async with running("serve", str(file)) as witness:
        port = int((await wait_for_line(witness, r"cosigns at http://127\.0\.0\.1:(\d+)/"))[1])
        table = table_file(keyed, f"http://127.0.0.1:{port}", key)
        async with running("feed", str(table)) as feed:
            assert (await wait_for_line(feed, r"has cosigned (\d+) leaves"))[1] == "5"
    witness_file(keyed, listen={"host": "127.0.0.1", "port": port})
    write_journal(journal, log.grow(7), [12])
    async with running("feed", str(table)) as feed:
        await wait_for_line(feed, "does not answer: Connection refused")
        async with running("serve", str(file)) as witness:
            await wait_for_line(witness, "cosigns at")
            assert (await wait_for_line(feed, r"has cosigned (\d+) leaves"))[1] == "12"
    found = verify_lines(read_lines(cosignatures_path(journal)), [key], lambda size: log.note(size).text)
    assert [each.size for each in found] == [5, 12]
