"""A file that is not a table file is refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.common.files.mistakes import Mistakes
from controller.settings.config import load_config
from controller.settings.schema import TableSection
from tests.settings.test_table_file import LEAST, file, mistakes

__all__ = ["file"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: the file is empty"),
        ("# nothing but words\n", "1: the file is empty"),
        ("- table\n", "1: keys and values are wanted"),
        ("just a word\n", "1: keys and values are wanted"),
        ("table: CC-01\n\trules: x\n", "2: a tab; indent with spaces"),
        ("table: [\n", "2: no YAML: "),
        ("table: 'x\n", "2: no YAML: "),
        ("table: CC-01\n---\ntable: CC-02\n", "3: no YAML: one document is allowed"),
        ("table: \x07\n", "1: a control character; plain text is allowed"),
        (b"table: CC-01\nrules: \xff\n", "2: not UTF-8"),
        (b"\xff\xfet\x00a\x00", "1: not UTF-8"),
        ("table: &a CC-01\nrules: *a\n", "1: an anchor or alias"),
        ("table: " + "[" * 500 + "]" * 500 + "\n", "1: nested more than 12 deep"),
        ("x: " + "a" * 300_000 + "\n", "1: larger than 256 KiB"),
        ("table: !!python/object:os.system x\n", "1: a tag (!)"),
        ("shuffler: !!bool maybe\n", "1: a tag (!)"),
        ("storage_low_mib: !!int ''\n", "1: a tag (!)"),
        (f"storage_low_mib: 0x{'f' * 4000}\n", "1: storage_low_mib: allowed: MiB from 1 to 1000000"),
        (f"storage_low_mib: {'9' * 5000}\n", "1: storage_low_mib: allowed: MiB from 1 to 1000000"),
    ],
)
def test_a_file_that_is_no_table_file_is_refused(file: Path, text: str | bytes, message: str) -> None:
    found = mistakes(file, text)
    assert any(line.startswith(message) for line in found), found


def test_an_alias_bomb_is_refused(file: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert mistakes(file, "\n".join(rows) + "\n") == ["1: an anchor or alias (& or *); write the value out"]


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(Mistakes, match="cannot be read: No such file"):
        load_config(file)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Mistakes, match="cannot be read: Is a directory"):
        load_config(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission_is_refused(file: Path) -> None:
    file.write_text(LEAST, encoding="utf-8")
    file.chmod(0)
    with pytest.raises(Mistakes, match="Permission denied"):
        load_config(file)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_content_of_the_file_is_reported_as_mistakes(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "noise.yaml"
    file.write_bytes(noise)
    with pytest.raises(Mistakes):
        load_config(file)


def test_the_missing_keys_of_an_empty_mapping_are_reported(file: Path) -> None:
    assert "1: journal: missing; allowed: the file of the journal" in mistakes(file, "{}")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from([*TableSection.model_fields, "minimum_ante"]), VALUES, min_size=1))
@pytest.mark.slow
def test_any_value_at_any_key_is_accepted_or_a_mistake(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    import yaml

    file = tmp_path_factory.getbasetemp() / "values.yaml"
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(Mistakes):
        load_config(file)
