"""Rule packs from their files: read completely, all mistakes reported at once with their lines, never half
a pack.

A pack is a YAML file (`form.py`). A table file or a scenario may set values of it (`OVERRIDES`) within the
choice that the text leaves. The loader names no jurisdiction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from controller.common.files.forms import fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.common.files.yaml_lines import Lines, one_document, text_of
from controller.game.model.rules import (
    DealTemplate,
    Odds,
    PayoutLimit,
    PayTable,
    PlayerAdvantage,
    RulePack,
    Ruling,
    SettlementPass,
)
from controller.game.rulebook.hands import HAND_LINES, PAIR_OF_JACKS_OR_BETTER
from controller.rules.packs import form
from controller.rules.packs.checks import check_pack
from controller.rules.packs.citations import citations
from controller.rules.packs.flat import SIDE_BET_PAYS, flat
from controller.rules.packs.form import OVERRIDES, SECTION_OF, SECTIONS, PackFile
from controller.rules.packs.overrides import PackLines

__all__ = ["OVERRIDES", "find_pack", "load_pack", "pack_files", "packs_dir"]


OfTable: TypeAlias = Callable[[Path], RulePack]
"""Function that returns the rules of a table file; it raises Mistakes (controller/settings/config.py)."""


def packs_dir() -> Path:
    """Return the folder of the packs that come with the program."""
    return data_dir("config") / "rules"


def pack_files() -> dict[str, Path]:
    """Return the files of all packs that come with the program, by key. The key is the file's name."""
    return {path.stem: path for path in sorted(packs_dir().glob("*.yaml"))}


def find_pack(key: str, directories: Iterable[Path] = ()) -> Path:
    """Return the file of the pack `key`, or of a site's own pack if `key` is a file name: in one of
    `directories`, or as a path if there are none. The working directory thus has no effect on a pack named in
    a table file. Raises Mistakes if there is no such pack."""
    files = pack_files()
    if key in files:
        return files[key]
    for path in [directory / key for directory in directories] or [Path(key)]:
        if _is_there(path):
            return path
    raise Mistakes([f"{key}:1: no such rule pack; allowed: {', '.join(files)}, or a pack's file"])


def _is_there(path: Path) -> bool:
    """Return whether the file exists or its folder cannot be searched. In the second case, reading the file
    later reports the missing permission."""
    try:
        return path.is_file()
    except PermissionError:
        return True


def load_pack(
    path: Path, overrides: Mapping[str, object] | None = None, source: Lines | None = None
) -> RulePack:
    """Return the pack of a file with `overrides` set, keys as in `OVERRIDES`. `source`: file with the
    overrides at its top level, so that mistakes name its lines. Raises Mistakes with all of them."""
    text = text_of(path)
    if not isinstance(text, str):
        raise Mistakes(text.report())
    over = Lines(source.file if source else "override", overrides or {}, source.lines if source else {})
    return _loaded(_CacheKey(str(path), text, repr(over.data), over))


@dataclass(frozen=True)
class _CacheKey:
    """Key of the cache: the text of a pack and its overrides. `over` only supplies the line numbers of
    mistakes."""

    file: str
    text: str
    set: str
    over: Lines = field(compare=False)


@lru_cache(maxsize=32)
def _loaded(key: _CacheKey) -> RulePack:
    """Return a valid pack, cached: a run of many scenarios loads the same few packs a thousand times."""
    found = one_document(key.text, key.file)
    if found.mistakes:
        raise Mistakes(found.report())
    lines = PackLines(found, key.over)
    file = fit(PackFile, lines)
    lines.finish()
    if file is None:
        raise Mistakes([f"{key.file}:1: no rule pack"])
    pack = build(file)
    check_pack(pack, lines)
    lines.finish()
    return replace(pack, digest=_digest(pack))


def build(file: PackFile) -> RulePack:
    """Return the pack in the form of the game, without digest."""
    sections = {section: getattr(file, section) for section in SECTIONS}
    values = {name: getattr(sections[section], name).value for name, section in SECTION_OF.items()}
    odds = {wager: values.pop(name) for wager, name in SIDE_BET_PAYS.items()}
    values["ante_pays"] = _ante_pays(values["ante_pays"], values["bet_pays"])
    limit, stated = file.payout_limit, file.player_advantage
    return RulePack(
        **values,
        key=file.key,
        title=file.title,
        text=file.text,
        digest="",
        side_bets={wager: table for wager, table in odds.items() if table},
        settlement=tuple(_walk(walk) for walk in file.settlement.value),
        deals={method: _deal(deal) for method, deal in file.deals.items()},
        deck_minutes={
            method: None if hours.value is None else hours.value * 60
            for method, hours in file.deck_hours.items()
        },
        payout_limit=PayoutLimit(limit.value, limit.bonus_included, limit.kind, limit.base),
        rulings={
            code: Ruling(ruling.outcome, ruling.citation, ruling.citations)
            for code in form.RULINGS
            if (ruling := file.rulings.get(code))
        },
        citations=dict(citations(file)),
        player_advantage=PlayerAdvantage(stated.reason, stated.percent) if stated else None,
    )


def _walk(walk: form.Walk) -> SettlementPass:
    return SettlementPass(tuple((group.do, group.wagers) for group in walk.groups), walk.turn, walk.before)


def _deal(deal: form.Deal) -> DealTemplate:
    return DealTemplate(tuple(deal.steps.value), deal.counts_stub_every.value, deal.needs_shuffler.value)


def _ante_pays(choice: str, bet_pays: PayTable) -> PayTable:
    """Return the pay table of an ante: the bets' own table, or one that pays even money for each hand that
    wins a bet and pushes for each hand that pushes."""
    if choice == "pay_table":
        return bet_pays
    winning = HAND_LINES[: HAND_LINES.index(PAIR_OF_JACKS_OR_BETTER) + 1]
    even: dict[str, Odds] = dict.fromkeys(winning, 1)
    return even | {"pair_of_6s_to_10s": "push"}


def _digest(pack: RulePack) -> str:
    """Return a fingerprint of the pack as played, overrides included: packs with the same digest are the
    same."""
    canonical = json.dumps(flat(pack), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
