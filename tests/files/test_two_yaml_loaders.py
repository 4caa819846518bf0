"""A text that the quick YAML loader accepts gives the same data, lines and mistakes as with the loader in
Python.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from controller.common.files import yaml_lines
from controller.common.files.yaml_lines import Lines, _Loader, _QuickLoader

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "scenarios").rglob("*.yaml")) + sorted((ROOT / "config").rglob("*.yaml"))
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
SIGNS = "\t\n :-{}[],&*!|>'\"%@`#?\\._~nN\r\x07\x85\u2028\ufeff\U0001f600é=<"
WORDS = (
    ": ",
    "- ",
    "---\n",
    "...\n",
    "\n  ",
    "''",
    "!!str ",
    "|+\n",
    "%YAML 1.1\n---\n",
    "null",
    ".5",
    "\n- \n",
)
PIECES = st.sampled_from([*SIGNS, *WORDS])


def read_by(loader: type[_Loader | _QuickLoader], text: str) -> list[Lines] | None:
    """Return the documents of a text, or None if the loader refuses it."""
    try:
        return [yaml_lines._document(node, "file") for node in yaml_lines._composed(loader(text))]
    except yaml.YAMLError:
        return None


@st.composite
def edited(draw: st.DrawFn) -> str:
    """Return a part of a file with a few pieces inserted."""
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, len(text)))
    text = text[start : start + draw(st.integers(0, 300))]
    for piece in draw(st.lists(PIECES, max_size=4)):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + piece + text[at:]
    return text


@given(edited())
def test_both_loaders_read_the_same_data(text: str) -> None:
    if yaml_lines._PLAIN.fullmatch(text) and (found := read_by(_QuickLoader, text)) is not None:
        assert found == read_by(_Loader, text)


def test_almost_all_files_are_read_by_the_quick_loader() -> None:
    quick = [text for text in TEXTS if yaml_lines._PLAIN.fullmatch(text)]
    assert len(quick) > len(TEXTS) * 3 / 4
    assert all(read_by(_QuickLoader, text) == read_by(_Loader, text) is not None for text in quick)


@pytest.mark.parametrize("odd", ["a: b\tc", "? a", "a: |#\n b", "a: \u2028", 'a: "\\x41"', "a: >#\n b"])
def test_texts_that_the_loaders_read_differently_go_to_the_one_in_python(odd: str) -> None:
    assert not yaml_lines._PLAIN.fullmatch(odd)
