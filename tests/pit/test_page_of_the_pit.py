"""The first command of the pit's guide (controller/floor/pit/PIT.md) works, and the tests that the guide
names exist.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pit import first_minutes

PAGE = Path(__file__).parents[2] / "controller/floor/pit/PIT.md"
TESTS = Path(__file__).parents[1]
FIRST = re.findall(r"^    (\S.*)$", PAGE.read_text(encoding="utf-8").split("\n## ")[0], re.MULTILINE)
"""Commands before the first heading of the page: one for a checkout, one for an installed program."""


@pytest.mark.serial
@pytest.mark.skipif(bool(first_minutes.reason(layer=True)), reason=first_minutes.reason(layer=True))
def test_the_first_command_of_the_page_works_in_a_checkout(tmp_path: Path) -> None:
    """The command is run exactly as written. A layer over the checkout keeps the files that it writes."""
    assert FIRST == ["make pit", "crisscross pit"]
    assert "events acknowledged" in first_minutes.typed(TESTS.parent, FIRST[0], layer=tmp_path)


def test_every_test_named_on_the_page_exists() -> None:
    named = set(re.findall(r"\btest_\w+(?:\.py)?", PAGE.read_text(encoding="utf-8")))
    files = list(TESTS.rglob("test_*.py"))
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    there = {file.name for file in files} | set(
        re.findall(r"^(?:async )?def (test_\w+)", source, re.MULTILINE)
    )
    assert len(named) > 20
    assert named - there == set()
