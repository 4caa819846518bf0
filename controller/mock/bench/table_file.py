"""Table file of a mock table: written into its folder, read back and checked by the daemon's own loader.

A mock table is therefore configured like a real one, and a scenario's `config` is checked before the scenario
is played. This module opens no device.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml

from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.game.model.names import Circle, Method
from controller.game.model.rules import RulePack
from controller.mock.bench.layout import FORGED, WITHDRAWN
from controller.mock.bench.options import (
    BADGES,
    PIN_HASH,
    TABLE_NAME,
    MockOptions,
    TablePaths,
    circles_of_pack,
    default_method,
)  # fmt: skip
from controller.rules.packs.loader import OVERRIDES, find_pack, load_pack
from controller.settings.config import TableConfig, load_config
from drivers.chips.sim.kinds import SEAT_LINES, UID_PREFIX
from drivers.shoe.handshake import KEY, Paired
from drivers.shoe.keys import keys_of_both_ends, write_keys

CHIPS = "chips.csv"
PEOPLE_FILE = "people.yaml"
DEAD_MS = 400
"""Dead time of the keys in ms at speed 1, as on a real table; at full speed it is 0."""
_LINE = re.compile(r"^(?P<file>.*?):(?P<line>\d+): (?:(?P<key>[\w.]+): )?(?P<words>.*)$")


def pack_of(options: MockOptions) -> RulePack:
    """Load the rule pack. Raises Mistakes if there is no such pack, or if it does not allow a value in the
    options.
    """
    overrides = {key: value for key, value in options.config.items() if key in OVERRIDES}
    return load_pack(find_pack(options.rules), overrides)


def reader_line(places: TablePaths, circle: Circle, kind: str) -> str:
    if kind in SEAT_LINES:
        return str(places.readers / f"{SEAT_LINES[kind]}-{circle.seat}")
    return str(places.readers / f"reader-{circle.seat}-{circle.wager}")


def table_data(options: MockOptions, places: TablePaths) -> dict[str, Any]:
    """Return the content of a table file for these options, with its devices at the paths and ports of
    `places`."""
    pack = pack_of(options)
    method = options.method or default_method(pack)
    readers = {"kind": options.readers, **options.config.get("readers", {})}
    ports: dict[int, dict[str, str]] = {}
    for circle in circles_of_pack(pack):
        ports.setdefault(circle.seat, {})[str(circle.wager)] = reader_line(places, circle, readers["kind"])
    data: dict[str, Any] = {
        "table": TABLE_NAME,
        "rules": str(find_pack(options.rules).absolute()),
        "method": str(method),
        "journal": str(options.journal.absolute() if options.journal else places.journal),
        "chips": CHIPS,
        "display": {"port": options.port, "port_file": str(places.port), "touches_a_second": 10_000},
        "readers": {**readers, "settle_ms": 0 if options.speed is None else 5, "ports": ports},
        "dead_time_ms": round(DEAD_MS / options.speed) if options.speed else 0,
        "pins": {"factory": "sim", "socket": str(places.pins)},
        "people": PEOPLE_FILE,
        "floorpersons": list(BADGES),
        "mock": {"control": str(places.control), "exam": options.exam},
    }
    if pack.two_decks and method is not Method.HAND and not options.shoe_port:
        data["decks"] = 2 if options.config.get("shuffler", True) else 1
    if any(way is not Method.HAND for way in (method, *options.ways)) or options.shoe_port:
        data["shoe"] = {"port": options.shoe_port or str(places.shoe)}
        if options.link != 1:
            data["shoe"]["link"] = options.link
    for key, value in options.config.items():
        known = data.get(key)
        data[key] = {**known, **value} if isinstance(known, dict) and isinstance(value, Mapping) else value
    if isinstance(proofs := data.get("proofs"), dict):
        data["proofs"] = {"module": str(places.module), **proofs}
    shoe = data.get("shoe")
    if isinstance(shoe, dict) and shoe.get("link", 1) != 1:
        shoe.setdefault("pairing", str(places.pairing))
    return data


def people_data(named: object) -> dict[str, Any]:
    """Return a file of people with the named floorpersons. Each name is also the person's badge."""
    names = [name for name in named if isinstance(name, str)] if isinstance(named, list) else []
    return {name: {"name": name, "roles": ["floorperson"], "pin": PIN_HASH} for name in names}


def shoe_keys(seed: int) -> tuple[Paired, Paired]:
    """Return the keys of the controller and of the simulated shoe, which are paired from the start."""
    dice = Random(f"shoe keys {seed}")
    return keys_of_both_ends(dice.randbytes(KEY), dice.randbytes(KEY))


def _write(file: Path, data: Mapping[str, Any]) -> None:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    file.write_text(yaml.dump(data, Dumper=dumper, sort_keys=False), encoding="utf-8")


def _write_register(file: Path, prefix: str, *, forged: bool) -> None:
    """Write the chips of the example register and a withdrawn chip, with UIDs of the readers' standard.
    `forged`: whether a copy of a chip is in play.

    The prefix preserves the order of the UIDs, so that the same seed lays chips of the same values.
    """
    shipped = (data_dir("config") / CHIPS).read_text(encoding="utf-8")
    rows = f"{shipped}{WITHDRAWN},2500,USD,withdrawn" + (f"\n{FORGED},2500,USD,in_use" if forged else "")
    file.write_text(rows.replace("\n", f"\n{prefix}") + "\n", encoding="utf-8")


def prepare(options: MockOptions, places: TablePaths) -> TableConfig:
    """Write the table file of a mock table and read it back as the daemon does. Raises Mistakes if the
    options do not make a valid table."""
    data = table_data(options, places)
    prefix = UID_PREFIX.get(data["readers"]["kind"], "")
    _write_register(places.folder / CHIPS, prefix, forged="proofs" in data)
    write_keys(places.pairing, shoe_keys(options.seed)[0])
    _write(places.folder / PEOPLE_FILE, people_data(data["floorpersons"]))
    _write(places.table, data)
    return load_config(places.table, "mock")


def mistakes(options: MockOptions, lines: Mapping[str, int] | None = None, file: str = "") -> list[str]:
    """Return the mistakes of the options, one line each. `lines`: line number in `file` of each key of
    `config`."""
    with tempfile.TemporaryDirectory(prefix="crisscross-check-") as folder:
        try:
            prepare(options, TablePaths(Path(folder)))
        except Mistakes as found:
            return [_at_source(line, lines or {}, file) for line in found.lines]
    return []


def _at_source(line: str, lines: Mapping[str, int], file: str) -> str:
    """Return a mistake of the generated table file with the line of the user's file that caused it."""
    found = _LINE.match(line)
    if found is None or not file:
        return line
    key = found["key"] or "config"
    at = lines.get(key.split(".")[0], lines.get("", 1))
    return f"{file}:{at}: {key}: {found['words']}"
