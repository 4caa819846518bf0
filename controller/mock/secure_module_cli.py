"""`crisscross chips module`: the secure module in software, for mock tables and trials in a casino's cage.

The house key is read from a file that other users may not read, or from a credential of the service. It must
never be an argument, be printed or be logged. A real table refuses proofs, so that it never uses this module
(controller/decisions/0019-keys-of-chips.md).
"""

from __future__ import annotations

import argparse
import re
import secrets
import signal
from functools import partial
from pathlib import Path

from controller.common.command_line import DONE, FAILED, Commands, refuse

ACT = "module"
CREDENTIAL = "house-key"
"""Name of the service's credential with the house key (systemd's `LoadCredential=`)."""
_KEY_BYTES = 16
_KEY = re.compile(r"[0-9A-Fa-f]{32}")
_ALLOWED = "allowed: 32 hexadecimal digits, as `crisscross chips module new-key FILE` writes"


class _NoKey(Exception):
    """Raised if there is no house key. The message is one line without the key."""


def add_act(acts: Commands) -> None:
    """Add `module` to the acts of `crisscross chips`."""
    text = (
        "the secure module in software: it checks the proofs of chips, for mock tables and a trial in a cage"
    )
    module = acts.add_parser(ACT, help=text, description=text)
    does = module.add_subparsers(dest="does", required=True, metavar="serve|new-key")
    serves = "answer at a socket until SIGTERM or Ctrl-C"
    serve = does.add_parser("serve", help=serves, description=serves)
    serve.add_argument("socket", type=Path, metavar="SOCKET", help="for this user and its group")
    own = f"file of the house key, mode 600; default: the service's credential {CREDENTIAL}"
    serve.add_argument("--house-key", type=Path, metavar="FILE", help=own)
    serve.set_defaults(run=_serve)
    makes = "a new house key, from which the key of every chip follows; prints its check value alone"
    new_key = does.add_parser("new-key", help=makes, description=makes)
    new_key.add_argument("file", type=Path, metavar="FILE", help="a new file for it")
    new_key.set_defaults(run=_new_key)


def check_value(house_key: bytes) -> str:
    """Return six digits by which people compare house keys, and from which no key follows. No chip's key is
    derived from the same data."""
    from drivers.chips.sim.software_module import diversified_key

    return diversified_key(house_key, bytes(_KEY_BYTES)).hex()[:6].upper()


def _serve(arguments: argparse.Namespace) -> int:
    from controller.common.ipc.unix_socket import listen
    from drivers.chips.sim.module_server import ModuleServer
    from drivers.chips.sim.software_module import SoftwareModule, chip_key

    try:
        key = _house_key(arguments.house_key)
    except _NoKey as error:
        return refuse(f"crisscross chips module: {error}")
    path: Path = arguments.socket
    try:
        listener = listen(path)
    except OSError as error:
        why = f"{error.strerror}; allowed: a new path in a folder of this user"
        return refuse(f"crisscross chips module: {path}: {why}", status=FAILED)
    server = ModuleServer(path, SoftwareModule(partial(chip_key, key)))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: server.wake())
    print(f"answers at {path}, house key {check_value(key)}; Ctrl-C ends", flush=True)
    try:
        server.serve(listener)
    finally:
        server.stop()
    return DONE


def _house_key(file: Path | None) -> bytes:
    from controller.common.files.secret_file import SecretError, read_secret, service_credential

    found = file or service_credential(CREDENTIAL)
    if found is None:
        raise _NoKey(f"no house key; allowed: --house-key FILE, or a credential {CREDENTIAL} of the service")
    try:
        text = read_secret(found)
    except SecretError as error:
        raise _NoKey(str(error)) from None
    if not _KEY.fullmatch(text):
        raise _NoKey(f"{found}: is no house key; {_ALLOWED}")
    return bytes.fromhex(text)


def _new_key(arguments: argparse.Namespace) -> int:
    from controller.common.files.secret_file import write_new_secret

    key = secrets.token_bytes(_KEY_BYTES)
    try:
        write_new_secret(arguments.file, key.hex())
    except OSError as error:
        why = f"{error.strerror}; allowed: a new file"
        return refuse(f"crisscross chips module: {arguments.file}: {why}")
    print(f"{arguments.file}: house key {check_value(key)}")
    return DONE
