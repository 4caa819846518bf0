"""The people of a table: one YAML file, a mapping of what each one types to who they are.

    "4711":
      name: F-07
      roles: [floorperson]
      pin: $argon2id$...

What is typed is never shown or written down: views, records and the journal have the `name`. Every mistake
at once as ``file:line: key: what is allowed``, and none of them quotes a hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import yaml
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter

from controller.common.files.atomic_write import replace_text
from controller.common.files.forms import Flag, Form
from controller.common.files.forms import fit as fitted
from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, read_lines
from controller.settings.people.pins import COSTS, has_own_costs

Role: TypeAlias = Literal["dealer", "floorperson", "technician", "auditor"]
ROLES: tuple[Role, ...] = ("dealer", "floorperson", "technician", "auditor")
UNKNOWN = "unknown"
"""Stands in the journal for whoever nobody knows, so nobody may be called so."""
TYPED = "1 to 16 letters, digits or hyphens"
SHOWN = f"what is shown and journalled of them, a name or a pseudonym: {TYPED}; not {UNKNOWN}"
PRIVATE = 0o640
_HASH = r"^\$argon2id\$v=19\$m=[0-9]{1,10},t=[0-9]{1,10},p=[0-9]{1,8}(\$[A-Za-z0-9+/]{1,128}){2}$"
"""An argon2id hash of any costs, to be read so that it can be renewed."""


def _typed(typed: object) -> object:
    if not isinstance(typed, str) or re.fullmatch(r"[A-Za-z0-9-]{1,16}", typed) is None:
        raise ValueError(f"allowed: what they type, {TYPED}; in quotes where all digits")
    return typed


Typed = Annotated[str, BeforeValidator(_typed)]


def _named(name: str) -> str:
    if name == UNKNOWN:
        raise ValueError(f"allowed: {SHOWN}")
    return name


class Person(Form):
    """One person, one credential."""

    name: Annotated[str, AfterValidator(_named)] = Field(pattern=r"^[A-Za-z0-9-]{1,16}$", description=SHOWN)
    roles: list[Role] = Field(min_length=1, description=f"a list of {', '.join(ROLES)}")
    pin: str | None = Field(
        default=None, repr=False, pattern=_HASH,
        description="what `crisscross people pin` wrote: an argon2id hash, never a PIN",
    )  # fmt: skip
    tag: str | None = Field(
        default=None, pattern=r"^[0-9A-F]{8,20}$", description="the number of a tag: 8 to 20 digits of 0-9A-F"
    )
    withdrawn: Flag = Field(default=False, description="true: they may do nothing any more")

    @property
    def proves(self) -> bool:
        """Whether they have to prove who they are at the table."""
        return bool({"floorperson", "dealer"} & set(self.roles)) and not self.withdrawn

    @property
    def decides(self) -> bool:
        """Whether they may decide what is held; it takes a PIN to prove it."""
        return "floorperson" in self.roles and not self.withdrawn


People: TypeAlias = Mapping[str, Person]
"""By what they type."""
PEOPLE: TypeAdapter[dict[Typed, Person]] = TypeAdapter(dict[Typed, Person])


def read_people(path: Path, *, any_costs: bool = False) -> People:
    """Return the people of a file. Raise `Mistakes` with every mistake. `any_costs`: accept hashes of other
    costs than the program's own, to renew them; no PIN may be compared with those."""
    found = read_lines(path)
    people = fitted(PEOPLE, found)
    _check_once(found, people or {})
    if not any_costs:
        _check_costs(found, people or {})
    if found.mistakes or people is None:
        raise Mistakes(found.report())
    return people


def _check_costs(found: Lines, people: People) -> None:
    for typed, person in people.items():
        if person.pin is not None and not has_own_costs(person.pin):
            renew = f"renew it by `crisscross people pin {person.name}`"
            found.add(
                (typed, "pin"), f"allowed: an argon2id hash of {COSTS} as this program writes it; {renew}"
            )


def _check_once(found: Lines, people: People) -> None:
    """A name, or a tag, is one person's."""
    first: dict[str, str] = {}
    for typed, person in people.items():
        for key, value in (("name", person.name), ("tag", person.tag)):
            if value is not None and first.setdefault(f"{key} {value}", typed) != typed:
                found.add((typed, key), f"{value} is another person's; once is allowed")


def write_people(path: Path, people: People) -> None:
    """The file anew, whole or not at all. OSError where it cannot be written."""
    data = {typed: person.model_dump(exclude_defaults=True) for typed, person in people.items()}
    replace_text(path, yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=200), PRIVATE)
