"""Notification of a pit about a table or itself, or of surveillance about a seat.

It contains no card, hand, money or person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from controller.common.files.json_text import json_text
from controller.common.texts.catalogue import catalogue, title

NotificationKind: TypeAlias = Literal["hold", "call", "copy", "silent", "fault", "evidence"]
NOTIFICATION_KINDS: tuple[NotificationKind, ...] = ("hold", "call", "copy", "silent", "fault", "evidence")
"""Kinds of notification. Only `crisscross evidence --listen` sends `evidence`, never a pit."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification. `id`: the same in every attempt. `at`: UTC, ISO 8601. `pit`: name of the sender.
    `test`: whether the command `test` sent it. `codes`: irregularities, parts of the service, or a hypothesis
    about a seat or a dealer. `seat`: None for `evidence` of a dealer at all seats."""

    id: str
    at: str
    pit: str
    table: str
    kind: NotificationKind | Literal["test"]
    since: str = ""
    codes: tuple[str, ...] = ()
    seat: int | None = None

    def text(self, language: str) -> str:
        """Return the message in one line: the table or the pit, the event, and the names of the codes."""
        texts = catalogue(language)
        if self.table or self.kind == "test":
            facts = {"table": self.table, "pit": self.pit, "seat": self.seat}
            of_dealer = self.kind == "evidence" and self.seat is None
            line = str(texts.text(f"pit.notify.{'evidence_dealer' if of_dealer else self.kind}", facts))
        else:
            line = str(texts.text("pit.notify.pit", {"pit": self.pit}))
        evidence = texts.texts["evidence"]
        known = {**texts.texts["codes"], **evidence["knew"], **evidence["of_dealer"]}
        names = [title(known[code]) if code in known else code for code in self.codes]
        return ": ".join([line, ", ".join(names)] if names else [line])

    def payload(self, language: str) -> bytes:
        """Return the JSON of a webhook."""
        data: dict[str, Any] = {
            "pit": self.pit, "table": self.table or None, "since": self.since or None,
            "codes": self.codes, "text": self.text(language),
        }  # fmt: skip
        if self.seat is not None:
            data["seat"] = self.seat
        return json_text({"type": f"crisscross.{self.kind}", "timestamp": self.at, "data": data}).encode()
