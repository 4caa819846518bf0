"""Every file in config/ is one that the program takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.rules.packs.loader import OVERRIDES, load_pack
from controller.rules.packs.trace import load_trace
from controller.settings.chip_register import read_register
from controller.settings.config import load_config
from controller.settings.schema import TableSection

CONFIG = Path(__file__).parents[2] / "config"
FILES = sorted(path for path in CONFIG.rglob("*.*") if path.is_file() and path.suffix in (".yaml", ".csv"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_every_file_is_taken(file: Path) -> None:
    if file.parent.name == "rules":
        assert load_pack(file).key == file.stem
    elif file.parent.name == "trace":
        assert load_trace(file).rows
    elif file.suffix == ".csv":
        assert len(read_register(file)) > 0
    else:
        assert load_config(file).keys.table


def test_the_example_shows_every_key_that_a_real_table_may_set() -> None:
    text = (CONFIG / "table.yaml").read_text(encoding="utf-8")
    shown = {line.lstrip("# ").partition(":")[0] for line in text.splitlines()}
    assert set(TableSection.model_fields) - shown == {"mock"}
    assert shown & set(OVERRIDES)


def test_the_example_has_a_reader_under_every_circle_of_its_rules() -> None:
    config = load_config(CONFIG / "table.yaml")
    assert len(config.reader_ports()) == 6 * (5 + len(config.pack.bonuses))
