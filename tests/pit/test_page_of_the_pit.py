"""The page of the pit (controller/floor/pit/PIT.md) names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "controller/floor/pit/PIT.md"
TESTS = Path(__file__).parents[1]


def test_every_test_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"\btest_\w+(?:\.py)?", PAGE.read_text(encoding="utf-8")))
    files = list(TESTS.rglob("test_*.py"))
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    there = {file.name for file in files} | set(
        re.findall(r"^(?:async )?def (test_\w+)", source, re.MULTILINE)
    )
    assert len(named) > 20
    assert named - there == set()
