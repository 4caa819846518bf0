"""Acts of a person's hands at the felt, one at a time, each checked before any chip or card moves.

An act must never send the daemon any input that a device or a key would not send.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue
from controller.game.model.names import ANTES, Circle, Key
from controller.mock.bench.bench import Bench
from controller.mock.bench.device_requests import READER_FAULTS, SHOE_FAULTS, FaultRequest
from controller.mock.bench.options import circles_of_pack
from controller.mock.bench.shoes import BACKS
from controller.mock.felt_page.crowd import Crowd
from controller.mock.felt_page.felt_view import way
from controller.mock.people.dealer import places_of


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer to an act, for the page: a key of `felt.said`. `values`: values of its placeholders; a device
    and a fault are names, which `in_words` replaces by text in the language of the page."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def in_words(self, texts: Catalogue) -> str:
        """Return one line in the language of the texts."""
        values = dict(self.values)
        if device := values.get("device"):
            circle = None if device == "shoe" else Circle.of(str(device))
            kind = f"felt.fault_kinds.{'reader' if circle else 'shoe'}.{values['fault']}.does"
            values |= {"device": device_words(texts, circle), "does": texts.plain(kind)}
        return texts.text(f"felt.said.{self.key}", values) or ""


def device_words(texts: Catalogue, circle: Circle | None) -> str:
    """Return the name of the reader of a circle; for None, the name of the shoe."""
    if circle is None:
        return texts.plain("felt.shoe_device")
    wager = texts.plain(f"wagers.{circle.wager}")
    return texts.text("felt.reader", {"seat": circle.seat, "wager": wager}) or ""


class Wrong(Exception):
    """Raised if an act cannot be done. `reply`: the reason, for the page."""

    def __init__(self, key: str, **values: object) -> None:
        self.reply = Reply(key, values)
        super().__init__(self.reply.in_words(catalogue(FIRST_LANGUAGE)))


def _only(field_name: str, allowed: Iterable[object]) -> Wrong:
    return Wrong("allowed", field=field_name, values=", ".join(map(str, allowed)))


class FeltHands:
    """Hands of one person at a bench. `faults`: the fault of each broken device, by `shoe` or circle."""

    def __init__(self, bench: Bench, crowd: Crowd) -> None:
        self.bench = bench
        self.crowd = crowd
        self.faults: dict[str, str] = {}
        self.chips_moved = 0
        """Number of times that chips were laid or taken."""
        self._circles = {circle.key: circle for circle in circles_of_pack(bench.pack)}
        self._acts: Mapping[str, Callable[[Mapping[str, Any]], Awaitable[Reply | None]]] = {
            "lay": self._lay, "take": self._take, "carry": self._carry, "antes": self._antes,
            "press": self._press, "lift": self._lift, "draw": self._draw, "deal": self._deal,
            "stub": self._stub, "gather": self._gather, "deck": self._deck, "fault": self._fault,
            "players": self._players,
        }  # fmt: skip

    async def do(self, body: Mapping[str, Any]) -> Reply | None:
        """Do the act that `body["do"]` names. Returns its answer for the page, or None. Raises Wrong if it
        cannot be done.
        """
        act = self._acts.get(str(body.get("do")))
        if act is None:
            raise _only("do", self._acts)
        return await act(body)

    # ------------------------------------------------------------------ chips

    def _circle(self, name: Any) -> Circle:
        if (found := self._circles.get(str(name))) is None:
            raise _only("circle", self._circles)
        return found

    async def _lay(self, body: Mapping[str, Any]) -> Reply | None:
        """Lay one chip into a circle."""
        circle = self._circle(body.get("circle"))
        values = self.bench.felt.bank.values()
        chip = body.get("chip")
        if type(chip) is not int or chip not in values:
            raise _only("chip", values)
        self.bench.felt.add(circle, (chip,))
        self.chips_moved += 1
        return None

    async def _take(self, body: Mapping[str, Any]) -> Reply | None:
        """Take the topmost chip of a circle, or all of them."""
        circle, felt = self._circle(body.get("circle")), self.bench.felt
        there = felt.chips(circle)
        if not there:
            raise Wrong("no_chip")
        if body.get("all") is True:
            felt.clear(circle)
        else:
            felt.set_chips(circle, there[:-1])
        self.chips_moved += 1
        return None

    async def _carry(self, body: Mapping[str, Any]) -> Reply | None:
        """Move all chips of one circle into another."""
        felt = self.bench.felt
        out_of, into = self._circle(body.get("circle")), self._circle(body.get("into"))
        if not felt.chips(out_of) or out_of == into:
            raise Wrong("no_chip" if out_of != into else "same_circle")
        felt.carry(out_of, into, felt.chips(out_of))
        self.chips_moved += 1
        return None

    async def _antes(self, body: Mapping[str, Any]) -> Reply | None:
        """Lay the same ante for every player, `cents` in both ante circles."""
        cents = body.get("cents")
        if type(cents) is not int or not 0 <= cents <= 1_000_000:
            raise _only("cents", ("whole cents from 0 to 1000000",))
        for seat in self.crowd.seats:
            for wager in ANTES:
                self.bench.felt.set_amount(Circle(seat, wager), cents)
        return None

    # ------------------------------------------------------------------ keys and cards

    async def _press(self, body: Mapping[str, Any]) -> Reply | None:
        if (key := body.get("key")) not in tuple(Key):
            raise _only("key", Key)
        await self.bench.press(str(key))
        return None

    async def _lift(self, _body: Mapping[str, Any]) -> Reply | None:
        faces = await self.bench.lift()
        if not faces:
            raise Wrong("no_stack")
        prompt = self.bench.view()["prompt"] or {}
        places = places_of(prompt) if prompt.get("kind") == "lift_stack" else ()
        names = (*places, *(f"card_{number}" for number in range(len(faces))))
        self.bench.felt.cards.update(zip(names, faces, strict=False))
        return None

    async def _draw(self, _body: Mapping[str, Any]) -> Reply | None:
        face = await self.bench.draw()
        if face is None:
            raise Wrong("no_card")
        prompt, lying = self.bench.view()["prompt"] or {}, self.bench.felt.cards
        named = prompt.get("kind") == "deal_card"
        lying[places_of(prompt)[0] if named else f"card_{len(lying)}"] = face
        return None

    async def _deal(self, _body: Mapping[str, Any]) -> Reply | None:
        """Deal the whole round from the dealer's hand."""
        seats = tuple(seat["seat"] for seat in self.bench.view()["seats"] if seat["in_round"])
        if not seats:
            raise Wrong("no_seat")
        self.bench.felt.cards.update(await self.bench.deal_hand(seats))
        return None

    async def _stub(self, _body: Mapping[str, Any]) -> Reply | None:
        bench = self.bench
        due = (bench.view()["prompt"] or {}).get("kind") == "take_stub"
        if way(bench) == "stack" and not due and bench.exit_holds() != "stub":
            raise Wrong("stub_later")
        bench.felt.stub = count = await bench.take_stub()
        if count is None:
            raise Wrong("no_stub")
        return Reply("stub", {"count": count})

    async def _gather(self, _body: Mapping[str, Any]) -> Reply | None:
        self.bench.felt.cards.clear()
        await self.bench.gather()
        return None

    async def _deck(self, body: Mapping[str, Any]) -> Reply | None:
        backs = [back.lower() for back in BACKS]
        if (back := body.get("back")) not in backs:
            raise _only("back", backs)
        self.bench.felt.cards.clear()
        self.bench.swap_deck(str(back))
        return None

    async def _fault(self, body: Mapping[str, Any]) -> Reply | None:
        device, kind, after = str(body.get("device")), str(body.get("kind")), body.get("after")
        kinds = SHOE_FAULTS if device == "shoe" else READER_FAULTS
        circle = None if device == "shoe" else self._circle(device)
        if kind not in kinds:
            raise _only("kind", kinds)
        if after is not None and (type(after) is not int or not 1 <= after <= 52 or circle):
            raise _only("after", ("1 to 52 cards, of the shoe",))
        self.bench.fault(FaultRequest(circle, kind, after))
        if kind == "clear":
            self.faults.pop(device, None)
        else:
            self.faults[device] = kind
        return Reply("fault", {"device": device, "fault": kind})

    async def _players(self, body: Mapping[str, Any]) -> Reply | None:
        """Let simulated players sit down if `body["here"]` is true, else let them leave."""
        if body.get("here") is True:
            await self.crowd.sit_down()
        else:
            await self.crowd.leave()
        return None
