"""The digest of the program covers its files, but no bytecode that a starting process is writing."""

from __future__ import annotations

from pathlib import Path

from controller.common.files import program


def test_bytecode_written_by_another_process_does_not_change_the_digest(tmp_path: Path) -> None:
    (tmp_path / "room" / "__pycache__").mkdir(parents=True)
    (tmp_path / "room" / "wager.py").touch()
    (tmp_path / "room" / "__pycache__" / "wager.cpython-311.pyc.140600684834864").touch()
    assert [name for name, _ in program._in("controller", tmp_path)] == ["controller/room/wager.py"]
