"""The people that a table file names: read from their file, with a check of the floorpersons.

A table without a floorperson is refused: only floorpersons decide held play, which would otherwise never end.
"""

from __future__ import annotations

from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines
from controller.settings.people.register import People, read_people

FIRST_PERSON = "make it: crisscross people add TYPED NAME floorperson --config {}"


def people_of(found: Lines, others: list[str]) -> People | None:
    """Return the people in the file that the table file names, without those withdrawn. Returns None after
    adding the mistakes of that file to `others`."""
    name = found.data.get("people")
    if not isinstance(name, str):
        return {}
    file = Path(found.file).parent / name
    if not file.exists():
        found.add(("people",), f"{file} does not exist; {FIRST_PERSON.format(found.file)}")
        return {}
    try:
        people = read_people(file)
    except Mistakes as mistakes:
        others.extend(mistakes.lines)
        return None
    return {typed: person for typed, person in people.items() if not person.withdrawn}


def floorpersons_of(people: People) -> list[str]:
    """Return the names of the people who may decide."""
    return [person.name for person in people.values() if person.decides]


def check_floorpersons(found: Lines, people: People, *, required: bool) -> None:
    """Add a mistake for each named floorperson who may not decide, and, if `required`, for having none."""
    named, deciding = found.data.get("floorpersons", []), floorpersons_of(people)
    if required and named == [] and not deciding:
        allowed = "a list of one badge at least, of those who may decide what is held"
        found.add(("floorpersons",), f"no person may decide; allowed: {allowed}")
    for at, name in enumerate(named) if "people" in found.data and isinstance(named, list) else ():
        if name not in deciding:
            words = f"no floorperson of the file of people; allowed: {', '.join(deciding) or 'none is there'}"
            found.add(("floorpersons", at), words)
