"""English of the program that a machine can check: see `english`, which `make lint` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repository import english
from tests.repository.house import PROGRAM, place, sources


def test_the_program_has_no_opening_name_or_sentence_that_is_read_twice() -> None:
    found = [f"{where}: {fault}" for where, fault in english.findings()]
    assert not found, "\n".join(found)


def test_each_exception_is_still_needed_and_has_its_reason() -> None:
    found = {
        f"{place(path).partition(':')[0]}: {text}"
        for path in sources(*PROGRAM)
        for _, text, _ in english.faults(path)
    }
    assert set(english.EXCEPTIONS) <= found
    assert all(english.EXCEPTIONS.values())


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
