"""Rule packs from their files: read whole, every mistake at once with its line, never half a pack.

A pack is a YAML file of sections; each leaf is ``{value, citation}``, and where the text leaves a choice
``between`` or ``allowed`` say which. A table file or a scenario may set values (`overrides`). Nothing
here knows a jurisdiction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from controller.files.data import data_dir
from controller.files.mistakes import Mistakes
from controller.files.yaml_lines import Lines, read_lines
from controller.game.model.names import Method
from controller.game.model.rules import DealTemplate, Odds, PayoutLimit, PayTable, RulePack
from controller.game.rulebook.hands import HAND_LINES, PAIR_OF_JACKS_OR_BETTER
from controller.packs.checks import check
from controller.packs.fields import FIELDS, OVERRIDES
from controller.packs.reader import PackReader

__all__ = ["OVERRIDES", "find_pack", "load_pack", "pack_files", "packs_dir"]


def packs_dir() -> Path:
    """Where the packs that come with the program lie."""
    return data_dir("config") / "rules"


def pack_files() -> dict[str, Path]:
    """Every pack that comes with the program, by its key, which is its file's name."""
    return {path.stem: path for path in sorted(packs_dir().glob("*.yaml"))}


def find_pack(key: str, directories: Iterable[Path] = ()) -> Path:
    """The file of the pack `key`; of a site's own pack where `key` names a file, as it stands or in one
    of `directories`. Mistakes where there is none."""
    files = pack_files()
    if key in files:
        return files[key]
    for path in (Path(key), *(directory / key for directory in directories)):
        if _is_there(path):
            return path
    raise Mistakes([f"{key}:1: no such rule pack; allowed: {', '.join(files)}, or a pack's file"])


def _is_there(path: Path) -> bool:
    """Also where it may not be looked at: reading it then says so."""
    try:
        return path.is_file()
    except PermissionError:
        return True


def load_pack(
    path: Path, overrides: Mapping[str, object] | None = None, source: Lines | None = None
) -> RulePack:
    """The pack of a file with `overrides` set, flat keys of `OVERRIDES`. `source`: the file that they stand
    in at its top, so that their mistakes name its lines. Raises `Mistakes` with every one of them."""
    found = read_lines(path)
    if found.mistakes:
        raise Mistakes(found.report())
    over = Lines(source.file, overrides or {}, source.lines) if source else None
    reader = PackReader(found, over or Lines("override", overrides or {}))
    values = reader.read()
    reader.finish()
    pack = _build(values, reader.citations)
    check(pack, reader)
    reader.finish()
    return replace(pack, digest=_digest(pack))


def _build(values: Mapping[str, Any], citations: Mapping[str, str]) -> RulePack:
    names = ("key", "title", "text", *(name for name, field in FIELDS.items() if field.plain))
    plain = {name: values[name] for name in names}
    plain["ante_pays"] = _ante_pays(values["ante_pays"], values["bet_pays"])
    return RulePack(
        **plain,
        digest="",
        deals={Method(name): DealTemplate(**deal) for name, deal in values["deals"].items()},
        deck_minutes={
            Method(name): None if hours is None else hours * 60
            for name, hours in values["deck_hours"].items()
        },
        payout_limit=PayoutLimit(**values["payout_limit"]),
        rulings=values["rulings"],
        citations=citations,
    )


def _ante_pays(choice: str, bet_pays: PayTable) -> PayTable:
    """Even money on what wins a bet at all, a push where a bet pushes; or the bets' own table."""
    if choice == "pay_table":
        return bet_pays
    winning = HAND_LINES[: HAND_LINES.index(PAIR_OF_JACKS_OR_BETTER) + 1]
    even: dict[str, Odds] = dict.fromkeys(winning, 1)
    return even | {"pair_of_6s_to_10s": "push"}


def _digest(pack: RulePack) -> str:
    """A fingerprint of the pack as it is played, overrides included: two packs with one digest are one."""
    canonical = json.dumps(asdict(pack), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
