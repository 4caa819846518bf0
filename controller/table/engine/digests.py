"""Digests (hashes) of a table's inputs: its settings, rules, register of chips, pins, texts and program.

The journal stores them at each start and at each change; each record contains one digest over all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from controller.common.files.packaged import data_dir
from controller.common.files.program import digest as program
from controller.common.texts import catalogue
from controller.record.journal.replay import plain_settings
from controller.settings.config import TableConfig
from controller.settings.pin_map import shipped_pin_map

TOTAL = "whole"
"""Name of the digest over all other digests."""
FROZEN = ("settings", "rules")
"""Names of the digests whose inputs the journal can restore, so that a round in play keeps the inputs with
which it began.
"""
TEXTS = Path(catalogue.__file__).parent
"""Folder of the display's texts, one file per language."""


def digests(config: TableConfig) -> dict[str, str]:
    """Return each digest by name, "sha256:" and 64 digits. The same files give the same digests in any
    folder.
    """
    keys = config.keys
    chips = config.path(keys.chips) if keys.chips else data_dir("config") / "chips.csv"
    named = keys.pins.map if keys.pins else None
    pins = config.path(named) if named else shipped_pin_map()
    settings = json.dumps(plain_settings(config.settings()), sort_keys=True)
    return with_total({
        "settings": _digest([settings.encode()]), "rules": config.pack.digest,
        "register": _digest_files([chips]), "pins": _digest_files([pins]),
        "texts": _digest_files(sorted(TEXTS.glob("*.yaml"))), "program": program(),
    })  # fmt: skip


def with_total(parts: Mapping[str, str]) -> dict[str, str]:
    """Return the digests together with the digest over all of them."""
    own = {name: digest for name, digest in parts.items() if name != TOTAL}
    return {**own, TOTAL: _digest(f"{name} {digest}\n".encode() for name, digest in sorted(own.items()))}


def changed_names(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the digests that changed; none if `before` is empty."""
    return tuple(name for name in now if name != TOTAL and before and before.get(name) != now[name])


def _digest_files(files: Iterable[Path]) -> str:
    return _digest(file.read_bytes() for file in files)


def _digest(parts: Iterable[bytes]) -> str:
    sums = hashlib.sha256()
    for part in parts:
        sums.update(part)
    return f"sha256:{sums.hexdigest()}"
