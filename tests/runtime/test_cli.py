"""The program's edges: statuses, one line for a wrong option, a reader of its output who goes away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import AREAS, main, parser_for

pytestmark = pytest.mark.serial

ROOT = Path(__file__).parents[2]
COMMANDS = [name for names in AREAS.values() for name in names]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert f"crisscross {command}" in capsys.readouterr().out


def test_the_program_names_all_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert [command for command in COMMANDS if command not in out] == []


@pytest.mark.parametrize(
    "arguments", [[], ["rnu"], ["run"], ["run", "--confg", "x"], ["mock", "--seats", "9"], ["states", "x"]]
)
def test_a_wrong_option_is_one_line_and_the_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_only_the_command_that_is_meant_is_looked_at() -> None:
    assert "mock" not in parser_for(["states"]).format_help()


def test_a_table_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.yaml"
    for command in ("run", "check", "lamps-off"):
        assert main([command, "--config", str(file)]) == 2
        assert capsys.readouterr().err == f"{file}:1: cannot be read: No such file or directory\n"


def test_whoever_reads_the_output_may_go_away() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", "states"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), err) == (1, b"")


def test_lamps_off_where_no_lamps_are_is_done(tmp_path: Path) -> None:
    from tests.runtime.child import table_file

    assert main(["lamps-off", "--config", str(table_file(tmp_path))]) == 0


def test_help_costs_no_heavy_import() -> None:
    code = "import sys, controller.cli as c\ntry: c.main(['run', '--help'])\nexcept SystemExit: pass\n"
    names = "{'pydantic', 'asyncio', 'uvicorn', 'gpiozero', 'yaml'}"
    heavy = f"print(sorted({names} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code + heavy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr.strip() == "[]"
