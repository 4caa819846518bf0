"""The technician's page: the simulated devices under a person's hands, next to the dealer's own display.

He lays and takes chips, draws cards, lifts stacks, presses keys, breaks and mends devices, and sees
the lamps. It is the simulator's page: physical cards may be looked at here, the daemon's display
knows nothing of it. It must never tell the daemon anything that a device or a key would not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from importlib import resources
from typing import Any

from controller.game.model.names import Circle, Key, Wager
from controller.mock.bench.asked import READER_FAULTS, SHOE_FAULTS, Fault
from controller.mock.bench.bench import Bench, Hands
from controller.mock.bench.layout import BankEmpty
from controller.mock.page.server import Answer, Server, as_json
from controller.mock.people.dealer import places_of
from controller.mock.scenario.expect import prompt_words

REFRESH_S = 0.2
"""Lamps blink and hands move without the view's knowing: the page looks this often."""


class Wrong(Exception):
    """What was asked cannot be done; says what is allowed."""


class TechnicianPage:
    """Serves one bench until it is stopped."""

    def __init__(self, bench: Bench, hands: Hands) -> None:
        self.bench = bench
        self._hands = hands
        self._server = Server(self._answer, self._news)
        self._faults: dict[str, str] = {}

    async def start(self, port: int = 0) -> int:
        return await self._server.start(port)

    async def stop(self) -> None:
        await self._server.stop()

    # ------------------------------------------------------------------ what is seen

    def state(self) -> dict[str, Any]:
        """Everything on the bench, cards included."""
        bench, felt, view = self.bench, self.bench.felt, self.bench.view()
        return {
            "phase": view["phase"],
            "round": view["round"],
            "prompt": prompt_words(view),
            "display": bench.port,
            "circles": [
                {
                    "seat": seat["seat"],
                    "wager": wager,
                    "chips": felt.chips(Circle(seat["seat"], Wager(wager))),
                    "lamp": bench.lamp(Circle(seat["seat"], Wager(wager))),
                    "fault": self._faults.get(f"{seat['seat']}:{wager}"),
                }
                for seat in view["seats"]
                for wager in seat["circles"]
            ],
            "cards": dict(felt.cards),
            "exit": bench.exit_holds(),
            "shoe_fault": self._faults.get("shoe"),
            "chips": felt.bank.values(),
            "faults": {"shoe": SHOE_FAULTS, "reader": READER_FAULTS},
            "keys": [str(key) for key in Key],
        }

    async def _news(self) -> AsyncIterator[Any]:
        last: Any = None
        while True:
            state = self.state()
            if state != last:
                last = state
                yield state
            await asyncio.sleep(REFRESH_S)

    # ------------------------------------------------------------------ what is done

    async def _answer(self, method: str, path: str, body: Any) -> Answer:
        if method == "GET" and path == "/":
            page = resources.files("controller.mock.page") / "static" / "bench.html"
            return 200, "text/html; charset=utf-8", page.read_bytes()
        if method == "GET" and path == "/state":
            return as_json(self.state())
        if method != "POST" or path != "/act" or not isinstance(body, dict):
            return as_json({"error": "allowed: GET /, /state, /live; POST /act"}, 404)
        try:
            return as_json({"ok": True, "said": await self._act(body)})
        except (Wrong, BankEmpty, ValueError) as error:
            return as_json({"refused": str(error)}, 409)

    async def _act(self, body: Mapping[str, Any]) -> str | None:
        match body:
            case {"do": "chips", "seat": int(seat), "wager": str(wager), **what}:
                self._chips(Circle(seat, Wager(wager)), what)
            case {"do": "press", "key": str(key)} if key in tuple(Key):
                await self.bench.press(key)
            case {"do": "lift"}:
                await self._lift()
            case {"do": "draw"}:
                await self._draw()
            case {"do": "stub"}:
                self.bench.felt.stub = await self.bench.take_stub()
                return f"{self.bench.felt.stub} cards"
            case {"do": "gather"}:
                self.bench.felt.cards.clear()
                await self.bench.gather()
            case {"do": "fault", "device": str(device), "kind": str(kind), **more}:
                self._fault(device, kind, more.get("after"))
            case _:
                raise Wrong("allowed: chips, press, lift, draw, stub, gather, fault")
        return None

    def _chips(self, circle: Circle, what: Mapping[str, Any]) -> None:
        felt = self.bench.felt
        match what:
            case {"add": int(cents)} if cents > 0:
                felt.add(circle, (cents,))
            case {"take": int(cents)} if cents in felt.chips(circle):
                left = list(felt.chips(circle))
                left.remove(cents)
                felt.hold_chips(circle, left)
            case {"clear": True}:
                felt.clear(circle)
            case _:
                raise Wrong("chips: add or take a chip that is there, or clear")

    async def _lift(self) -> None:
        faces = await self.bench.lift()
        if not faces:
            raise Wrong("no stack lies in the exit")
        prompt = self.bench.view()["prompt"] or {}
        places = places_of(prompt) if prompt.get("kind") == "lift_stack" else ()
        names = (*places, *(f"card_{number}" for number in range(len(faces))))
        self.bench.felt.cards.update(zip(names, faces, strict=False))

    async def _draw(self) -> None:
        face = await self.bench.draw()
        if face is None:
            raise Wrong("no card comes")
        prompt = self.bench.view()["prompt"] or {}
        place = (
            places_of(prompt)[0]
            if prompt.get("kind") == "deal_card"
            else f"card_{len(self.bench.felt.cards)}"
        )
        self.bench.felt.cards[place] = face

    def _fault(self, device: str, kind: str, after: Any) -> None:
        count = after if isinstance(after, int) and after > 0 else None
        if device == "shoe":
            if kind not in SHOE_FAULTS:
                raise Wrong(f"fault of a shoe: {', '.join(SHOE_FAULTS)}")
            self.bench.fault(Fault(None, kind, count))
        else:
            seat, _, wager = device.partition(":")
            if kind not in READER_FAULTS or not seat.isdigit():
                raise Wrong(f"fault of a reader: {', '.join(READER_FAULTS)}")
            self.bench.fault(Fault(Circle(int(seat), Wager(wager)), kind))
        if kind == "clear":
            self._faults.pop(device, None)
        else:
            self._faults[device] = kind
