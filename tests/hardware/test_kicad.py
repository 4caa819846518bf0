"""KiCad accepts each board's netlist as its own reader reads it, and each pin is on a pad of its
footprint.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardware.papers import netlist
from hardware.papers.__main__ import BOARDS, HERE
from tests.hardware.kicad import Refused, load

LIBRARY = Path("/usr/share/kicad/footprints")
PADS: dict[str, int] = yaml.safe_load(Path(__file__).with_name("footprints.yaml").read_text(encoding="utf-8"))
NETLISTS = {name: netlist.read(HERE / name / "netlist.yaml") for name in BOARDS}
TEXTS = {name: (HERE / name / f"{name}.net").read_text(encoding="utf-8") for name in BOARDS}


def pads(kind: dict[str, Any], pin: str) -> list[str]:
    found = kind.get("pads", {}).get(pin, pin)
    return list(map(str, found if isinstance(found, list) else [found]))


@pytest.mark.parametrize("name", BOARDS)
def test_kicad_reads_our_nets(name: str) -> None:
    board, components = NETLISTS[name], load(TEXTS[name])
    assert list(components) == list(board.parts)
    for net, nodes in board.nets.items():
        for part, pin in (node.split(".", 1) for node in nodes):
            for pad in pads(board.kinds[board.parts[part]], pin):
                assert components[part].nets[pad] == net
    assert len({component.path for component in components.values()}) == len(components)


@pytest.mark.parametrize("name", BOARDS)
def test_each_pad_of_a_footprint_is_in_a_net_or_named_as_open(name: str) -> None:
    board = NETLISTS[name]
    for part, component in load(TEXTS[name]).items():
        kind = board.kinds[board.parts[part]]
        left = [pin.partition(".")[2] for pin in board.open if pin.partition(".")[0] == part]
        named = set(component.nets) | set(chain.from_iterable(pads(kind, pin) for pin in left))
        assert named == {str(pad) for pad in range(1, PADS[component.footprint] + 1)}, part


def test_the_pads_are_those_of_kicad_s_library() -> None:
    """Requires Debian's kicad-footprints. The Pico's footprint is newer than bookworm's KiCad 6."""
    found = {name: LIBRARY / f"{name.replace(':', '.pretty/')}.kicad_mod" for name in PADS}
    for name, file in found.items():
        if file.is_file():
            numbers = set(re.findall(r'\(pad "?(\d+)"?', file.read_text(encoding="utf-8")))
            assert numbers == {str(pad) for pad in range(1, PADS[name] + 1)}, name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('(footprint "Fuse:Fuse_BelFuse_0ZRE0075FF_L11.5mm_W4.8mm")', '(footprint "")'),
        ('(footprint "Fuse:Fuse_BelFuse_0ZRE0075FF_L11.5mm_W4.8mm")', '(footprint "Fuse")'),
        ('(node (ref "F1") (pin "1"))', '(node (ref "F9") (pin "1"))'),
        ('(node (ref "F1") (pin "1"))', '(node (ref "F1") (pin "2"))'),
        ('(ref "F1")', "(ref F 1)"),
        ('(tool "hardware.papers"))', '(tool "hardware.papers")'),
        ('(code "1")', '(code "0")'),
    ],
)
def test_a_netlist_that_kicad_refuses_is_refused(old: str, new: str) -> None:
    text = TEXTS["seat_board"]
    assert old in text
    with pytest.raises(Refused):
        load(text.replace(old, new, 1))
