"""Who may say and hear what, for a broker. Names are those of the certificates (use_identity_as_username).

A table speaks in its own tree and hears the pits' answers; a pit hears every table and answers as itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.uplink.wire import ROOT


def mosquitto(tables: Iterable[str], pits: Iterable[str]) -> str:
    """A file for `acl_file` of Mosquitto. Whoever is not named in it may nothing."""
    return "\n".join([*_lines(tables, pits), ""])


def _lines(tables: Iterable[str], pits: Iterable[str]) -> Iterator[str]:
    for table in tables:
        tree = f"{ROOT}/{table}"
        yield from (
            f"user {table}",
            f"topic write {tree}/events",
            f"topic readwrite {tree}/state",
            f"topic write {tree}/felt",
            f"topic read {tree}/have/+",
            "",
        )
    for pit in pits:
        heard = (f"topic read {ROOT}/+/{leaf}" for leaf in ("events", "state", "felt", "have/+"))
        yield from (f"user {pit}", *heard, f"topic write {ROOT}/+/have/{pit}", "")
