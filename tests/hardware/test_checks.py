"""The checks name each mistake in a netlist: every one that KiCad's own check finds, and lines without
protection.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.papers.checks import faults
from hardware.papers.netlist import Netlist

HEADER = {"footprint": "F:F", "pins": [1, 2, 3], "gives": [1, 2]}
GATE = {"footprint": "F:F", "pins": ["A", "Y", "NC", "VCC", "GND"], "inputs": ["A"], "outputs": ["Y"]}
GATE |= {"needs": ["VCC", "GND"]}
CLAMP = {"footprint": "F:F", "guards": [1]}
SOUND = Netlist(
    "sound",
    {"header": HEADER, "gate": GATE, "clamp": CLAMP},
    {"J1": "header", "U1": "gate", "U2": "gate", "D1": "clamp"},
    {
        "5v": ["J1.1", "U1.VCC", "U2.VCC"],
        "gnd": ["J1.2", "U1.GND", "U2.GND", "D1.2"],
        "line": ["J1.3", "D1.1", "U1.A"],
        "between": ["U1.Y", "U2.A"],
    },
    ("U1.NC", "U2.NC", "U2.Y"),
    ("J1",),
)


def without(net: str, *nodes: str) -> dict[str, list[str]]:
    return {name: [n for n in of if name != net or n not in nodes] for name, of in SOUND.nets.items()}


def joined(net: str, *nodes: str) -> dict[str, list[str]]:
    return {**SOUND.nets, net: [*SOUND.nets.get(net, []), *nodes]}


def test_a_valid_board_has_no_fault() -> None:
    assert list(faults(SOUND)) == []


@pytest.mark.parametrize(
    ("nets", "words"),
    [
        (joined("line", "U1.Y"), "U1.Y is in two nets"),
        (joined("line", "U1.Q"), "U1.Q: there is no such pin"),
        (joined("more", "U9.1", "U9.2"), "U9.1: there is no such pin"),
        (without("line", "U1.A"), "U1.A is in no net"),
        (without("between", "U2.A"), "net between joins nothing"),
        (joined("line", "U1.NC"), "U1.NC: there is no such pin"),
        (without("5v", "J1.1"), "net 5v: nothing supplies U1.VCC, U2.VCC"),
        (without("line", "D1.1"), "J1.3 can be reached and is not protected"),
        (joined("5v", "J1.2"), "net 5v has more than one output: J1.1, J1.2"),
    ],
)
def test_a_mistake_in_the_nets_is_named(nets: dict[str, list[str]], words: str) -> None:
    assert words in list(faults(replace(SOUND, nets=nets)))


def test_two_outputs_on_a_net_and_an_input_that_nothing_drives_are_named() -> None:
    nets = {**without("between", "U1.Y"), "both": ["U1.Y", "U2.Y"], "between": ["U2.A", "U1.VCC"]}
    found = list(faults(replace(SOUND, nets=nets, open=("U1.NC", "U2.NC"))))
    assert "net both has more than one output: U1.Y, U2.Y" in found
    assert "net between: nothing drives U2.A" in found


def test_a_kind_without_a_footprint_and_an_open_pin_that_is_none_are_named() -> None:
    kinds = {**SOUND.kinds, "gate": {**GATE, "footprint": ""}}
    assert "gate has no footprint" in list(faults(replace(SOUND, kinds=kinds)))
    open_pins = (*SOUND.open, "U1.Z")
    assert "U1.Z is open: there is no such pin" in list(faults(replace(SOUND, open=open_pins)))
