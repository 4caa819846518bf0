"""CI calls the two commands of the README, and a second run of them installs nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.house import ROOT

pytestmark = pytest.mark.slow


PAGE = "tests/display/page"
"""Folder in which the checks of the JavaScript are installed."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with the Makefile and the files that its stamps depend on, with a finished
    environment."""
    locks = [path.name for path in ROOT.glob("requirements*.lock")]
    for name in ("Makefile", "pyproject.toml", f"{PAGE}/package-lock.json", *locks):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / PAGE / "node_modules").mkdir()
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(shutil.which("python3") or "python3")
    done = tmp_path / ".venv/.done"
    done.mkdir()
    (done / "venv").write_text(str(tmp_path), encoding="utf-8")
    for moment, name in enumerate(("venv", "run", "project", "dev", "js", "tools"), start=4_000_000_000):
        (done / name).touch()
        os.utime(done / name, (moment, moment))
    return tmp_path


def own_environment() -> dict[str, str]:
    """Return the environment without the variables that an outer make passes on."""
    handed_down = ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS")
    return {name: value for name, value in os.environ.items() if name not in handed_down}


def would_do(folder: Path, *goals: str) -> str:
    """Return the output of `make -n` for these goals."""
    result = subprocess.run(
        ["make", "-n", *goals], cwd=folder, env=own_environment(), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_ci_runs_only_make_test() -> None:
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == [
        "set -eu",
        'cd "$(dirname "$0")/.."',
        "exec make test",
    ]
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_an_up_to_date_target_installs_nothing(checkout: Path) -> None:
    output = would_do(checkout, "mock", "test", "bench", "soak")
    assert "pip" not in output
    assert "npm" not in output


@pytest.mark.parametrize(("touched", "installed"), [("requirements-dev.lock", 1), ("pyproject.toml", 2)])
def test_a_changed_file_reinstalls_its_dependants(checkout: Path, touched: str, installed: int) -> None:
    os.utime(checkout / touched, (5_000_000_000, 5_000_000_000))
    assert would_do(checkout, "test").count("pip --disable-pip-version-check") == installed


def test_the_javascript_checks_are_reinstalled_separately(checkout: Path) -> None:
    os.utime(checkout / PAGE / "package-lock.json", (5_000_000_000, 5_000_000_000))
    output = would_do(checkout, "test")
    assert (output.count("ci --ignore-scripts"), "pip" in output) == (1, False)
    os.utime(checkout / ".venv/.done/js", (6_000_000_000, 6_000_000_000))
    (checkout / PAGE / "node_modules").rmdir()
    assert would_do(checkout, "js").count("ci --ignore-scripts") == 1


def test_a_moved_folder_gets_a_new_environment(checkout: Path) -> None:
    (checkout / ".venv/.done/venv").write_text("/somewhere/else", encoding="utf-8")
    assert "-m venv" in would_do(checkout, "mock")


def test_arguments_reach_the_program(checkout: Path) -> None:
    assert "crisscross mock --seats 3 --seed 7" in would_do(checkout, "mock", "ARGS=--seats 3 --seed 7")


def test_make_mock_with_a_pit_installs_the_uplink_libraries(checkout: Path) -> None:
    wanted = "ARGS=--pit --tables 3"
    assert would_do(checkout, "mock", wanted).count("requirements-uplink.lock") == 2
    (checkout / ".venv/.done/pit").touch()
    os.utime(checkout / ".venv/.done/pit", (6_000_000_000, 6_000_000_000))
    output = would_do(checkout, "mock", wanted)
    assert "crisscross mock --pit --tables 3" in output
    assert "pip" not in output


def does(folder: Path, goal: str, **environment: str) -> str:
    """Run make for the goal, and return the message with which it stops."""
    result = subprocess.run(
        [shutil.which("make") or "make", goal], cwd=folder, env={**own_environment(), **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    return result.stdout + result.stderr


def test_without_a_network_make_prints_its_own_message(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("no-such-thing==1 --hash=sha256:00\n", encoding="utf-8")
    os.utime(checkout / "requirements.lock", (5_000_000_000, 5_000_000_000))
    output = does(checkout, "mock", PIP_NO_INDEX="1")
    assert "make: pip could not fetch what is named there. Is there a network" in output


@pytest.mark.parametrize("goal", ["drawings", "browser"])
def test_without_root_the_command_that_installs_is_printed(checkout: Path, goal: str) -> None:
    few = checkout / "few"
    few.mkdir()
    for name in ("cat", "getconf"):
        (few / name).symlink_to(shutil.which(name) or name)
    for python in (few / "python3", checkout / ".venv/bin/python"):
        python.unlink(missing_ok=True)
        python.symlink_to(Path(sys.executable).resolve())
    (few / "id").write_text("#!/bin/sh\necho 1000\n", encoding="ascii")
    (few / "id").chmod(0o755)
    output = does(checkout, goal, PATH=str(few), CRISSCROSS_CHROMIUM="")
    what = {"drawings": "graphviz", "browser": "chromium systemd"}[goal]
    assert f"Type: su -c 'apt-get update && apt-get install {what}" in output
    assert ("up to 220 MB are fetched" in output) == (goal == "browser")


@pytest.mark.parametrize(("status", "skipped"), [(0, True), (100, False)])
def test_a_package_that_apt_lacks_does_not_stop_the_tests(checkout: Path, status: int, skipped: bool) -> None:
    """The test relies on the status of `apt-cache show`: trixie has the packages, bookworm does not."""
    few = checkout / "few"
    few.mkdir()
    for name in ("cat", "getconf", "ls"):
        (few / name).symlink_to(shutil.which(name) or name)
    for python in (few / "python3", checkout / ".venv/bin/python"):
        python.unlink(missing_ok=True)
        python.symlink_to(Path(sys.executable).resolve())
    stubs = {
        "id": "echo 1000",
        "apt-cache": f"exit {status}",
        "chromium": "",
        "systemd-analyze": "",
        "mosquitto": "",
        "dtc": "",
        "promtool": "",
    }
    for name, line in stubs.items():
        (few / name).write_text(f"#!/bin/sh\n{line}\n", encoding="ascii")
        (few / name).chmod(0o755)
    done = subprocess.run(
        [shutil.which("make") or "make", "browser"], cwd=checkout, capture_output=True, text=True,
        check=False, env={**own_environment(), "PATH": str(few)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert ("make: without sigsum-go litetlog their tests are skipped" in done.stderr) == skipped
