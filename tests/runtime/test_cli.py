"""The command line ends with the right exit status, answers a wrong option in one line, and copes with a
closed output pipe."""

from __future__ import annotations

import shlex
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.cli import AREAS, main, parser_for
from controller.common.command_examples import EXAMPLES
from controller.common.files.program import digest, version
from controller.record.journal.journal import Journal
from controller.rules.packs.loader import load_pack, pack_files
from drivers.lamps import off
from tests.runtime.child import table_file

pytestmark = pytest.mark.serial

ROOT = Path(__file__).parents[2]
COMMANDS = [name for names in AREAS.values() for name in names]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert f"crisscross {command}" in capsys.readouterr().out


def test_the_program_lists_all_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert [command for command in COMMANDS if command not in out] == []


@pytest.mark.parametrize(
    "arguments", [["rnu"], ["run"], ["run", "--confg", "x"], ["mock", "--seats", "9"], ["states", "x"]]
)
def test_a_wrong_option_gives_one_line_and_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    printed = capsys.readouterr()
    assert caught.value.code == 2
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [command for command in COMMANDS if command not in printed.err] == []


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_table_without_a_floorperson_is_not_started(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, floorpersons=None, people=None)
    assert main([command, "--config", str(file)]) == 2
    output = capsys.readouterr().err
    assert output.startswith(f"{file}:1: floorpersons: no person may decide; allowed: ")
    assert output.count("\n") == 1


EXAMPLE_LINES = [line for lines in EXAMPLES.values() for line, _ in lines]


@pytest.mark.parametrize("line", EXAMPLE_LINES)
def test_every_example_is_accepted_by_the_program(line: str) -> None:
    program, *arguments = shlex.split(line.partition(" > ")[0])
    assert program == "crisscross"
    assert parser_for(arguments).parse_args(arguments).run


def test_examples_and_defaults_are_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["mock", "--help"])
    shown = capsys.readouterr().out
    assert "examples:\n  crisscross mock  " in shown
    assert "default: pennsylvania" in shown


def test_the_version_names_the_program_and_every_rule_pack(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    first, *rest = capsys.readouterr().out.splitlines()
    assert caught.value.code == 0
    assert first == f"crisscross {version()}"
    packs = {key: load_pack(file).digest for key, file in pack_files().items()}
    assert dict(line.split() for line in rest[:-1]) == {"program": digest(), **packs}


def test_only_the_chosen_command_is_parsed() -> None:
    assert "lamps-off" not in parser_for(["states"]).format_help()


def test_a_missing_table_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.yaml"
    for command in ("run", "check"):
        assert main([command, "--config", str(file)]) == 2
        assert capsys.readouterr().err == f"{file}:1: cannot be read: No such file or directory\n"


def test_a_closed_output_pipe_ends_a_command_quietly() -> None:
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


def test_a_mock_with_a_wrong_option_prints_no_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mock", "--rules", "nosuch"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("crisscross mock: ")


def test_lamps_off_succeeds_without_lamps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(tmp_path)
    assert main(["lamps-off", "--config", str(file)]) == 0
    assert capsys.readouterr().err == f"{file}: has no section pins, so no lamp to darken\n"


def test_lamps_off_darkens_the_lamps_of_a_journal_whose_lock_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dark: list[int] = []
    monkeypatch.setattr(off, "lamps_off", lambda pins, *_: dark.append(pins.output_enable))
    (tmp_path / "journal.db.lock").symlink_to("journal.db.lock")
    for journal in ("journal.db", "j" * 300):
        file = table_file(tmp_path, pins={"factory": "mock"}, journal=journal)
        assert main(["lamps-off", "--config", str(file)]) == 0
        err = capsys.readouterr().err
        assert err.startswith(f"journal {tmp_path / journal}: cannot be opened: ")
        assert err.endswith("; the lamps are darkened all the same\n")
    assert dark == [6, 6]


def test_lamps_off_does_not_change_the_lamps_of_a_running_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, pins={"factory": "mock"})
    with closing(Journal(tmp_path / "journal.db")):
        assert main(["lamps-off", "--config", str(file)]) == 2
    assert "is held by a daemon" in capsys.readouterr().err
    assert main(["lamps-off", "--config", str(file)]) == 0


def test_lamps_off_ignores_mistakes_in_other_sections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path, pins={"factory": "mock"}, floorpersons=["Nobody"], minimum_ante="much")
    assert main(["check", "--config", str(file)]) == 2
    capsys.readouterr()
    assert main(["lamps-off", "--config", str(file)]) == 0
    assert capsys.readouterr().err == ""


def test_lamps_off_uses_the_packaged_map_instead_of_an_invalid_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.yaml").write_text("lamps: 7\n", encoding="utf-8")
    file = table_file(tmp_path, pins={"factory": "mock", "map": "own.yaml"})
    assert main(["lamps-off", "--config", str(file)]) == 0
    err = capsys.readouterr().err
    assert f"{tmp_path / 'own.yaml'}:1: lamps: " in err
    assert "the package's own wiring is used" in err


def test_help_imports_no_large_module() -> None:
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


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"mock": {"control": "control"}}, "mock: is for a mock table alone"),
        ({"pins": {"factory": "sim", "socket": "pins"}}, "pins.factory: sim is for a mock table alone"),
        ({"pins": {"factory": "mock"}}, "pins.factory: mock is for a mock table alone"),
    ],
)
def test_options_of_a_mock_table_are_refused_on_a_real_one(
    command: str, keys: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program could operate the table through the control socket, and simulated pins light no
    lamp."""
    file = table_file(tmp_path, **keys)
    assert main([command, "--config", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    place, _, words = line.partition(": ")
    assert place.rpartition(":")[0] == str(file)
    assert words.startswith(message)
    assert words.endswith("run with --mock")
    assert not (tmp_path / "journal.db").exists()
