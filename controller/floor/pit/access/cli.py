"""`crisscross pit user`: adds, changes and removes users of a pit's pages.

A password is typed at a terminal, twice and without echo, or is the line on standard input: it appears in no
option, process list or log.
"""

from __future__ import annotations

import argparse
import sys
from getpass import getpass
from pathlib import Path

from controller.common.command_line import DONE, refuse

MIN_PASSWORD, MAX_PASSWORD = 12, 256
_ROLES = ("read", "answer", "manage")


class _Unusable(Exception):
    """Raised if the command cannot do what its options ask. The message is one line."""


def add_options(user: argparse.ArgumentParser) -> None:
    user.add_argument("name", metavar="NAME", help="of the user, new or known")
    words = "the file of users; begun where there is none"
    user.add_argument("--users", type=Path, required=True, metavar="FILE", help=words)
    change = user.add_mutually_exclusive_group(required=True)
    words = "read; answer: also a call or a hold; manage: everything"
    change.add_argument("--role", choices=_ROLES, help=words)
    change.add_argument("--remove", action="store_true", help="remove the user and end their sessions")
    user.add_argument("--by-proxy", action="store_true", help="no password: the proxy names this user")


def run_user(arguments: argparse.Namespace) -> int:
    """Run `crisscross pit user` and return its exit status."""
    from controller.common.files.mistakes import Mistakes

    try:
        _change(arguments)
    except Mistakes as error:
        return refuse(error.lines[0])
    except _Unusable as error:
        return refuse(f"crisscross pit user: {error}")
    except OSError as error:
        return refuse(f"crisscross pit user: {error.filename}: {error.strerror}")
    return DONE


def _change(arguments: argparse.Namespace) -> None:
    from controller.common.secret_hash import hash_secret
    from controller.floor.pit.access.users import ALLOWED_NAMES, User, is_user_name, read_users, write_users

    name, file = arguments.name, arguments.users
    users = dict(read_users(file)) if file.exists() else {}
    if not is_user_name(name):
        raise _Unusable(f"name: allowed: {ALLOWED_NAMES}")
    if arguments.remove:
        if users.pop(name, None) is None:
            raise _Unusable(f"{file} has no user {name}")
    else:
        secret = None if arguments.by_proxy else hash_secret(_new_password())
        users[name] = User(role=arguments.role, password=secret)
    write_users(file, users)
    done = "removed" if arguments.remove else f"may {arguments.role}"
    print(f"{name}: {done}; a pit that runs reads {file} at once", file=sys.stderr)


def _new_password() -> str:
    """Return a new password from the terminal or from standard input. Raises _Unusable."""
    allowed = f"{MIN_PASSWORD} to {MAX_PASSWORD} characters"
    if not sys.stdin.isatty():
        typed = sys.stdin.readline(MAX_PASSWORD + 2).removesuffix("\n")
    else:
        typed = getpass(f"password, {allowed}: ")
        if getpass("once more: ") != typed:
            raise _Unusable("the two passwords differ; nothing was changed")
    if not MIN_PASSWORD <= len(typed) <= MAX_PASSWORD or not typed.isprintable():
        raise _Unusable(f"password: allowed: {allowed}, one line")
    return typed
