"""`crisscross simulate shoe` prints its port, carries out commands, and reports a mistake in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.serial

PROGRAM = (
    "import argparse; from drivers.shoe.sim.console import add_shoe_arguments, simulate_shoe; "
    "p = argparse.ArgumentParser(); add_shoe_arguments(p); raise SystemExit(simulate_shoe(p.parse_args()))"
)


def run(typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *options],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_prints_its_port_obeys_and_leaves_no_file(tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    done = run("status\nfrob\nquit\n", "--port", str(port), "--mode", "single")
    first, status, frob = done.stdout.splitlines()
    assert str(port) in first
    assert status.startswith("READY SINGLE, deck RED, left 52, out 0")
    assert "help" in frob
    assert (done.returncode, done.stderr) == (0, "")
    assert not port.is_symlink()


def test_an_invalid_port_gives_one_line_and_status_2(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no serial port")
    done = run("", "--port", str(file))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert str(file) in done.stderr


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = run("", "--port", str(tmp_path / "none" / "shoe"))
    assert done.returncode == 2
    assert done.stderr.endswith(f"there is no folder {tmp_path / 'none'}\n")
