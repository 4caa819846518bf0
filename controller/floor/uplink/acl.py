"""Access list (ACL) for an MQTT broker: the topics that the holder of each certificate may publish and read
(use_identity_as_username).

A table publishes only under its own topics and reads the pits' answers. A pit reads every table's topics and
answers under its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.floor.uplink.wire import topic

_READ = ("events", "state", "felt", "chips", "have/+")
"""Ends of the topics of a table that a pit reads."""


def mosquitto(tables: Iterable[str], pits: Iterable[str]) -> str:
    """Return a file for `acl_file` of Mosquitto. A user who is not in it has no access."""
    return "\n".join([*_lines(tables, pits), ""])


def _lines(tables: Iterable[str], pits: Iterable[str]) -> Iterator[str]:
    tables = list(tables)
    sites = {f"{table.partition('.')[0]}/+" for table in tables if "." in table}
    for table in tables:
        tree = topic(table, "")
        yield from (
            f"user {table}",
            f"topic write {tree}events",
            f"topic readwrite {tree}state",
            f"topic write {tree}felt",
            f"topic write {tree}chips",
            f"topic read {tree}have/+",
            f"topic read {tree}on_my_way/+",
            f"topic write {tree}on_the_way/+",
            "",
        )
    for pit in pits:
        yield f"user {pit}"
        for each in ("+", *sorted(sites)):
            yield from (f"topic read {topic(each, leaf)}" for leaf in _READ)
            yield from (f"topic write {topic(each, f'{leaf}/{pit}')}" for leaf in ("have", "on_my_way"))
            yield f"topic read {topic(each, f'on_the_way/{pit}')}"
        yield ""
