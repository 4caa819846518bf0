"""`crisscross chips module` serves a secure module as a process, and a desk lets each chip prove itself by
it.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from controller.cli import main
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.icode_dna import IcodeDna
from drivers.chips.sim.ntag424 import Ntag424
from drivers.chips.sim.simulator import ReaderBank
from drivers.chips.sim.software_module import chip_key
from drivers.ports import CircleId

READER: CircleId = (1, "reader")
GENUINE, COPY = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"
KEY = "00112233445566778899AABBCCDDEEFF"
ALLOWED = "allowed: 32 hexadecimal digits, as `crisscross chips module new-key FILE` writes"


@pytest.fixture
def house_key(tmp_path: Path) -> Path:
    file = tmp_path / "house.key"
    file.write_text(f"{KEY}\n", encoding="ascii")
    file.chmod(0o600)
    return file


@contextmanager
def serving(socket: Path, *options: str, **environment: str) -> Iterator[str]:
    """Run the module until the end of the block, as its user does, and yield the line that it prints at its
    start."""
    command = [sys.executable, "-m", "controller", "chips", "module", "serve", str(socket), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    assert process.stdout is not None
    try:
        yield process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def read(
    port: str, module: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[str]]:
    """Return exit status and output of one reading at a desk."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    register = module.parent / "chips.csv"
    status = main(
        ["chips", "read", "--register", str(register), "--port", port, "--module", str(module), *more]
    )
    printed = capsys.readouterr()
    return status, (printed.out or printed.err).splitlines()


@pytest.mark.serial
def test_a_desk_asks_each_chip_for_a_proof_by_the_module(
    house_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = {GENUINE: bytes.fromhex(KEY), COPY: bytes(16)}
    socket = tmp_path / "module.sock"
    with ReaderBank(tmp_path / "lines", [READER], pace=0) as bank:
        bank.card_of = lambda uid: Ntag424(chip_key(keys[uid], uid), Random(uid))
        bank.set_chips(READER, [GENUINE])
        port = str(bank.paths()[READER])
        with serving(socket, "--house-key", str(house_key)) as line:
            assert line == f"answers at {socket}, house key EBAE9E; Ctrl-C ends\n"
            assert socket.stat().st_mode & 0o777 == 0o660
            status, lines = read(port, socket, monkeypatch, capsys)
            assert (status, lines) == (0, [f"{GENUINE}  not in the register  proven", "1 on the reader"])
            bank.set_chips(READER, [GENUINE, COPY])
            status, (first, second, _) = read(port, socket, monkeypatch, capsys)
        assert not socket.exists()
        assert (status, first) == (1, f"{GENUINE}  not in the register  proven")
        assert second.startswith(f"{COPY}  not in the register  NOT PROVEN: ")
        status, lines = read(port, socket, monkeypatch, capsys)
        assert status == 2
        assert f"crisscross chips read: {socket}: " in lines[-1]


@pytest.mark.serial
def test_a_feig_reader_of_a_desk_asks_for_proofs_too(
    house_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uid, socket = "E004015000000001", tmp_path / "module.sock"
    circle: CircleId = (1, "ante_across")
    with FeigBank(tmp_path / "lines", [circle], pace=0.0) as bank:
        bank.card_of = lambda uid: IcodeDna(chip_key(bytes.fromhex(KEY), uid), Random(uid))
        bank.set_chips(circle, [uid])
        with serving(socket, "--house-key", str(house_key)):
            port = bank.paths()[circle]
            status, lines = read(port, socket, monkeypatch, capsys, "--kind", "feig_mux")
    assert (status, lines[0]) == (0, f"{uid}  not in the register  proven")


@pytest.mark.serial
def test_the_house_key_may_be_a_credential_of_the_service(house_key: Path, tmp_path: Path) -> None:
    folder = tmp_path / "credentials"
    folder.mkdir()
    house_key.rename(folder / "house-key")
    with serving(tmp_path / "module.sock", CREDENTIALS_DIRECTORY=str(folder)) as line:
        assert "house key EBAE9E" in line


def test_a_new_house_key_is_private_and_is_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.key"
    assert main(["chips", "module", "new-key", str(file)]) == 0
    written = file.read_text(encoding="ascii")
    assert (len(bytes.fromhex(written)), file.stat().st_mode & 0o777) == (16, 0o600)
    printed = capsys.readouterr().out
    assert printed.startswith(f"{file}: house key ")
    assert written.strip() not in printed
    assert main(["chips", "module", "new-key", str(file)]) == 2
    assert capsys.readouterr().err == f"crisscross chips module: {file}: File exists; allowed: a new file\n"
    assert file.read_text(encoding="ascii") == written


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        (KEY, 0o644, "others may read it; chmod 600 {file}"),
        (KEY[:-1], 0o600, f"is no house key; {ALLOWED}"),
        (f"{KEY[:-1]}X", 0o600, f"is no house key; {ALLOWED}"),
        ("", 0o600, "is no secret; allowed: a file of one line that others may not read"),
        (None, 0, "No such file or directory; allowed: a file of one line that others may not read"),
    ],
)
def test_an_unusable_house_key_is_reported_without_its_text(
    tmp_path: Path, text: str | None, mode: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.key"
    if text is not None:
        file.write_text(text, encoding="ascii")
        file.chmod(mode)
    assert main(["chips", "module", "serve", str(tmp_path / "m"), "--house-key", str(file)]) == 2
    error = capsys.readouterr().err
    assert error == f"crisscross chips module: {file}: {why.format(file=file)}\n"
    assert KEY[:-1] not in error


def test_without_a_house_key_the_line_says_where_it_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    assert main(["chips", "module", "serve", str(tmp_path / "m")]) == 2
    assert capsys.readouterr().err == (
        "crisscross chips module: no house key; allowed: --house-key FILE, or a credential house-key of the "
        "service\n"
    )


def test_a_socket_that_cannot_be_made_is_named(
    house_key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "none" / "module.sock"
    assert main(["chips", "module", "serve", str(nowhere), "--house-key", str(house_key)]) == 1
    words = "No such file or directory; allowed: a new path in a folder of this user"
    assert capsys.readouterr().err == f"crisscross chips module: {nowhere}: {words}\n"


def test_a_reader_that_asks_no_chip_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from drivers.chips.sim.board_bank import BoardBank

    circle: CircleId = (1, "ante_across")
    with BoardBank(tmp_path / "boards", [circle], pace=0.0) as boards:
        boards.set_chips(circle, [GENUINE])
        port = boards.paths()[circle]
        status, lines = read(port, tmp_path / "m", monkeypatch, capsys, "--kind", "seat_board")
    assert status == 2
    assert f"{port}: asks no chip for a proof; allowed: pn532_uart or feig_mux" in lines[-1]
