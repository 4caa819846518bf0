"""The felt: where each of the 42 circles is, from `hardware/felt.yaml`, and its drawings. Lengths in mm.

The origin is the dealer's position, x to the dealer's right, y towards the players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, radians, sin
from typing import Any

from controller.common.files.svg import SVG, element, text_element

SEATS = range(1, 7)
FeltData = Mapping[str, Any]
Place = tuple[float, float]
MARGIN = 60


def angle(felt: FeltData, seat: int) -> float:
    """Return the direction of a seat's middle in degrees: seat 1 is at the dealer's left."""
    first, last = felt["table"]["arc"]
    return float(last - (last - first) / len(SEATS) * (seat - 0.5))


def places(felt: FeltData) -> dict[tuple[int, str], Place]:
    """Return the middle of each circle."""
    found = {}
    for seat in SEATS:
        turn = radians(angle(felt, seat))
        for wager, (aside, inwards) in felt["circles"].items():
            out = felt["row"] - inwards
            found[seat, wager] = (out * cos(turn) - aside * sin(turn), out * sin(turn) + aside * cos(turn))
    return found


def drawings(felt: FeltData) -> dict[str, list[str]]:
    """Return the drawings by name, each with the kinds of reader that it shows."""
    found: dict[str, list[str]] = {}
    for kind, reader in felt["readers"].items():
        found.setdefault(reader["drawing"], []).append(kind)
    return found


def svg(felt: FeltData, drawing: str) -> str:
    """Return a drawing of rings, coils, lamps and the main measures, to scale: one unit is a millimetre.
    Raises ValueError if the kinds of the drawing have coils of different sizes."""
    kinds = drawings(felt)[drawing]
    (coil,) = {felt["readers"][kind]["antenna"] for kind in kinds}
    edge = felt["table"]["edge"]
    size = f"{-edge - MARGIN} {-edge - MARGIN} {2 * (edge + MARGIN)} {edge + 2 * MARGIN}"
    style = "text{font:14px sans-serif;text-anchor:middle}.r{fill:none;stroke:#333;stroke-width:2}"
    style += ".c{fill:none;stroke:#b60}.l{fill:#0a0}.f{fill:#e8f2e8;stroke:#333;stroke-width:3}"
    lines = [
        element("style", style),
        element("path", class_="f", d=f"M{-edge} 0A{edge} {edge} 0 0 1 {edge} 0Z"),
        *_dealer(felt),
        *(line for at in places(felt).items() for line in _circle(felt, coil, *at)),
        *_measures(felt, coil, kinds),
    ]
    return element("svg", "\n".join([*lines, ""]), xmlns=SVG, viewBox=size) + "\n"


def _dealer(felt: FeltData) -> Iterator[str]:
    radius = felt["table"]["dealer"]
    arc = f"M{-radius} 0A{radius} {radius} 0 0 1 {radius} 0"
    yield element("path", class_="r", stroke_dasharray=8, d=arc)
    yield text_element(f"dealer: cross, shoe, rack within {radius} mm", y=-40)


def _circle(felt: FeltData, coil: int, name: tuple[int, str], place: Place) -> Iterator[str]:
    seat, wager = name
    x, y = round(place[0], 1), round(-place[1], 1)
    turn = radians(angle(felt, seat))
    lamp = (round(x - felt["lamp"] * cos(turn), 1), round(y + felt["lamp"] * sin(turn), 1))
    turned = f"rotate({round(90 - angle(felt, seat), 1)} {x} {y})"
    yield element("circle", class_="r", cx=x, cy=y, r=f"{felt['circle'] / 2:g}")
    left, top = round(x - coil / 2, 1), round(y - coil / 2, 1)
    yield element("rect", class_="c", x=left, y=top, width=coil, height=coil, transform=turned)
    yield element("circle", class_="l", cx=lamp[0], cy=lamp[1], r=4)
    yield text_element(f"{seat} {_short(wager)}", x=x, y=y + 4, transform=turned, font_size=10)


def _short(wager: str) -> str:
    return {"ante_across": "AA", "ante_down": "AD", "across": "A", "down": "D", "middle": "M"}.get(
        wager, wager[0].upper() + "B"
    )


def _measures(felt: FeltData, coil: int, kinds: Sequence[str]) -> Iterator[str]:
    edge, circles = felt["table"]["edge"], felt["circles"]
    aside = circles["ante_down"][0] - circles["middle"][0]
    rows = circles["across"][1] - circles["middle"][1]
    words = f"felt R {edge}, outer row R {felt['row']}, rows {rows} apart, outer row {aside} apart, others "
    words += f"{circles['down'][0] - circles['across'][0]}; ring ∅ {felt['circle']}, chip ∅ {felt['chip']}, "
    yield text_element(f"{words}coil {coil} square, lamp {felt['lamp']} inwards; all mm", y=30)
    yield text_element(f"readers: {', '.join(kinds)}", y=48)
