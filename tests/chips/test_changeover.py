"""Old and new chips can be used side by side during an exchange of all chips (controller/COMMANDS.md,
"Exchange of all chips").

Two generations of one standard may lie in one stack. Two standards may share a register, but never a table.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.events import Chip, CircleRead
from controller.game.model.names import Phase, Wager
from controller.settings.chip_register import read_register, read_rows
from drivers.ports import CircleId, Inventory
from tests.chips.test_chips_command import HEADER
from tests.drivers.chips.virtual import VirtualTable
from tests.game.felt import Felt
from tests.repository.house import ROOT

OLD = [f"E00401000000{number:04X}" for number in range(4)]
NEW = [f"E00401080000{number:04X}" for number in range(4)]
OTHER = [f"04A1B2C3D4{number:04X}" for number in range(4)]
"""Chips of ISO/IEC 14443, which a reader of ISO/IEC 15693 does not see."""


def rows(uids: Collection[str]) -> str:
    return "".join(f"{uid},500,USD,in_use\n" for uid in uids)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """Return the register of a house with old chips, to which a delivery of new ones was added."""
    file, delivery = tmp_path / "chips.csv", tmp_path / "delivery.csv"
    file.write_text(HEADER + rows(OLD), encoding="utf-8")
    delivery.write_text(HEADER + rows(NEW), encoding="utf-8")
    assert main(["chips", "import", "--register", str(file), str(delivery)]) == 0
    return file


def felt_with(register: Path, across: Collection[str], down: Collection[str]) -> Felt:
    """Return a felt whose seat 1 has the chips in its antes, as FEIG readers and the register report them."""
    table = VirtualTable(seats=1)
    for wager, uids in ("ante_across", across), ("ante_down", down):
        table.lay((1, wager), tuple(uids))
    last: dict[CircleId, Inventory] = {found.circle: found for found in table.until(4.0)}
    felt, known = Felt(), read_register(register)
    for (seat, wager), found in last.items():
        chips = [known.look_up(uid) for uid in found.uids]
        read = tuple(Chip(chip.uid, chip.cents, chip.note) for chip in chips)
        felt.event(CircleRead(seat, Wager(wager), read))
    felt.stand()
    return felt


def alerts(felt: Felt) -> list[tuple[str, int | None, str | None]]:
    return [(each.code, each.seat, each.wager) for each in felt.table.state.alerts]


def test_two_generations_of_one_standard_are_bet_in_one_stack(register: Path) -> None:
    felt = felt_with(register, [OLD[0], NEW[0]], [NEW[1], OLD[1]])
    assert alerts(felt) == []
    assert [felt.table.state.amount(1, wager) for wager in (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)] == [1000] * 2
    felt.close()
    assert felt.phase is Phase.DEALING


def test_an_old_chip_that_was_withdrawn_is_named_among_new_ones_and_counts_nothing(register: Path) -> None:
    assert main(["chips", "withdraw", "--register", str(register), *OLD]) == 0
    felt = felt_with(register, [NEW[0], NEW[2], OLD[0]], [NEW[1], NEW[3]])
    assert alerts(felt) == [("chip_withdrawn", 1, "ante_across")]
    assert [felt.table.state.amount(1, wager) for wager in (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)] == [1000] * 2


def test_the_page_s_line_withdraws_every_chip_of_the_other_standard(register: Path) -> None:
    with register.open("a", encoding="utf-8") as file:
        file.write(rows(OTHER))
    page = (ROOT / "controller/COMMANDS.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^crisscross chips export .*\n(?:  .*\n)?", page, re.MULTILINE)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line], cwd=register.parent, env={**os.environ, "PATH": path},
        check=True, capture_output=True,
    )  # fmt: skip
    withdrawn = [row.uid for row in read_rows(register) if row.status == "withdrawn"]
    assert withdrawn == OTHER
