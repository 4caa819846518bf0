"""The technician's page: a person's hands on the simulated devices, beside the dealer's own display.

They lay and take chips, draw cards, lift stacks, press keys, break and mend devices, and see the lamps.
This is the simulator's page: cards on the felt may be looked at here, and the daemon's display knows
nothing of it. It must never tell the daemon anything that a device or a key would not.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from controller.display.guard import BodyRefused, Guard, read_json_body
from controller.game.model.names import Circle, Key, Wager
from controller.mock.bench.asked import READER_FAULTS, SHOE_FAULTS, Fault
from controller.mock.bench.bench import Bench
from controller.mock.bench.layout import BankEmpty
from controller.mock.people.dealer import places_of
from controller.mock.scenario.expect import prompt_words
from controller.runtime.server import PageServer, open_socket

STATIC = Path(str(resources.files("controller.mock.page") / "static"))
REFRESH_S = 0.2
"""Lamps blink and hands move without the view's knowing: the page looks this often."""


class Wrong(Exception):
    """What was asked cannot be done; says what is allowed."""


class TechnicianPage:
    """Serves one bench until it is stopped."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._faults: dict[str, str] = {}
        self._open = True
        self._server: PageServer | None = None

    async def start(self, port: int = 0) -> int:
        """The port that it is served on."""
        sock = open_socket("127.0.0.1", port)
        self._server = PageServer(self._app(), sock, self._end_streams)
        await self._server.start()
        return int(sock.getsockname()[1])

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop()

    def _app(self) -> Starlette:
        routes = [
            Route("/", self._page),
            Route("/state", self._state),
            Route("/live", self._live),
            Route("/act", self._acted, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard)])

    def _end_streams(self) -> None:
        self._open = False

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

    async def _page(self, _request: Request) -> Response:
        return FileResponse(STATIC / "bench.html")

    async def _state(self, _request: Request) -> Response:
        return JSONResponse(self.state())

    async def _live(self, _request: Request) -> Response:
        return StreamingResponse(self._states(), media_type="text/event-stream")

    async def _states(self) -> AsyncIterator[str]:
        last: Any = None
        while self._open:
            state = self.state()
            if state != last:
                last = state
                yield f"data: {json.dumps(state)}\n\n"
            await asyncio.sleep(REFRESH_S)

    # ------------------------------------------------------------------ what is done

    async def _acted(self, request: Request) -> Response:
        try:
            said = await self._act(json.loads(await read_json_body(request)))
        except BodyRefused as error:
            return JSONResponse({"error": error.words}, error.status)
        except (Wrong, BankEmpty, ValueError) as error:
            return JSONResponse({"refused": str(error)}, 409)
        return JSONResponse({"ok": True, "said": said})

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
                felt.set_chips(circle, left)
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
