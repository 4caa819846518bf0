"""The felt without a browser carries out acts of its hands, refuses impossible ones, and gives the page its
state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from controller.common.http.admitted import THIS_MACHINE
from controller.common.http.request_guard import Guard
from controller.common.texts.catalogue import catalogue
from controller.game.model.names import Circle, Method, Wager
from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.http import Client
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import BADGES, PIN, MockOptions
from controller.mock.cli import felt_page_port
from controller.mock.felt_page.crowd import Crowd
from controller.mock.felt_page.felt_view import fixed, moving
from controller.mock.felt_page.hands import FeltHands, Reply, Wrong
from controller.mock.felt_page.page import FeltPage
from controller.mock.people.dealer import Dealer, Floorperson
from controller.mock.people.opening import open_table
from controller.mock.people.players import Players
from controller.mock.run import welcome

pytestmark = pytest.mark.slow

ANTE = Circle(3, Wager.ANTE_ACROSS)


def in_words(reply: Reply | None, language: str = "en") -> str:
    """Return the answer to an act as text."""
    assert reply is not None
    return reply.in_words(catalogue(language))


@asynccontextmanager
async def at_the_felt(**more: Any) -> AsyncIterator[tuple[DirectBench, FeltHands]]:
    """Yield a table that is open for bets, and the hands that act on it."""
    bench = DirectBench(MockOptions(seed=8, wires=False, **more))
    await bench.start()
    hands = Hands(bench, Pace(None, bench.elapse))
    try:
        await open_table(hands)
        yield bench, FeltHands(bench, Crowd(bench, hands, 8, (1, 2, 3)))
    finally:
        await bench.stop()


async def test_a_chip_can_be_laid_taken_and_carried() -> None:
    async with at_the_felt() as (bench, hands):
        for chip in (2500, 500, 500):
            await hands.do({"do": "lay", "circle": "3.ante_across", "chip": chip})
        assert bench.felt.chips(ANTE) == (2500, 500, 500)
        await hands.do({"do": "take", "circle": "3.ante_across"})
        assert bench.felt.chips(ANTE) == (2500, 500)
        await hands.do({"do": "carry", "circle": "3.ante_across", "into": "3.ante_down"})
        assert (bench.felt.amount(ANTE), bench.felt.amount(Circle(3, Wager.ANTE_DOWN))) == (0, 3000)
        await hands.do({"do": "take", "circle": "3.ante_down", "all": True})
        assert bench.felt.circles == {}
        assert hands.chips_moved == 6


async def test_the_same_ante_for_all_is_laid_only_for_the_players() -> None:
    async with at_the_felt() as (bench, hands):
        await hands.do({"do": "antes", "cents": 1500})
        wanted = {Circle(seat, ante) for seat in (1, 2, 3) for ante in (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)}
        assert set(bench.felt.circles) == wanted
        assert {bench.felt.amount(circle) for circle in wanted} == {1500}


async def test_the_stub_of_a_deal_by_hand_can_be_taken_once() -> None:
    async with at_the_felt(method=Method.HAND) as (_bench, hands):
        assert in_words(await hands.do({"do": "stub"})) == "52 cards in the stub"
        with pytest.raises(Wrong, match="No stub can be taken"):
            await hands.do({"do": "stub"})


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ({"do": "fly"}, "do: allowed: lay, take,"),
        ({}, "do: allowed"),
        ({"do": "lay", "circle": "7.across", "chip": 500}, "circle: allowed: 1.ante_across"),
        ({"do": "lay", "circle": ["3"], "chip": 500}, "circle: allowed"),
        ({"do": "lay", "circle": "3.across", "chip": 700}, "chip: allowed"),
        ({"do": "lay", "circle": "3.across", "chip": [500]}, "chip: allowed"),
        ({"do": "take", "circle": "3.across"}, "No chip is there."),
        ({"do": "carry", "circle": "3.across", "into": "3.across"}, "Choose another circle."),
        ({"do": "antes", "cents": 2.5}, "whole cents"),
        ({"do": "antes", "cents": True}, "whole cents"),
        ({"do": "press", "key": "eject"}, "key: allowed: no_more_bets"),
        ({"do": "lift"}, "No stack is in the exit."),
        ({"do": "stub"}, "No stub is in the exit"),
        ({"do": "deal"}, "No seat is in the round."),
        ({"do": "deck", "back": "green"}, "back: allowed: red, blue"),
        ({"do": "fault", "device": "shoe", "kind": "burn"}, "kind: allowed: jam"),
        ({"do": "fault", "device": "3.across", "kind": "jam"}, "kind: allowed: silent"),
        ({"do": "fault", "device": "shoe", "kind": "jam", "after": 0}, "after: allowed: 1 to 52"),
        ({"do": "fault", "device": "oven", "kind": "clear"}, "circle: allowed"),
    ],
)
async def test_an_impossible_act_is_refused_with_the_allowed_values(act: dict[str, Any], words: str) -> None:
    async with at_the_felt() as (bench, hands):
        before = dict(bench.felt.circles)
        with pytest.raises(Wrong) as raised:
            await hands.do(act)
        assert words in str(raised.value)
        assert bench.felt.circles == before


async def test_a_fault_is_shown_until_it_is_cleared() -> None:
    async with at_the_felt() as (bench, hands):
        reply = await hands.do({"do": "fault", "device": "3.across", "kind": "silent"})
        assert in_words(reply) == "Reader: seat 3 Across: the reader neither sends nor receives"
        assert in_words(reply, "es") == "Lector: puesto 3 Across: el lector no envía ni recibe"
        assert moving(bench, hands.faults)["faults"] == {"3.across": "silent"}
        await hands.do({"do": "fault", "device": "3.across", "kind": "clear"})
        assert hands.faults == {}


async def test_the_shoe_reports_the_colour_of_the_inserted_deck() -> None:
    async with at_the_felt() as (bench, hands):
        for back in ("blue", "red", "blue"):
            await hands.do({"do": "deck", "back": back})
            view = await bench.wait_for_view(bench.view()["version"], 2.0)
            assert (bench.deck_in(), view["shoe"]["back"]) == (back, back)


async def test_inserting_the_other_deck_ends_the_wrong_deck_alert() -> None:
    """A person can resolve WRONG DECK on the felt without an entry on the screen."""
    async with at_the_felt() as (bench, felt_hands):
        players = Players(8, (1, 2, 3))
        people = (Dealer(8, players.folds, players.ready), Floorperson(), players)
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, people, lambda view: view["round"] == 2 and view["phase"] == "betting")
        other = bench.deck_in()
        shown = []
        for back in ("red" if other == "blue" else "blue", other):
            await felt_hands.do({"do": "deck", "back": back})
            view = await bench.wait_for_view(bench.view()["version"], 2.0)
            shown.append(([alert["code"] for alert in view["alerts"]], view["keys"]["no_more_bets"]))
        assert shown == [(["wrong_deck"], False), ([], True)]


async def test_the_page_never_receives_the_face_of_a_card_face_down() -> None:
    """In three complete rounds the page receives a card's face only while the display shows a card face up at
    the same place."""
    async with at_the_felt() as (bench, _hands):
        players = Players(8, (1, 2, 3))
        early: list[str] = []

        def look(view: ViewData) -> None:
            cards = moving(bench, {})["cards"]
            up = {place for place, card in _shown(view) if card["lies"] in ("up", "unknown")}
            early.extend(place for place, card in cards.items() if card["face"] and place not in up)
            hidden = {face for place, face in bench.felt.cards.items() if place not in up and face}
            early.extend(face for face in hidden if f'"{face}"' in json.dumps(cards))

        people = (Dealer(8, players.folds, players.ready), Floorperson(), players)
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, people, lambda view: view["round"] > 3, on_view=look)
        assert early == []


def _shown(view: ViewData) -> list[tuple[str, ViewData]]:
    seats = [(f"seat_{s['seat']}_{n}", c) for s in view["seats"] for n, c in enumerate(s["cards"], 1)]
    return [*view["cross"].items(), *seats]


async def test_every_circle_has_the_text_of_its_lamp() -> None:
    async with at_the_felt() as (bench, hands):
        texts = fixed(bench, (1, 2, 3), "en")
        state = moving(bench, hands.faults)
        assert len(state["lamps"]) == 36
        assert set(state["lamps"].values()) <= set(texts["lamps"])
        assert texts["lamps"]["open"] == "amber, a short wink: A wager may be laid here."
        assert state["deck"] == "red"


@pytest.mark.parametrize(("method", "way"), [(Method.MANUAL_SHOE, "single"), (Method.HAND, "hand")])
async def test_the_page_receives_the_way_of_dealing(method: Method, way: str) -> None:
    async with at_the_felt(method=method) as (bench, _hands):
        assert moving(bench, {})["way"] == way


async def test_the_felt_page_answers_and_refuses_foreign_requests() -> None:
    bench = DirectBench(MockOptions(seed=8, wires=False))
    await bench.start()
    page = FeltPage(FeltHands(bench, Crowd(bench, Hands(bench), 8, (1, 2, 3))))
    client = Client(await page.start())
    try:
        lay = {"do": "lay", "circle": "3.ante_across", "chip": 500}
        assert (await client.post("/act", lay))[0] == 200
        assert (await client.get("/state"))[1]["chips"] == {"3.ante_across": [500]}
        status, answer = await client.post("/act", {"do": "lift"})
        assert (status, answer["refused"]) == (409, "No stack is in the exit.")
        assert (await client.post("/act", {"do": "x" * 5000}))[0] == 413
        assert await answered(client.port, "/nowhere") == 404
        assert await answered(client.port, "/", "Origin: http://elsewhere") == 403
        assert await answered(client.port, "/", "Host: elsewhere") == 421
        assert await answered(client.port, "/static/felt.js") == 200
        assert await answered(client.port, "/display/dom.js") == 200
    finally:
        await client.close()
        await page.stop()
        await bench.stop()


def test_only_a_mock_table_may_be_framed_by_pages_of_this_machine() -> None:
    """The felt shows the dealer's screen in a frame; a real table allows no page to do so."""

    def policy(**more: str) -> dict[str, str]:
        sent: list[Any] = []

        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "headers": []})

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": "/", "headers": [(b"host", b"127.0.0.1:8080")]}
        asyncio.run(Guard(app, **more)(scope, _nothing, send))
        return {name.decode(): value.decode() for name, value in sent[0]["headers"]}

    real, mock, felt = policy(), policy(framed_by=THIS_MACHINE), policy(frames=THIS_MACHINE)
    assert "frame-ancestors 'none'" in real["content-security-policy"]
    assert real["x-frame-options"] == "DENY"
    assert "frame-ancestors http://127.0.0.1:* http://localhost:*" in mock["content-security-policy"]
    assert "x-frame-options" not in mock
    assert "frame-src http://127.0.0.1:* http://localhost:*" in felt["content-security-policy"]
    assert "frame-ancestors 'none'" in felt["content-security-policy"]


async def _nothing() -> Any:
    return {}


@pytest.mark.parametrize(
    ("display", "requested", "port"), [(0, None, 0), (8080, None, 8081), (8080, 9000, 9000), (65535, None, 0)]
)
def test_the_felt_s_port_is_the_next_one_by_default(display: int, requested: int | None, port: int) -> None:
    assert felt_page_port(display, requested) == port


def test_the_welcome_names_address_first_key_badges_and_pin() -> None:
    text = welcome("http://127.0.0.1:8081/", "closed")
    for words in ("Open http://127.0.0.1:8081/", "First: OPEN THE TABLE", "Ctrl-C", *BADGES, PIN):
        assert words in text
    assert "OPEN THE TABLE" not in welcome("http://127.0.0.1:8081/", "betting")


async def answered(port: int, path: str, header: str = "") -> int:
    """Return the status of the response to a browser's request with this additional header."""
    host = header if header.startswith("Host") else f"Host: 127.0.0.1:{port}\r\n{header}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nConnection: close\r\n{host.strip()}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return int(answer.split()[1])
