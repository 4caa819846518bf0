"""The wheel, built here and installed into an empty environment, runs from any folder."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.pit import first_minutes
from tests.pit.test_page_of_the_pit import FIRST
from tests.repository.house import PROGRAM, ROOT

pytestmark = pytest.mark.serial

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
OFFLINE = ["--quiet", "--no-index", "--no-deps"]
COMPILED = shutil.ignore_patterns("__pycache__")
NOT_PYTHON = ("texts", "static", "manuals")
"""Folders of the packages whose files the program reads while it runs."""

OPEN_MANUALS = """
import re
from controller.common.texts.catalogue import languages
from controller.pages.display.manual_pages import INDEX, MANUALS, SHOTS, manual_page
shown = set()
for language in languages():
    for name in (INDEX, *MANUALS):
        page = manual_page(name, language, "page.to_dealer")
        shown |= set(re.findall(r"/manuals/(\\w+/\\w+[.]png)", page))
assert shown == {str(path.relative_to(SHOTS)) for path in SHOTS.glob("*/*.png")} != set(), shown
for picture in shown:
    data = (SHOTS / picture).read_bytes()
    assert data.startswith(b"\\x89PNG") and data[-8:-4] == b"IEND", picture
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel without a download: hatchling is one of the locked packages."""
    return _built(ROOT, tmp_path_factory.mktemp("wheel"))


def _built(source: Path, folder: Path, umask: int = 0o022, **settings: str) -> Path:
    build = [*PIP, "wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    _run(build, source, umask, **settings)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment elsewhere with the wheel and, by a path line, the packages it needs."""
    home = tmp_path_factory.mktemp("elsewhere")
    _run([sys.executable, "-m", "venv", "--without-pip", str(home)], home)
    _run([*PIP, "--python", str(home), "install", "--no-compile", *OFFLINE, str(wheel)], home)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "of-the-tests.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


def _files(*folders: str) -> list[Path]:
    everything = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    files = (path.relative_to(ROOT) for path in everything if path.is_file())
    return [path for path in files if "__pycache__" not in path.parts]


def _run(command: list[str], folder: Path, umask: int = -1, **settings: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"SOURCE_DATE_EPOCH": "1790000000", **settings}
    result = subprocess.run(
        command, cwd=folder, env=environment, umask=umask, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{command}: {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def test_the_wheel_contains_every_file_that_the_program_reads(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {f"controller/data/{path}" for path in _files("config", "hardware") if "." in path.name[1:]}
    read = {str(path) for path in _files(*PROGRAM) if set(path.parts) & set(NOT_PYTHON)}
    assert data
    assert read
    assert (data | read) - names == set()


def test_the_same_files_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """The second build is in another folder, on another day, in another zone and language, and with files of
    another user."""
    copy = tmp_path / "another copy"
    for name in (*PROGRAM, "config"):
        shutil.copytree(ROOT / name, copy / name, copy_function=shutil.copyfile, ignore=COMPILED)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copyfile(ROOT / name, copy / name)
    settings = {
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "77",
        "USER": "other",
        "HOME": str(tmp_path),
    }
    again = _built(copy, tmp_path / "again", 0o077, **settings)
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()


def test_every_manual_opens_with_its_pictures(installed: Path, tmp_path: Path) -> None:
    """Each page is made of the installed files, and each of its pictures is a complete PNG file."""
    _run([str(installed / "bin/python"), "-c", OPEN_MANUALS], tmp_path)


def test_the_wheel_is_marked_as_typed(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"{package}/py.typed" for package in ("controller", "drivers")} <= set(names)


def test_the_wheel_contains_only_the_program(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {*PROGRAM}


def test_the_program_is_imported_from_the_installed_wheel(installed: Path, tmp_path: Path) -> None:
    ask = "import controller.cli; print(controller.cli.__file__)"
    where = _run([str(installed / "bin/python"), "-c", ask], tmp_path)
    assert Path(where.strip()).is_relative_to(installed)


def test_the_installed_commands_run_in_another_folder(installed: Path, tmp_path: Path) -> None:
    crisscross = str(installed / "bin/crisscross")
    assert "mock" in _run([crisscross, "--help"], tmp_path)
    assert "pennsylvania" in _run([crisscross, "rules", "list"], tmp_path)


@pytest.mark.skipif(bool(first_minutes.reason()), reason=first_minutes.reason())
def test_the_first_command_of_the_pit_s_page_works(installed: Path, tmp_path: Path) -> None:
    assert "events acknowledged" in first_minutes.typed(tmp_path, FIRST[1], path=str(installed / "bin"))
    assert (tmp_path / "pit.db").exists()


def test_the_installed_program_plays_a_round_over_wires(installed: Path, tmp_path: Path) -> None:
    """The rule pack, the chip register and the pin map are those of the wheel."""
    mock = [str(installed / "bin/crisscross"), "mock", "--headless", "--json", "--speed", "max"]
    (line,) = _run([*mock, "--rounds", "1", "--seed", "1"], tmp_path).splitlines()
    assert json.loads(line)["outcome"] == "settled"
