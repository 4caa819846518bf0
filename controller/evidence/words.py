"""Texts of the evidence in the language of a catalogue. They must never name a card or a person."""

from __future__ import annotations

from typing import Any

from controller.common.texts.catalogue import Catalogue
from controller.evidence.factor import KNOWING
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.threshold import Threshold
from controller.game.model.names import BETS, Wager
from controller.game.model.side_bets import BONUSES

CHOICES = ("fold", "smallest", "largest", "no_bonus", "bonus", "less", "more", "no_late", "late")
"""Keys of the texts about choices, in the order of `KNOWING`."""
CANDIDATE_TEXTS = {
    Hypothesis.BONUS: "", Hypothesis.LATE: "", Hypothesis.CROSS: "crosses", Hypothesis.ANTE: "pairs",
    Hypothesis.ONE_HAND: "pairs", Hypothesis.OTHER_HANDS: "sets",
}  # fmt: skip
"""Key of the text that names the possibilities among which the player knew the right one; "" if none are
counted. A hypothesis that is missing here has `cards`."""


def text_of(texts: Catalogue, key: str, **values: object) -> str:
    """Return the text `key` of the section `evidence` of a catalogue; `values` replace its placeholders."""
    return texts.text(f"evidence.{key}", values) or ""


def threshold_words(texts: Catalogue, threshold: Threshold, key: str = "threshold_each") -> str:
    costs = {"cost": threshold.cost, "budget": threshold.budget}
    if threshold.sittings is None:
        return text_of(texts, key, **costs)
    bound = f"{threshold.bound(1):.1f}"
    return text_of(texts, "threshold", bound=bound, sittings=threshold.sittings, **costs)


def sentence(texts: Catalogue, hypothesis: Hypothesis, decision: dict[str, Any]) -> str:
    """Return a sentence about one decision and its weight. `decision`: data of a decision as
    controller/COMMANDS.md describes it."""
    way = "for" if decision["log10"] >= 0 else "against"
    return text_of(
        texts, "sentence",
        deed=text_of(texts, "deeds.late") if hypothesis is Hypothesis.LATE else _deed(texts, decision),
        knew=_knew(texts, hypothesis, decision),
        one_of=_one_of(texts, hypothesis, decision["cards"]),
        choice=text_of(texts, f"choices.{CHOICES[KNOWING.index(decision['knowing_player'])]}"),
        weight=f"{10 ** abs(decision['log10']):.1f}",
        way=text_of(texts, f"way.{way}"),
    )  # fmt: skip


def _knew(texts: Catalogue, hypothesis: Hypothesis, decision: dict[str, Any]) -> str:
    if "hand_of" in decision:
        return text_of(texts, "knew_hand", seat=decision["hand_of"])
    return text_of(texts, f"knew.{hypothesis}")


def _deed(texts: Catalogue, decision: dict[str, Any]) -> str:
    wager, antes = Wager(decision["wager"]), decision["antes"]
    if wager in BETS:
        many = "deeds.bet_one" if antes == 1 else "deeds.bet" if antes else "deeds.fold"
        return text_of(texts, many, antes=f"{antes:g}")
    if wager in BONUSES:
        return text_of(texts, "deeds.bonus" if antes else "deeds.no_bonus")
    return text_of(texts, "deeds.ante", antes=f"{antes:.2f}")


def _one_of(texts: Catalogue, hypothesis: Hypothesis, count: int) -> str:
    kind = CANDIDATE_TEXTS.get(hypothesis, "cards")
    if not kind:
        return ""
    return text_of(texts, "one_of", count=f"{count:,}", things=text_of(texts, f"things.{kind}"))
