"""A script can read the path of the journal from a table file."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli import main


@pytest.mark.parametrize(
    ("text", "out", "err"),
    [
        ("journal: CC-01.db\nnosuch: 1\npins: 7\n", "CC-01.db", ""),
        ("journal: /srv/j.db\n", "/srv/j.db", ""),
        ("table: X\n", "", ":1: journal: missing; allowed: the file of the journal"),
        ("journal: 7\n", "", ":1: journal: allowed: the file of the journal"),
        ("journal: [\n", "", ":2: no YAML"),
    ],
)
def test_the_journal_of_a_table_file_is_printed_whatever_else_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, out: str, err: str
) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["journal", "path", "--config", str(file)]) == (2 if err else 0)
    printed = capsys.readouterr()
    assert printed.out == (f"{tmp_path / out}\n" if out else "")
    assert printed.err.startswith(f"{file}{err}" if err else "")
    assert printed.err.count("\n") == bool(err)
