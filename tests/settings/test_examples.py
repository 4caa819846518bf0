"""The program accepts every example file in config/."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.mock.bench.options import PIN_HASH
from controller.rules.packs.loader import OVERRIDES, load_pack
from controller.rules.packs.trace import load_trace
from controller.settings.chip_register import read_register
from controller.settings.config import load_config
from controller.settings.people.register import Person, write_people
from controller.settings.schema import TableSection

CONFIG = Path(__file__).parents[2] / "config"
FILES = sorted(path for path in CONFIG.rglob("*.*") if path.is_file() and path.suffix in (".yaml", ".csv"))


def _installed(folder: Path, to: Path) -> Path:
    """Install the table file as systemd/README.md describes, with a first floorperson; return the copy."""
    file = to / "table.yaml"
    file.write_bytes((folder / "table.yaml").read_bytes())
    write_people(to / "people.yaml", {"4711": Person(name="B-Floor", roles=["floorperson"], pin=PIN_HASH)})
    return file


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_every_file_in_config_is_accepted(file: Path, tmp_path: Path) -> None:
    if file.parent.name == "rules":
        assert load_pack(file).key == file.stem
    elif file.parent.name == "trace":
        assert load_trace(file).rows
    elif file.suffix == ".csv":
        assert len(read_register(file)) > 0
    else:
        assert load_config(_installed(file.parent, tmp_path)).keys.table


def test_the_example_contains_every_key_of_a_real_table() -> None:
    text = (CONFIG / "table.yaml").read_text(encoding="utf-8")
    shown = {line.lstrip("# ").partition(":")[0] for line in text.splitlines()}
    assert set(TableSection.model_fields) - shown == {"mock", "proofs"}
    assert shown & set(OVERRIDES)


def test_the_example_has_a_reader_under_every_circle_of_its_rules(tmp_path: Path) -> None:
    config = load_config(_installed(CONFIG, tmp_path))
    assert len(config.reader_ports()) == 6 * (5 + len(config.pack.bonuses))


def test_the_floorpersons_of_the_example_are_those_of_people_yaml(tmp_path: Path) -> None:
    file = _installed(CONFIG, tmp_path)
    assert load_config(file, "real").floorpersons() == ("B-Floor",)
    (tmp_path / "people.yaml").unlink()
    with pytest.raises(Mistakes, match=rf"people: .* people add TYPED NAME floorperson --config {file}"):
        load_config(file)
