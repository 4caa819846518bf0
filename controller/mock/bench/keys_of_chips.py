"""Keys of the mock table's chips: stored in the chips and in a software module behind a socket."""

from __future__ import annotations

from pathlib import Path
from random import Random

from controller.mock.bench.layout import FORGED
from drivers.chips.sim.module_server import ModuleServer
from drivers.chips.sim.ntag424 import Iso14443Chip, Ntag424
from drivers.chips.sim.simulator import ReaderBank
from drivers.chips.sim.software_module import SoftwareModule, chip_key


def give_keys(bank: ReaderBank, socket: Path, seed: int) -> ModuleServer:
    """Give a key to each chip that is laid, except `FORGED`. Return the module with the keys."""
    dice = Random(f"keys of chips {seed}")
    house_key = dice.randbytes(16)

    def card_of(uid: str) -> Iso14443Chip | None:
        return None if uid == FORGED else Ntag424(chip_key(house_key, uid), dice)

    bank.card_of = card_of
    return ModuleServer(socket, SoftwareModule(lambda uid: chip_key(house_key, uid)))
