"""`crisscross people`: adds and withdraws the people of a table, and changes their roles and PINs, such as
a forgotten one.

A PIN is typed at the terminal, twice and without echo: it appears in no option, file, process list or log.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import DONE, Commands, refuse

if TYPE_CHECKING:
    from controller.settings.people.register import People, Person

ALLOWED_PINS = "4 to 12 digits"
_ACTS = {
    "list": "who they are and what they may do; never what they type, nor a PIN",
    "add": "one more person; the PIN of a floorperson, a dealer or surveillance is asked for",
    "pin": "give a person another PIN",
    "withdraw": "withdraw a person's rights; their name stays theirs",
}
_ROLES = ("dealer", "floorperson", "technician", "auditor", "surveillance")


def add_parser(subparsers: Commands) -> None:
    """Add `people` to the commands of the program."""
    text = "who may do what at a table, and their PINs"
    people = subparsers.add_parser("people", help=text, description=text)
    acts = people.add_subparsers(dest="act", required=True, metavar="|".join(_ACTS))
    for name, words in _ACTS.items():
        act = acts.add_parser(name, help=words, description=words)
        which = act.add_mutually_exclusive_group(required=True)
        which.add_argument("--people", type=Path, metavar="FILE", help="theirs; begun where there is none")
        which.add_argument("--config", type=Path, metavar="FILE", help="the table file that names it")
        act.set_defaults(run=_run, work=globals()[f"_{name}"])
        if name == "add":
            act.add_argument("typed", metavar="TYPED", help="what they type to be known: letters, digits, -")
            act.add_argument("name", metavar="NAME", help="what is shown and journalled: a name or pseudonym")
            act.add_argument("role", nargs="+", choices=_ROLES, metavar="ROLE", help=", ".join(_ROLES))
            act.add_argument("--tag", metavar="NUMBER", help="of a tag that they carry")
        elif name != "list":
            act.add_argument("name", metavar="NAME", help="as it is shown and journalled")


class Unusable(Exception):
    """Raised if a request cannot be carried out. The message is one line."""


def _run(args: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes

    try:
        return int(args.work(args))
    except Mistakes as error:
        lines = error.lines
    except Unusable as error:
        lines = (f"crisscross people {args.act}: {error}",)
    except OSError as error:
        if error.filename is None:
            raise  # an error of standard output; the program reports it
        lines = (f"crisscross people {args.act}: {error.filename}: {error.strerror}",)
    return refuse(*lines)


def _file(args: argparse.Namespace) -> Path:
    """Return the path of the people's file. It may not exist yet, so only this key of the table file is
    read."""
    if args.people is not None:
        return Path(args.people)
    from controller.common.files.mistakes import Mistakes
    from controller.common.files.yaml_lines import read_lines

    found = read_lines(args.config)
    if found.data is None:
        raise Mistakes(found.report())
    name = found.data.get("people")
    if not isinstance(name, str):
        raise Unusable(f"{args.config}: people: missing; allowed: the name of a file for them")
    return Path(args.config).parent / name


def _people_in(file: Path) -> People:
    """Return the people in a file, {} if there is no file. Hashes of other costs are accepted: `pin` renews
    them."""
    from controller.settings.people.register import read_people

    return read_people(file, any_costs=True) if file.exists() else {}


def _list(args: argparse.Namespace) -> int:
    for person in _people_in(_file(args)).values():
        pin = "withdrawn" if person.withdrawn else _pin_state(person)
        print(f"{person.name:<16} {', '.join(person.roles):<28} {pin}")
    return DONE


def _pin_state(person: Person) -> str:
    from controller.common.secret_hash import has_own_costs

    if person.pin is None:
        return "no PIN"
    return "PIN" if has_own_costs(person.pin) else "PIN to renew"


def _add(args: argparse.Namespace) -> int:
    file = _file(args)
    people = _people_in(file)
    if args.typed in people or args.name in {person.name for person in people.values()}:
        raise Unusable("already in use; allowed: a text and a name that no other person has")
    person = _person_of_options(args)
    if person.needs_pin:
        person = person.model_copy(update={"pin": _new_pin()})
    return _write(file, {**people, args.typed: person}, person.name)


def _person_of_options(args: argparse.Namespace) -> Person:
    """Return the person that the options describe. Raises Mistakes if they are not allowed."""
    from controller.common.files.forms import fit
    from controller.common.files.mistakes import Mistakes
    from controller.common.files.yaml_lines import Lines
    from controller.settings.people.register import PEOPLE

    fields = {"name": args.name, "roles": args.role, "tag": args.tag}
    lines = Lines("crisscross people add", {args.typed: fields})
    added = fit(PEOPLE, lines)
    if added is None:
        raise Mistakes(
            [f"{lines.file}: {words.removeprefix(f'{args.typed}.')}" for _, words in lines.mistakes]
        )
    return added[args.typed]


def _pin(args: argparse.Namespace) -> int:
    file = _file(args)
    people, typed = _find_person(file, args.name)
    return _write(file, {**people, typed: people[typed].model_copy(update={"pin": _new_pin()})}, args.name)


def _withdraw(args: argparse.Namespace) -> int:
    file = _file(args)
    people, typed = _find_person(file, args.name)
    gone = people[typed].model_copy(update={"withdrawn": True, "pin": None, "tag": None})
    return _write(file, {**people, typed: gone}, args.name)


def _find_person(file: Path, name: str) -> tuple[People, str]:
    """Return all people, and the text that the named person types. Raises Unusable if there is no such
    person."""
    people = _people_in(file)
    for typed, person in people.items():
        if person.name == name and not person.withdrawn:
            return people, typed
    names = ", ".join(person.name for person in people.values() if not person.withdrawn)
    raise Unusable(f"{file} has no {name}; allowed: {names or 'the file has no person yet'}")


def _write(file: Path, people: People, name: str) -> int:
    from controller.settings.people.register import write_people

    write_people(file, people)
    print(f"{name}: {file} is written; a table that runs reads it at its next start", file=sys.stderr)
    return DONE


def _new_pin() -> str:
    """Return the hash of a new PIN, which is typed at a terminal. Raises Unusable if it is not accepted."""
    from getpass import getpass

    from controller.common.secret_hash import hash_secret

    if not sys.stdin.isatty():
        raise Unusable("a PIN is typed at a terminal, without an echo; allowed: to run this at one")
    pin = getpass(f"PIN, {ALLOWED_PINS}: ")
    if re.fullmatch(r"[0-9]{4,12}", pin) is None:
        raise Unusable(f"that is no PIN; allowed: {ALLOWED_PINS}")
    if getpass("once more: ") != pin:
        raise Unusable("the two are not the same; nothing was changed")
    return hash_secret(pin)
