"""The table of tests/EVIDENCE.md on the cost of a change agrees with the checkout."""

from __future__ import annotations

from tests.repository import pages
from tests.repository.house import ROOT
from tests.trials.counts import touched
from tests.trials.counts.checkout import Checkout


def test_the_counted_files_on_the_page_equal_those_of_the_checkout() -> None:
    assert pages.blocks(ROOT / "tests/EVIDENCE.md")["touched"] == touched.page(Checkout(ROOT))


def test_generated_files_are_not_counted_and_arithmetic_names_no_side_bet() -> None:
    named = touched.naming(Checkout(ROOT), "five_card_bonus")
    assert "controller/game/model/names.py" in named
    assert not {"controller/floor/uplink/asyncapi.yaml", "hardware/lamp_board/lamp_board.net"} & {*named}
    assert not [
        name for name in named if name.startswith(("controller/rules/odds/", "controller/rules/volume/"))
    ]
