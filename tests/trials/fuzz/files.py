"""Fuzz target for files that people write: the table's, the people's, the pins', rule packs, the register,
scenarios.

A file is either refused with file and line, or accepted; an accepted file has the same content after it is
written and read again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.common.files.packaged import data_dir
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.game.table import Table
from controller.mock.bench.options import PIN_HASH
from controller.mock.scenario.file import load
from controller.record.journal.codec import adapter, plain_rules, rules_of
from controller.record.journal.replay import plain_settings
from controller.rules.packs.loader import load_pack, pack_files
from controller.settings.chip_register import read_register, read_rows, text_of_rows
from controller.settings.config import load_config
from controller.settings.people.register import read_people
from controller.settings.pin_map import read_pin_map
from tests.trials.fuzz.target import FOUND, Target, Trial, check_accepted_or_refused, file_of, guarantee

SCENARIOS = Path(__file__).parents[2] / "scenarios"
CHIPS = "uid,cents,currency,status\n04000000000001,500,USD,in_use\n04000000000002,10000,USD,in_use\n"
PERSON = f'"4711": {{name: F-07, roles: [floorperson], pin: {PIN_HASH}}}\n'
FEW = "few.csv"


def reading(read: Callable[[Path], object], name: str = "file.yaml") -> Trial:
    def trial(data: bytes) -> None:
        with file_of(data, name) as path:
            path.with_name(FEW).write_text(CHIPS, encoding="ascii")
            check_accepted_or_refused(read, path)

    return trial


# ------------------------------------------------------------------ use of an accepted file


def table(path: Path) -> None:
    settings = load_config(path).settings()
    kept = adapter(TableSettings).validate_json(json.dumps(plain_settings(settings)))
    guarantee(kept == settings, "settings that the journal does not give back")


def people(path: Path) -> None:
    for typed, person in read_people(path).items():
        guarantee(re.fullmatch(r"[A-Za-z0-9-]{1,16}", typed), "somebody who types what nobody can")
        guarantee("argon2" not in repr(person), "a hash in a repr")


def pack(path: Path) -> None:
    taken = load_pack(path)
    guarantee(rules_of(json.dumps(plain_rules(taken))) == taken, "rules that the journal does not give back")
    check_playable(taken)


def check_playable(taken: RulePack) -> None:
    for method in taken.deals:
        begun = Table(taken, TableSettings(method=method))
        guarantee(begun.view()["prompt"], f"a table of {method} that asks for nothing")
        begun.lamps()


def register(path: Path) -> None:
    rows = read_rows(path)
    again = path.with_name("again.csv")
    again.write_text(text_of_rows(rows), encoding="utf-8")
    guarantee(read_rows(again) == rows, "a register that is another one when it is written")
    read_register(path)


def scenario(path: Path) -> None:
    guarantee(load(path), "a file without a scenario is taken")


# ------------------------------------------------------------------ seeds


def tables() -> Iterator[bytes]:
    text = (data_dir("config") / "table.yaml").read_text(encoding="utf-8")
    bare = re.sub(r"\s*#.*|people: .*", "", text).replace("journal:", f"chips: {FEW}\njournal:")
    yield bare.encode()
    yield bare.partition("readers:")[0].encode()
    yield b"table: T\nrules: pennsylvania\nmethod: hand\njournal: j.db\nchips: few.csv\nmock: {control: s}\n"


def files(folder: Path, pattern: str, longest: int) -> Iterator[bytes]:
    for path in sorted(folder.rglob(pattern)):
        if path.stat().st_size <= longest and FOUND not in path.parents:
            yield path.read_bytes()


def packs() -> Iterator[bytes]:
    """Yield the packs without their comments, since a change of a comment has no effect."""
    for path in pack_files().values():
        yield re.sub(rb"(?m)\s+#.*$", b"", path.read_bytes())


def scenarios() -> Iterator[bytes]:
    yield from files(SCENARIOS, "*.yaml", 1500)


def words(text: bytes) -> list[bytes]:
    return sorted(set(re.findall(rb"[a-z_]{3,}(?=:)", text)))


def words_of(data: Callable[[], Iterator[bytes]]) -> list[bytes]:
    """Return the words with which inputs are changed: the keys in the seeds, and other words of YAML."""
    keys = words(b"\n".join(data()))
    return [
        *keys,
        b"null",
        b"- ",
        b"{",
        b"}",
        b"[",
        b"]",
        b"---\n",
        b"&a ",
        b"*a",
        b"!!str ",
        b'"',
        b"|\n",
        b"? ",
    ]


def pins() -> Iterator[bytes]:
    yield (data_dir("hardware") / "pins.yaml").read_bytes()


def registers() -> Iterator[bytes]:
    yield CHIPS.encode()
    yield b"\n".join((data_dir("config") / "chips.csv").read_bytes().splitlines()[:6])


def persons() -> Iterator[bytes]:
    yield PERSON.encode()


TARGETS = (
    Target("table", reading(table), tables, words_of(tables)),
    Target("people", reading(people), persons, words_of(persons)),
    Target("pins", reading(read_pin_map), pins, words_of(pins)),
    Target("packs", reading(pack), packs, words_of(packs), longest=16_384),
    Target(
        "register", reading(register), registers, [b"USD", b"in_use", b"withdrawn", b'"', b"\r\n", b"\x85"]
    ),
    Target("scenarios", reading(scenario), scenarios, words_of(scenarios)),
)
