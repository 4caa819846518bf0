"""A dealer's hands on a manual shoe, which only follow the dealer's display.

They read the display's stream as a browser does, and use only prompts, no cards and no rules.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import Any

WORDS = {"deal_card": "draw", "take_stub": "stub"}
"""Act of the hands at the shoe for each prompt."""


def views(port: int) -> Iterator[Mapping[str, Any]]:
    """Yield the display's views until the stream ends. Raises ConnectionRefusedError before the display has
    started."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("GET", "/api/live", headers={"Accept": "text/event-stream"})
        answer = line.getresponse()
        kept = b""
        try:
            while piece := answer.read1(65_536):
                *whole, kept = (kept + piece).split(b"\n")
                yield from (json.loads(text[5:]) for text in whole if text.startswith(b"data: {"))
        except (HTTPException, OSError):
            return


def follow(port: int, do: Callable[[str], None]) -> None:
    """Follow each prompt once; return the deck and shuffle it when the round is cleared."""
    done: set[tuple[Any, ...]] = set()
    for view in views(port):
        prompt = view["prompt"]
        if prompt is None:
            continue
        name = (view["round"], prompt["kind"], *(prompt["places"] or ()))
        if prompt["kind"] == "clear" and name not in done:
            do("gather")
        elif prompt["kind"] in WORDS and name not in done:
            do(WORDS[prompt["kind"]])
        done.add(name)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
