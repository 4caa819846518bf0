"""Stream of the wall: the felt and the open cards at once; other changes cause no message, not even a
heartbeat.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from controller.pages.display.live import MAX_STREAMS, Live
from controller.pages.display.read_only_pages import MAX_WALLS, wall
from tests.display.served import Script
from tests.display.test_table_page import settled
from tests.display.views import alert, prompt, view, whole


def test_texts_and_stream_reveal_no_data_of_the_house() -> None:
    text = json.dumps(wall(whole(settled() | {"alerts": [alert("overpaid")], "dealer": "D7"}), "en"))
    assert "overpaid" not in text.lower()
    assert "D7" not in text
    assert "citation" not in text


async def sent(script: Script, wait: Callable[[], None], rounds: int) -> list[str]:
    """Return the first messages of a stream: one at once, then one after each of `rounds` calls of `wait`."""
    live = Live(script, 0.01, wall, MAX_WALLS)
    stream = live.stream("en")
    messages = [await anext(stream)]
    for _ in range(rounds):
        wait()
        messages.append(await anext(stream))
    live.close()
    await stream.aclose()
    return messages


async def test_hidden_changes_send_only_heartbeats_to_a_wall(script: Script) -> None:
    """An alert, a prompt and a key change the view; the stream only continues its heartbeats."""
    called = {"dealer": "D8", "floor_called": True}
    changes = iter([{"alerts": [alert("overpaid")]}, {"prompt": prompt("bets_open")}, called, {}])
    messages = await sent(script, lambda: script.show(view(**next(changes))), 4)
    assert messages[0].startswith("retry: 500\ndata: {")
    assert messages[1:] == ["event: beat\ndata: \n\n"] * 4


async def test_chips_on_the_felt_are_sent_at_once(script: Script) -> None:
    messages = await sent(script, lambda: script.show(settled()), 1)
    assert '"phase":"settlement"' in messages[1]


async def test_wall_pages_have_a_separate_limit(script: Script) -> None:
    """Any number of open wall pages leaves the dealer's page its place."""
    walls, pages = Live(script, 9, wall, MAX_WALLS), Live(script, 9)
    for _ in range(MAX_WALLS):
        walls.response("en")
    assert (walls.response("en").status_code, pages.response("en").status_code) == (503, 200)
    assert MAX_WALLS < MAX_STREAMS
