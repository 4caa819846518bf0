"""The check of the project's English (`english`) finds each kind of fault, and reports an exception that
nothing needs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repository import english


def test_an_exception_accepts_its_finding_and_an_unused_exception_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "module.py"
    module.write_text('A = 1\n"""Of the display."""\n', encoding="utf-8")
    monkeypatch.setattr(english, "sources", lambda *_folders: (module,))
    monkeypatch.setattr(english, "place", lambda path, line=1: f"{path.name}:{line}")
    accepted = {"module.py: Of": "It is tested."}
    for exceptions, found in (({}, ["Of"]), (accepted, []), (accepted | {"other.py: Of": ""}, ["other.py"])):
        monkeypatch.setattr(english, "EXCEPTIONS", exceptions)
        assert [fault.partition(":")[0] for _, fault in english.findings()] == found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('def f():\n    """What it returns."""\n', "What"),
        ('A = 1\n"""Of the display."""\n', "Of"),
        ("# Who may ask.\nA = 1\n", "Who"),
        ('A = 1\n"""Connections of a user,"""\n', "Connections of a user,"),
        ('A = 1\n"""and so many more."""\n', "and so many more."),
        ("MOST_CARDS = 1\n", "MOST_CARDS"),
        ("A_S, PATIENCE_S = 1, 2\n", "PATIENCE_S"),
    ],
)
def test_each_kind_of_fault_is_found(tmp_path: Path, source: str, text: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(source, encoding="utf-8")
    assert [found for _, found, _ in english.faults(module)] == [text]
