"""A command ends without a traceback whatever its output is: a stream with another encoding, a full disk or a
closed pipe."""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import AREAS, main, parser_for
from controller.common.command_examples import EXAMPLES
from tests.repository.house import ROOT
from tests.runtime.child import table_file
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

pytestmark = pytest.mark.serial

NO_ROOM = "crisscross: no more room on the disk can be had; make room, and do it again\n"


def leaves(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield every command that has no subcommand."""
    below = [at for at in parser._actions if isinstance(at, argparse._SubParsersAction)]
    if not below:
        yield parser.prog.removeprefix("crisscross ")
    for each in below:
        for parser_below in each.choices.values():
            yield from leaves(parser_below)


COMMANDS = [
    command
    for names in AREAS.values()
    for name in names
    for command in leaves(parser_for([name]))
    if command.split()[0] == name
]
JOURNAL = {
    "verify": ["verify", "JOURNAL"],
    "list": ["rounds", "list", "--lang", "es", "--journal", "JOURNAL"],
    "show": ["rounds", "show", "2", "--lang", "es", "--journal", "JOURNAL"],
    "export": ["rounds", "export", "--journal", "JOURNAL"],
    "csv": ["rounds", "export", "--csv", "--journal", "JOURNAL"],
    "prove": ["rounds", "prove", "2", "--journal", "JOURNAL"],
    "key": ["seal", "key", "JOURNAL"],
}
ALONE = {
    "version": ["--version"],
    "states": ["states"],
    "types": ["view", "--types"],
    "packs": ["rules", "list"],
    "pack": ["rules", "show", "pennsylvania"],
    "trace": ["rules", "trace", "pennsylvania", "--scenarios", str(ROOT / "tests/scenarios")],
    "themes": ["practice", "--list"],
    "acl": ["uplink", "acl", "--table", "CC-01", "--pit", "pit-1"],
    "asyncapi": ["uplink", "asyncapi"],
}
PRINTING = JOURNAL | ALONE


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("output") / "box", 2, 8)


def arguments(name: str, box: Box) -> list[str]:
    return [str(box.journal) if word == "JOURNAL" else word for word in PRINTING[name]]


def ended(given: list[str]) -> int:
    """Return the exit status of a command, even if the command ends by SystemExit, as --help does."""
    try:
        return main(given)
    except SystemExit as end:
        return int(end.code or 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_in_its_help(command: str) -> None:
    assert command in EXAMPLES


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_prints_to_any_output(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _goes_anywhere([*command.split(), "--help"], monkeypatch, capsys)


@pytest.mark.parametrize("name", PRINTING)
def test_the_output_of_a_command_prints_to_any_output(
    name: str, box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # the command that proves a round writes a file
    _goes_anywhere(arguments(name, box), monkeypatch, capsys)


def _goes_anywhere(
    given: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = io.BytesIO()
    with monkeypatch.context() as patch, io.TextIOWrapper(written, encoding="ascii") as ascii_alone:
        patch.setattr(sys, "stdout", ascii_alone)
        assert ended(given) == 0
        assert written.getvalue()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert ended(given) == 0
        sys.stdout.close()
    capsys.readouterr()
    with monkeypatch.context() as patch, Path("/dev/full").open("w", encoding="utf-8") as full:
        patch.setattr(sys, "stdout", full)
        assert ended(given) == 1
    assert capsys.readouterr().err == NO_ROOM


PLAIN = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LANG": "C", **PLAIN},
        {"LC_ALL": "POSIX", **PLAIN},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_a_terminal_with_another_encoding_causes_no_traceback(environment: dict[str, str], box: Box) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    command = [sys.executable, "-m", "controller", *arguments("show", box)]
    done = subprocess.run(command, cwd=ROOT, env=inherited | environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_closed_at_the_start_causes_no_traceback(closed: str, box: Box) -> None:
    line = f'exec "$@" {closed}'
    command = ["sh", "-c", line, "sh", sys.executable, "-m", "controller", *arguments("list", box)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) is (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize(
    "given", [["people", "list", "--people", "people.yaml"], ["chips", "list", "--register", "chips.csv"]]
)
def test_a_list_whose_first_line_finds_the_disk_full_gives_one_line(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(table_file(tmp_path).parent)
    (tmp_path / "chips.csv").write_text(
        "uid,cents,currency,status\n04000001000001,100,USD,in_use\n", encoding="utf-8"
    )
    with Path("/dev/full").open("w", buffering=1, encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert ended(given) == 1
        monkeypatch.undo()
    assert capsys.readouterr().err == NO_ROOM


def test_output_on_a_full_disk_gives_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "controller", "--help"],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, NO_ROOM)
