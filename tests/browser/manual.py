"""A manual mock table for the browser tests: its two addresses, the hands at it, and every byte that it
pushed.

The dealer's touches are made on the screen. Acts of hands (chips, stacks, the stub) are made on the felt
page, as its user makes them.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from controller.mock.bench.touch_subjects import with_subject

WAIT_S = 0.1
"""Maximum wait in seconds for a view: the felt may change without one."""
FACE = re.compile(rb'"([2-9TJQKA][SHDC])"')


class ManualTable:
    """`crisscross mock --manual` as a separate process."""

    def __init__(self, journal: Path, seed: int, options: tuple[str, ...] = ()) -> None:
        self.journal = journal
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "controller", "mock", "--manual", "--speed", "max",
                "--seed", str(seed), "--journal", str(journal), *options,
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.display, self.bench = self._addresses()
        self._drain = threading.Thread(target=self._rest, daemon=True)
        self._drain.start()
        self.pushed = Pushed(self.display)

    def _addresses(self) -> tuple[str, str]:
        assert self._process.stdout is not None
        found: dict[str, str] = {}
        lines = []
        for line in self._process.stdout:
            lines.append(line)
            if match := re.search(r"(dealer display|felt) .*(http://127\.0\.0\.1:\d+/)", line):
                found[match[1]] = match[2]
            if len(found) == 2:
                return found["dealer display"], found["felt"]
        raise RuntimeError(f"no addresses: {lines}")

    def _rest(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.read()

    def stop(self) -> None:
        self.pushed.stop()
        self._process.terminate()
        self._process.wait(30)
        self._drain.join(10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def view(self) -> dict[str, Any]:
        return dict(_json("GET", self.display, "/api/view"))

    def state(self) -> dict[str, Any]:
        """Return the state of the felt."""
        return dict(_json("GET", self.bench, "/state"))

    def open(self) -> None:
        """Open the table for bets with preshuffled decks, as the dealer's screen would."""
        while (view := self.view())["phase"] != "betting":
            back = "blue" if view["deck"]["back"] == "red" else "red"
            kind = (view["prompt"] or {}).get("kind")
            touch = {"do": "deck", "back": back, "preshuffled": True} if kind == "deck_needed" else None
            touch = touch or {"do": "press", "key": "confirm", "prompt": view["prompt"]["id"]}
            self.touch(**touch)

    def touch(self, **touch: Any) -> None:
        """Send one touch of a screen, without a check of its answer."""
        _json("POST", self.display, "/api/touch", with_subject(self.view(), touch))

    def hand(self, **act: Any) -> None:
        """Perform one act of hands on the felt page."""
        answer = _json("POST", self.bench, "/act", act)
        assert "ok" in answer, answer

    def lay(
        self, seat: int, wager: str, cents: int, values: tuple[int, ...] = (10_000, 2_500, 500, 100)
    ) -> None:
        for value in values:
            while cents >= value:
                self.hand(do="lay", circle=f"{seat}.{wager}", chip=value)
                cents -= value
        assert cents == 0


class Pushed:
    """Second receiver of the pushed views, which stores every message as it came over the wire."""

    def __init__(self, address: str) -> None:
        self.messages: list[bytes] = []
        self._came = threading.Event()
        self._connection = _connection(address)
        self._connection.request("GET", "/api/live")
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            for line in self._answer:
                if line.startswith(b"data:") and line[5:].strip():
                    self.messages.append(line)
                    self._came.set()
        except (OSError, http.client.HTTPException, ValueError):
            return  # the table ended

    def stop(self) -> None:
        if self._connection.sock is not None:
            self._connection.sock.shutdown(2)
        self._thread.join(10)
        self._answer.close()
        self._connection.close()

    def wait(self) -> None:
        """Wait until a view has come since the last call, at most `WAIT_S`, and leave the processor to table
        and browser."""
        self._came.wait(WAIT_S)
        self._came.clear()

    def faces(self) -> list[tuple[str, set[str]]]:
        """Return (phase, faces) of every message, from its raw bytes."""
        return [
            (json.loads(message[5:])["phase"], {face.decode() for face in FACE.findall(message)})
            for message in self.messages
        ]


def _connection(address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(address.split("/")[2], timeout=60)


def _json(method: str, address: str, path: str, body: Any = None) -> Any:
    connection = _connection(address)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()
