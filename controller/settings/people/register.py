"""The people of a table: a YAML file that maps the badge or number that each person types to that person.

"4711": name: F-07 roles: [floorperson] pin: $argon2id$...

Typed input is never shown or stored: views, records and the journal contain the `name`. All mistakes are
reported at once as ``file:line: key: what is allowed``, without quoting a hash.
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
from controller.common.secret_hash import COSTS, has_own_costs

Role: TypeAlias = Literal["dealer", "floorperson", "technician", "auditor", "surveillance"]
ROLES: tuple[Role, ...] = ("dealer", "floorperson", "technician", "auditor", "surveillance")
UNKNOWN = "unknown"
"""Name in the journal of a person who is not listed, so no listed person may have it."""
TYPED = "1 to 16 letters, digits or hyphens"
SHOWN = f"what is shown and journalled of them, a name or a pseudonym: {TYPED}; not {UNKNOWN}"
_FILE_MODE = 0o640
_HASH = r"^\$argon2id\$v=19\$m=[0-9]{1,10},t=[0-9]{1,10},p=[0-9]{1,8}(\$[A-Za-z0-9+/]{1,128}){2}$"
"""Form of an argon2id hash of any costs, so that it can be read and then renewed."""


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
    """Person in the file of people, with the roles that they have and the hash of their PIN."""

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
    def needs_pin(self) -> bool:
        """Whether the person has to authenticate, at the table or at the surveillance pages."""
        return bool({"floorperson", "dealer", "surveillance"} & set(self.roles)) and not self.withdrawn

    @property
    def decides(self) -> bool:
        """Whether the person may decide held play, after authenticating by PIN."""
        return "floorperson" in self.roles and not self.withdrawn


People: TypeAlias = Mapping[str, Person]
"""People by the text that they type."""
PEOPLE: TypeAdapter[dict[Typed, Person]] = TypeAdapter(dict[Typed, Person])


def read_people(path: Path, *, any_costs: bool = False) -> People:
    """Return the people in a file. Raises Mistakes listing all mistakes.

    `any_costs`: accept hashes of other costs than the program's own, to renew them. A PIN must never be
    compared with such a hash.
    """
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
    """Refuse a name or a tag that two people have."""
    first: dict[str, str] = {}
    for typed, person in people.items():
        for key, value in (("name", person.name), ("tag", person.tag)):
            if value is not None and first.setdefault(f"{key} {value}", typed) != typed:
                found.add((typed, key), f"{value} is another person's; once is allowed")


def write_people(path: Path, people: People) -> None:
    """Replace the file atomically. Raises OSError if it cannot be written."""
    data = {typed: person.model_dump(exclude_defaults=True) for typed, person in people.items()}
    replace_text(path, yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=200), _FILE_MODE)
