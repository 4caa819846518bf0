"""Invalid lines for the daemon's connection to its page process, by name, and a page process that sends them.

python -m tests.runtime.bad_lines DESCRIPTOR

Each start of this process sends the next line of `SENT`, counted in the file `started`; after the last line,
the real page process starts.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

from controller.pages.page_process.spawn import receive_options

PROOF = {"who": "F-07", "channel": "screen", "proven": True}
KEY = {"key": "floor", "prompt": None, "screen": False}


def touch(number: int = 1, **more: object) -> bytes:
    body = json.dumps({"do": "press", "key": "floor"})
    return json.dumps({"ask": "touch", "id": number, "body": body} | more).encode()


def ended(**request: object) -> bytes:
    return json.dumps({"ask": "ended", "id": 1, "asked": request}).encode()


LINES: dict[str, bytes] = {
    "no JSON": b"{",
    "nothing": b"",
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "no keys": b"{}",
    "an unknown request": b'{"ask":"keys","id":1}',
    "a dict as ask": b'{"ask":{"touch":1},"id":1}',
    "a list as ask": b'{"ask":["floor"],"id":1}',
    "no ask": b'{"id":1}',
    "no id": b'{"ask":"floor"}',
    "an id that is text": b'{"ask":"floor","id":"1"}',
    "an id that is true": b'{"ask":"floor","id":true}',
    "an id that is a list": b'{"ask":"floor","id":[1]}',
    "an id of 5,000 digits": b'{"ask":"floor","id":' + b"9" * 5000 + b"}",
    "an id below 1": b'{"ask":"floor","id":0}',
    "an id beyond 2**53": b'{"ask":"floor","id":' + str(2**53 + 1).encode() + b"}",
    "the same id again": b'{"ask":"floor","id":1}\n{"ask":"floor","id":1}',
    "a key twice": b'{"ask":"floor","id":1,"id":2}',
    "a key too many": b'{"ask":"floor","id":1,"more":1}',
    "NaN": b'{"ask":"floor","id":NaN}',
    "a fraction": b'{"ask":"floor","id":1.5}',
    "no UTF-8": b'{"ask":"floor","id":1,"\xff":1}',
    "UTF-16": '{"ask":"floor","id":1}'.encode("utf-16"),
    "deep nesting": b"[" * 30_000 + b"]" * 30_000,
    "over 64 KiB": b'{"ask":"floor","id":1,"more":"' + b"x" * 2**16 + b'"}',
    "over 64 KiB without an end": b"x" * 2**17,
    "up that is no flag": b'{"up":[1]}',
    "up with more": b'{"up":true,"id":1}',
    "a period that is none": b'{"ask":"figures","id":1,"period":"year"}',
    "a touch as an object": touch(body={"do": "press", "key": "floor"}),
    "a touch that is none": touch(body="{}"),
    "a touch of half a character": touch(body="\ud800"),
    "a touch of 5,000 bytes": touch(body=json.dumps({"do": "press", "key": "floor"}) + " " * 5000),
    "a touch with a channel": touch(channel="pit"),
    "a touch with a PIN beside it": touch(pin="4711"),
    "an event": touch(kind="KeyPressed"),
    "a proof": touch(kind="PersonTried", body=json.dumps(PROOF)),
    "a key of the table itself": touch(body=json.dumps({"do": "press", **KEY})),
    "a name with markup": touch(body=json.dumps({"do": "sign_on", "number": "<script>\u202e"})),
    "a name of 33,000 characters": touch(body=json.dumps({"do": "sign_on", "number": "D" * 33_000})),
    "ended rounds by path": ended(do="file", path="/etc/passwd"),
    "a round of many digits": ended(do="round", number=10**40, language="en"),
    "a round in a language that is a path": ended(do="round", number=1, language="../en"),
    "a list of all rounds": ended(do="list", language="en", wanted={"last": 10**9}),
    "a list by an unknown filter": ended(do="list", language="en", wanted={"last": 1, "card": "TH"}),
    "a dealer with a line feed": ended(do="csv", language="en", wanted={"last": 1, "dealer": "D\n"}),
}  # fmt: skip

SENT = (
    "no JSON", "nothing", "an unknown request", "an id of 5,000 digits", "no UTF-8", "deep nesting",
    "over 64 KiB without an end", "up that is no flag", "a touch with a PIN beside it", "a name with markup",
    "ended rounds by path",
)  # fmt: skip
"""Lines that the process sends to a real daemon, one for each reason of refusal. Tests within one process
send all lines."""


def main() -> int:
    started = Path("started")
    number = int(started.read_text(encoding="ascii")) if started.exists() else 0
    started.write_text(str(number + 1), encoding="ascii")
    if number >= len(SENT):
        from controller.pages.page_process import main

        return main.main()
    with socket.socket(fileno=int(sys.argv[1])) as line:
        if receive_options(line) is not None:
            line.sendall(b'{"up":true}\n' + LINES[SENT[number]] + b"\n")
            while line.recv(2**16):  # until the daemon ends it
                continue
    return 0


if __name__ == "__main__":
    sys.exit(main())
