"""If one CONFIRM covers several pushes, the prompt states the chips that remain in each circle, without chips
that a floorperson has signed away."""

from __future__ import annotations

from controller.game.model.names import Wager
from controller.pages.display.words import render
from tests.game.test_signature_effects import dealt, decided, due


def test_a_partly_signed_push_is_named_with_its_remaining_chips() -> None:
    felt = decided(dealt("2C 7D TH JS 4C", s3="TD 8S"), s3=10)
    due(felt, "push")
    assert render(felt.table.view(), "en")["front"]["do"] == "PUSH $20: pair of 10s"
    felt.stand()
    felt.lay(3, across=4)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.ACROSS, holder="house", reason="seen")
    front = render(felt.table.view(), "en")["front"]
    assert "$14" in front["do"]
    assert "Across $4" in front["more"]
