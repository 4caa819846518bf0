"""What the README shows of the code is what the code says, and what it points to is there."""

from __future__ import annotations

import re

import pytest

from controller.audit.states import lamps_markdown, states_markdown
from tests.repository.house import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)[^)]*\)")


def copies(name: str) -> list[str]:
    """Whatever stands between ``<!-- states -->`` and ``<!-- /states -->``."""
    return [part.strip() for part in re.findall(f"<!-- {name} -->(.*?)<!-- /{name} -->", README, re.DOTALL)]


@pytest.mark.parametrize(("name", "printed"), [("states", states_markdown()), ("lamps", lamps_markdown())])
def test_a_copy_is_what_the_code_prints(name: str, printed: str) -> None:
    for copy in copies(name):
        assert copy == printed.strip(), f"README.md: {name}: run `crisscross states` and paste"


def test_every_mark_has_its_end() -> None:
    marks = re.findall(r"<!-- (/?)(\w+) -->", README)
    assert [name for end, name in marks if not end] == [name for end, name in marks if end]


def test_every_file_it_points_to_is_there() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("systemd/*.md"), *ROOT.glob("hardware/*.md")):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            assert (page.parent / target.strip()).exists(), f"{page.name} points to {target}"
