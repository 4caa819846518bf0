"""Keys of the mock table's chips: stored in the chips and in a software module behind a socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.icode_dna import IcodeDna
from drivers.chips.sim.module_server import ModuleServer
from drivers.chips.sim.ntag424 import Ntag424
from drivers.chips.sim.simulator import ReaderBank
from drivers.chips.sim.software_module import SoftwareModule, chip_key

Chip = TypeVar("Chip")


def give_keys(bank: ReaderBank | FeigBank, socket: Path, seed: int, forged: str) -> ModuleServer:
    """Give a key to each chip that is laid, except `forged`. Return the module with the keys."""
    dice = Random(f"keys of chips {seed}")
    house_key = dice.randbytes(16)

    def key_of(uid: str) -> bytes:
        return chip_key(house_key, uid)

    def with_key(chip: Callable[[bytes, Random], Chip]) -> Callable[[str], Chip | None]:
        return lambda uid: None if uid == forged else chip(key_of(uid), dice)

    if isinstance(bank, FeigBank):
        bank.card_of = with_key(IcodeDna)
    else:
        bank.card_of = with_key(Ntag424)
    return ModuleServer(socket, SoftwareModule(key_of))
