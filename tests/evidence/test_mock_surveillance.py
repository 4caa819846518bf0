"""The address, badge and PIN that the mock table prints open its surveillance pages, which name its cheat."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.common.http.server import ServerError
from controller.mock import surveillance as module
from controller.mock.surveillance import surveillance
from tests.evidence.conftest import CHEAT, ROUNDS
from tests.evidence.test_served import asked
from tests.uplink.broker import soon

pytestmark = pytest.mark.slow
DISPLAY = 8093


def test_the_printed_address_badge_and_pin_lead_to_the_cheat(cheated: Path, tmp_path: Path) -> None:
    """The pages must also stop when the mock stops."""
    lines: list[str] = []

    async def watch() -> None:
        async with surveillance(tmp_path, cheated, DISPLAY, lines.append):
            await asyncio.to_thread(look, lines)

    asyncio.run(watch())
    with pytest.raises(ConnectionRefusedError):
        asked(server(lines), "/healthz")


def server(lines: list[str]) -> Any:
    """Return the server at the printed address."""
    return cast("Any", SimpleNamespace(port=int(re.findall(r"http://127\.0\.0\.1:(\d+)/", lines[0])[0])))


def look(lines: list[str]) -> None:
    """Sign in with the printed badge and PIN, wait for all rounds, and open the sitting above the
    threshold."""
    (badge, pin), pages = re.findall(r"badge (\S+), PIN (\d+)", lines[0])[0], server(lines)

    def answers() -> bool:
        try:
            return asked(pages, "/healthz")[0] == 200
        except ConnectionRefusedError:
            return False

    soon(answers)
    status, _, cookie = asked(pages, "/sign_in", badge=badge, pin=pin)
    assert status == 303
    soon(lambda: f"Rounds that have ended: {ROUNDS}." in asked(pages, "/", cookie)[1])
    page = asked(pages, "/", cookie)[1]
    assert "<h2>Shoes</h2>" in page
    (above,) = re.findall(r"<tr class=above>(.*?)</tr>", page)
    assert f"<td>{CHEAT}</td>" in above
    sitting = asked(pages, re.findall(r'href="(/sittings/\d+)', above)[0], cookie)[1]
    assert f'href="http://127.0.0.1:{DISPLAY}/rounds/' in sitting


def test_a_program_that_cannot_be_started_is_named(
    cheated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch() -> None:
        async with surveillance(tmp_path, cheated, DISPLAY, lambda _line: None):
            raise AssertionError("it started")

    monkeypatch.setattr(module.sys, "executable", str(tmp_path / "none"))
    with pytest.raises(ServerError, match=r"surveillance: .*none: No such file or directory"):
        asyncio.run(watch())
