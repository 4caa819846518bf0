"""`crisscross uplink`: publishes a table's public events to the pit."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import DONE, FAILED, Commands, log_to_stderr, refuse

if TYPE_CHECKING:
    from controller.settings.config import TableConfig
    from controller.settings.schema import UplinkSection

_ACTS = {
    "tell": "follows the journal and puts its public events into the outbox; has no network",
    "serve": "sends the outbox to the broker until the pits have it; has no key of the table",
    "sent": "what was sent or is to be, an event a line, as it goes out",
    "acl": "who may say and hear what, for a broker (acl_file of Mosquitto)",
    "asyncapi": "topics and payloads, for other programs (AsyncAPI 3)",
}
WITH_CONFIG = ("tell", "sent")
SPEAKER = "crisscross-uplink"
"""User of `uplink serve` on a real table (systemd/crisscross.sysusers.conf)."""
WITHOUT = (
    "needs paho-mqtt, which the package crisscross-table brings; "
    "in a checkout: pip install --require-hashes --no-deps -r requirements-uplink.lock"
)


def add_parser(subparsers: Commands) -> None:
    """Add `uplink` to the commands of the program."""
    text = "publish a table's events to the pit over MQTT"
    uplink = subparsers.add_parser("uplink", help=text, description=text)
    acts = uplink.add_subparsers(dest="act", required=True, metavar="|".join(_ACTS))
    parsers = {name: acts.add_parser(name, help=words, description=words) for name, words in _ACTS.items()}
    for name in WITH_CONFIG:
        words = "the table file"
        parsers[name].add_argument("--config", type=Path, required=True, metavar="FILE", help=words)
    _add_socket(parsers["tell"], parsers["serve"])
    parsers["sent"].add_argument("--after", type=int, default=0, metavar="N", help="those after event N")
    for what in ("table", "pit"):
        words = f"a {what}, by the name in its certificate; may stand more than once"
        parsers["acl"].add_argument(f"--{what}", action="append", required=True, metavar="NAME", help=words)
    works: dict[str, Callable[[argparse.Namespace], int]] = {
        "tell": _tell, "serve": _serve, "sent": _sent, "acl": _acl, "asyncapi": _asyncapi,
    }  # fmt: skip
    for name, work in works.items():
        parsers[name].set_defaults(run=work)


def _add_socket(tell: argparse.ArgumentParser, serve: argparse.ArgumentParser) -> None:
    words = "also answer `uplink serve` of another user, at this Unix socket"
    tell.add_argument("--socket", type=Path, metavar="SOCKET", help=words)
    words = "who may connect to that socket; default: %(default)s"
    tell.add_argument("--socket-user", default=SPEAKER, metavar="USER", help=words)
    source = serve.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--config", type=Path, metavar="FILE", help="the table file, as the journal's own user"
    )
    words = "the socket of `uplink tell`, as a user who may open no file of the table"
    source.add_argument("--socket", type=Path, metavar="SOCKET", help=words)


def _with_config(
    arguments: argparse.Namespace, work: Callable[[TableConfig, UplinkSection], None]
) -> int:  # fmt: skip
    from controller.common.files.mistakes import Mistakes
    from controller.settings.config import load_config

    try:
        config = load_config(arguments.config)
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    section = config.keys.uplink
    if section is None:
        return refuse(f"{arguments.config}: uplink: missing; allowed: a section with broker and pits")
    return _ended(lambda: work(config, section))


def _ended(work: Callable[[], None]) -> int:
    """Run a service until it ends, and print its error. Returns the exit status."""
    from controller.common.files.mistakes import Mistakes
    from controller.floor.uplink.outbox import OutboxError
    from controller.record.journal.schema import JournalError

    log_to_stderr()
    try:
        work()
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    except (JournalError, OutboxError) as error:
        return refuse(str(error), status=FAILED)
    return DONE


def _tell(arguments: argparse.Namespace) -> int:
    from functools import partial

    from controller.common.ipc.unix_socket import UnknownUser, user_id
    from controller.floor.uplink.serve import tell

    try:
        at = arguments.socket and (arguments.socket, user_id(arguments.socket_user))
    except UnknownUser as error:
        return refuse(f"crisscross uplink tell: --socket-user: {error}")
    return _with_config(arguments, partial(tell, served_at=at))


def _serve(arguments: argparse.Namespace) -> int:
    from importlib.util import find_spec

    from controller.floor.uplink.serve import publish, publish_for

    if find_spec("paho") is None:
        return refuse(f"crisscross uplink serve: {WITHOUT}")
    if arguments.socket is not None:
        return _ended(lambda: publish_for(arguments.socket))
    return _with_config(arguments, publish)


def _sent(arguments: argparse.Namespace) -> int:
    from controller.floor.uplink.outbox import Outbox, OutboxError, outbox_path

    def listed(config: TableConfig, _section: UplinkSection) -> None:
        path, after = outbox_path(config.journal), arguments.after
        if not path.exists():
            raise OutboxError(f"outbox {path}: is not there; `crisscross uplink tell` begins it")
        outbox = Outbox(path)
        while ready := outbox.events(after, 500):
            for each in ready:
                print(each.payload.decode())
            after = ready[-1].sequence
        outbox.close()

    return _with_config(arguments, listed)


def _acl(arguments: argparse.Namespace) -> int:
    import re

    from controller.floor.uplink.acl import mosquitto
    from controller.floor.uplink.wire import NAME_PATTERN, TABLE_PATTERN

    allowed = "letters, digits, - and _, 64 at most"
    of_site = f"{allowed}; a table of a site: SITE.TABLE"
    for option, pattern, names, words in (
        ("--table", TABLE_PATTERN, arguments.table, of_site),
        ("--pit", NAME_PATTERN, arguments.pit, allowed),
    ):
        for name in names:
            if not re.fullmatch(pattern, name):
                return refuse(f"crisscross uplink acl: {option} {name}; allowed: {words}")
    print(mosquitto(arguments.table, arguments.pit), end="")
    return DONE


def _asyncapi(_arguments: argparse.Namespace) -> int:
    from controller.floor.uplink.asyncapi import document_text

    print(document_text(), end="")
    return DONE
