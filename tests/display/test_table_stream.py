"""The stream of the wall sends the felt and the open cards at once, and nothing for any other change, not
even a heartbeat.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.pages.display.live import HEARTBEAT, MAX_STREAMS, Live
from controller.pages.display.read_only_pages import MAX_WALLS, wall
from tests.display.served import Script
from tests.display.test_table_page import settled
from tests.display.views import alert, prompt, view, whole


def test_texts_and_stream_reveal_no_data_of_the_house() -> None:
    text = json.dumps(wall(whole(settled() | {"alerts": [alert("overpaid")], "dealer": "D7"}), "en"))
    assert "overpaid" not in text.lower()
    assert "D7" not in text
    assert "citation" not in text


@asynccontextmanager
async def wall_stream(script: Script) -> AsyncIterator[AsyncIterator[str]]:
    """Yield the stream of a wall after its first message."""
    live = Live(script, wall, MAX_WALLS)
    stream = live.stream("en", live.payload("en"))
    assert (await anext(stream)).startswith("retry: 500\ndata: {")
    yield stream
    live.close()
    assert [message async for message in stream] == []


HIDDEN = ({"alerts": [alert("overpaid")]}, {"prompt": prompt("bets_open")}, {"dealer": "D8"})
"""Changes of the view that a wall does not show."""


async def test_hidden_changes_send_nothing_to_a_wall(script: Script) -> None:
    async with wall_stream(script) as stream:
        reading = asyncio.ensure_future(anext(stream))
        for change in HIDDEN:
            script.show(view(**change))
            for _turn in range(5):
                await asyncio.sleep(0)
            assert not reading.done(), change
        script.beat()
        assert await reading == HEARTBEAT


async def test_chips_on_the_felt_are_sent_at_once(script: Script) -> None:
    async with wall_stream(script) as stream:
        script.show(settled())
        assert '"phase":"settlement"' in await anext(stream)


async def test_wall_pages_have_a_separate_limit(script: Script) -> None:
    """Open wall pages, however many, never use up the dealer's page's stream."""
    walls, pages = Live(script, wall, MAX_WALLS), Live(script)
    for _ in range(MAX_WALLS):
        walls.response("en")
    assert (walls.response("en").status_code, pages.response("en").status_code) == (503, 200)
    assert MAX_WALLS < MAX_STREAMS
