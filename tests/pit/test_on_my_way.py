"""A pit answers a call or a hold with "on my way", repeats the answer until the table replies, and refuses an
invalid one.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue
from controller.floor.pit.floor import Streams
from controller.floor.pit.on_my_way import REPEAT_S
from tests.accessible import violations
from tests.display.conftest import browser, page, screen
from tests.pit.published_tables import Table, played
from tests.pit.served import Served

__all__ = ["browser", "page", "screen"]


def calling() -> Table:
    table = played()
    table.add_event("floor_called", who="0077")
    return table


def post(served: Served, body: bytes, kind: str = "application/json", **headers: str) -> int:
    url = f"{served.url}/api/tables/CC-01/on_my_way"
    sent = Request(url, body, {"Content-Type": kind, **headers})  # noqa: S310  # a server of the tests
    try:
        with urlopen(sent, timeout=10) as answer:  # noqa: S310
            return int(answer.status)
    except HTTPError as refused:
        with refused:
            return refused.code


def tile(served: Served) -> dict[str, Any]:
    return served.do(lambda: served.floor.tile("CC-01"))


def about(subject: str) -> bytes:
    return json.dumps({"about": subject}).encode()


def test_an_answer_is_sent_with_its_stream_and_shown_once_the_table_shows_it(served: Served) -> None:
    table = calling()
    served.receive(table)
    wanted = tile(served)["wanted"]
    assert wanted == f"call {table.utc()}"
    assert post(served, about(wanted)) == 202
    (sent,) = served.published
    assert (sent.pit, sent.table, sent.stream, sent.about) == ("pit-1", "CC-01", table.stream, wanted)
    assert (tile(served)["wanted"], tile(served)["way"]) == (None, {"shown": None, "by": ""})
    served.answers(sent, shown=True)
    assert tile(served)["way"] == {"shown": True, "by": ""}


def test_an_answer_is_resent_until_the_table_replies(served: Served) -> None:
    served.receive(calling())
    post(served, about(tile(served)["wanted"]))
    served.wait(REPEAT_S - 0.1)
    assert len(served.published) == 1
    served.wait(0.2)
    assert len(served.published) == 2
    served.answers(served.published[0], shown=False)
    served.wait(10 * REPEAT_S)
    assert len(served.published) == 2
    assert tile(served)["way"] == {"shown": False, "by": ""}


def test_an_answer_ends_with_its_call(served: Served) -> None:
    table = calling()
    served.receive(table)
    subject = tile(served)["wanted"]
    post(served, about(subject))
    table.add_event("floor_answered")
    served.receive(table)
    served.wait(2 * REPEAT_S)
    assert len(served.published) == 1
    assert (tile(served)["wanted"], tile(served)["way"]) == (None, None)
    assert post(served, about(subject)) == 409
    table.add_event("floor_called", who="0077")
    served.receive(table)
    assert tile(served)["wanted"] not in (None, subject)
    assert tile(served)["way"] is None


def test_a_reply_about_another_call_or_stream_is_ignored(served: Served) -> None:
    served.receive(calling())
    post(served, about(tile(served)["wanted"]))
    (sent,) = served.published
    served.answers(sent.model_copy(update={"stream": "ffffffff"}), shown=True)
    served.answers(sent.model_copy(update={"about": "call 2026-01-01T00:00:00.000Z"}), shown=True)
    assert tile(served)["way"] == {"shown": None, "by": ""}


def test_an_answer_to_a_former_stream_is_dropped_and_the_call_can_be_answered_again(served: Served) -> None:
    """The table begins another stream of the same journal while the call is open."""
    table = calling()
    served.receive(table)
    wanted = tile(served)["wanted"]
    post(served, about(wanted))
    served.do(lambda: served.floor.streams(Streams(table.name, "0a1b2c3d-2")))
    served.wait(2 * REPEAT_S)
    assert len(served.published) == 1
    assert (tile(served)["wanted"], tile(served)["way"]) == (wanted, None)
    assert post(served, about(wanted)) == 202
    assert served.published[-1].stream == "0a1b2c3d-2"


def test_a_silent_table_accepts_no_answer(served: Served) -> None:
    served.receive(calling())
    wanted = tile(served)["wanted"]
    served.wait(120)
    assert post(served, about(wanted)) == 409
    assert served.published == []


@pytest.mark.parametrize(
    ("body", "kind", "headers", "status"),
    [
        (b"{", "application/json", {}, 422),
        (b'{"about": 1}', "application/json", {}, 422),
        (b'{"about": "call", "who": "x"}', "application/json", {}, 422),
        (b'{"about": "call 2026-01-01T00:00:00.000Z"}', "application/json", {}, 409),
        (b'{"about": "x"}', "text/plain", {}, 415),
        (b'{"about": "' + b"x" * 5000 + b'"}', "application/json", {}, 413),
        (b'{"about": "x"}', "application/json", {"Origin": "http://elsewhere.example"}, 403),
        (b'{"about": "x"}', "application/json", {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_an_invalid_answer_is_refused(
    served: Served, body: bytes, kind: str, headers: dict[str, str], status: int
) -> None:
    served.receive(calling())
    assert post(served, body, kind, **headers) == status
    assert served.published == []


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("path", ["/", "/tables/CC-01/floor"])
def test_one_touch_answers_and_the_page_shows_the_result(
    served: Served, page: Page, language: str, path: str
) -> None:
    words = catalogue(language).texts["pit"]
    served.receive(calling())
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{served.url}{path}?lang={language}")
    page.get_by_role("button", name=words["on_my_way"]).tap()
    expect(page.get_by_text(words["way_sent"])).to_be_visible()
    served.answers(served.published[0], shown=True)
    expect(page.get_by_text(words["way_shown"])).to_be_visible()
    expect(page.get_by_role("button", name=words["on_my_way"])).to_be_hidden()
    assert violations(page) == []
