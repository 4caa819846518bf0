"""Public events of a real journal, published again under the names of many tables."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.floor.uplink import wire
from controller.floor.uplink.journal_follower import JournalFollower
from controller.floor.uplink.outbox import Outbox

ROUNDS = 6
NIGHT = (
    "--no-wires",
    "--headless",
    "--json",
    "--speed",
    "max",
    "--seed",
    "11",
    "--clumsy",
    "0.2",
    "--voids",
    "0.05",
)


def play(folder: Path) -> Path:
    """Play a night at a table whose dealer errs. Returns a file with the payload of one event a line."""
    journal, payloads = folder / "night.db", folder / "night.jsonl"
    command = [
        sys.executable,
        "-m",
        "controller",
        "mock",
        *NIGHT,
        "--rounds",
        str(ROUNDS),
        "--journal",
        str(journal),
    ]
    subprocess.run(command, check=True, capture_output=True)
    with closing(Outbox(folder / "night.uplink")) as outbox:
        teller = JournalFollower(journal, journal.with_name(f"{journal.name}.keys"), "CC-00", outbox)
        while teller.step():
            pass
        payloads.write_bytes(b"".join(each.payload + b"\n" for each in outbox.events(0, 10**9)))
    return payloads


class Night:
    """Recorded events of one night, which any table may publish, also more than once. Each repetition
    continues the round numbers."""

    def __init__(self, file: Path) -> None:
        self._events: list[dict[str, Any]] = [json.loads(line) for line in file.read_bytes().splitlines()]
        self._rounds = max(each["data"]["round"] for each in self._events)

    def payload(self, table: str, stream: str, number: int, utc: str) -> bytes:
        """Return the payload of event `number` of a table, with the time `utc` and the table's own name and
        stream."""
        night, at = divmod(number - 1, len(self._events))
        event = dict(self._events[at])
        event["data"] = data = dict(event["data"])
        data["round"] += night * self._rounds
        if "record" in data:
            data["record"] = {**data["record"], "table": table, "round": data["round"]}
        event |= {
            "id": f"{stream}/{number}/1", "source": f"/tables/{table}", "stream": stream, "time": utc,
            "subject": f"round/{data['round']}", "sequence": f"{number:0{wire.DIGITS}}",
        }  # fmt: skip
        return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()

    def __len__(self) -> int:
        return len(self._events)

    def bytes(self) -> Iterator[int]:
        """Yield the size in bytes of each recorded event."""
        return (len(json.dumps(each)) for each in self._events)
