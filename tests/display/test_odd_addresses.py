"""Every route of the display, the pit and the witness answers any request or refuses it with status 4xx,
never 500.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from starlette.routing import BaseRoute, Mount, Route

from tests.display.served import Script, Served
from tests.pit import served as pit_served
from tests.pit.published_tables import Table
from tests.witness.log import ORIGIN, TABLE, WITNESS
from tests.witness.served import serving

pytestmark = pytest.mark.slow

ODD = (
    "0", "-1", "9" * 5000, "9" * 12, "9" * 13, "\u0661", "１", "1e9", "1.0", "NaN", "", " ", "..", "%2e%2e",
    "a\0b",
    "\ud7ff", "=1+1", "<script>", "x" * 3000, "'", '"', "2026-02-30", "CC-01", "true", "null",
)  # fmt: skip
NAMES = (
    "lang", "last", "day", "dealer", "seat", "irregularity", "amount", "period", "by", "stream", "other",
)  # fmt: skip
EACH = 40


def routes(found: Iterable[BaseRoute], before: str = "") -> Iterator[str]:
    for route in found:
        if isinstance(route, Mount):
            yield from routes(route.routes or [Route("/{path}", lambda _: None)], before + route.path)
        elif isinstance(route, Route):
            yield before + route.path


def filled(path: str, lots: random.Random) -> str:
    """Return the address with an odd value for each of its parameters, and with an odd query."""
    parts = [quote(lots.choice(ODD), safe="") if part.startswith("{") else part for part in path.split("/")]
    query = "&".join(
        f"{lots.choice(NAMES)}={quote(lots.choice(ODD), safe='')}" for _ in range(lots.randrange(3))
    )
    return "/".join(parts) + (f"?{query}" if query else "")


def odd(port: int, paths: Iterable[str], method: str = "GET") -> dict[str, int]:
    """Return the addresses whose status is neither an answer nor a refusal, with that status."""
    lots, found = random.Random(7), {}
    for path in sorted(set(paths)):
        for _ in range(1 if "live" in path else EACH):
            address = filled(path.replace("{name}", lots.choice(("{name}", "CC-01"))), lots)
            with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as line:
                line.request(method, address, headers={"host": f"127.0.0.1:{port}"})
                status = line.getresponse().status
            if status >= 500:
                found[address[:200]] = status
    return found


def test_no_address_of_the_display_causes_status_500() -> None:
    served = Served(Script())
    try:
        assert odd(served.port, routes(served.app.routes)) == {}
        assert odd(served.port, routes(served.app.routes), "POST") == {}
    finally:
        served.stop()


def test_no_address_of_the_pit_causes_status_500(tmp_path: Path) -> None:
    served, table = pit_served.Served(tmp_path), Table()
    table.play()
    served.receive(table)
    try:
        assert odd(served.port, routes(served.app.routes)) == {}
    finally:
        served.stop()


def test_no_address_or_body_of_a_witness_causes_status_500(tmp_path: Path) -> None:
    logs = {ORIGIN: (TABLE.verifier(),)}
    with serving(tmp_path / "w.db", WITNESS, logs, lambda: 1_795_000_000) as url:
        port = urlsplit(url).port
        assert port is not None
        assert odd(port, ("/add-checkpoint", "/{origin_hash}/checkpoint", "/{nowhere}")) == {}
        assert bodies(url) == {}


def bodies(url: str) -> dict[str, int]:
    lots, found = random.Random(3), {}
    words = (
        b"old ",
        b"0",
        b"9" * 5000,
        b"\n",
        b"\n\n",
        b"\xff\x00",
        b"AAAA",
        b"\xe2\x80\x94 ",
        ORIGIN.encode(),
        b" ",
    )
    for kind in ("text/plain", "application/json", "multipart/form-data", "\u00e9"):
        for _ in range(60):
            body = b"".join(lots.choice(words) for _ in range(lots.randrange(30)))
            with closing(HTTPConnection(urlsplit(url).netloc, timeout=20)) as line:
                line.request("POST", "/add-checkpoint", body, {"content-type": kind})
                status = line.getresponse().status
            if status >= 500:
                found[repr(body[:100])] = status
    return found


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "\u0661", "1.0", "9" * 13])
def test_an_impossible_round_number_is_not_found(number: str) -> None:
    served = Served(Script())
    try:
        for path in ("/rounds/", "/api/rounds/"):
            with closing(HTTPConnection("127.0.0.1", served.port, timeout=20)) as line:
                line.request("GET", path + quote(number), headers={"host": f"127.0.0.1:{served.port}"})
                assert line.getresponse().status == 404
    finally:
        served.stop()
